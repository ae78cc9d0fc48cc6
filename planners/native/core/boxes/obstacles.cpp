#include "boxes/obstacles.hpp"

#include <algorithm>
#include <cstdlib>

namespace unpuzzle::boxes {

namespace {

constexpr std::uint16_t FAR = 0xFFFF;
constexpr std::uint32_t UNKNOWN = ~0u, PER_BOX = 1 << 16;  // one box is worse than any number of pushes

}  // namespace

Obstacles::Obstacles(const Board& board, const Packing& packing, Control& control)
    : board_(board),
      packing_(packing),
      control_(control),
      alone_(board, Occupied(board.cells()), control),
      fixed_(board.cells()),
      crossed_(board.cells()),
      component_(board.cells()),
      found_(board.cells()),
      low_(board.cells()),
      last_(board.cells()),
      parent_(board.cells()),
      costs_(board.pulls.values().size()) {}

std::uint16_t Obstacles::count(std::size_t done, const Occupied& occupied, Cell walker) {
    if (!find_target(done, occupied)) return 0;
    control_.work(16 * board_.cells());
    find_crossed(occupied, walker);
    find_components(occupied);
    std::fill(costs_.begin(), costs_.end(), UNKNOWN);
    best_ = UNKNOWN;
    open_.clear();
    for (const Push& push : board_.pulls[target_]) add(push, 1, occupied);
    const Push* const first = board_.pulls.values().data();
    while (!open_.empty() && open_.front().first < best_) {
        std::pop_heap(open_.begin(), open_.end(), std::greater<>());
        const auto [cost, number] = take_last(open_);
        if (costs_[number] < cost) continue;
        const Push& after = first[number];
        for (const Push& before : board_.pulls[after.box]) {
            const Cost way = between(before, after, occupied);
            if (way != UNKNOWN) add(before, cost + 1 + way + (occupied[after.box] ? PER_BOX : 0), occupied);
        }
    }
    return static_cast<std::uint16_t>(std::min<Cost>(best_ / PER_BOX, MOST));
}

bool Obstacles::find_target(std::size_t done, const Occupied& occupied) {
    if (done + 1 >= packing_.stages()) return false;
    const auto& next = packing_.stage(done + 1);
    const auto free = std::find_if(next.begin(), next.end(), [&](Cell cell) { return !occupied[cell]; });
    if (free == next.end()) return false;
    target_ = *free;
    std::fill(fixed_.begin(), fixed_.end(), 0);
    for (const Cell cell : packing_.stage(done)) fixed_[cell] = 1;
    return true;
}

// Breadth-first, the cells behind one more box in the next round.
void Obstacles::find_crossed(const Occupied& occupied, Cell walker) {
    std::fill(crossed_.begin(), crossed_.end(), FAR);
    queue_.assign(1, walker);
    crossed_[walker] = 0;
    for (std::uint16_t boxes = 0; !queue_.empty(); ++boxes) {
        later_.clear();
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            for (const Walk& walk : board_.walks[queue_[i]]) {
                if (fixed_[walk.to] || crossed_[walk.to] != FAR) continue;
                const bool box = occupied[walk.to] != 0;
                crossed_[walk.to] = static_cast<std::uint16_t>(boxes + box);
                (box ? later_ : queue_).push_back(walk.to);
            }
        }
        std::swap(queue_, later_);
    }
}

// Components, and the cells without which they fall apart (Tarjan 1972).
void Obstacles::find_components(const Occupied& occupied) {
    std::fill(found_.begin(), found_.end(), 0);
    std::uint32_t now = 0;
    std::uint16_t component = 0;
    const auto enter = [&](Cell cell, Cell parent) {
        found_[cell] = low_[cell] = ++now;
        parent_[cell] = parent;
        component_[cell] = component;
        stack_.emplace_back(cell, 0);
    };
    for (Cell start = 0; start < board_.cells(); ++start) {
        if (occupied[start] || found_[start]) continue;
        for (enter(start, NOWHERE); !stack_.empty();) {
            const Cell cell = stack_.back().first;
            const auto walks = board_.walks[cell];
            if (stack_.back().second == walks.size()) {
                last_[cell] = now;
                if (const Cell parent = parent_[cell]; parent != NOWHERE)
                    low_[parent] = std::min(low_[parent], low_[cell]);
                stack_.pop_back();
                continue;
            }
            const Cell to = walks[stack_.back().second++].to;
            if (occupied[to]) continue;
            if (found_[to]) {
                low_[cell] = std::min(low_[cell], found_[to]);
            } else {
                enter(to, cell);
            }
        }
        ++component;
    }
}

// Which part of its component a neighbour is in when a box comes to the cell.
std::uint32_t Obstacles::side(Cell cell, Cell beside) const {
    constexpr std::uint32_t REST = 0;
    if (found_[beside] < found_[cell]) return REST;
    for (const Walk& walk : board_.walks[cell]) {
        const Cell child = walk.to;
        if (parent_[child] != cell || found_[child] <= found_[cell]) continue;
        if (found_[child] <= found_[beside] && found_[beside] <= last_[child])
            return low_[child] >= found_[cell] ? found_[child] : REST;
    }
    return REST;
}

// The boxes that the walker crosses between two pushes of one box; UNKNOWN where a lone box would bar the way.
Obstacles::Cost Obstacles::between(const Push& before, const Push& after, const Occupied& occupied) const {
    if (before.box == after.from) return 0;
    if (!alone_.together(after.box, before.box, after.from)) return UNKNOWN;
    const std::uint16_t one = crossed_[before.from], other = crossed_[after.from];
    if (one == FAR || other == FAR) return UNKNOWN;
    bool free = !occupied[before.from] && !occupied[after.from] && component_[before.from] == component_[after.from];
    if (free && !occupied[before.box] && !occupied[after.box])
        free = side(after.box, before.box) == side(after.box, after.from);
    return free ? 0 : PER_BOX * static_cast<Cost>(std::max(1, std::abs(int{one} - int{other})));
}

void Obstacles::add(const Push& push, Cost cost, const Occupied& occupied) {
    if (fixed_[push.box] || fixed_[push.from] || crossed_[push.from] == FAR) return;
    const auto number = static_cast<std::uint32_t>(&push - board_.pulls.values().data());
    if (cost >= costs_[number]) return;
    costs_[number] = cost;
    if (occupied[push.box]) best_ = std::min(best_, cost + PER_BOX * crossed_[push.from]);
    open_.emplace_back(cost, number);
    std::push_heap(open_.begin(), open_.end(), std::greater<>());
}

std::size_t Barring::pairs(std::span<const Cell> boxes) {
    std::size_t count = 0;
    control_.work(boxes.size() * boxes.size());
    for (const Cell box : boxes) {
        auto& barred = barred_[box];
        if (barred.empty()) {
            walls_[box] = 1;
            const Distances around(board_, walls_, control_);
            walls_[box] = 0;
            barred.resize(board_.cells());
            for (Cell other = 0; other < board_.cells(); ++other)
                barred[other] = other != box && around.dead(other) && !distances_.dead(other);
        }
        count += static_cast<std::size_t>(std::count_if(
            boxes.begin(), boxes.end(), [&](Cell other) { return barred[other] != 0 && !board_.is_goal[other]; }));
    }
    return count;
}

}  // namespace unpuzzle::boxes
