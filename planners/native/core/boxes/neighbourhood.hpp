// Better solutions near a known one: windows over its pushes, each solved again by A*.
#pragma once

#include "boxes/board.hpp"
#include "boxes/routes.hpp"

namespace unpuzzle::boxes {

// Makes the solution better, with at most so many positions expanded. Limits of time and memory end it early, with the
// best one so far; only an interruption is thrown.
void improve(const Board& board, Pushed& pushes, Control& control, const Budget& budget, std::uint64_t most_expanded);

}  // namespace unpuzzle::boxes
