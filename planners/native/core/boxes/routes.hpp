// The cells to which one box can be pushed while all others stay, each with the areas where the walker may end up.
//
// Several pushes of one box count as one step of the search. A route is found breadth-first over pairs of the box's cell
// and the walker's area, so it has the fewest pushes.
#pragma once

#include "boxes/distances.hpp"
#include "boxes/positions.hpp"

namespace unpuzzle::boxes {

using Pushed = Vector<Push>;

class Routes {
  public:
    struct End {
        Cell to, walker;        // the least cell of the walker's area
        std::uint32_t reached;  // cells of that area
        std::uint32_t pushes;
        std::uint32_t before;  // place of the end before this one, NO_END for none
        const Push* push;
        std::uint32_t next;  // place of the first push that can follow; they end where those of the next end begin
    };
    static constexpr std::uint32_t NO_END = ~0u;

    Routes(const Board& board, const Distances& distances, Control& control)
        : board_(board), distances_(distances), control_(control), area_(board), first_(board.cells(), NO_END) {}

    // All ends of the routes of a box, which is part of `occupied`; that is unchanged afterwards.
    const Vector<End>& from(Cell box, Cell walker, Occupied& occupied);
    // The pushes of the route with that end; false where there is none.
    bool pushes_to(Cell to, Cell walker, Pushed& result) const;

  private:
    void find_possible(Cell box, const Occupied& occupied);
    void follow(Cell box, std::size_t first, std::size_t last, std::uint32_t before, std::uint32_t pushes,
                Occupied& occupied);
    bool has(Cell to, Cell walker) const;

    const Board& board_;
    const Distances& distances_;
    Control& control_;
    Area area_;
    Vector<End> ends_;
    Vector<const Push*> possible_;
    Vector<std::uint32_t> first_, next_;  // by cell the last end there; by end the one before it in the same cell
};

}  // namespace unpuzzle::boxes
