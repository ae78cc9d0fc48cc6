// The symmetries of a task: permutations of its facts that map operators on operators of the same cost and
// goals on goals, so that a state and its image are equally far from a goal. Generators of the group, as far
// as the search for automorphisms finds them, as permutations of the stored variables and of their values.
#pragma once

#include <optional>
#include <vector>

#include "memory.hpp"
#include "task.hpp"

namespace unpuzzle {

// What `from` was before, `to` is afterwards, its values renamed.
struct Moved {
    std::uint32_t from, to;
    std::vector<std::uint16_t> values;  // by the value of `from`, the value of `to`
};
using Symmetry = std::vector<Moved>;  // ascending by `from`; variables that are not listed stay as they are

// No answer where the graph of the task would not fit what is left of the budget.
std::optional<std::vector<Symmetry>> symmetries(const Task& task, Control& control, Budget& budget);

}  // namespace unpuzzle
