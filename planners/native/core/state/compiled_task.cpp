#include "state/compiled_task.hpp"

#include "state/extended_state.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

CompiledTask::CompiledTask(const Buffers& buffers, Control& control)
    : task(buffers, control),
      features(task, control),
      layout(task),
      operators(task, layout, control),
      successors(task, layout, control),
      axioms(task, layout, control) {
    test(task.goal);
    initial.resize(extended_words());
    layout.pack(task.initial, initial.data());
    initial.resize(words());
    bytes_ = Metered::used() - bytes_;
}

void CompiledTask::test(const Vector<Fact>& facts) {
    Vector<Test> tests;
    layout.tests(facts, tests);
    goal = {};
    for (const Test& test : tests) (test.word < words() ? goal.stored : goal.derived).push_back(test);
}

CompiledTask CompiledTask::between(const Word* start, const Vector<Fact>& facts) const {
    CompiledTask other(*this);
    for (std::size_t i = 0; i < task.variables.size(); ++i) {
        if (!task.variables[i].derived()) other.task.initial[i] = layout[i].value(start);
    }
    other.initial.assign(start, start + words());
    other.task.goal = facts;
    other.task.goal_possible = true;
    other.features.derived_goal = false;
    other.test(facts);
    return other;
}

std::vector<Word> CompiledTask::packed(std::span<const std::int64_t> values) const {
    if (values.size() != task.variables.size()) {
        throw BadTask("a state of " + std::to_string(values.size()) + " values for " +
                      std::to_string(task.variables.size()) + " variables");
    }
    std::vector<Word> state(extended_words());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Variable& variable = task.variables[i];
        if (values[i] < 0 || values[i] >= variable.domain) {
            throw BadTask("value " + std::to_string(values[i]) + " of variable " + std::to_string(i) + ", which has " +
                          std::to_string(variable.domain));
        }
        if (!variable.derived()) layout[i].write(static_cast<std::uint32_t>(values[i]), state.data());
    }
    return state;
}

std::vector<std::int64_t> CompiledTask::values(const Word* extended) const {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < task.variables.size(); ++i) values.push_back(layout[i].value(extended));
    return values;
}

void CompiledTask::undo(OperatorId op, Word* state) const {
    const auto precondition = task.facts(task.operators[op].precondition);
    for (const Effect& effect : task.effects(task.operators[op])) {
        const std::uint32_t variable = effect.sets.variable;
        layout[variable].write(*value_in(precondition, variable), state);
    }
}

ExtendedState::ExtendedState(const CompiledTask& compiled) : compiled_(compiled), words_(compiled.extended_words()) {}
ExtendedState::~ExtendedState() = default;

}  // namespace unpuzzle
