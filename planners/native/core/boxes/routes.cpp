#include "boxes/routes.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

const Vector<Routes::End>& Routes::from(Cell box, Cell walker, Occupied& occupied) {
    for (const End& end : ends_) first_[end.to] = NO_END;
    ends_.clear();
    next_.clear();
    possible_.clear();
    control_.work(board_.cells());
    area_.fill(occupied, walker);
    find_possible(box, occupied);
    follow(box, 0, possible_.size(), NO_END, 0, occupied);
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
        const Cell at = ends_[i].to;
        const std::size_t last = i + 1 < ends_.size() ? ends_[i + 1].next : possible_.size();
        occupied[box] = 0;
        occupied[at] = 1;
        follow(at, ends_[i].next, last, i, ends_[i].pushes, occupied);
        occupied[at] = 0;
        occupied[box] = 1;
    }
    return ends_;
}

// Appends the pushes of a box that the walker can make from the area that is marked.
void Routes::find_possible(Cell box, const Occupied& occupied) {
    for (const Push& push : board_.pushes[box]) {
        if (area_.has(push.from) && !occupied[push.to] && !distances_.dead(push.to)) possible_.push_back(&push);
    }
}

void Routes::follow(Cell box, std::size_t first, std::size_t last, std::uint32_t before, std::uint32_t pushes,
                    Occupied& occupied) {
    control_.work(board_.cells());
    for (std::size_t i = first; i < last; ++i) {
        const Push& push = *possible_[i];
        occupied[box] = 0;
        occupied[push.to] = 1;
        const Cell walker = area_.fill(occupied, push.box);
        if (!has(push.to, walker)) {
            const auto reached = static_cast<std::uint32_t>(area_.cells().size());
            const auto next = static_cast<std::uint32_t>(possible_.size());
            find_possible(push.to, occupied);
            next_.push_back(first_[push.to]);
            first_[push.to] = static_cast<std::uint32_t>(ends_.size());
            ends_.push_back({push.to, walker, reached, pushes + 1, before, &push, next});
        }
        occupied[push.to] = 0;
        occupied[box] = 1;
    }
}

bool Routes::has(Cell to, Cell walker) const {
    for (std::uint32_t other = first_[to]; other != NO_END; other = next_[other]) {
        if (ends_[other].walker == walker) return true;
    }
    return false;
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
