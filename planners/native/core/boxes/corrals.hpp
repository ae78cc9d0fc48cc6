// Corrals: areas that the walker cannot reach because boxes shut them off. If all possible pushes of a corral are
// possible now, and one of them is necessary, no others need be tried (the PI-corrals of B. Damgaard's YASS).
//
//     every push of a box around it leads into it, begins within it, or waits for another of its boxes    (inwards)
//     the walker can make all those that lead into it, but those that wait for other boxes of it          (possible)
//     not all boxes around it are on goals
//
// The first push of these boxes in any solution is one of those. Until then the walker stays outside, and no other box
// gets in, since both come only from a cell beside the corral, and all these have boxes around it or are part of it. So
// what is pushed before can be pushed afterwards as well: the push takes nothing away from what the walker reaches, who
// steps back after it, and comes to stand where it did in the end.
#pragma once

#include "boxes/distances.hpp"

namespace unpuzzle::boxes {

class Corrals {
  public:
    Corrals(const Board& board, const Distances& distances, Control& control)
        : board_(board),
          distances_(distances),
          control_(control),
          reached_(board),
          inside_(board),
          seen_(board),
          around_(board.cells()) {}

    // The boxes around the corral that leaves least to try, none if there is no such corral.
    const Vector<Cell>& boxes_to_push(std::span<const Cell> boxes, const Occupied& occupied, Cell walker);

  private:
    bool surround(const Occupied& occupied, Cell from);
    enum class Kind : std::uint8_t { closed, open, wider };
    Kind judge(const Occupied& occupied);

    const Board& board_;
    const Distances& distances_;
    Control& control_;
    Area reached_, inside_, seen_;
    Occupied around_;
    Vector<Cell> boxes_, best_;
    std::size_t pushes_ = 0;
    Cell beyond_ = NOWHERE;
};

}  // namespace unpuzzle::boxes
