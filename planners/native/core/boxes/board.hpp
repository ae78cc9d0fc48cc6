// A board: cells on which one walker pushes boxes without names, recognised in a compiled task.
//
//     walk   a ─► b      where no box is on b             the only thing that changes is the walker's cell
//     push   a ─► b ─► c where a box is on b, none on c   the walker comes to b, the box to c
//
// Cells are the values of the walker's variable; there are no rows, columns or directions. A graph is a board if these
// axioms hold. The recogniser checks each of them, and all proofs in this folder use only them.
//
//     steps   An operator is a walk or a push, as above, and a push is about three different cells. What it wants and
//             changes is the walker's cell and whether boxes are on b and c, which facts of these cells alone say.
//             At first there is no box where the walker is. So there never is one, and boxes neither come nor go
//                 positions.hpp: a position is where the boxes and the walker are; frozen.cpp
//     goals   It is the goal that every box is on a goal, and there are no fewer goals than boxes, each counted once
//                 distances.hpp: boxes are matched with goals, no two with one
//     back    Where there is a walk from a to b, there is one from b to a
//                 area.hpp: what the walker reaches is a component, and any cell of it stands for all of them
//     behind  Of a push, a and b are joined by a walk. So if some boxes are thought away, pushes of them become walks,
//             and a solution without them is one of the others
//                 distances.hpp, no_goals_left: of one box, with walls and without; patterns.cpp: of a few;
//                 window.hpp: the bound; corrals.hpp: the walker can step back after a push
//     ahead   Of a push, b and c are joined by a walk. So a box enters an area only from a cell beside it
//                 corrals.hpp: what happens outside a corral does not concern it
//     sums    There are at most MOST_PUSHES pushes and MOST_BOXES boxes
//                 distances.hpp: a lone box makes no push twice, so sums of distances stay below NEVER
//
// No proof uses costs. Several operators may do the same, a cell that no box can reach need not have any fact, areas
// may be unconnected, and nothing assumes that boxes can be pushed back.
#pragma once

#include <optional>

#include "base/rows.hpp"
#include "plans/improvement.hpp"

namespace unpuzzle::boxes {

using Cell = std::uint16_t;
constexpr Cell NOWHERE = 0xFFFF;
constexpr std::size_t MOST_CELLS = 4096, MOST_BOXES = 250, MOST_PUSHES = 4'000'000;

struct Walk {
    Cell to;
    OperatorId op;
};
struct Push {
    Cell from, box, to;  // the walker's cell before, the box's cell before and after
    OperatorId op;
};

struct Board {
    std::size_t cells() const { return walks.size(); }

    Rows<Walk> walks;              // by cell
    Rows<Push> pushes;             // by the box's cell before
    Rows<Push> pulls;              // the same, by the box's cell after
    Vector<Cell> goals;            // ascending; at least as many as boxes
    Vector<std::uint8_t> is_goal;  // by cell
    Vector<Cell> boxes;            // where they are at first, ascending
    Cell walker = 0;               // where it is at first
};

// Nothing, if the task is no such board.
std::optional<Board> recognise(const CompiledTask& compiled, Control& control);

}  // namespace unpuzzle::boxes
