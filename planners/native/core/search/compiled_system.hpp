// A compiled task as a transition system.
#pragma once

#include "search/representatives.hpp"
#include "search/transition_system.hpp"
#include "state/expander.hpp"
#include "state/state_view.hpp"

namespace unpuzzle {

template <int W>
class CompiledTransitions {
  public:
    static constexpr int WIDTH = W;

    explicit CompiledTransitions(const CompiledTask& compiled, Pruning* pruning = nullptr)
        : compiled_(compiled),
          expander_(compiled, pruning),
          goal_test_(compiled),
          work_(compiled.work()),
          goal_work_(compiled.axioms.work()) {}

    StateSize size() const { return compiled_.layout.size(); }
    const Word* start() const { return compiled_.initial.data(); }
    template <class Write>
    void load(Write&& write) {
        expander_.load(write);
    }
    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        for (const OperatorId op : expander_.applicable()) {
            expander_.apply(op, place());
            emit(op);
        }
    }
    bool is_goal(const Word* state) { return goal_test_.holds(state); }
    bool loaded_is_goal() const { return goal_test_.holds_extended(expander_.state()); }
    std::uint32_t cost(OperatorId op) const { return compiled_.operators.cost(op); }
    std::size_t work() const { return work_; }
    std::size_t goal_work() const { return goal_work_; }

  protected:
    const CompiledTask& compiled_;
    Expander<W> expander_;
    GoalTest goal_test_;

  private:
    std::size_t work_, goal_work_;
};

// The same with a heuristic, the argument of searches.
template <int W>
class CompiledSystem : public CompiledTransitions<W> {
  public:
    static constexpr std::size_t BATCH = 32;
    static constexpr bool COMPARES_WITH_PATH = true;
    using Context = SearchContext;
    using Symmetries = Representatives;

    explicit CompiledSystem(SearchContext& run)
        : CompiledTransitions<W>(run.compiled, run.pruning),
          heuristic_(run.heuristic),
          can_be_undone_(!run.orbits && run.compiled.features.undoable) {}

    bool same_costs() const { return compiled_.features.same_costs; }
    std::uint32_t least_cost() const { return compiled_.features.least_cost; }
    std::uint32_t dearest_cost() const { return compiled_.features.dearest_cost; }
    bool admissible() const { return heuristic_.admissible(); }
    bool wants_parents() const { return !heuristic_.blind(); }
    bool batches() const { return heuristic_.batches(); }
    Cost estimate(const ReachedState& reached) {
        return heuristic_.estimate(
            {{compiled_, reached.state}, reached.id, reached.parent, reached.op, {compiled_, reached.parent_state}});
    }

    bool can_be_undone() const { return can_be_undone_; }
    std::size_t operators() const { return compiled_.operators.count(); }
    void undo(OperatorId op, Word* state) const { compiled_.undo(op, state); }

  private:
    using CompiledTransitions<W>::compiled_;

    Heuristic& heuristic_;
    bool can_be_undone_;
};

// A search of a class template over systems, for the task's width.
template <template <class> class Algorithm, int MOST = 4>
std::unique_ptr<Search> make_for_task(SearchContext& run) {
    return by_width<MOST>(run.compiled.words(), [&]<int W>() -> std::unique_ptr<Search> {
        return std::make_unique<Algorithm<CompiledSystem<W>>>(run);
    });
}

}  // namespace unpuzzle
