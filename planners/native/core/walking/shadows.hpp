// Shadows: variables of two values that only say whether the walker, or something else that is there, is away.
//
//     always one of     player=c   box1=c   box2=c   clear(c)          a mutex group that never becomes empty
//
// That a group is never empty is an invariant: one of it holds initially, and no operator takes one of it away
// without, surely, putting one there.
//
//     at most one of    player=e   clear(e)               a place where boxes may end, and that they never leave again,
//                                                         so that grounding forgot them: `handed over` by the player
//
// A group of two facts is handed over by one of them if whatever takes that one away surely brings the other. So while
// the player is there, the place is clear but for him, as it is in groups that never become empty.
#pragma once

#include "task/mutex_index.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

class FullGroups {
  public:
    FullGroups(const Task& task, Control& control);

    bool full(std::uint32_t group) const { return full_[group]; }
    // The groups in which facts of a variable are.
    std::span<const std::uint32_t> of(std::uint32_t variable) const { return by_variable_[variable]; }

    // Whether a group has two facts, and what takes away that of a variable brings the other.
    bool handed_over(std::uint32_t group, std::uint32_t variable) const;
    // Whether a group of one of both kinds has this value of a variable of two, and the fact.
    bool tells(std::uint32_t variable, std::uint32_t value, const Fact& fact) const;

  private:
    bool holds_initially(std::span<const Fact> group) const;
    void look_at(const Operator& op);
    void look_at(const Change& change, std::optional<std::uint32_t> before);

    const Task& task_;
    OperatorChanges normal_;
    Rows<std::uint32_t> by_variable_;
    Vector<bool> full_;
    Set<std::pair<std::uint32_t, std::uint32_t>> dropped_;  // groups of two, and the variable that left nothing
    Vector<std::pair<std::uint32_t, std::uint32_t>> left_;  // by one operator: groups, and the variable
    Vector<std::uint32_t> entered_;
};

}  // namespace unpuzzle
