// A* (Hart, Nilsson and Raphael 1968), with re-opening, so that it is optimal with every admissible
// heuristic, consistent or not, and with operators of cost 0.
//
// Among states of least f those of least h come first, so a goal (h = 0) is expanded before anything as dear
// as it. If the heuristic allows it, states of one bucket are expanded together until their successors fill a
// batch; their successors cannot come before that bucket, so nothing is expanded that would not have been.
//
// Where nothing guides it and states have few bits, compact_a_star.cpp does the same, mostly in less memory.
//
// Weighted A* (Pohl 1970): with f = g + weight * h a plan costs at most `weight` times the least, if the
// heuristic is admissible.
#include "search/representatives.hpp"
#include "search/trace.hpp"
#include "state/expander.hpp"
#include "state/goal.hpp"
#include "storage/nodes.hpp"
#include "storage/open_list.hpp"
#include "storage/state_rows.hpp"
#include "storage/successor_batch.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

namespace {

template <int W>
class AStar : public Search {
  public:
    explicit AStar(SearchContext& run)
        : run_(run),
          compiled_(run.compiled),
          counters_(run.control.counters),
          by_operator_(!run.orbits && compiled_.features.undoable),
          nodes_(run.budget, compiled_.layout.size(), compiled_.features.dearest_cost,
                 by_operator_ ? compiled_.operators.count() : 0),
          table_(run.budget, run.control, nodes_),
          open_(run.budget),
          children_(compiled_.words()),
          keys_(compiled_.words()),
          expander_(compiled_),
          goal_test_(compiled_),
          representatives_(run),
          parent_(compiled_.words()),
          batches_(run.heuristic.batches() && run.weight == 1) {}

    Status run() override {
        const Word* initial = compiled_.initial.data();
        insert(initial, initial, {hash<W>(initial, compiled_.words()), 0, 0, 0});
        while (true) {
            if (!batches_ || open_.empty() || open_.top() != key_) look_up();
            if (open_.empty()) return Status::unsolvable;
            key_ = open_.top();
            if (const StateId* soon = open_.soon()) nodes_.fetch(*soon);
            const StateId id = open_.pop();
            if (nodes_.closed(id)) continue;
            run_.control.tick();
            counters_.f = key_.f;
            expander_.load([&](Word* to) { load(id, to); });
            if (goal_test_.holds_extended(expander_.state())) {
                goal_ = id;
                const bool optimal = run_.heuristic.admissible() && run_.weight == 1;
                return optimal || nodes_.g(id) == 0 ? Status::solved_optimally : Status::solved;
            }
            if (counters_.expanded >= run_.most_expanded) return Status::gave_up;
            if (representatives_.due()) begin_representatives();
            expand(id);
        }
    }
    std::size_t states() const override { return nodes_.size(); }
    std::vector<OperatorId> plan() const override {
        const std::vector<StateId> way = by_operator_ ? way_back() : nodes_.way(goal_);
        return came_across_ ? representatives_.plan(*came_across_, way) : representatives_.plan(nodes_, way);
    }

  private:
    using Child = typename SuccessorBatch<W>::Child;
    using Glance = typename Table<StateRows<W>>::Glance;
    static constexpr Cost MOST_ESTIMATE = Cost{1} << 44;  // times MOST_WEIGHT it still fits

    void load(StateId id, Word* to) const {
        if (came_across_)
            came_across_->load(id, to);
        else
            nodes_.load(id, to);
    }

    std::uint32_t link(const Child& child) const { return by_operator_ ? child.op : child.parent; }
    std::vector<StateId> way_back() const {
        std::vector<Word> state(compiled_.words());
        load(goal_, state.data());
        std::vector<StateId> ids{goal_};
        while (ids.back() != 0) {
            compiled_.undo(nodes_.link(ids.back()), state.data());
            ids.push_back(table_.find(state.data(), hash<W>(state.data(), compiled_.words())).found);
        }
        std::reverse(ids.begin(), ids.end());
        return ids;
    }

    void begin_representatives() {
        look_up();
        if (!representatives_.begin() || run_.heuristic.blind()) return;
        came_across_.emplace(run_.budget, compiled_.layout.size(), 0);
        for (StateId id = 0; id < nodes_.size(); ++id) {
            nodes_.load(id, parent_.data());
            came_across_->append(parent_.data());
        }
    }
    const Word* key(Word* child) {
        if (!representatives_.on()) return child;
        Word* key = child;
        if (came_across_) copy<W>(key = keys_.state(children_.size()), child, compiled_.words());
        representatives_.canonical(key);
        return key;
    }

