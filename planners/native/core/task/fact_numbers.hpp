// Numbers for the facts of a task, ascending by variable and value.
//
//     all values      v0: 0 1 2 │ v1: 3 4 │ v2: 5 6 7 8       first[v] + value, if there are few facts in all
//     told values     v0: 0     │ v1: 1   │ v2: 2   3         place in a sorted list, if domains are huge
//
// A domain may have 2^31 values, which is a few bytes of input, so what is made by the number of facts is
// made by the number of those that the task tells of: no other fact can ever come up.
#pragma once

#include <algorithm>

#include "base/metered.hpp"
#include "task/task.hpp"

namespace unpuzzle {

class FactNumbers {
  public:
    explicit FactNumbers(const Task& task) {
        std::uint64_t all = 0;
        for (const Variable& variable : task.variables) all += variable.domain;
        if (all <= std::max<std::uint64_t>(FEW, task.told_facts())) {
            number_all(task);
        } else {
            number_told(task);
        }
    }

    std::size_t count() const { return count_; }
    // Of a fact that the task tells of.
    std::uint32_t operator[](const Fact& fact) const {
        if (told_.empty()) return first_[fact.variable] + fact.value;
        return static_cast<std::uint32_t>(std::lower_bound(told_.begin(), told_.end(), fact) - told_.begin());
    }
    // Calls `emit(value, number)` for the facts of a variable, ascending.
    template <class Emit>
    void each(std::uint32_t variable, std::uint32_t domain, Emit&& emit) const {
        if (told_.empty()) {
            for (std::uint32_t value = 0; value < domain; ++value) emit(value, first_[variable] + value);
            return;
        }
        auto at = std::lower_bound(told_.begin(), told_.end(), Fact{variable, 0});
        for (; at != told_.end() && at->variable == variable; ++at)
            emit(at->value, static_cast<std::uint32_t>(at - told_.begin()));
    }

  private:
    static constexpr std::uint64_t FEW = std::uint64_t{1} << 16;

    void number_all(const Task& task) {
        first_.reserve(task.variables.size());
        for (const Variable& variable : task.variables) {
            first_.push_back(static_cast<std::uint32_t>(count_));
            count_ += variable.domain;
        }
    }
    void number_told(const Task& task) {
        told_.reserve(task.told_facts());
        task.tell_facts([&](const Fact& fact) { told_.push_back(fact); });
        std::sort(told_.begin(), told_.end());
        told_.erase(std::unique(told_.begin(), told_.end()), told_.end());
        count_ = told_.size();
    }

    std::size_t count_ = 0;
    Vector<std::uint32_t> first_;  // by variable, the number of its value 0
    Vector<Fact> told_;
};

}  // namespace unpuzzle
