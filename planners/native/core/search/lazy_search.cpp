// Greedy best-first search and weighted A* with deferred evaluation and preferred operators (Richter and
// Helmert 2009), for one heuristic or several; the alternation and the boost are LAMA's (Richter and Westphal
// 2010).
//
// Successors are not evaluated when they are generated but when they are expanded, and wait with their parent's h: if
// the search leaves a state for a better one, its many successors are never made. The open lists contain edges (parent,
// operator), in two lists for each heuristic: one with all edges, the other with those of operators that any of the
// heuristics prefers. They take turns, and whenever a state is better than all before it, by one of the heuristics, the
// preferred ones are ahead for the next BOOST turns.
//
//     h1, all        h=7 │(s3,o1)(s3,o9)...│  h=9 │(s0,o2)...│          ─┐
//     h1, preferred  h=7 │(s3,o9)│                                       │  the fewest turns first
//     h2, all        h=4 │(s0,o2)...│ h=5 │(s3,o1)(s3,o9)...│            │
//     h2, preferred  h=5 │(s3,o9)│                                      ─┘
//
// Of edges with the same h, greedy search takes first those nearest the start, or as `deep_greedy` those farthest from
// it: that goes through plateaus quickly, to longer plans, where the other looks at all of them. Neither is better in
// general; each needs a hundred times as many states as the other on some tasks. `narrow_greedy` takes those first
// whose state has the fewest moves, as Warnsdorff (1823) did on knight's tours: places that will soon be unreachable
// are visited in time. For that each successor is made together with its edge, which takes about twice as long.
//
// `leaping_greedy` also follows the relaxed plan of each state, whose operators are applied as they become applicable,
// and continues from the end (Vidal 2004): if there are many goals that hardly hinder each other, a few leaps make most
// of the way. States on the way are not stored: they are computed again for the plan.
//
// When symmetries are due (see representatives.hpp), of the states that they map on each other only the first is kept from
// then on. (Fifteen sandwiches that are alike: no plan in three seconds, and one in less than one.)
//
// Greedy search is not optimal, and finds each state once. Weighted A* orders by g + weight * h, where a step costs one
// more than it does (see `HeuristicContext`), and opens a state again that it reaches more cheaply. States that cannot
// lead to a plan cheaper than `SearchContext::bound` are left out. Complete: if it runs out of edges there is no such
// plan, as long as the heuristics' dead ends are true ones (all of ours are); greedy search proves that only if nothing
// was left out. Supports what the heuristics support.
#include "search/representatives.hpp"
#include "state/expander.hpp"
#include "state/state_view.hpp"
#include "storage/nodes.hpp"
#include "storage/open_list.hpp"
#include "storage/state_rows.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

namespace {

struct Origin {
    StateId parent;
    OperatorId op;
};

class Lazy : public Search {
  public:
    enum class Order { shallow, deep, narrow, leaping, weighted };

    Lazy(SearchContext& run, Order order)
        : run_(run),
          compiled_(run.compiled),
          order_(order),
          greedy_(order != Order::weighted),
          counters_(run.control.counters),
          nodes_(run.budget, compiled_.layout.size(), compiled_.features.dearest_cost),
          depths_(run.budget),
          table_(run.budget, run.control, nodes_),
          expander_(compiled_),
          looked_at_(compiled_),
          goal_test_(compiled_),
          child_(compiled_.words()),
          symmetries_(run) {
        guides_.push_back(std::make_unique<Guide>(run.heuristic, run.budget));
        if (run.second) guides_.push_back(std::make_unique<Guide>(*run.second, run.budget));
    }

    Status run() override {
        if (run_.bound == 0) return Status::unsolvable;
        if (nodes_.size() == 0) {
            copy<0>(child_.data(), compiled_.initial.data(), compiled_.words());
            visit({0, 0});
        } else if (std::exchange(waiting_, false)) {
            expand(last_);
        }
        while (goal_ == NO_STATE) {
            if (waiting_) return Status::gave_up;
            if (leap()) continue;
            if (symmetries_.due() && symmetries_.begin()) seen_.emplace(run_, compiled_.layout.size());
            Open* open = next();
            if (!open) return greedy_ && left_out_ ? Status::gave_up : Status::unsolvable;
            run_.control.work(compiled_.work());
            const Origin edge = open->pop();
            expander_.load([&](Word* to) { nodes_.load(edge.parent, to); });
            expander_.apply(edge.op, child_.data());
            visit(edge);
        }
        return goal_ == 0 ? Status::solved_optimally : Status::solved;
    }
    std::size_t states() const override { return nodes_.size(); }
    std::vector<OperatorId> plan() override {
        const std::vector<StateId> way = nodes_.way(goal_);
        const Unpacked states(compiled_.words(), nodes_, way);
        std::vector<OperatorId> plan;
        for (std::size_t i = 1; i < way.size(); ++i) {
            if (order_ == Order::leaping && *depths_[way[i]] > *depths_[way[i - 1]] + 1) {
                copy<0>(child_.data(), states.rows[i - 1], compiled_.words());
                guides_.front()->heuristic.estimate({{compiled_, child_.data()}, NO_STATE, NO_STATE, 0});
                follow_relaxed_plan();
            } else {
                followed_ = trace(compiled_, {states.rows[i - 1], states.rows[i]});
            }
            plan.insert(plan.end(), followed_.begin(), followed_.end());
        }
        return plan;
    }