    const Word* key_of(std::size_t child) { return came_across_ ? keys_.state(child) : children_.state(child); }

    void expand(StateId id) {
        ++counters_.expanded;
        nodes_.close(id);
        const Cost g = nodes_.g(id);
        expander_.applicable([&](OperatorId op) {
            ++counters_.generated;
            Word* child = children_.next();
            expander_.apply(op, child);
            const std::uint64_t code = hash<W>(key(child), compiled_.words());
            table_.prefetch_slot(code);
            children_.add({code, g + compiled_.operators.cost(op), id, op});
            if (children_.full()) look_up();
        });
    }
    void look_up() {
        run_.control.tick();  // one state may have very many successors
        const std::size_t size = children_.size();
        const std::size_t lines = table_.lines();
        Glance seen[SuccessorBatch<W>::MOST];
        for (std::size_t i = 0; i < size; ++i) {
            seen[i] = table_.glance(children_[i].hash);
            nodes_.fetch(seen[i].likely);
        }
        // Those that change something. Without a branch, too: nothing tells which states were there already.
        std::size_t left[SuccessorBatch<W>::MOST], count = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const StateId id = seen[i].likely;
            const bool known = nodes_.is_state(id, key_of(i));
            seen[i].slot |= ~(std::size_t{known} - 1);      // NO_SLOT if so,
            seen[i].likely |= StateId{known} - StateId{1};  // NO_STATE if not
            left[count] = i;
            count += !(known & (children_[i].g >= nodes_.g(id)));
        }
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = left[j];
            if (table_.holds(seen[i], lines))
                add(children_.state(i), key_of(i), children_[i], seen[i].slot);
            else if (seen[i].likely != NO_STATE)
                again(seen[i].likely, children_.state(i), children_[i]);
            else
                insert(children_.state(i), key_of(i), children_[i]);
        }
        children_.clear();
    }
    // The key is what the state is known by.
    void insert(const Word* state, const Word* key, const Child& child) {
        const auto probe = table_.find(key, child.hash);
        if (probe.found != NO_STATE) return again(probe.found, state, child);
        add(state, key, child, probe.slot);
    }
    void add(const Word* state, const Word* key, const Child& child, std::size_t slot) {
        const auto id = static_cast<StateId>(nodes_.size());
        nodes_.append(key, link(child), child.g);
        if (came_across_) came_across_->append(state);
        table_.put(slot, id, child.hash);
        ++counters_.evaluated;
        push(id, state, child);
    }
    // A state that is there already.
    void again(StateId id, const Word* state, const Child& child) {
        if (child.g >= nodes_.g(id)) return;
        if (nodes_.closed(id)) ++counters_.reopened;
        nodes_.set(id, link(child), child.g);
        push(id, state, child);
    }
    void push(StateId id, const Word* state, const Child& child) {
        const StateId parent = id == 0 ? NO_STATE : child.parent;
        if (!run_.heuristic.blind()) load(child.parent, parent_.data());
        const Cost h =
            run_.heuristic.estimate({{run_.compiled, state}, id, parent, child.op, {run_.compiled, parent_.data()}});
        if (h == Heuristic::DEAD_END) return;
        open_.push({child.g + run_.weight * std::min(h, MOST_ESTIMATE), h}, id);
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Counters& counters_;
    bool by_operator_;  // that is what links of nodes are
    Nodes<StateRows<W>> nodes_;
    Table<StateRows<W>> table_;
    OpenList open_;
    SuccessorBatch<W> children_, keys_;  // keys_ and came_across_: see representatives.hpp
    std::optional<StateRows<W>> came_across_;
    Expander<W> expander_;
    GoalTest goal_test_;
    mutable Representatives representatives_;
    std::vector<Word> parent_;  // of the state that is evaluated
    bool batches_;
    OpenList::Key key_{0, 0};
    StateId goal_ = NO_STATE;
};

}  // namespace

std::unique_ptr<Search> a_star(SearchContext& run) {
    return by_width(run.compiled.words(),
                    [&]<int W>() -> std::unique_ptr<Search> { return std::make_unique<AStar<W>>(run); });
}

}  // namespace unpuzzle
