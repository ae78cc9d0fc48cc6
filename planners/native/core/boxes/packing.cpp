#include "boxes/packing.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

namespace {

constexpr std::size_t MOST_NODES = 1'500;
constexpr std::uint32_t PER_PARKED = 10;  // a box parked is as bad as so many cells that the walker does not reach

// A search by pulls, in which taking a box away is never wrong: it only makes room.
class Unpacking {
  public:
    struct Node {
        Vector<Cell> boxes;  // those that are left, ascending
        Cell walker;         // some cell of its area
        std::uint32_t before, parked;
        std::uint32_t unreached = 0;  // cells, by the walker
    };

    Unpacking(const Board& board, Unpack order, Control& control)
        : board_(board),
          order_(order),
          control_(control),
          area_(board),
          occupied_(board.cells()),
          home_(board.cells()) {
        // A box that is on a goal at first does not tell where others come from.
        for (const Cell box : board.boxes) home_[box] = !board.is_goal[box];
    }

    // The stages, last one first; empty if no way was found.
    Vector<Vector<Cell>> stages(std::span<const Cell> goals) {
        start(goals);
        for (std::size_t expanded = 0; expanded < MOST_NODES && !open_.empty(); ++expanded) {
            const std::uint32_t number = best();
            if (nodes_[number].boxes.empty()) return way_to(number);
            if (!take_away(number)) park(number);
        }
        return {};
    }

  private:
    struct Pulled {
        Cell box, walker;
        std::uint32_t pulls;
    };

    void start(std::span<const Cell> goals) {
        const Vector<Cell> boxes(goals.begin(), goals.end());
        set(boxes, 1);
        for (Cell cell = 0; cell < board_.cells(); ++cell) {
            control_.work(8 * board_.cells());
            if (!occupied_[cell] && area_.fill(occupied_, cell) == cell) add({boxes, cell, ~0u, 0});
        }
        set(boxes, 0);
    }
    void set(const Vector<Cell>& boxes, std::uint8_t there) {
        for (const Cell box : boxes) occupied_[box] = there;
    }
    std::uint32_t best() {
        const auto better = [&](std::uint32_t one, std::uint32_t other) {
            const Node &a = nodes_[one], &b = nodes_[other];
            return std::tuple(a.boxes.size(), a.unreached + PER_PARKED * a.parked, one) <
                   std::tuple(b.boxes.size(), b.unreached + PER_PARKED * b.parked, other);
        };
        control_.work(open_.size());
        const auto found = std::min_element(open_.begin(), open_.end(), better);
        const std::uint32_t number = *found;
        open_.erase(found);
        return number;
    }
    void add(Node node) {
        control_.work(8 * board_.cells());
        Vector<Cell> key = node.boxes;
        set(node.boxes, 1);
        key.push_back(area_.fill(occupied_, node.walker));
        node.unreached = static_cast<std::uint32_t>(board_.cells() - area_.cells().size());
        set(node.boxes, 0);
        if (!seen_.insert(key).second) return;
        open_.push_back(static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back(std::move(node));
    }

    // Where a box can be pulled to, the nearest first.
    const Vector<Pulled>& pulls_of(Cell box, Cell walker) {
        pulled_.clear();
        std::fill(been_.begin(), been_.end(), 0);
        been_.resize(board_.pulls.values().size());
        const auto follow = [&](Cell at, Cell from, std::uint32_t pulls) {
            control_.work(board_.cells());
            occupied_[box] = 0;
            const bool other = occupied_[at] != 0;
            occupied_[at] = 1;
            area_.fill(occupied_, from);
            for (const Push& push : board_.pulls[at]) {
                auto& been = been_[static_cast<std::size_t>(&push - board_.pulls.values().data())];
                if (been || !area_.has(push.box) || occupied_[push.from]) continue;
                been = 1;
                pulled_.push_back({push.box, push.from, pulls + 1});
            }
            occupied_[at] = other;
            occupied_[box] = 1;
        };
        follow(box, walker, 0);
        for (std::size_t i = 0; i < pulled_.size(); ++i) {
            const Pulled now = pulled_[i];
            follow(now.box, now.walker, now.pulls);
        }
        return pulled_;
    }

    bool take_away(std::uint32_t number) {
        const Node node = nodes_[number];
        std::uint32_t pulls = 0;
        Cell gone = NOWHERE, walker = NOWHERE;
        const auto consider = [&](Cell box, const Pulled& pulled) {
            if (gone != NOWHERE && (order_ == Unpack::nearest ? pulled.pulls >= pulls : pulled.pulls <= pulls)) return;
            pulls = pulled.pulls;
            gone = box;
            walker = pulled.walker;
        };
        set(node.boxes, 1);
        for (const Cell box : node.boxes) {
            if (home_[box]) {
                consider(box, {box, node.walker, 0});
                continue;
            }
            const auto& all = pulls_of(box, node.walker);
            const auto home = std::find_if(all.begin(), all.end(), [&](const Pulled& one) { return home_[one.box]; });
            if (home != all.end()) consider(box, *home);
        }
        set(node.boxes, 0);
        if (gone == NOWHERE) return false;
        Vector<Cell> left = node.boxes;
        left.erase(std::find(left.begin(), left.end(), gone));
        add({left, walker, number, node.parked});
        return true;
    }
    void park(std::uint32_t number) {
        const Node node = nodes_[number];
        for (std::size_t i = 0; i < node.boxes.size(); ++i) {
            set(node.boxes, 1);
            const Vector<Pulled> all = pulls_of(node.boxes[i], node.walker);
            set(node.boxes, 0);
            for (const Pulled& pulled : all) {
                Vector<Cell> boxes(node.boxes.size());
                move_box(node.boxes, i, pulled.box, boxes.data());
                add({boxes, pulled.walker, number, node.parked + 1});
            }
        }
    }
    Vector<Vector<Cell>> way_to(std::uint32_t number) const {
        Vector<Vector<Cell>> way;
        for (; number != ~0u; number = nodes_[number].before) way.push_back(nodes_[number].boxes);
        return way;
    }

    const Board& board_;
    const Unpack order_;
    Control& control_;
    Area area_;
    Occupied occupied_, home_;
    Vector<Node> nodes_;
    Vector<std::uint32_t> open_;
    Set<Vector<Cell>> seen_;
    Vector<Pulled> pulled_;
    Vector<std::uint8_t> been_;
};

}  // namespace

Packing::Packing(const Board& board, std::span<const Cell> final_goals, Unpack order, Control& control)
    : cells_(board.cells()) {
    stages_ = Unpacking(board, order, control).stages(final_goals);
    if (stages_.empty()) stages_.emplace_back();
    find_astray(board, control);
}

void Packing::find_astray(const Board& board, Control& control) {
    astray_.assign(stages_.size() * cells_, 0);
    Occupied walls(cells_);
    for (std::size_t number = 0; number + 1 < stages_.size(); ++number) {
        for (const Cell cell : stages_[number + 1]) walls[cell] = 1;
        const Distances distances(board, walls, control);
        for (Cell cell = 0; cell < cells_; ++cell)
            astray_[number * cells_ + cell] = distances.dead(cell) && !walls[cell];
        for (const Cell cell : stages_[number + 1]) walls[cell] = 0;
    }
}

std::size_t Packing::done(const Occupied& occupied) const {
    for (std::size_t number = stages_.size(); number-- > 1;) {
        if (std::all_of(stages_[number].begin(), stages_[number].end(), [&](Cell cell) { return occupied[cell] != 0; }))
            return number;
    }
    return 0;
}

}  // namespace unpuzzle::boxes
