// Improvements of a finished plan. Nothing here makes a plan more expensive, or invalid.
#pragma once

#include <vector>

#include "state/expander.hpp"
#include "state/state_view.hpp"

namespace unpuzzle {

using Steps = std::vector<OperatorId>;

// Runs a plan: the states in between, and whether a step is applicable.
class PlanRunner {
  public:
    explicit PlanRunner(const CompiledTask& compiled)
        : compiled_(compiled), expander_(compiled), goal_(compiled), next_(compiled.words()) {}

    void start() { start(compiled_.initial.data()); }
    void start(const Word* state) { expander_.load(state); }
    const Word* state() const { return expander_.state(); }
    bool applicable(OperatorId op) const;
    void take(OperatorId op);
    bool at_goal() const { return goal_.holds_extended(state()); }

    // The states that a plan goes through, the first and the last included.
    Vector<Word> states(const Steps& plan);
    Cost cost(const Steps& plan) const;

  private:
    const CompiledTask& compiled_;
    Expander<0> expander_;
    GoalTest goal_;
    Vector<Word> next_;
};

// A subsequence; see improvement.cpp. `work`: so many steps are looked at, at most.
Steps eliminate(const CompiledTask& compiled, Steps plan, Control& control, std::uint64_t work);

struct Improved {
    Steps plan;
    std::uint64_t windows = 0, expanded = 0, generated = 0;  // windows: that were searched
    bool settled = false;                                    // more of the same would change nothing
};

// Windows; see windows.cpp. The limits of time and memory end it early, with the best plan so far.
Improved improve_by_windows(const CompiledTask& compiled, Steps plan, Control& control, Budget& budget,
                            std::uint64_t most_expanded);

}  // namespace unpuzzle
