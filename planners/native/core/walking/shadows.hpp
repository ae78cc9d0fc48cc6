// Shadows: variables of two values that only say whether the walker, or something else that is there, is away.
//
//     always one of     player=c   box1=c   box2=c   clear(c)          a mutex group that never becomes empty
//
// That a group is never empty is an invariant: one of its facts is true initially, and each operator that deletes one
// certainly adds one.
//
//     at most one of    player=e   clear(e)               a place where boxes may end, and that they never leave again,
//                                                         so that grounding forgot them: `handed over` by the player
//
// A group of two facts is handed over by one of them if every operator that deletes that one certainly adds the other.
// So while the player is there, nothing else is at the place, as in groups that never become empty.
#pragma once

#include <algorithm>

#include "task/mutex_index.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

class FullGroups {
  public:
    FullGroups(const Task& task, Control& control) : task_(task), normal_(task) {
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

    bool full(std::uint32_t group) const { return full_[group]; }
    // The groups in which facts of a variable are.
    std::span<const std::uint32_t> of(std::uint32_t variable) const { return by_variable_[variable]; }

    // Whether a group has two facts, and what takes away that of a variable brings the other.
    bool handed_over(std::uint32_t group, std::uint32_t variable) const {
        const auto facts = task_.facts(task_.mutexes[group]);
        return facts.size() == 2 && facts[0].variable != facts[1].variable &&
               std::ranges::count(facts, variable, &Fact::variable) == 1 && !dropped_.contains({group, variable});
    }
    // Whether a group of one of both kinds has this value of a variable of two, and the fact.
    bool tells(std::uint32_t variable, std::uint32_t value, const Fact& fact) const {
        if (task_.variables[variable].domain != 2) return false;
        return std::ranges::any_of(of(variable), [&](std::uint32_t group) {
            const auto facts = task_.facts(task_.mutexes[group]);
            return (full_[group] || handed_over(group, fact.variable)) &&
                   std::ranges::binary_search(facts, Fact{variable, value}) && std::ranges::binary_search(facts, fact);
        });
    }

  private:
    bool holds_initially(std::span<const Fact> group) const {
        return std::ranges::any_of(group, [&](const Fact& fact) { return task_.initial[fact.variable] == fact.value; });
    }
    void look_at(const Operator& op) {
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
    void look_at(const Change& change, std::optional<std::uint32_t> before) {
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

    const Task& task_;
    OperatorChanges normal_;
    Rows<std::uint32_t> by_variable_;
    Vector<bool> full_;
    Set<std::pair<std::uint32_t, std::uint32_t>> dropped_;  // groups of two, and the variable that left nothing
    Vector<std::pair<std::uint32_t, std::uint32_t>> left_;  // by one operator: groups, and the variable
    Vector<std::uint32_t> entered_;
};

}  // namespace unpuzzle
