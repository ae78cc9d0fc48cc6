// Boxes that are in the way: guesses that only guide a search.
//
//     Obstacles   of the next stage of the plan: in the way of the box that is to come to its place, or of the walker on
//                 its way to where it has to push. The cheapest way is sought backwards from the place, over pushes, as
//                 if all other boxes stayed where they are.
//     Barring     of another box, which could not reach any goal if the first one never moved.
#pragma once

#include "boxes/packing.hpp"

namespace unpuzzle::boxes {

class Obstacles {
  public:
    Obstacles(const Board& board, const Packing& packing, Control& control);

    // `done`: stages of the plan, whose boxes count as walls. Returns at most MOST, also where there is no way at all.
    std::uint16_t count(std::size_t done, const Occupied& occupied, Cell walker);
    static constexpr std::uint16_t MOST = 15;

  private:
    using Cost = std::uint32_t;

    bool find_target(std::size_t done, const Occupied& occupied);
    void find_crossed(const Occupied& occupied, Cell walker);
    void find_components(const Occupied& occupied);
    std::uint32_t side(Cell cell, Cell beside) const;
    Cost between(const Push& before, const Push& after, const Occupied& occupied) const;
    void add(const Push& push, Cost cost, const Occupied& occupied);

    const Board& board_;
    const Packing& packing_;
    Control& control_;
    const AreasAround alone_;
    Cell target_ = NOWHERE;
    Vector<std::uint8_t> fixed_;     // by cell: boxes of the stages that are done
    Vector<std::uint16_t> crossed_;  // by cell: boxes on the walker's way to it, its own included
    Vector<Cell> queue_, later_;
    // A depth-first search of the cells without boxes: by cell its component, and what the search knows.
    Vector<std::uint16_t> component_;
    Vector<std::uint32_t> found_, low_, last_;
    Vector<Cell> parent_;
    Vector<std::pair<Cell, std::uint32_t>> stack_;
    Vector<Cost> costs_;  // by push, in the order of `pulls`
    Cost best_ = 0;
    Vector<std::pair<Cost, std::uint32_t>> open_;  // a heap of pushes
};

// For each cell: the cells from which a box could not reach any goal if another box stayed in that cell for ever.
class Barring {
  public:
    Barring(const Board& board, const Distances& distances, Control& control)
        : board_(board), distances_(distances), control_(control), barred_(board.cells()), walls_(board.cells()) {}

    // How many pairs of boxes there are of which one bars the other.
    std::size_t pairs(std::span<const Cell> boxes);

  private:
    const Board& board_;
    const Distances& distances_;
    Control& control_;
    Vector<Vector<std::uint8_t>> barred_;  // made when asked for
    Occupied walls_;
};

}  // namespace unpuzzle::boxes
