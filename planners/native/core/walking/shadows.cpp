#include "walking/shadows.hpp"

#include <algorithm>

namespace unpuzzle {

FullGroups::FullGroups(const Task& task, Control& control) : task_(task), normal_(task) {
    by_variable_ = Rows<std::uint32_t>::by_row(task.variables.size(), [&](auto&& put) {
        for (std::uint32_t group = 0; group < task.mutexes.size(); ++group) {
            const auto facts = task.facts(task.mutexes[group]);
            control.work(facts.size());
            std::uint32_t last = ~0u;
            for (const Fact& fact : facts) {
                if (fact.variable != last) put(last = fact.variable, group);
            }
        }
    });
    for (const Range& group : task.mutexes) full_.push_back(holds_initially(task.facts(group)));
    for (const Operator& op : task.operators) {
        control.work(op.effects.end - op.effects.begin);
        if (op.possible) look_at(op);
        control.work(left_.size() * entered_.size());
    }
}

bool FullGroups::tells(std::uint32_t variable, std::uint32_t value, const Fact& fact) const {
    if (task_.variables[variable].domain != 2) return false;
    return std::ranges::any_of(of(variable), [&](std::uint32_t group) {
        const auto facts = task_.facts(task_.mutexes[group]);
        return (full_[group] || handed_over(group, fact.variable)) &&
               std::ranges::binary_search(facts, Fact{variable, value}) && std::ranges::binary_search(facts, fact);
    });
}

bool FullGroups::handed_over(std::uint32_t group, std::uint32_t variable) const {
    const auto facts = task_.facts(task_.mutexes[group]);
    return facts.size() == 2 && facts[0].variable != facts[1].variable &&
           std::ranges::count(facts, variable, &Fact::variable) == 1 && !dropped_.contains({group, variable});
}

bool FullGroups::holds_initially(std::span<const Fact> group) const {
    return std::ranges::any_of(group, [&](const Fact& fact) { return task_.initial[fact.variable] == fact.value; });
}

void FullGroups::look_at(const Operator& op) {
    left_.clear();
    entered_.clear();
    for (const Change& change : normal_.of(op))
        look_at(change, value_in(task_.facts(op.precondition), change.variable));
    for (const auto& [group, variable] : left_) {
        if (std::ranges::find(entered_, group) != entered_.end()) continue;
        full_[group] = false;
        dropped_.insert({group, variable});
    }
}

// What may leave a group counts, and what surely is in it afterwards.
void FullGroups::look_at(const Change& change, std::optional<std::uint32_t> before) {
    for (const std::uint32_t group : of(change.variable)) {
        const auto facts = task_.facts(task_.mutexes[group]);
        if (!full_[group] && facts.size() != 2) continue;
        const auto member = [&](std::uint32_t value) {
            return std::ranges::binary_search(facts, Fact{change.variable, value});
        };
        const bool open = std::ranges::all_of(change.open, [&](const OpenEffect& it) { return member(it.value); });
        if ((change.base ? member(*change.base) : before && member(*before)) && open)
            entered_.push_back(group);
        else if (!before || member(*before))
            left_.push_back({group, change.variable});
    }
}

}  // namespace unpuzzle
