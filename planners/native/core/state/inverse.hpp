// The task backwards, over full states: from a goal state to all states that reach it.
//
// Searching backwards usually means sets of states, because an operator does not determine the previous value of a
// variable. If it does, or if the few possible values can be listed, full states are enough: every operator becomes one
// or more *inverse* operators such that t leads to s by an inverse exactly if s is a state in which the operator is
// applicable and leads to t. For each variable that it changes:
//
// - the precondition gives the value before, and no open condition decides the value after: the inverse requires
//   the value after and sets the value before;
// - the effects hang on the variable's own value only and permute its values (permutation puzzles): the
//   inverse permutes them back by conditional effects;
// - anything else: one inverse for each combination of the values, before, of the variables it depends on.
//
// The goal may leave variables open; every completion is a start of the backward search. An unreachable one is harmless
// but costs time, since paths backwards are true paths and never meet reachable states; completions that contradict a
// mutex group are left out.
//
// Conditions on a task for searches from both ends, and where they are checked:
//
//     all operators cost the same: the first common state is then on a cheapest plan    `check_support` (api.cpp)
//     no variable is derived: a state is its stored values                              `check_support`
//     each operator has, case by case, known previous states                            `Inverter`: at most so many cases
//     all goal states that can be reached are listed                                    `Completions`: at most so many
//     at most one fact of a mutex group holds in a state that can be reached            promised with the task
//
// The last one only leaves out completions, so with it the others are enough: a side without a next layer has found all
// states that the initial one leads to, or all that lead to a goal. A task that fails the tests is an UnsupportedTask.
#pragma once

#include <memory>

#include "state/compiled_task.hpp"

namespace unpuzzle {

struct Inverse {
    Inverse(const CompiledTask& compiled, Control& control);

    std::unique_ptr<const CompiledTask> compiled;  // its initial state and goal mean nothing
    Vector<Word> goals;                            // packed states, one after the other
};

}  // namespace unpuzzle
