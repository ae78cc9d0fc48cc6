#include "boxes/area.hpp"

namespace unpuzzle::boxes {

AreasAround::AreasAround(const Board& board, const Occupied& walls, Control& control) : cells_(board.cells()) {
    constexpr std::size_t MOST_CELLS_WITH_AREAS = 1000;
    if (cells_ > MOST_CELLS_WITH_AREAS) return;
    areas_.assign(cells_ * cells_, NOWHERE);
    Occupied occupied = walls;
    Area area(board);
    for (Cell box = 0; box < cells_; ++box) {
        if (walls[box] || board.pushes[box].empty()) continue;
        control.work(cells_);
        occupied[box] = 1;
        for (Cell cell = 0; cell < cells_; ++cell) {
            if (occupied[cell] || areas_[box * cells_ + cell] != NOWHERE) continue;
            area.fill(occupied, cell);
            for (const Cell reached : area.cells()) areas_[box * cells_ + reached] = cell;
        }
        occupied[box] = 0;
    }
}

}  // namespace unpuzzle::boxes
