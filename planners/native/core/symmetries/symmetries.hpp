// The symmetries of a task: permutations of its facts that map operators on operators of the same cost and
// goals on goals, so that a state and its image are equally far from a goal. Generators of the group, as far
// as the search for automorphisms finds them, as permutations of the stored variables and of their values.
#pragma once

#include "task/fact_numbers.hpp"

namespace unpuzzle {

// What `from` was before, `to` is afterwards, its values renamed.
struct Moved {
    std::uint32_t from, to;
    Vector<std::uint16_t> values;  // by the value of `from`, the value of `to`
};
using Symmetry = Vector<Moved>;  // ascending by `from`; variables that are not listed stay as they are

Vector<Symmetry> symmetries(const Task& task, Control& control);

// Whether no symmetry moves a fact that the task mentions, as far as a glance tells; see fact_colours.cpp.
bool asymmetric_at_a_glance(const Task& task, const FactNumbers& numbers, Control& control);

}  // namespace unpuzzle
