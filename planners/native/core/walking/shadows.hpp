// Shadows: variables of two values that only say whether the walker, or something else that is there, is away.
//
//     always one of     player=c   box1=c   box2=c   clear(c)          a mutex group that never becomes empty
//
// That a group is never empty is an invariant: one of it holds initially, and no operator takes one of it away
// without, surely, putting one there.
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

    // Whether such a group has this value of a variable of two, and the fact.
    bool tells(std::uint32_t variable, std::uint32_t value, const Fact& fact) const;

  private:
    bool holds_initially(std::span<const Fact> group) const;
    void look_at(const Operator& op);
    void look_at(const Change& change, std::optional<std::uint32_t> before);

    const Task& task_;
    OperatorChanges normal_;
    Rows<std::uint32_t> by_variable_;
    Vector<bool> full_;
    Vector<std::uint32_t> left_, entered_;  // by one operator
};

}  // namespace unpuzzle
