// The goal test. It compares words; the axioms are evaluated only where the goal wants derived variables and
// the rest of it holds.
#pragma once

#include "state/compiled_task.hpp"

namespace unpuzzle {

class GoalTest {
  public:
    explicit GoalTest(const CompiledTask& compiled) : compiled_(compiled), extended_(compiled.extended_words()) {}

    bool holds(const Word* state) {
        if (!compiled_.task.goal_possible || !all(compiled_.goal.stored, state)) return false;
        return !compiled_.features.derived_goal || all(compiled_.goal.derived, extend(state));
    }
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
    const Word* extend(const Word* state) {
        copy<0>(extended_.data(), state, compiled_.words());
        compiled_.axioms.evaluate(extended_.data(), scratch_);
        return extended_.data();
    }

    const CompiledTask& compiled_;
    std::vector<Word> extended_;
    Axioms::Scratch scratch_;
};

}  // namespace unpuzzle
