// The changes of an operator to each variable, in the form with which all compilers of operators begin.
//
// Left out are effects whose conditions contradict the precondition, conditions that the precondition promises,
// effects that a later one always overwrites, and variables of one value. Of the rest,
//
//     when u=1: v:=3,  v:=5,  when v=2, w=1: v:=4,  when w=0: v:=6       with the precondition u=1
//
// is: v becomes 5 (its `base`), unless v=2 and w=1 (then 4), unless w=0 (then 6); the last that holds counts.
#pragma once

#include <optional>
#include <span>

#include "task/task.hpp"

namespace unpuzzle {

struct OpenEffect {
    std::span<const Fact> conditions;  // never empty
    std::uint32_t value;
};

struct Change {
    std::uint32_t variable = 0;
    std::optional<std::uint32_t> base;  // written unless an open effect fires; none: the value stays
    Vector<OpenEffect> open;
};

class OperatorChanges {
  public:
    explicit OperatorChanges(const Task& task) : task_(task) {}

    // Ascending by variable; there until the next call.
    std::span<const Change> of(const Operator& op);

  private:
    void add(const Effect& effect);
    Change& begin(std::uint32_t variable);

    const Task& task_;
    std::span<const Fact> precondition_;
    Vector<const Effect*> effects_;
    Vector<Fact> conditions_;
    Vector<Change> changes_;  // as many as any operator had: their memory is used again
    std::size_t count_ = 0;
};

// The value that a variable has in a set of facts, ascending by variable.
std::optional<std::uint32_t> value_in(std::span<const Fact> facts, std::uint32_t variable);

}  // namespace unpuzzle
