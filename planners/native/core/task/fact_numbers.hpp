// Numbers for the facts of a task, ascending by variable and value.
//
//     few facts          v0: 0 1 2 │ v1: 3 4 │ v2: 5 6 7 8       all of them have numbers
//     huge domains       v0: 0     │ v1: 1   │ v2: 2   3         only those that the task mentions have
//
// A domain may have 2^31 values, which is a few bytes of input, so arrays over facts have only the facts that the task
// mentions: no other fact can ever occur.
#pragma once

#include <algorithm>

#include "base/metered.hpp"
#include "task/task.hpp"

namespace unpuzzle {

using FactId = std::uint32_t;

class FactNumbers {
  public:
    static constexpr FactId NONE = ~0u;

    explicit FactNumbers(const Task& task);

    std::size_t count() const { return facts_.size(); }
    const Fact& fact(FactId number) const { return facts_[number]; }
    // NONE, if no number was given to it.
    FactId operator[](const Fact& fact) const {
        if (all_) return first_[fact.variable] + fact.value;
        const auto found = std::lower_bound(facts_.begin(), facts_.end(), fact);
        if (found == facts_.end() || *found != fact) return NONE;
        return static_cast<FactId>(found - facts_.begin());
    }
    // The facts of a variable have the numbers from `begin` to before `end`.
    FactId begin(std::size_t variable) const { return first_[variable]; }
    FactId end(std::size_t variable) const { return first_[variable + 1]; }

  private:
    static constexpr std::uint64_t FEW = std::uint64_t{1} << 16;

    bool all_;
    Vector<Fact> facts_;    // by number
    Vector<FactId> first_;  // by variable, and one more
};

}  // namespace unpuzzle
