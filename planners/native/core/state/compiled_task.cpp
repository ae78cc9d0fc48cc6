#include "state/compiled_task.hpp"

#include <algorithm>

namespace unpuzzle {

CompiledTask::CompiledTask(const Buffers& buffers, Control& control)
    : task(buffers, control),
      layout(task),
      operators(task, layout, control),
      successors(task, layout, control),
      axioms(task, layout, control) {
    Vector<Test> tests;
    layout.tests(task.goal, tests);
    for (const Test& test : tests) (test.word < words() ? goal.stored : goal.derived).push_back(test);
    initial.resize(extended_words());
    layout.pack(task.initial, initial.data());
    initial.resize(words());
    const auto cheaper = [](const Operator& left, const Operator& right) { return left.cost < right.cost; };
    const auto [least, most] = std::minmax_element(task.operators.begin(), task.operators.end(), cheaper);
    least_cost = task.operators.empty() ? 0 : least->cost;
    dearest_cost = task.operators.empty() ? 0 : most->cost;
    same_costs = least_cost == dearest_cost;
    bytes_ = Metered::used() - bytes_;
}

}  // namespace unpuzzle
