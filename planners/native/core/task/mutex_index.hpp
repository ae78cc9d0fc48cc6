// Which facts exclude each other: the mutex groups of the task, by fact.
//
// Abstractions need them. Looked at alone, two tiles of a pattern may stand on one cell, and a database that
// lets them is worth no more than the sum of their Manhattan distances. Every state that can be reached
// satisfies all groups, and so does its projection; so states of the abstraction that violate one may be
// dropped, and the estimate stays admissible (Haslum, Bonet and Geffner, New admissible heuristics for
// domain-independent planning, 2005, call this constrained abstraction).
#pragma once

#include <algorithm>

#include "task/task.hpp"

namespace unpuzzle {

class Mutexes {
  public:
    Mutexes(const Task& task, Control& control);

    // Calls `emit(value)` for values of `variable` that `fact` excludes; perhaps twice for one value. Silent
    // about the fact's own variable.
    template <class Emit>
    void excluded(Fact fact, std::uint32_t variable, Emit&& emit) const {
        if (fact.variable == variable) return;
        auto entry = std::lower_bound(entries_.begin(), entries_.end(), Entry{fact, 0});
        for (; entry != entries_.end() && entry->fact == fact; ++entry) {
            for (const Fact& other : of_variable(entry->group, variable)) emit(other.value);
        }
    }
    bool exclusive(Fact left, Fact right) const {
        if (left.variable == right.variable) return left.value != right.value;
        bool found = false;
        excluded(left, right.variable, [&](std::uint32_t value) { found |= value == right.value; });
        return found;
    }

  private:
    struct Entry {
        Fact fact;
        std::uint32_t group;  // a number in task.mutexes
        auto operator<=>(const Entry&) const = default;
    };
    std::span<const Fact> of_variable(std::uint32_t group, std::uint32_t variable) const;

    const Task& task_;
    Vector<Entry> entries_;  // sorted; domains may be huge, so there is no table by value
};

}  // namespace unpuzzle
