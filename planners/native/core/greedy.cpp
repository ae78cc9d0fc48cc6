// Greedy best-first search with deferred evaluation and preferred operators (Richter and Helmert 2009; the
// alternation and the boost are LAMA's, Richter and Westphal 2010).
//
// Successors are not evaluated when they are generated but when they come up, and wait under their parent's
// h: of the many successors of a state that is left behind for a better one, none was ever made. What waits
// is an edge (parent, operator), in two open lists: one holds all edges, the other those by preferred
// operators. They take turns, and whenever a state is better than all before it, the preferred ones are ahead
// for the next BOOST turns.
//
//     all        h=7 │(s3,o1)(s3,o9)...│  h=9 │(s0,o2)...│          ─┐  least priority counter first
//     preferred  h=7 │(s3,o9)│                                      ─┘
//
// Not optimal. Complete: if it runs out of edges there is no plan, as long as the heuristic's dead ends are
// true ones (all of ours are). Supports what the heuristic supports.
#include "expander.hpp"
#include "goal.hpp"
#include "open_list.hpp"
#include "search.hpp"
#include "table.hpp"
#include "trace.hpp"

namespace unpuzzle {

namespace {

struct Edge {
    StateId parent;
    OperatorId op;
};

template <int W>
class Greedy : public Search {
  public:
    explicit Greedy(Run& run)
        : run_(run),
          model_(run.model),
          counters_(run.control.counters),
          pool_(run.budget, model_.words()),
          parents_(run.budget),
          depths_(run.budget),
          table_(run.budget, run.control, pool_),
          all_(run.budget),
          preferred_(run.budget),
          expander_(model_),
          goal_test_(model_),
          child_(model_.words()),
          preference_(model_.operators.count(), 0) {}

    Status run() override {
        copy<W>(child_.data(), model_.initial.data(), model_.words());
        for (Edge edge{0, 0}; visit(edge) != Visit::goal;) {
            if (all_.empty() && preferred_.empty()) return Status::unsolvable;
            if (counters_.expanded >= run_.most_expanded) return Status::gave_up;
            run_.control.tick();
            edge = next();
            expander_.load(pool_[edge.parent]);
            expander_.apply(edge.op, child_.data());
        }
        return goal_ == 0 ? Status::solved_optimally : Status::solved;
    }
    std::size_t states() const override { return pool_.size(); }
    std::vector<OperatorId> plan() const override {
        return trace(model_, path_to(goal_, pool_, [&](StateId id) { return *parents_[id]; }));
    }

  private:
    enum class Visit { goal, other };
    using Open = BasicOpenList<Edge>;
    static constexpr std::int64_t BOOST = 1000;

    Edge next() {
        const bool preferred = !preferred_.empty() && (all_.empty() || turns_preferred_ <= turns_all_);
        ++(preferred ? turns_preferred_ : turns_all_);
        return (preferred ? preferred_ : all_).pop();
    }

    // Evaluates and expands the state in child_, if it is new.
    Visit visit(const Edge& edge) {
        const std::uint64_t code = hash<W>(child_.data(), model_.words());
        const auto probe = table_.find(child_.data(), code);
        if (probe.found != NO_STATE) return Visit::other;
        const auto id = static_cast<StateId>(pool_.size());
        copy<W>(pool_.append(), child_.data(), model_.words());
        *parents_.append() = edge.parent;
        *depths_.append() = id == 0 ? 0 : *depths_[edge.parent] + 1;
        table_.put(probe.slot, id, code);
        ++counters_.evaluated;
        const StateId parent = id == 0 ? NO_STATE : edge.parent;
        const Cost h = run_.heuristic.estimate({pool_[id], id, parent, edge.op, pool_[edge.parent]});
        if (h == Heuristic::DEAD_END) return Visit::other;
        if (goal_test_.holds(pool_[id])) {
            goal_ = id;
            return Visit::goal;
        }
        if (id == 0 || h < counters_.f) {
            counters_.f = h;
            turns_preferred_ -= BOOST;
        }
        expand(id, h);
        return Visit::other;
    }
    void expand(StateId id, Cost h) {
        ++counters_.expanded;
        const Cost depth = *depths_[id];
        for (const OperatorId op : run_.heuristic.preferred()) preference_[op] = id + 1;
        expander_.load(pool_[id]);
        expander_.applicable([&](OperatorId op) {
            ++counters_.generated;
            all_.push({h, depth}, {id, op});
            if (preference_[op] == id + 1) preferred_.push({h, depth}, {id, op});
        });
    }

    Run& run_;
    const Model& model_;
    Counters& counters_;
    WordRows<W> pool_;
    Rows<StateId, 1> parents_;
    Rows<std::uint32_t, 1> depths_;
    Table<WordRows<W>> table_;
    Open all_, preferred_;
    Expander<W> expander_;
    GoalTest goal_test_;
    std::vector<Word> child_;
    Vector<StateId> preference_;  // by operator: 1 + the last state in which it was preferred
    std::int64_t turns_all_ = 0, turns_preferred_ = 0;
    StateId goal_ = NO_STATE;
};

}  // namespace

std::unique_ptr<Search> greedy(Run& run) {
    return by_width(run.model.words(),
                    [&]<int W>() -> std::unique_ptr<Search> { return std::make_unique<Greedy<W>>(run); });
}

}  // namespace unpuzzle
