#include "boxes/routes.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

const Vector<Routes::End>& Routes::from(Cell box, Cell walker, Occupied& occupied) {
    for (const End& end : ends_) first_[end.to] = NO_END;
    ends_.clear();
    next_.clear();
    follow(box, walker, NO_END, 0, occupied);
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
        const End end = ends_[i];
        occupied[box] = 0;
        occupied[end.to] = 1;
        follow(end.to, end.walker, i, end.pushes, occupied);
        occupied[end.to] = 0;
        occupied[box] = 1;
    }
    return ends_;
}

void Routes::follow(Cell box, Cell walker, std::uint32_t before, std::uint32_t pushes, Occupied& occupied) {
    control_.work(board_.cells());
    area_.fill(occupied, walker);
    possible_.clear();
    for (const Push& push : board_.pushes[box]) {
        if (area_.has(push.from) && !occupied[push.to] && !distances_.dead(push.to)) possible_.push_back(&push);
    }
    for (const Push* const possible : possible_) {
        const Push& push = *possible;
        occupied[push.box] = 0;
        occupied[push.to] = 1;
        add({push.to, area_.fill(occupied, push.box), pushes + 1, before, &push});
        occupied[push.to] = 0;
        occupied[push.box] = 1;
    }
}

bool Routes::add(const End& end) {
    for (std::uint32_t other = first_[end.to]; other != NO_END; other = next_[other]) {
        if (ends_[other].walker == end.walker) return false;
    }
    next_.push_back(first_[end.to]);
    first_[end.to] = static_cast<std::uint32_t>(ends_.size());
    ends_.push_back(end);
    return true;
}

bool Routes::pushes_to(Cell to, Cell walker, Pushed& result) const {
    const auto end =
        std::find_if(ends_.begin(), ends_.end(), [&](const End& one) { return one.to == to && one.walker == walker; });
    if (end == ends_.end()) return false;
    const std::size_t begin = result.size();
    for (auto at = static_cast<std::uint32_t>(end - ends_.begin()); at != NO_END; at = ends_[at].before)
        result.push_back(*ends_[at].push);
    std::reverse(result.begin() + static_cast<std::ptrdiff_t>(begin), result.end());
    return true;
}

}  // namespace unpuzzle::boxes
