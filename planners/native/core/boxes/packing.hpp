// The order in which goals can be filled, found backwards: boxes are pulled off the goals, one at a time, to the
// initial cells of boxes, and then removed. A box that is in the way is pulled aside first, and pulled further later.
//
//     all goals filled ──pull──► … ──pull──► no box left           read from the right: the plan, stage by stage
//
// Boxes that have not arrived yet are not in the way here, so a plan is only advice.
#pragma once

#include "boxes/distances.hpp"
#include "boxes/positions.hpp"

namespace unpuzzle::boxes {

// The box that is pulled off first, if several can be: the nearest to the initial cells of boxes, so that the deepest
// goals are filled first, or the farthest.
enum class Unpack : std::uint8_t { nearest, farthest };

class Packing {
  public:
    // `final_goals`: those that boxes are to stand on in the end.
    Packing(const Board& board, std::span<const Cell> final_goals, Unpack order, Control& control);

    std::size_t stages() const { return stages_.size(); }
    // How many stages are done: the last one whose boxes are all in their places.
    std::size_t done(const Occupied& occupied) const;
    const Vector<Cell>& stage(std::size_t number) const { return stages_[number]; }
    // Whether a box there could not come to a goal that is still free once the next stage is done.
    bool out_of_plan(std::size_t done, Cell cell) const { return astray_[done * cells_ + cell] != 0; }

  private:
    void find_astray(const Board& board, Control& control);

    std::size_t cells_;
    Vector<Vector<Cell>> stages_;  // the first is empty
    Vector<std::uint8_t> astray_;
};

}  // namespace unpuzzle::boxes
