// The goal test. It compares words; the axioms are evaluated only where the goal wants derived variables and
// the rest of it holds.
#pragma once

#include "state/compiled_task.hpp"

namespace unpuzzle {

class GoalTest {
  public:
    explicit GoalTest(const Model& model) : model_(model), extended_(model.extended_words()) {}

    bool holds(const Word* state) {
        if (!model_.task.goal_possible || !all(model_.goal.stored, state)) return false;
        return model_.goal.derived.empty() || all(model_.goal.derived, extend(state));
    }
    bool holds_extended(const Word* state) const {
        return model_.task.goal_possible && all(model_.goal.stored, state) && all(model_.goal.derived, state);
    }

  private:
    static bool all(const Vector<Test>& tests, const Word* state) {
        for (const Test& test : tests) {
            if (!test.holds(state)) return false;
        }
        return true;
    }
    const Word* extend(const Word* state) {
        copy<0>(extended_.data(), state, model_.words());
        model_.axioms.evaluate(extended_.data(), scratch_);
        return extended_.data();
    }

    const Model& model_;
    std::vector<Word> extended_;
    Axioms::Scratch scratch_;
};

}  // namespace unpuzzle
