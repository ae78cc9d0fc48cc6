#include "boxes/deadlocks.hpp"

namespace unpuzzle::boxes {

namespace {

constexpr std::uint64_t MOST_EXPANDED = 100, MOST_EXPANDED_TO_SHRINK = 200;
constexpr std::size_t MOST_TOGETHER = 9, MOST_JUDGED = 200'000, MOST_WITH_WALLS = 200, MOST_MATCHED = 100'000;

}  // namespace

Deadlocks::Deadlocks(const Board& board, const Distances& distances, Control& control)
    : board_(board),
      distances_(distances),
      control_(control),
      frozen_(board, distances),
      corrals_(board),
      area_(board),
      small_area_(board),
      small_(board.cells()),
      covered_(board.cells()),
      by_cell_(board.cells()) {}

bool Deadlocks::at_a_glance(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, Cell moved) {
    if (moved != NOWHERE && distances_.dead(moved)) return true;
    if (frozen_.dead(boxes)) return true;
    if (moved != NOWHERE) return contains_pattern(occupied, walker, moved);
    return std::any_of(boxes.begin(), boxes.end(),
                       [&](Cell box) { return distances_.dead(box) || contains_pattern(occupied, walker, box); });
}

bool Deadlocks::matches(const Pattern& pattern, const Occupied& occupied, Cell walker) const {
    return (pattern.walker[walker / 64] >> (walker % 64) & 1) != 0 &&
           std::all_of(pattern.boxes.begin(), pattern.boxes.end(), [&](Cell box) { return occupied[box] != 0; });
}

bool Deadlocks::contains_pattern(const Occupied& occupied, Cell walker, Cell cell) const {
    const auto& all = by_cell_[cell];
    return std::any_of(all.begin(), all.end(),
                       [&](std::uint32_t number) { return matches(patterns_[number], occupied, walker); });
}

bool Deadlocks::at_a_look(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, Cell moved) {
    return frozen_.dead(boxes) || (frozen_.count() > 0 && no_goals_left(boxes)) ||
           around_corrals(boxes, occupied, walker, moved) || (moved != NOWHERE && near(boxes, walker, moved));
}

// Frozen boxes are walls to the others, which need goals of their own.
bool Deadlocks::no_goals_left(std::span<const Cell> boxes) {
    if (frozen_.count() == boxes.size()) return false;
    const Vector<Cell> all(boxes.begin(), boxes.end());
    if (const auto known = matched_.find(all); known != matched_.end()) return known->second;
    Vector<Cell> walls, others;
    for (const Cell box : boxes) (frozen_.cells()[box] ? walls : others).push_back(box);
    auto found = with_walls_.find(walls);
    if (found == with_walls_.end()) {
        if (with_walls_.size() >= MOST_WITH_WALLS) with_walls_.clear();
        found = with_walls_.emplace(walls, std::make_unique<Distances>(board_, frozen_.cells(), control_)).first;
    }
    // Their goals are taken: boxes that are nowhere have them.
    const bool dead = Matching(board_, *found->second, control_).of_few(others) >= NEVER;
    if (matched_.size() >= MOST_MATCHED) matched_.clear();
    matched_[all] = dead;
    return dead;
}

// Areas that the walker does not reach, next to the box that moved: the boxes around each, and around all of them.
bool Deadlocks::around_corrals(std::span<const Cell> boxes, const Occupied& occupied, Cell walker, Cell moved) {
    corrals_.fill(occupied, walker);
    std::fill(covered_.begin(), covered_.end(), 0);
    Vector<Cell> together, group;
    std::size_t corrals = 0;
    for (const Cell box : boxes) {
        if (moved != NOWHERE && box != moved) continue;
        for (const Walk& beside : board_.walks[box]) {
            if (occupied[beside.to] || corrals_.has(beside.to)) continue;
            corrals_.spread(occupied, beside.to);
            control_.work(8 * corrals_.cells().size());
            ++corrals;
            for (const Cell cell : corrals_.cells()) {
                for (const Walk& edge : board_.walks[cell]) {
                    if (!occupied[edge.to]) continue;
                    if (std::find(group.begin(), group.end(), edge.to) == group.end()) group.push_back(edge.to);
                    if (covered_[edge.to]) continue;
                    covered_[edge.to] = 1;
                    together.push_back(edge.to);
                }
            }
            if (dead_together(group, walker)) return true;
            group.clear();
        }
    }
    return corrals > 1 && dead_together(together, walker);
}

// The box that moved, and those within two steps of it.
bool Deadlocks::near(std::span<const Cell> boxes, Cell walker, Cell moved) {
    std::fill(covered_.begin(), covered_.end(), 0);
    for (const Walk& one : board_.walks[moved]) {
        covered_[one.to] = 1;
        for (const Walk& two : board_.walks[one.to]) covered_[two.to] = 1;
    }
    Vector<Cell> group{moved};
    for (const Cell box : boxes) {
        if (box != moved && covered_[box]) group.push_back(box);
    }
    return group.size() > 1 && dead_together(group, walker);
}

bool Deadlocks::dead_together(Vector<Cell>& group, Cell walker) {
    if (group.size() < 2 || group.size() > MOST_TOGETHER) return false;
    std::sort(group.begin(), group.end());
    if (judge(group, walker, MOST_EXPANDED) != Verdict::dead) return false;
    learn(group, walker);
    return true;
}

// Greedily, by the sum of pushes to the nearest goals.
Verdict Deadlocks::judge(std::span<const Cell> group, Cell walker, std::uint64_t most) {
    const std::size_t size = group.size();
    Vector<Cell> row(group.begin(), group.end());
    for (const Cell box : group) small_[box] = 1;
    row.push_back(small_area_.fill(small_, walker));
    for (const Cell box : group) small_[box] = 0;
    if (const auto known = judged_.find(row); known != judged_.end()) return known->second;

    Frozen frozen(board_, distances_);
    Matching matching(board_, distances_, control_);
    Positions positions(size, control_);
    Vector<std::pair<Pushes, std::uint32_t>> open;
    const auto before = [](const auto& one, const auto& other) { return one > other; };
    bool solved = false;
    const auto add = [&](const Vector<Cell>& next) {
        const std::span<const Cell> boxes(next.data(), size);
        if (std::all_of(boxes.begin(), boxes.end(), [&](Cell box) { return board_.is_goal[box] != 0; })) solved = true;
        if (solved || positions.has(next) || frozen.dead(boxes)) return;
        const Pushes least = matching.of_few(boxes);
        if (least >= NEVER) return;
        open.emplace_back(least, positions.add(next).first);
        std::push_heap(open.begin(), open.end(), before);
    };
    add(row);
    std::uint64_t expanded = 0;
    Vector<Cell> child(size + 1);
    while (!open.empty() && !solved && expanded < most) {
        std::pop_heap(open.begin(), open.end(), before);
        const std::uint32_t number = take_last(open).second;
        ++expanded;
        control_.work(size * board_.cells());
        const Vector<Cell> boxes(positions.boxes(number).begin(), positions.boxes(number).end());
        for (const Cell box : boxes) small_[box] = 1;
        area_.fill(small_, positions.walker(number));
        for (std::size_t i = 0; i < size && !solved; ++i) {
            for (const Push& push : board_.pushes[boxes[i]]) {
                if (!area_.has(push.from) || small_[push.to] || distances_.dead(push.to)) continue;
                move_box(boxes, i, push.to, child.data());
                small_[push.box] = 0;
                small_[push.to] = 1;
                child[size] = small_area_.fill(small_, push.box);
                const bool known = contains_pattern(small_, child[size], push.to);
                small_[push.box] = 1;
                small_[push.to] = 0;
                if (!known) add(child);
            }
        }
        for (const Cell box : boxes) small_[box] = 0;
    }
    expanded_ += expanded;
    const Verdict verdict = solved ? Verdict::alive : open.empty() ? Verdict::dead : Verdict::unknown;
    if (judged_.size() >= MOST_JUDGED) judged_.clear();
    judged_[row] = verdict;
    return verdict;
}

// Without the boxes that it is dead without.
void Deadlocks::learn(Vector<Cell> group, Cell walker) {
    for (std::size_t i = 0; i < group.size() && group.size() > 1;) {
        Vector<Cell> fewer = group;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (judge(fewer, walker, MOST_EXPANDED_TO_SHRINK) == Verdict::dead) {
            group = std::move(fewer);
        } else {
            ++i;
        }
    }
    for (const Cell box : group) small_[box] = 1;
    small_area_.fill(small_, walker);
    for (const Cell box : group) small_[box] = 0;
    Pattern pattern{group, Vector<std::uint64_t>((board_.cells() + 63) / 64)};
    for (const Cell cell : small_area_.cells()) pattern.walker[cell / 64] |= std::uint64_t{1} << (cell % 64);
    for (const Cell box : group) by_cell_[box].push_back(static_cast<std::uint32_t>(patterns_.size()));
    patterns_.push_back(std::move(pattern));
}

}  // namespace unpuzzle::boxes
