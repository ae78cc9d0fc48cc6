// One window over a solution; see improve.hpp.
#pragma once

#include "boxes/distances.hpp"
#include "boxes/positions.hpp"
#include "boxes/routes.hpp"

namespace unpuzzle::boxes {

using Weight = std::uint64_t;

// The costs of a step of the walker and of a push. If steps cost nothing, positions with the walker in one area are
// equal.
struct Weights {
    Weight step, push;
};

// The number of steps of the walker to each cell.
class WalkLengths {
  public:
    explicit WalkLengths(const Board& board) : board_(board), steps_(board.cells()) {}

    void fill(const Occupied& occupied, Cell from) {
        std::fill(steps_.begin(), steps_.end(), NEVER);
        queue_.assign(1, from);
        steps_[from] = 0;
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            for (const Walk& walk : board_.walks[queue_[i]]) {
                if (occupied[walk.to] || steps_[walk.to] != NEVER) continue;
                steps_[walk.to] = steps_[queue_[i]] + 1;
                queue_.push_back(walk.to);
            }
        }
    }
    Pushes to(Cell cell) const { return steps_[cell]; }

  private:
    const Board& board_;
    Vector<Pushes> steps_;
    Vector<Cell> queue_;
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
