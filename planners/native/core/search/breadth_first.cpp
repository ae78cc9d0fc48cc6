// Breadth-first search. The pool is the queue: states are numbered as they are generated, so expanding them
// in the order of their numbers is the whole of it, and a state costs its bits, two more for the parent, and
// its slot. The table is most of what could be saved, so it is a lean one.
//
//     pool    │ expanded ............│ this layer ...│ next layer ..│ free
//                                    ▲ next          ▲ layer_end    ▲ size
//
// Goals are tested when a state is generated (a whole layer less is expanded). The plan has the fewest steps;
// where all operators cost the same it is optimal, and then this is what blind A* is run as.
#include "search/representatives.hpp"
#include "search/trace.hpp"
#include "state/expander.hpp"
#include "state/goal.hpp"
#include "storage/parents.hpp"
#include "storage/state_rows.hpp"
#include "storage/successor_batch.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

namespace {

template <int W>
class BreadthFirst : public Search {
  public:
    explicit BreadthFirst(SearchContext& run)
        : run_(run),
          compiled_(run.compiled),
          counters_(run.control.counters),
          pool_(run.budget, compiled_.layout.size(), 0),
          parents_(run.budget),
          table_(run.budget, run.control, pool_, Table<StateRows<W>>::Growth::lean),
          children_(compiled_.words()),
          expander_(compiled_),
          goal_test_(compiled_),
          representatives_(run),
          grandparent_(compiled_.words()) {}

    Status run() override {
        const Word* initial = compiled_.initial.data();
        insert(initial, 0, hash<W>(initial, compiled_.words()));
        StateId layer_end = 0;
        for (StateId next = 0; goal_ == NO_STATE; ++next) {
            run_.control.tick();
            const bool enough = counters_.expanded >= run_.most_expanded;
            if (next == layer_end || enough) {
                look_up();
                if (goal_ != NO_STATE) break;
                if (next == pool_.size()) return Status::unsolvable;
                if (enough) return Status::gave_up;
                layer_end = static_cast<StateId>(pool_.size());
                counters_.f += next == 0 ? 0 : step_cost();
            }
            if (representatives_.due()) {
                look_up();
                representatives_.begin();
                if (goal_ != NO_STATE) break;
            }
            expand(next);
        }
        return compiled_.features.same_costs || goal_ == 0 ? Status::solved_optimally : Status::solved;
    }
    std::size_t states() const override { return pool_.size(); }
    std::vector<OperatorId> plan() const override { return representatives_.plan(pool_, parents_.way(goal_)); }

  private:
    Cost step_cost() const { return compiled_.features.same_costs ? compiled_.features.least_cost : 1; }

    void expand(StateId id) {
        ++counters_.expanded;
        expander_.load([&](Word* to) { pool_.load(id, to); });
        pool_.load(parents_.next(), grandparent_.data());
        expander_.applicable([&](OperatorId op) { generate(op, id); });
    }
    void generate(OperatorId op, StateId parent) {
        ++counters_.generated;
        Word* child = children_.next();
        expander_.apply(op, child);
        // Straight back? Saves a look-up; and nothing tells, so that there is no branch.
        const bool back = equal<W>(child, grandparent_.data(), compiled_.words());
        if (representatives_.on()) representatives_.canonical(child);
        const std::uint64_t code = hash<W>(child, compiled_.words());
        table_.prefetch_slot(code);
        children_.add({code, 0, parent, op});
        children_.drop_last(back);
        if (children_.full()) look_up();
    }
    void look_up() {
        run_.control.tick();  // one state may have very many successors
        const std::size_t size = children_.size();
        const std::size_t lines = table_.lines();
        typename Table<StateRows<W>>::Glance seen[SuccessorBatch<W>::MOST];
        for (std::size_t i = 0; i < size; ++i) {
            seen[i] = table_.glance(children_[i].hash);
            pool_.fetch(seen[i].likely);
        }
        // Those that are new, or need a second look; see a_star.cpp.
        std::size_t left[SuccessorBatch<W>::MOST], count = 0;
        for (std::size_t i = 0; i < size; ++i) {
            left[count] = i;
            count += !pool_.is_state(seen[i].likely, children_.state(i));
        }
        for (std::size_t j = 0; j < count && goal_ == NO_STATE; ++j) {
            const std::size_t i = left[j];
            const Word* state = children_.state(i);
            if (table_.holds(seen[i], lines))
                add(state, children_[i].parent, children_[i].hash, seen[i].slot);
            else
                insert(state, children_[i].parent, children_[i].hash);
        }
        children_.clear();
    }
    void insert(const Word* state, StateId parent, std::uint64_t code) {
        const auto probe = table_.find(state, code);
        if (probe.found == NO_STATE) add(state, parent, code, probe.slot);
    }
    void add(const Word* state, StateId parent, std::uint64_t code, std::size_t slot) {
        const auto id = static_cast<StateId>(pool_.size());
        pool_.append(state);
        parents_.append(parent);
        table_.put(slot, id, code);
        ++counters_.evaluated;
        if (goal_test_.holds(state)) goal_ = id;
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Counters& counters_;
    StateRows<W> pool_;
    Parents parents_;
    Table<StateRows<W>> table_;
    SuccessorBatch<W> children_;
    Expander<W> expander_;
    GoalTest goal_test_;
    mutable Representatives representatives_;
    std::vector<Word> grandparent_;
    StateId goal_ = NO_STATE;
};

}  // namespace

std::unique_ptr<Search> breadth_first(SearchContext& run) {
    return by_width(run.compiled.words(),
                    [&]<int W>() -> std::unique_ptr<Search> { return std::make_unique<BreadthFirst<W>>(run); });
}

}  // namespace unpuzzle
