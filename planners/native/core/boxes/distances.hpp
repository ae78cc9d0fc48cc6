// The number of pushes that take a single box to each goal, with the walker's way around that box; and the least sum
// for all boxes, each with a different goal.
#pragma once

#include "boxes/area.hpp"

namespace unpuzzle::boxes {

using Pushes = std::uint32_t;
constexpr Pushes NEVER = 1'000'000'001;  // more than any number of pushes that is added up here
static_assert(MOST_PUSHES * MOST_BOXES < NEVER);

// `walls`: boxes that never move again. A cell without a way to any goal is dead.
class Distances {
  public:
    Distances(const Board& board, const Occupied& walls, Control& control);

    // To a goal by its place in `board.goals`.
    Pushes to_goal(std::size_t goal, Cell from) const { return to_goals(from)[goal]; }
    const Pushes* to_goals(Cell from) const { return by_cell_.data() + from * goals_; }
    bool dead(Cell cell) const { return nearest_[cell] == NEVER; }

  private:
    std::size_t goals_;
    Vector<Pushes> by_cell_, nearest_;
};

// Assignment by shortest exchanges (Kuhn 1955). Imaginary boxes are on the remaining goals, at no cost; so one moved
// box needs only one exchange.
class Matching {
  public:
    Matching(const Board& board, const Distances& distances, Control& control)
        : board_(board), distances_(distances), control_(control), nothing_(board.goals.size()) {}

    // Returns the least sum of pushes, NEVER or more where there is no such assignment.
    Pushes of(std::span<const Cell> boxes) { return of_first(boxes, board_.goals.size()); }
    // The same, quicker for a few boxes and many goals; neither `moved` nor `goals` may follow.
    Pushes of_few(std::span<const Cell> boxes) { return of_first(boxes, boxes.size()); }
    // The same with the box of that number elsewhere; the assignment of `of` stays what it was.
    Pushes moved(std::size_t box, Cell to);
    // The goals that `of` gave to boxes, ascending.
    Vector<Cell> goals() const;

  private:
    using Signed = std::int64_t;
    Signed cost(std::size_t row, std::size_t column) const {
        return rows_[row] == NOWHERE ? 0 : Signed{distances_.to_goal(column, rows_[row])};
    }
    Pushes of_first(std::span<const Cell> boxes, std::size_t rows);
    void match(std::size_t row, Vector<Signed>& over, Vector<std::uint16_t>& owner);
    Pushes sum(const Vector<std::uint16_t>& owner) const;

    const Board& board_;
    const Distances& distances_;
    Control& control_;
    Vector<Cell> rows_;                          // by row: the box's cell, NOWHERE for none
    Vector<Signed> columns_, moved_columns_;     // potentials
    Vector<std::uint16_t> owner_, moved_owner_;  // by column: its row
    Vector<Signed> slack_;
    Vector<std::uint16_t> before_;
    Vector<std::uint8_t> done_;
    Vector<Pushes> nothing_;  // the costs of a box that does not exist
};

}  // namespace unpuzzle::boxes
