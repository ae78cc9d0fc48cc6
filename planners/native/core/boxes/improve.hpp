// Better solutions from a known one, by windows: from the position where a stretch of its pushes begins, the boxes are
// brought to where they are at its end once more, by A* with the least assignment of boxes to these cells.
//
//     P0 ──push──► P1 ──push──► P2 ──push──► P3 ──push──► P4
//                  └────────── window ───────┘             ends with the same boxes, and the walker in the same area
//
// First pushes alone count, and positions with the walker in one area are one. Then all counts as it weighs; so where the
// walker's steps do, its own cell is part of the position, and the window ends where the next push begins.
#pragma once

#include "boxes/window.hpp"

namespace unpuzzle::boxes {

// Makes the solution weigh less, with about so many positions expanded. Whatever ends it early, the best one so far stays;
// returns what that was, or `solved`.
Status improve(const Board& board, const Weights& weights, Pushed& pushes, Control& control,
               std::uint64_t most_expanded);

}  // namespace unpuzzle::boxes
