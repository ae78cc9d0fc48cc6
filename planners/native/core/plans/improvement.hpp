// What may be done to a plan afterwards. Nothing here ever makes a plan dearer, or invalid.
#pragma once

#include <vector>

#include "base/metered.hpp"
#include "state/compiled_task.hpp"

namespace unpuzzle {

using Steps = std::vector<OperatorId>;

// A plan as it runs: the states in between, and whether a step may be taken.
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

// A subsequence; see elimination.cpp. `work`: so many steps are looked at, at most.
Steps eliminate(const CompiledTask& compiled, Steps plan, Control& control, std::uint64_t work);

struct Improved {
    Steps plan;
    std::uint64_t expanded = 0, generated = 0;
    bool settled = false;  // more of the same would change nothing
};

// Windows; see windows.cpp. The limits of time and memory end it early, with the best plan so far.
Improved improve_by_windows(const CompiledTask& compiled, Steps plan, Control& control, const Budget& budget,
                            std::uint64_t most_expanded);

}  // namespace unpuzzle
