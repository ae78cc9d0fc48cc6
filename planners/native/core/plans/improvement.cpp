#include "plans/improvement.hpp"

#include <new>

namespace unpuzzle {

bool PlanRunner::applicable(OperatorId op) const {
    const Operator& about = compiled_.task.operators[op];
    return about.possible && StateView(compiled_, state()).hold(compiled_.task.facts(about.precondition));
}

void PlanRunner::take(OperatorId op) {
    expander_.apply(op, next_.data());
    start(next_.data());
}

Vector<Word> PlanRunner::states(const Steps& plan) {
    Vector<Word> states;
    states.reserve((plan.size() + 1) * compiled_.words());
    start();
    const auto keep = [&] { states.insert(states.end(), state(), state() + compiled_.words()); };
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

// Action elimination (Nakhost and Müller 2010): each step in turn is left out, and with it all later ones that cannot
// be taken then; where the goal is reached all the same, they stay out. What goes at the end may make a step before it
// needless, so this is done again until nothing goes. What comes back is a subsequence of the plan, and costs no more.
Steps eliminate(const CompiledTask& compiled, Steps plan, Control& control, std::uint64_t work) {
    Steps rest;
    // Whether what can be taken of the steps after `at`, without that one, leads to the goal: `rest`.
    const auto without = [&](PlanRunner& runner, std::size_t at) {
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
        PlanRunner runner(compiled);
        for (std::size_t before = plan.size() + 1; plan.size() < before;) {
            before = plan.size();
            control.begin_phase();
            Vector<Word> states = runner.states(plan);
            for (std::size_t at = 0; at < plan.size() && work > plan.size() - at;) {
                runner.start(states.data() + at * compiled.words());
                if (!without(runner, at)) {
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
    } catch (const std::bad_alloc&) {
    }
    return plan;
}

}  // namespace unpuzzle
