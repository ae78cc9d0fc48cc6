#include "boxes/distances.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

// Backwards, by pushes: before one there was one that left the walker in the same area, or the beginning. (What other
// boxes were pushed in between moved the walker along walks, too.)
Distances::Distances(const Board& board, const Occupied& walls, Control& control)
    : goals_(board.goals.size()), by_cell_(goals_ * board.cells(), NEVER), nearest_(board.cells(), NEVER) {
    const AreasAround areas(board, walls, control);
    Vector<const Push*> queue;
    Vector<std::uint32_t> seen(board.pushes.values().size());
    const Push* const first = board.pulls.values().data();
    std::uint32_t now = 0;
    for (std::size_t goal = 0; goal < board.goals.size(); ++goal) {
        control.work(board.cells() + seen.size());
        if (walls[board.goals[goal]]) continue;
        Pushes* const distance = by_cell_.data() + goal;  // of a cell: so many times the number of goals from there
        Vector<Pushes> until(seen.size());
        queue.clear();
        ++now;
        const auto add = [&](const Push& push, Pushes pushes) {
            auto& mark = seen[static_cast<std::size_t>(&push - first)];
            if (mark == now || walls[push.from] || walls[push.box] || walls[push.to]) return;
            mark = now;
            until[static_cast<std::size_t>(&push - first)] = pushes;
            Pushes& least = distance[push.box * goals_];
            least = std::min(least, pushes);
            queue.push_back(&push);
        };
        distance[board.goals[goal] * goals_] = 0;
        for (const Push& push : board.pulls[board.goals[goal]]) add(push, 1);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            control.work(8);
            const Push& after = *queue[i];
            const Pushes pushes = until[static_cast<std::size_t>(&after - first)] + 1;
            for (const Push& push : board.pulls[after.box]) {  // it left the walker on push.box
                if (areas.together(after.box, push.box, after.from)) add(push, pushes);
            }
        }
    }
    for (std::size_t cell = 0; cell < board.cells() && goals_ > 0; ++cell)
        nearest_[cell] = *std::min_element(by_cell_.data() + cell * goals_, by_cell_.data() + (cell + 1) * goals_);
}

Pushes Matching::of_first(std::span<const Cell> boxes, std::size_t rows) {
    const std::size_t size = board_.goals.size();
    rows_.assign(size, NOWHERE);
    std::copy(boxes.begin(), boxes.end(), rows_.begin());
    columns_.assign(size, 0);
    owner_.assign(size, NOWHERE);
    for (std::size_t row = 0; row < rows; ++row) match(row, columns_, owner_);
    return sum(owner_);
}

Pushes Matching::moved(std::size_t box, Cell to) {
    const Cell from = rows_[box];
    rows_[box] = to;
    moved_columns_ = columns_;
    moved_owner_ = owner_;
    *std::find(moved_owner_.begin(), moved_owner_.end(), static_cast<std::uint16_t>(box)) = NOWHERE;
    match(box, moved_columns_, moved_owner_);
    const Pushes pushes = sum(moved_owner_);
    rows_[box] = from;
    return pushes;
}

Vector<Cell> Matching::goals() const {
    Vector<Cell> goals;
    for (std::size_t column = 0; column < owner_.size(); ++column) {
        if (rows_[owner_[column]] != NOWHERE) goals.push_back(board_.goals[column]);
    }
    return goals;
}

// Gives the row a column, along a shortest path of exchanges: `slack` is the distance of a column, `over` lowers the
// costs of columns so that no exchange between rows that have theirs is worth anything.
void Matching::match(std::size_t row, Vector<Signed>& over, Vector<std::uint16_t>& owner) {
    constexpr Signed FAR = Signed{1} << 60;
    const std::size_t size = owner.size();
    slack_.assign(size, FAR);
    before_.assign(size, NOWHERE);
    done_.assign(size, 0);
    std::uint16_t column = NOWHERE;
    Signed gone = 0;  // how far the row is from which columns are looked at
    std::size_t at = row;
    while (true) {
        control_.work(size);
        const Pushes* const costs = rows_[at] == NOWHERE ? nothing_.data() : distances_.to_goals(rows_[at]);
        const Signed base = column == NOWHERE ? 0 : gone - Signed{costs[column]} + over[column];
        std::uint16_t next = NOWHERE;
        Signed least = FAR;
        for (std::uint16_t other = 0; other < size; ++other) {
            if (done_[other]) continue;
            const Signed through = base + Signed{costs[other]} - over[other];
            if (through < slack_[other]) {
                slack_[other] = through;
                before_[other] = column;
            }
            if (slack_[other] < least) {
                least = slack_[other];
                next = other;
            }
        }
        column = next;
        gone = least;
        done_[column] = 1;
        if (owner[column] == NOWHERE) break;
        at = owner[column];
    }
    for (std::size_t other = 0; other < size; ++other) {
        if (done_[other]) over[other] += slack_[other] - gone;
    }
    for (; before_[column] != NOWHERE; column = before_[column]) owner[column] = owner[before_[column]];
    owner[column] = static_cast<std::uint16_t>(row);
}

Pushes Matching::sum(const Vector<std::uint16_t>& owner) const {
    Signed pushes = 0;
    for (std::size_t column = 0; column < owner.size(); ++column) {
        if (owner[column] != NOWHERE) pushes += cost(owner[column], column);
    }
    return static_cast<Pushes>(std::min<Signed>(pushes, NEVER));
}

}  // namespace unpuzzle::boxes
