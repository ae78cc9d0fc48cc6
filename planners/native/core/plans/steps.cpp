#include "plans/steps.hpp"

namespace unpuzzle {

PlanRunner::PlanRunner(const CompiledTask& compiled)
    : compiled_(compiled), state_(compiled.extended_words()), next_(compiled.words()) {}

bool PlanRunner::applicable(OperatorId op) {
    const Operator& about = compiled_.task.operators[op];
    tests_.clear();
    compiled_.layout.tests(compiled_.task.facts(about.precondition), tests_);
    return about.possible && all(tests_);
}

void PlanRunner::take(OperatorId op) {
    if (compiled_.features.axioms) derive();  // conditions of effects may ask for derived variables
    compiled_.operators.apply<0>(op, state_.data(), next_.data());
    start(next_.data());
}

bool PlanRunner::at_goal() {
    return compiled_.task.goal_possible && all(compiled_.goal.stored) && all(compiled_.goal.derived);
}

Vector<Word> PlanRunner::states(const Steps& plan) {
    Vector<Word> states;
    states.reserve((plan.size() + 1) * compiled_.words());
    start();
    const auto keep = [&] {
        states.insert(states.end(), state_.begin(), state_.begin() + static_cast<std::ptrdiff_t>(compiled_.words()));
    };
    keep();
    for (const OperatorId op : plan) {
        take(op);
        keep();
    }
    return states;
}

Cost PlanRunner::cost(const Steps& plan) const {
    Cost cost = 0;
    for (const OperatorId op : plan) cost += compiled_.operators.cost(op);
    return cost;
}

bool PlanRunner::all(const Vector<Test>& tests) {
    for (const Test& test : tests) {
        if (test.word >= compiled_.words()) derive();
        if (!test.holds(state_.data())) return false;
    }
    return true;
}

void PlanRunner::derive() {
    if (derived_known_) return;
    compiled_.axioms.evaluate(state_.data(), scratch_);
    derived_known_ = true;
}

}  // namespace unpuzzle
