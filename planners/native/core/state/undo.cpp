#include "state/undo.hpp"

#include <algorithm>

#include "task/operator_changes.hpp"

namespace unpuzzle {

bool can_be_undone(const CompiledTask& compiled) {
    const Task& task = compiled.task;
    return std::ranges::all_of(task.operators, [&](const Operator& op) {
        const auto precondition = task.facts(op.precondition);
        return !op.possible || std::ranges::all_of(task.effects(op), [&](const Effect& effect) {
            return effect.conditions.begin == effect.conditions.end &&
                   value_in(precondition, effect.sets.variable).has_value();
        });
    });
}

void undo(const CompiledTask& compiled, OperatorId op, Word* state) {
    const Operator& undone = compiled.task.operators[op];
    const auto precondition = compiled.task.facts(undone.precondition);
    for (const Effect& effect : compiled.task.effects(undone)) {
        const std::uint32_t variable = effect.sets.variable;
        const Place& place = compiled.layout[variable];
        state[place.word] = (state[place.word] & ~place.field()) | place.put(*value_in(precondition, variable));
    }
}

}  // namespace unpuzzle
