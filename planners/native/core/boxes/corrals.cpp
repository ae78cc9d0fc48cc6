#include "boxes/corrals.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

const Vector<Cell>& Corrals::boxes_to_push(std::span<const Cell> boxes, const Occupied& occupied, Cell walker) {
    best_.clear();
    control_.work(2 * board_.cells());
    reached_.fill(occupied, walker);
    seen_.fill(occupied, walker);
    std::size_t least = SIZE_MAX;
    for (const Cell box : boxes) {
        for (const Walk& beside : board_.walks[box]) {
            if (occupied[beside.to] || seen_.has(beside.to)) continue;
            seen_.spread(occupied, beside.to);
            if (!surround(occupied, beside.to) || pushes_ >= least) continue;
            least = pushes_;
            best_ = boxes_;
        }
    }
    return best_;
}

// Whether the corral with that cell is one, if need be with others that touch it.
bool Corrals::surround(const Occupied& occupied, Cell from) {
    for (const Cell box : boxes_) around_[box] = 0;
    boxes_.clear();
    inside_.forget();
    for (Kind kind = Kind::wider; kind == Kind::wider; from = beyond_) {
        inside_.spread(occupied, from);
        control_.work(8 * inside_.cells().size() + 4 * boxes_.size());
        for (const Cell cell : inside_.cells()) {
            for (const Walk& edge : board_.walks[cell]) {
                if (!occupied[edge.to] || around_[edge.to]) continue;
                around_[edge.to] = 1;
                boxes_.push_back(edge.to);
            }
        }
        kind = judge(occupied);
        if (kind == Kind::open) return false;
    }
    return pushes_ > 0 && std::any_of(boxes_.begin(), boxes_.end(), [&](Cell box) { return !board_.is_goal[box]; });
}

Corrals::Kind Corrals::judge(const Occupied& occupied) {
    pushes_ = 0;
    for (const Cell box : boxes_) {
        for (const Push& push : board_.pushes[box]) {
            if (distances_.dead(push.to)) continue;
            // It begins within the corral, or waits for another of its boxes.
            if (inside_.has(push.from) || around_[push.from] || around_[push.to]) continue;
            const bool inwards = inside_.has(push.to);
            if (inwards && reached_.has(push.from)) {
                ++pushes_;
                continue;
            }
            const Cell other = inwards ? push.from : push.to;  // neither the walker's nor the corral's
            if (occupied[other] || reached_.has(other)) {
                if (inwards || occupied[push.from] || reached_.has(push.from)) return Kind::open;
            }
            beyond_ = occupied[other] || reached_.has(other) ? push.from : other;
            return Kind::wider;
        }
    }
    return Kind::closed;
}

}  // namespace unpuzzle::boxes