  private:
    static constexpr std::int64_t BOOST = 1000;
    static constexpr Cost MOST_DEPTH = ~std::uint32_t{0};
    static constexpr Cost MOST_ESTIMATE = Cost{1} << 44;  // times MOST_WEIGHT it still fits

    using Key = BasicOpenList<Origin>::Key;
    struct Open : BasicOpenList<Origin> {
        using BasicOpenList<Origin>::BasicOpenList;
        std::int64_t turns = 0;
    };
    struct Guide {
        Guide(Heuristic& heuristic_, Budget& budget) : heuristic(heuristic_), all(budget), preferred(budget) {}
        Heuristic& heuristic;
        Open all, preferred;
        Cost h = 0, least = Heuristic::DEAD_END;
    };

    // Canonical states.
    struct Seen {
        Seen(SearchContext& run, const StateSize& size)
            : states(run.budget, size, 0), table(run.budget, run.control, states) {}
        StateRows<0> states;
        Table<StateRows<0>> table;
    };

    Open* next() {
        Open* first = nullptr;
        for (const auto& guide : guides_) {
            for (Open* open : {&guide->preferred, &guide->all}) {
                if (!open->empty() && (!first || open->turns < first->turns)) first = open;
            }
        }
        if (first) ++first->turns;
        return first;
    }

    // Evaluates and expands the state in child_, if it is new or was reached more cheaply, unless it is a goal.
    void visit(const Origin& edge) {
        const std::uint64_t code = hash<0>(child_.data(), compiled_.words());
        const auto probe = table_.find(child_.data(), code);
        const bool initial = nodes_.size() == 0;
        const Cost g = initial ? 0 : nodes_.g(edge.parent) + compiled_.operators.cost(edge.op);
        StateId id = probe.found;
        if (id == NO_STATE) {
            if (symmetric_to_another()) return;
            id = static_cast<StateId>(nodes_.size());
            nodes_.append(child_.data());
            depths_.append();
            table_.put(probe.slot, id, code);
        } else if (greedy_ || initial || g >= nodes_.g(id)) {
            return;
        } else {
            ++counters_.reopened;
        }
        nodes_.set(id, edge.parent, g);
        *depths_[id] = initial ? 0 : *depths_[edge.parent] + 1;
        reach(id, initial ? NO_STATE : edge.parent, edge);
    }
    // Whether the state in child_, which is new, is symmetric to one that was found since symmetries were.
    bool symmetric_to_another() {
        if (!seen_) return false;
        std::vector<Word> state(child_);
        symmetries_.canonical(state.data());
        const std::uint64_t code = hash<0>(state.data(), compiled_.words());
        const auto probe = seen_->table.find(state.data(), code);
        if (probe.found != NO_STATE) return true;
        seen_->states.append(state.data());
        seen_->table.put(probe.slot, static_cast<StateId>(seen_->states.size() - 1), code);
        return false;
    }
    void reach(StateId id, StateId parent, const Origin& edge) {
        ++counters_.evaluated;
        const StateView child{run_.compiled, child_.data()}, before{run_.compiled, expander_.state()};
        if (!evaluate({child, id, parent, edge.op, before})) return;
        if (goal_test_.holds(child_.data())) {
            goal_ = id;
            return;
        }
        last_ = id;
        waiting_ = counters_.expanded >= run_.most_expanded;
        if (!waiting_) expand(id);
    }
    // Tells whether the state is no dead end.
    bool evaluate(const Heuristic::EvaluationContext& question) {
        bool better = false;
        for (const auto& guide : guides_) {
            guide->h = guide->heuristic.estimate(question);
            if (guide->h == Heuristic::DEAD_END) return false;
            if (guide->h >= guide->least) continue;
            guide->least = guide->h;
            better = true;
        }
        counters_.f = guides_.front()->least;
        if (better) {
            for (const auto& guide : guides_) guide->preferred.turns -= BOOST;
        }
        return true;
    }
    void expand(StateId id) {
        ++counters_.expanded;
        fresh_ = order_ == Order::leaping;
        const Cost g = nodes_.g(id);
        const Cost depth = *depths_[id];
        const Cost steps = compiled_.features.same_costs ? depth : g + depth;
        Cost later = order_ == Order::deep ? MOST_DEPTH - depth : depth;
        for (const auto& guide : guides_) guide->h = std::min(guide->h, MOST_ESTIMATE);
        expander_.load(child_.data());
        for (const OperatorId op : expander_.applicable()) {
            ++counters_.generated;
            run_.control.tick();
            if (g + compiled_.operators.cost(op) >= run_.bound) {
                left_out_ = true;
                continue;
            }
            if (order_ == Order::narrow) later = moves_after(op);
            bool preferred = false;
            for (const auto& guide : guides_) preferred = preferred || guide->heuristic.prefers(op);
            for (const auto& guide : guides_) {
                const Key key = greedy_ ? Key{guide->h, later} : Key{steps + run_.weight * guide->h, guide->h};
                guide->all.push(key, {id, op});
                if (preferred) guide->preferred.push(key, {id, op});
            }
        }
    }

