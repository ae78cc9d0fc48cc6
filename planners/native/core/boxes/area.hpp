// The walker's area: the cells that it reaches without pushing, represented by the least of them.
#pragma once

#include "base/marks.hpp"
#include "boxes/board.hpp"

namespace unpuzzle::boxes {

using Occupied = Vector<std::uint8_t>;  // by cell: whether a box is there

class Area {
  public:
    explicit Area(const Board& board) : board_(board), marks_(board.cells()) { queue_.reserve(board.cells()); }

    void forget() { marks_.forget(); }
    // Returns the least cell.
    Cell fill(const Occupied& occupied, Cell from) {
        forget();
        return spread(occupied, from);
    }
    // Adds another area to those that are marked.
    Cell spread(const Occupied& occupied, Cell from) {
        Cell least = from;
        queue_.clear();
        queue_.push_back(from);
        marks_.mark(from);
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            for (const Walk& walk : board_.walks[queue_[i]]) {
                if (marks_.has(walk.to) || occupied[walk.to]) continue;
                marks_.mark(walk.to);
                if (walk.to < least) least = walk.to;
                queue_.push_back(walk.to);
            }
        }
        return least;
    }
    bool has(Cell cell) const { return marks_.has(cell); }
    const Vector<Cell>& cells() const { return queue_; }  // of the area marked last

  private:
    const Board& board_;
    Marks marks_;
    Vector<Cell> queue_;
};

// For each cell of a single box, the area of each cell beside it; on large boards the walker may go anywhere.
class AreasAround {
  public:
    AreasAround(const Board& board, const Occupied& walls, Control& control);

    bool together(Cell box, Cell one, Cell other) const {
        return areas_.empty() || areas_[box * cells_ + one] == areas_[box * cells_ + other];
    }

  private:
    std::size_t cells_;
    Vector<Cell> areas_;
};

}  // namespace unpuzzle::boxes
