// The mutex groups of the task, by fact: which facts exclude each other.
//
// Abstractions need them. Looked at alone, two tiles of a pattern may stand on one cell, and a database that
// lets them is worth no more than the sum of their Manhattan distances. Every state that can be reached
// satisfies all groups, and so does its projection; so states of the abstraction that violate one may be
// dropped, and the estimate stays admissible (Haslum, Bonet and Geffner, New admissible heuristics for
// domain-independent planning, 2005, call this constrained abstraction).
#pragma once

#include <algorithm>

#include "base/rows.hpp"
#include "task/fact_numbers.hpp"

namespace unpuzzle {

class Mutexes {
  public:
    Mutexes(const Task& task, Control& control) : task_(task), numbers_(task) {
        groups_ = Rows<std::uint32_t>::by_row(numbers_.count(), [&](auto&& put) {
            for (std::uint32_t i = 0; i < task.mutexes.size(); ++i) {
                control.tick();
                for (const Fact& fact : task.facts(task.mutexes[i])) put(numbers_[fact], i);
            }
        });
    }

    // Calls `emit(value)` for values of `variable` that `fact` excludes; perhaps twice for one value. Silent
    // about the fact's own variable.
    template <class Emit>
    void excluded(Fact fact, std::uint32_t variable, Emit&& emit) const {
        if (fact.variable == variable) return;
        const FactId number = numbers_[fact];
        if (number == FactNumbers::NONE) return;
        for (const std::uint32_t group : groups_[number]) {
            const auto facts = task_.facts(task_.mutexes[group]);
            auto other = std::lower_bound(facts.begin(), facts.end(), Fact{variable, 0});
            for (; other != facts.end() && other->variable == variable; ++other) emit(other->value);
        }
    }
    bool exclusive(Fact left, Fact right) const {
        if (left.variable == right.variable) return left.value != right.value;
        bool found = false;
        excluded(left, right.variable, [&](std::uint32_t value) { found |= value == right.value; });
        return found;
    }

  private:
    const Task& task_;
    FactNumbers numbers_;
    Rows<std::uint32_t> groups_;  // by fact, in task.mutexes
};

}  // namespace unpuzzle
