// A* (Hart, Nilsson and Raphael 1968), with re-opening, so that it is optimal with every admissible
// heuristic, consistent or not, and with operators of cost 0.
//
// Among states of least f those of least h come first, so a goal (h = 0) is expanded before anything as dear
// as it. If the heuristic allows it, states of one bucket are expanded together until their successors fill a
// batch; their successors cannot come before that bucket, so nothing is expanded that would not have been.
//
// Weighted A* (Pohl 1970): with f = g + weight * h a plan costs at most `weight` times the least, if the
// heuristic is admissible.
#include "children.hpp"
#include "expander.hpp"
#include "goal.hpp"
#include "nodes.hpp"
#include "open_list.hpp"
#include "representatives.hpp"
#include "table.hpp"
#include "trace.hpp"

namespace unpuzzle {

namespace {

template <int W>
class AStar : public Search {
  public:
    explicit AStar(Run& run)
        : run_(run),
          model_(run.model),
          counters_(run.control.counters),
          pool_(run.budget, model_.words()),
          nodes_(run.budget),
          table_(run.budget, run.control, pool_, model_.words()),
          open_(run.budget),
          children_(model_.words()),
          keys_(model_.words()),
          expander_(model_),
          goal_test_(model_),
          representatives_(run),
          batches_(run.heuristic.batches() && run.weight == 1) {}

    Status run() override {
        const Word* initial = model_.initial.data();
        insert(initial, initial, {hash<W>(initial, model_.words()), 0, 0, 0});
        while (true) {
            if (!batches_ || open_.empty() || open_.top() != key_) look_up();
            if (open_.empty()) return Status::unsolvable;
            key_ = open_.top();
            const StateId id = open_.pop();
            if (nodes_.closed(id)) continue;
            run_.control.tick();
            counters_.f = key_.f;
            expander_.load(state(id));
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
    std::size_t states() const override { return pool_.size(); }
    std::vector<OperatorId> plan() const override {
        const auto parent = [&](StateId id) { return nodes_.parent(id); };
        const auto states =
            came_across_ ? path_to(goal_, *came_across_, parent) : path_to(goal_, pool_, parent);
        return representatives_.plan(model_.initial.data(), states);
    }

  private:
    using Child = typename Children<W>::Child;
    static constexpr Cost MOST_ESTIMATE = Cost{1} << 44;  // times MOST_WEIGHT it still fits

    const Word* state(StateId id) const { return came_across_ ? (*came_across_)[id] : pool_[id]; }

    void begin_representatives() {
        look_up();
        if (!representatives_.begin() || run_.heuristic.blind()) return;
        came_across_.emplace(run_.budget, model_.words());
        for (StateId id = 0; id < pool_.size(); ++id)
            copy<W>(came_across_->append(), pool_[id], model_.words());
    }
    const Word* key(Word* child) {
        if (!representatives_.on()) return child;
        Word* key = child;
        if (came_across_) copy<W>(key = keys_.state(children_.size()), child, model_.words());
        representatives_.canonical(key);
        return key;
    }

    void expand(StateId id) {
        ++counters_.expanded;
        nodes_.close(id);
        const Cost g = nodes_.g(id);
        expander_.applicable([&](OperatorId op) {
            ++counters_.generated;
            Word* child = children_.next();
            expander_.apply(op, child);
            const std::uint64_t code = hash<W>(key(child), model_.words());
            table_.prefetch_slot(code);
            children_.add({code, g + model_.operators.cost(op), id, op});
            if (children_.full()) look_up();
        });
    }
    void look_up() {
        const std::size_t size = children_.size();
        for (std::size_t i = 0; i < size; ++i) {
            const StateId id = table_.likely(children_[i].hash);
            if (id == NO_STATE) continue;
            prefetch(pool_[id]);
            nodes_.fetch(id);
        }
        for (std::size_t i = 0; i < size; ++i)
            insert(children_.state(i), came_across_ ? keys_.state(i) : children_.state(i), children_[i]);
        children_.clear();
    }
    // The key is what the state is known by.
    void insert(const Word* state, const Word* key, const Child& child) {
        const auto probe = table_.find(key, child.hash);
        if (probe.found != NO_STATE) {
            if (child.g < nodes_.g(probe.found)) improve(probe.found, state, child);
            return;
        }
        const auto id = static_cast<StateId>(pool_.size());
        copy<W>(pool_.append(), key, model_.words());
        if (came_across_) copy<W>(came_across_->append(), state, model_.words());
        nodes_.append(child.parent, child.g);
        table_.put(probe.slot, id, child.hash);
        ++counters_.evaluated;
        push(id, state, child);
    }
    void improve(StateId id, const Word* state, const Child& child) {
        if (nodes_.closed(id)) ++counters_.reopened;
        nodes_.set(id, child.parent, child.g);
        push(id, state, child);
    }
    void push(StateId id, const Word* state, const Child& child) {
        const StateId parent = id == 0 ? NO_STATE : child.parent;
        const Cost h = run_.heuristic.estimate({state, id, parent, child.op, this->state(child.parent)});
        if (h == Heuristic::DEAD_END) return;
        open_.push({child.g + run_.weight * std::min(h, MOST_ESTIMATE), h}, id);
    }

    Run& run_;
    const Model& model_;
    Counters& counters_;
    Rows<Word, W> pool_;
    Nodes nodes_;
    Table<W> table_;
    OpenList open_;
    Children<W> children_, keys_;  // keys_ and came_across_: see representatives.hpp
    std::optional<Rows<Word, W>> came_across_;
    Expander<W> expander_;
    GoalTest goal_test_;
    mutable Representatives representatives_;
    bool batches_;
    OpenList::Key key_{0, 0};
    StateId goal_ = NO_STATE;
};

}  // namespace

std::unique_ptr<Search> a_star(Run& run) {
    return by_width(run.model.words(),
                    [&]<int W>() -> std::unique_ptr<Search> { return std::make_unique<AStar<W>>(run); });
}

}  // namespace unpuzzle
