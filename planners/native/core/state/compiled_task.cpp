#include "state/compiled_task.hpp"

#include "task/operator_changes.hpp"

namespace unpuzzle {

CompiledTask::CompiledTask(const Buffers& buffers, Control& control)
    : task(buffers, control),
      features(task, control),
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
    bytes_ = Metered::used() - bytes_;
}

void CompiledTask::undo(OperatorId op, Word* state) const {
    const auto precondition = task.facts(task.operators[op].precondition);
    for (const Effect& effect : task.effects(task.operators[op])) {
        const std::uint32_t variable = effect.sets.variable;
        layout[variable].write(*value_in(precondition, variable), state);
    }
}

}  // namespace unpuzzle
