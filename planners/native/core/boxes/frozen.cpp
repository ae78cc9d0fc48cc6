#include <algorithm>

#include "boxes/deadlocks.hpp"

namespace unpuzzle::boxes {

bool Frozen::can_move(Cell box) const {
    const auto pushes = board_.pushes[box];
    return std::any_of(pushes.begin(), pushes.end(),
                       [&](const Push& push) { return !is_[push.from] && !is_[push.to] && !distances_.dead(push.to); });
}

bool Frozen::dead(std::span<const Cell> boxes) {
    for (const Cell cell : marked_) is_[cell] = 0;
    marked_.assign(boxes.begin(), boxes.end());
    for (const Cell cell : boxes) is_[cell] = 1;
    count_ = boxes.size();
    for (bool changed = true; changed && count_ > 0;) {
        changed = false;
        for (const Cell box : boxes) {
            if (!is_[box] || !can_move(box)) continue;
            is_[box] = 0;
            --count_;
            changed = true;
        }
    }
    return count_ > 0 &&
           std::any_of(boxes.begin(), boxes.end(), [&](Cell box) { return is_[box] && !board_.is_goal[box]; });
}

}  // namespace unpuzzle::boxes
