#include "boxes/packing.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

namespace {

constexpr std::size_t MOST_NODES = 1'500;
constexpr std::uint32_t PER_PARKED = 10;  // a box parked is as bad as so many cells that the walker does not reach

// A search by pulls. Boxes are removed as soon as possible, which usually only makes room.
class Unpacking {
  public:
    struct Node {
        Vector<Cell> boxes;  // those that are left, ascending
        Cell walker;         // some cell of its area
        Vector<Cell> homes;  // where boxes are at first and none has been pulled to, ascending
        std::uint32_t before, parked;
        std::uint32_t unreached;  // cells, by the walker, after the last box was parked
    };

    Unpacking(const Board& board, Unpack order, Control& control)
        : board_(board), order_(order), control_(control), area_(board), occupied_(board.cells()) {}

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

    struct Taken {
        std::size_t place;  // among the boxes
        Pulled pulled;
    };

    void start(std::span<const Cell> goals) {
        const Vector<Cell> boxes(goals.begin(), goals.end());
        Vector<Cell> walkers;  // one for each area
        set(boxes, 1);
        for (Cell cell = 0; cell < board_.cells(); ++cell) {
            control_.work(8 * board_.cells());
            if (!occupied_[cell] && area_.fill(occupied_, cell) == cell) walkers.push_back(cell);
        }
        set(boxes, 0);
        for (const Cell walker : walkers) add({boxes, walker, board_.boxes, ~0u, 0, 0});
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
    std::uint32_t unreached(const Vector<Cell>& boxes, Cell walker) {
        set(boxes, 1);
        area_.fill(occupied_, walker);
        set(boxes, 0);
        return static_cast<std::uint32_t>(board_.cells() - area_.cells().size());
    }
    void add(Node node) {
        control_.work(8 * board_.cells());
        Vector<Cell> key = node.boxes;
        set(node.boxes, 1);
        key.push_back(area_.fill(occupied_, node.walker));
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

    // Pulls each box that it can to the nearest home that is left, in order; if there is none, to any home. A box that is
    // on a goal from the first stays there until no other can be taken away.
    bool take_away(std::uint32_t number) {
        const Node node = nodes_[number];
        const auto is_left = [&](Cell cell) { return std::binary_search(node.homes.begin(), node.homes.end(), cell); };
        const auto is_home = [&](Cell cell) {
            return std::binary_search(board_.boxes.begin(), board_.boxes.end(), cell);
        };
        find_taken(node, is_left);
        if (taken_.empty()) find_taken(node, is_home);
        std::stable_sort(taken_.begin(), taken_.end(), [&](const Taken& one, const Taken& other) {
            return order_ == Unpack::nearest ? one.pulled.pulls < other.pulled.pulls
                                             : one.pulled.pulls > other.pulled.pulls;
        });
        for (std::size_t i = 0; i < node.boxes.size() && taken_.empty(); ++i) {
            if (is_left(node.boxes[i])) taken_.push_back({i, {node.boxes[i], node.walker, 0}});
        }
        for (const auto& [place, pulled] : taken_) {
            Node next{node.boxes, pulled.walker, node.homes, number, node.parked, node.unreached};
            next.boxes.erase(next.boxes.begin() + static_cast<std::ptrdiff_t>(place));
            if (is_left(pulled.box))
                next.homes.erase(std::lower_bound(next.homes.begin(), next.homes.end(), pulled.box));
            add(std::move(next));
        }
        return !taken_.empty();
    }
    template <class IsHome>
    void find_taken(const Node& node, IsHome&& is_home) {
        taken_.clear();
        set(node.boxes, 1);
        for (std::size_t i = 0; i < node.boxes.size(); ++i) {
            const auto& all = pulls_of(node.boxes[i], node.walker);
            const auto home = std::find_if(all.begin(), all.end(), [&](const Pulled& one) {
                return !board_.is_goal[one.box] && is_home(one.box);
            });
            if (home != all.end()) taken_.push_back({i, *home});
        }
        set(node.boxes, 0);
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
                const std::uint32_t left = unreached(boxes, pulled.walker);
                add({boxes, pulled.walker, node.homes, number, node.parked + 1, left});
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
    Occupied occupied_;
    Vector<Node> nodes_;
    Vector<std::uint32_t> open_;
    Set<Vector<Cell>> seen_;
    Vector<Pulled> pulled_;
    Vector<Taken> taken_;
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
