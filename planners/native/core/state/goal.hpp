// The goal test. It compares words; the axioms are evaluated only where the goal wants derived variables and
// the rest of it holds.
#pragma once

#include "state/state_view.hpp"

namespace unpuzzle {

class GoalTest {
  public:
    explicit GoalTest(const CompiledTask& compiled) : compiled_(compiled), derived_(compiled) {}

    bool holds(const Word* state) {
        if (!compiled_.task.goal_possible || !all(compiled_.goal.stored, state)) return false;
        return !compiled_.features.derived_goal ||
               all(compiled_.goal.derived, derived_.add_to({compiled_, state}).words());
    }
    bool holds(StateView state) { return holds(state.words()); }
    bool holds_extended(const Word* state) const {
        return compiled_.task.goal_possible && all(compiled_.goal.stored, state) && all(compiled_.goal.derived, state);
    }

  private:
    static bool all(const Vector<Test>& tests, const Word* state) {
        for (const Test& test : tests) {
            if (!test.holds(state)) return false;
        }
        return true;
    }

    const CompiledTask& compiled_;
    DerivedVariables derived_;
};

}  // namespace unpuzzle
