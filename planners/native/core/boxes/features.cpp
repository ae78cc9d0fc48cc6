#include "boxes/features.hpp"

namespace unpuzzle::boxes {

namespace {

constexpr std::size_t LEAST_ROOM = 3;  // cells; what is smaller is no room to which a door leads

}  // namespace

FeatureReader::FeatureReader(const Board& board, const Packing& packing, Profile profile, Control& control)
    : board_(board),
      packing_(packing),
      profile_(profile),
      obstacles_(board, packing, control),
      area_(board),
      is_door_(board.cells()) {
    Occupied occupied(board.cells());
    area_.fill(occupied, board.walker);
    floor_ = area_.cells();
    for (const Cell cell : floor_) {
        control.work(8 * floor_.size());
        occupied[cell] = 1;
        area_.forget();
        std::size_t rooms = 0, left = floor_.size() - 1;
        for (const Walk& walk : board.walks[cell]) {
            if (area_.has(walk.to)) continue;
            area_.spread(occupied, walk.to);
            rooms += area_.cells().size() >= LEAST_ROOM;
            left -= area_.cells().size();
            if (left == 0) break;
        }
        is_door_[cell] = rooms > 1;
        occupied[cell] = 0;
    }
}

Features FeatureReader::of(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, std::size_t reached) {
    constexpr std::size_t PARTS = 8;
    Features features;
    const std::size_t done = packing_.done(occupied);
    const Vector<Cell>& stage = packing_.stage(done);
    if (profile_.packed) features.packed = static_cast<std::uint16_t>(done);
    if (profile_.areas) features.areas = static_cast<std::uint16_t>(areas(occupied));
    if (profile_.obstacles) features.obstacles = obstacles_.count(done, occupied, walker);
    if (profile_.reach) features.reach = static_cast<std::uint16_t>(PARTS * reached / floor_.size());
    for (const Cell box : boxes) {
        if (std::binary_search(stage.begin(), stage.end(), box)) continue;
        features.blocked += profile_.blocked && is_door_[box];
        features.astray += packing_.out_of_plan(done, box);
    }
    return features;
}

std::size_t FeatureReader::areas(const Occupied& occupied) {
    std::size_t count = 0;
    area_.forget();
    for (const Cell cell : floor_) {
        if (occupied[cell] || area_.has(cell)) continue;
        area_.spread(occupied, cell);
        ++count;
    }
    return count;
}

}  // namespace unpuzzle::boxes
