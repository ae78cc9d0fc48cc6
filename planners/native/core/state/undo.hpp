// Back along an operator, where it tells the state before.
//
// An operator without conditional effects, whose precondition names every variable that it sets, can be
// undone: each of them had the value that the operator wants. Where all operators are like that, as in most
// puzzles, a search can remember which of them led to a state, in a byte or two, instead of the parent's
// number in four. (Where that is not so, the way back is a search of its own; see inverse.hpp.)
#pragma once

#include "state/compiled_task.hpp"

namespace unpuzzle {

// Whether all operators can be undone.
bool can_be_undone(const CompiledTask& compiled);

// Makes the state to which the operator led, without derived words, the one in which it was applied.
void undo(const CompiledTask& compiled, OperatorId op, Word* state);

}  // namespace unpuzzle
