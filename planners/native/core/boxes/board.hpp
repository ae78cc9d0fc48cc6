// A board: cells on which one walker pushes boxes of which none has a name, recognised in a compiled task.
//
//     walk   a ─► b      where no box is on b             the only thing that changes is the walker's cell
//     push   a ─► b ─► c where a box is on b, none on c   the walker comes to b, the box to c
//
// Cells are the values of the walker's variable; nothing is known of rows, columns or directions, so any graph will do.
// Recognition is exact: a task in which anything else can happen has no board.
#pragma once

#include <optional>

#include "base/rows.hpp"
#include "plans/improvement.hpp"

namespace unpuzzle::boxes {

using Cell = std::uint16_t;
constexpr Cell NOWHERE = 0xFFFF;
constexpr std::size_t MOST_CELLS = 4096, MOST_BOXES = 250;

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
