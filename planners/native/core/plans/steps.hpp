// Plans as they run: the states in between, whether a step may be taken, and what the rest of a plan needs.
#pragma once

#include <vector>

#include "base/metered.hpp"
#include "state/compiled_task.hpp"

namespace unpuzzle {

using Steps = std::vector<OperatorId>;

class PlanRunner {
  public:
    explicit PlanRunner(const CompiledTask& compiled);

    void start() { start(compiled_.initial.data()); }
    void start(const Word* state) {
        copy<0>(state_.data(), state, compiled_.words());
        derived_known_ = false;
    }
    const Word* state() const { return state_.data(); }  // stored words only
    bool applicable(OperatorId op);
    void take(OperatorId op);
    bool at_goal();

    // The states that a plan goes through, the first and the last included.
    Vector<Word> states(const Steps& plan);
    Cost cost(const Steps& plan) const;

  private:
    bool all(const Vector<Test>& tests);
    void derive();

    const CompiledTask& compiled_;
    Vector<Word> state_, next_;  // the former extended
    bool derived_known_ = false;
    Axioms::Scratch scratch_;
    Vector<Test> tests_;
};

}  // namespace unpuzzle
