// Deadlocks: positions from which the boxes cannot all reach goals. All of them are proved; nothing is guessed.
//
//     dead cell   from it a lone box comes to no goal                                     distances.hpp
//     frozen      boxes that block each other, whatever the walker does, one of them off  frozen.cpp
//                 the goals; or frozen on goals, so that the others cannot have goals
//     pattern     a few boxes, and where the walker is: these boxes alone, without all    patterns.cpp
//                 others, cannot come to goals. Found by a small search that came to its
//                 end, kept in a table, and true of every position that contains them, since
//                 a walker that goes where it would push others does what it can with them
//
// A corral is an area that the walker does not reach; a small search has only the boxes around it.
#pragma once

#include <memory>

#include "boxes/distances.hpp"
#include "boxes/positions.hpp"

namespace unpuzzle::boxes {

// Boxes that can never be pushed again without one of them reaching a dead cell: all but those that can be pushed once
// others are out of the way. (The first frozen box to be pushed would need the others gone.)
class Frozen {
  public:
    Frozen(const Board& board, const Distances& distances) : board_(board), distances_(distances), is_(board.cells()) {}

    // Marks them, and returns whether one of them is on no goal.
    bool dead(std::span<const Cell> boxes);
    std::size_t count() const { return count_; }
    const Occupied& cells() const { return is_; }

  private:
    bool can_move(Cell box) const;

    const Board& board_;
    const Distances& distances_;
    Occupied is_;
    Vector<Cell> marked_;
    std::size_t count_ = 0;
};

enum class Verdict : std::uint8_t { alive, dead, unknown };

class Deadlocks {
  public:
    Deadlocks(const Board& board, const Distances& distances, Control& control);

    // Whether a position is dead by what is cheap: frozen boxes and known patterns. `moved`: the cell of the box that was
    // pushed last, NOWHERE for none.
    bool at_a_glance(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, Cell moved);
    // By what is dearer: goals for the boxes that are not frozen, and small searches of the boxes around corrals.
    bool at_a_look(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, Cell moved);

    std::size_t patterns() const { return patterns_.size(); }
    std::uint64_t expanded() const { return expanded_; }  // by small searches

  private:
    struct Pattern {
        Vector<Cell> boxes;
        Vector<std::uint64_t> walker;  // a bit for each cell where the walker may be
    };

    bool matches(const Pattern& pattern, const Occupied& occupied, Cell walker) const;
    bool contains_pattern(const Occupied& occupied, Cell walker, Cell cell) const;
    bool no_goals_left(std::span<const Cell> boxes);
    bool around_corrals(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, Cell moved);
    bool near(std::span<const Cell> boxes, Cell walker, Cell moved);
    bool dead_together(Vector<Cell>& group, Cell walker);
    Verdict judge(std::span<const Cell> group, Cell walker, std::uint64_t most);
    void learn(Vector<Cell> group, Cell walker);

    const Board& board_;
    const Distances& distances_;
    Control& control_;
    Frozen frozen_;
    Area corrals_, area_, small_area_;
    Occupied small_, covered_;
    Vector<Pattern> patterns_;
    Vector<Vector<std::uint32_t>> by_cell_;
    Map<Vector<Cell>, Verdict> judged_;
    Map<Vector<Cell>, std::unique_ptr<Distances>> with_walls_;  // by the frozen boxes
    Map<Vector<Cell>, bool> matched_;
    std::uint64_t expanded_ = 0;
};

}  // namespace unpuzzle::boxes