    // Goes on from where the relaxed plan leads of the state that was expanded last, unless that is known. Tells whether.
    bool leap() {
        if (!std::exchange(fresh_, false)) return false;
        follow_relaxed_plan();
        Cost g = nodes_.g(last_);
        for (const OperatorId op : followed_) g += compiled_.operators.cost(op);
        if (followed_.size() < 2 || g >= run_.bound) return false;
        const std::uint64_t code = hash<0>(child_.data(), compiled_.words());
        const auto probe = table_.find(child_.data(), code);
        if (probe.found != NO_STATE || symmetric_to_another()) return false;
        const auto id = static_cast<StateId>(nodes_.size());
        nodes_.append(child_.data());
        depths_.append();
        table_.put(probe.slot, id, code);
        nodes_.set(id, last_, g);
        *depths_[id] = static_cast<std::uint32_t>(*depths_[last_] + followed_.size());
        reach(id, NO_STATE, {last_, followed_.back()});
        return true;
    }
    // From the state in child_, of which the first heuristic was asked last.
    void follow_relaxed_plan() {
        const auto relaxed = guides_.front()->heuristic.relaxed_plan();
        std::vector<OperatorId> left(relaxed.begin(), relaxed.end());
        followed_.clear();
        looked_at_.load(child_.data());
        for (std::size_t before = left.size() + 1; left.size() < before && !left.empty();) {
            before = left.size();
            run_.control.work(before);
            std::erase_if(left, [&](OperatorId op) {
                const StateView state{compiled_, looked_at_.state()};
                const Task& task = compiled_.task;
                if (!state.hold(task.facts(task.operators[op].precondition)) || goal_test_.holds(child_.data()))
                    return false;
                looked_at_.apply(op, child_.data());
                looked_at_.load(child_.data());
                followed_.push_back(op);
                return true;
            });
        }
    }

    // The number of operators that are applicable after one.
    Cost moves_after(OperatorId op) {
        run_.control.work(compiled_.work());
        looked_at_.load([&](Word* to) { expander_.apply(op, to); });
        return looked_at_.applicable().size();
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Order order_;
    bool greedy_;
    Counters& counters_;
    Nodes<StateRows<0>> nodes_;
    GrowingArray<std::uint32_t, 1> depths_;
    Table<StateRows<0>> table_;
    std::vector<std::unique_ptr<Guide>> guides_;
    Expander<0> expander_, looked_at_;  // looked_at_: a successor
    GoalTest goal_test_;
    std::vector<Word> child_;
    Representatives symmetries_;
    std::optional<Seen> seen_;
    StateId goal_ = NO_STATE, last_ = 0;
    std::vector<OperatorId> followed_;  // of a relaxed plan
    // waiting_: the last state is to be expanded after a pause; fresh_: it was, and nothing since
    bool left_out_ = false, waiting_ = false, fresh_ = false;
};

}  // namespace

std::unique_ptr<Search> greedy(SearchContext& run) { return std::make_unique<Lazy>(run, Lazy::Order::shallow); }
std::unique_ptr<Search> deep_greedy(SearchContext& run) { return std::make_unique<Lazy>(run, Lazy::Order::deep); }
std::unique_ptr<Search> narrow_greedy(SearchContext& run) { return std::make_unique<Lazy>(run, Lazy::Order::narrow); }
std::unique_ptr<Search> leaping_greedy(SearchContext& run) { return std::make_unique<Lazy>(run, Lazy::Order::leaping); }
std::unique_ptr<Search> lazy_weighted_a_star(SearchContext& run) {
    return std::make_unique<Lazy>(run, Lazy::Order::weighted);
}

}  // namespace unpuzzle
