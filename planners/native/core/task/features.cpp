#include "task/features.hpp"

#include <algorithm>
#include <utility>

#include "task/operator_changes.hpp"

namespace unpuzzle {

TaskFeatures::TaskFeatures(const Task& task, Control& control) {
    for (const Variable& variable : task.variables) axioms |= variable.derived();
    for (const Fact& fact : task.goal) derived_goal |= task.variables[fact.variable].derived();
    if (task.operators.empty()) return;
    least_cost = UINT32_MAX;
    struct Changed {
        OperatorId last = UINT32_MAX;
        std::uint32_t by = 0;  // so many operators
    };
    Vector<Changed> changed(task.variables.size());
    std::uint32_t most = 0;
    for (OperatorId op = 0; op < task.operators.size(); ++op) {
        control.tick();
        const Operator& about = task.operators[op];
        least_cost = std::min(least_cost, about.cost);
        dearest_cost = std::max(dearest_cost, about.cost);
        for (const Effect& effect : task.effects(about)) {
            Changed& variable = changed[effect.sets.variable];
            if (effect.conditions.begin != effect.conditions.end) {
                ++conditional_effects;
                undoable &= !about.possible;
                continue;
            }
            if (std::exchange(variable.last, op) != op) most = std::max(most, ++variable.by);
            if (undoable && about.possible)
                undoable = value_in(task.facts(about.precondition), effect.sets.variable).has_value();
        }
    }
    same_costs = least_cost == dearest_cost;
    most_changed = static_cast<double>(most) / static_cast<double>(task.operators.size());
}

Feature TaskFeatures::all() const {
    return (same_costs ? Feature::none : Feature::different_costs) | (axioms ? Feature::axioms : Feature::none) |
           (conditional_effects > 0 ? Feature::conditional_effects : Feature::none);
}

void check_support(const TaskFeatures& features, Feature unsupported, const char* by) {
    constexpr std::pair<Feature, const char*> NAMES[] = {{Feature::different_costs, "operators of different cost"},
                                                         {Feature::axioms, "axioms"},
                                                         {Feature::conditional_effects, "conditional effects"}};
    for (const auto& [feature, name] : NAMES) {
        if (features.has(feature & unsupported)) throw UnsupportedTask(name, by);
    }
}

}  // namespace unpuzzle
