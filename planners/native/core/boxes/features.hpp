// A summary of a position, by the features of FESS (Shoham and Schaeffer 2020): how many boxes are packed, how the
// boxes divide the board into areas, and which boxes block the plan.
#pragma once

#include <compare>

#include "boxes/obstacles.hpp"

namespace unpuzzle::boxes {

struct Features {
    std::uint16_t packed = 0;     // stages of the plan
    std::uint16_t areas = 0;      // of cells without boxes
    std::uint16_t blocked = 0;    // doors with a box in them: cells without which the board falls apart
    std::uint16_t astray = 0;     // boxes that cannot be packed once the next stage is done
    std::uint16_t obstacles = 0;  // boxes in the way of the next stage
    std::uint16_t reach = 0;      // eighths of the board that the walker reaches
    auto operator<=>(const Features&) const = default;
};

// The features that a search uses; the others are always 0.
struct Profile {
    bool packed = true, areas = true, blocked = true, obstacles = true, reach = false;
};

class FeatureReader {
  public:
    FeatureReader(const Board& board, const Packing& packing, Profile profile, Control& control);

    // `reached`: how many cells the walker reaches.
    Features of(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, std::size_t reached);

  private:
    std::size_t areas(const Occupied& occupied);

    const Board& board_;
    const Packing& packing_;
    Profile profile_;
    Obstacles obstacles_;
    Area area_;
    Vector<Cell> floor_;            // cells that are no walls
    Vector<std::uint8_t> is_door_;  // by cell
};

}  // namespace unpuzzle::boxes
