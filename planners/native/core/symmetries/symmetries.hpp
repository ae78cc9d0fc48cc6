// The symmetries of a task: permutations of its facts that map operators on operators of the same cost and
// goals on goals, so that a state and its image are equally far from a goal. Generators of the group, as far
// as the search for automorphisms finds them, as permutations of the stored variables and of their values.
#pragma once

#include "task/task.hpp"

namespace unpuzzle {

// What `from` was before, `to` is afterwards, its values renamed.
struct Moved {
    std::uint32_t from, to;
    Vector<std::uint16_t> values;  // by the value of `from`, the value of `to`
};
using Symmetry = Vector<Moved>;  // ascending by `from`; variables that are not listed stay as they are

Vector<Symmetry> symmetries(const Task& task, Control& control);

}  // namespace unpuzzle
