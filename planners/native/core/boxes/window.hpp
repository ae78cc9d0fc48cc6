// One window over a solution; see improve.hpp.
#pragma once

#include "boxes/distances.hpp"
#include "boxes/positions.hpp"
#include "boxes/routes.hpp"

namespace unpuzzle::boxes {

using Weight = std::uint64_t;

// What a step of the walker and a push weigh. Where steps weigh nothing, positions with the walker in one area are one.
struct Weights {
    Weight step, push;
};

struct WindowTask {
    Vector<Cell> boxes, targets;  // ascending
    Cell walker, next;            // where the walker is at first, and in the end: NOWHERE for anywhere
    Weights weights;
    Weight bound;  // only less is wanted
    std::uint64_t most_expanded;
};

struct WindowAnswer {
    bool complete = false;  // there is nothing better, or the best was found
    bool better = false;
    Pushed pushes;
    std::uint64_t expanded = 0;
};

WindowAnswer solve_window(const Board& board, const WindowTask& task, Control& control);

}  // namespace unpuzzle::boxes
