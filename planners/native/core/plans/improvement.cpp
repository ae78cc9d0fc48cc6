#include "plans/improvement.hpp"

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

// Action elimination (Nakhost and Müller 2010): each step in turn is left out, and with it all later ones that cannot
// be taken then; where the goal is reached all the same, they stay out. What goes at the end may make a step before it
// needless, so this is done again until nothing goes. What comes back is a subsequence of the plan, and costs no more.
Steps eliminate(const CompiledTask& compiled, Steps plan, Control& control, std::uint64_t work) {
    PlanRunner runner(compiled);
    Steps rest;
    // Whether what can be taken of the steps after `at`, without that one, leads to the goal: `rest`.
    const auto without = [&](std::size_t at) {
        rest.clear();
        for (std::size_t i = at + 1; i < plan.size(); ++i) {
            control.work(compiled.axioms.work());
            --work;
            if (!runner.applicable(plan[i])) continue;
            runner.take(plan[i]);
            rest.push_back(plan[i]);
        }
        return runner.at_goal();
    };
    try {
        for (std::size_t before = plan.size() + 1; plan.size() < before;) {
            before = plan.size();
            control.begin_phase();
            Vector<Word> states = runner.states(plan);
            for (std::size_t at = 0; at < plan.size() && work > plan.size() - at;) {
                runner.start(states.data() + at * compiled.words());
                if (!without(at)) {
                    ++at;
                    continue;
                }
                plan.resize(at);
                plan.insert(plan.end(), rest.begin(), rest.end());
                states = runner.states(plan);
                control.work(plan.size() * (1 + compiled.axioms.work()));
            }
        }
    } catch (const Stop& stop) {  // at a limit the plan is as good as it is then
        if (stop.status == Status::interrupted) throw;
    }
    return plan;
}

}  // namespace unpuzzle
