// Better solutions from a known one, by windows: a stretch of its pushes is solved again, from the position at its
// beginning to the boxes' cells at its end, by A* with the least assignment of boxes to these cells.
//
//     P0 ──push──► P1 ──push──► P2 ──push──► P3 ──push──► P4
//                  └────────── window ───────┘             ends with the same boxes, and the walker in the same area
//
// At first only pushes count, and positions with the walker in one area are the same. Then all costs count; if the
// walker's steps have costs, its own cell is part of the position, and the window ends where the next push begins.
#pragma once

#include "boxes/window.hpp"

namespace unpuzzle::boxes {

// Makes the solution weigh less, with about so many positions expanded. Whatever ends it early, the best one so far stays;
// returns what that was, or `solved`.
Status improve(const Board& board, const Weights& weights, Pushed& pushes, Control& control,
               std::uint64_t most_expanded);

}  // namespace unpuzzle::boxes
