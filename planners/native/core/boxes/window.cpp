#include "boxes/window.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

namespace {

Board with_goals(const Board& board, const Vector<Cell>& goals) {
    Board other = board;
    other.goals = goals;
    other.is_goal.assign(board.cells(), 0);
    for (const Cell goal : goals) other.is_goal[goal] = 1;
    return other;
}

class Window {
  public:
    Window(const Board& board, const WindowTask& task, Control& control)
        : task_(task),
          control_(control),
          board_(with_goals(board, task.targets)),
          distances_(board_, Occupied(board.cells()), control),
          matching_(board_, distances_, control),
          area_(board_),
          steps_(board_),
          positions_(task.boxes.size(), control),
          occupied_(board.cells()),
          child_(task.boxes.size() + 1) {}

    WindowAnswer answer() {
        WindowAnswer result;
        start();
        while (!open_.empty() && best_ == NO_NODE) {
            if (result.expanded >= task_.most_expanded) return result;
            control_.tick();
            std::pop_heap(open_.begin(), open_.end(), std::greater<>());
            const Open now = take_last(open_);
            if (nodes_[now.node].cost != now.cost) continue;
            ++result.expanded;
            expand(now.node);
        }
        result.complete = true;
        result.better = best_ != NO_NODE;
        for (std::uint32_t node = best_; node != NO_NODE && nodes_[node].push; node = nodes_[node].parent)
            result.pushes.push_back(*nodes_[node].push);
        std::reverse(result.pushes.begin(), result.pushes.end());
        return result;
    }

  private:
    static constexpr std::uint32_t NO_NODE = ~0u;
    struct Node {
        std::uint32_t parent;
        const Push* push;
        Weight cost;
    };
    struct Open {
        Weight estimate, cost;
        std::uint32_t node;
        bool operator>(const Open& other) const {  // deeper ones first
            return std::tuple(estimate, ~cost, node) > std::tuple(other.estimate, ~other.cost, other.node);
        }
    };

    void start() {
        std::copy(task_.boxes.begin(), task_.boxes.end(), child_.begin());
        place(task_.boxes, 1);
        child_.back() = counts_steps() ? task_.walker : area_.fill(occupied_, task_.walker);
        place(task_.boxes, 0);
        if (!counts_steps() && task_.next != NOWHERE) {
            place(task_.targets, 1);
            last_area_ = area_.fill(occupied_, task_.next);
            place(task_.targets, 0);
        }
        const Pushes least = matching_.of(task_.boxes);
        if (least < NEVER) reach(NO_NODE, nullptr, 0, least);
    }
    void place(std::span<const Cell> boxes, std::uint8_t there) {
        for (const Cell box : boxes) occupied_[box] = there;
    }
    bool counts_steps() const { return task_.weights.step > 0; }

    // The position in `child_`, at some cost.
    void reach(std::uint32_t parent, const Push* push, Weight cost, Pushes least) {
        const Weight estimate = cost + least * task_.weights.push;
        if (estimate >= task_.bound) return;
        const auto [number, fresh] = positions_.add(child_);
        if (fresh) {
            nodes_.push_back({parent, push, cost});
        } else if (cost < nodes_[number].cost) {
            nodes_[number] = {parent, push, cost};
        } else {
            return;
        }
        open_.push_back({estimate, cost, number});
        std::push_heap(open_.begin(), open_.end(), std::greater<>());
    }

    void expand(std::uint32_t node) {
        const Vector<Cell> boxes(positions_.boxes(node).begin(), positions_.boxes(node).end());
        const Cell walker = positions_.walker(node);
        control_.work(4 * board_.cells() + boxes.size() * boxes.size() * boxes.size());
        place(boxes, 1);
        steps_.fill(occupied_, walker);
        if (boxes == task_.targets && ends(node, walker)) {
            place(boxes, 0);
            return;
        }
        matching_.of(boxes);
        for (std::size_t box = 0; box < boxes.size(); ++box) {
            for (const Push& push : board_.pushes[boxes[box]]) {
                if (steps_.to(push.from) == NEVER || occupied_[push.to] || distances_.dead(push.to)) continue;
                follow(node, boxes, box, push);
            }
        }
        place(boxes, 0);
    }
    void follow(std::uint32_t node, const Vector<Cell>& boxes, std::size_t box, const Push& push) {
        const Pushes least = matching_.moved(box, push.to);
        if (least >= NEVER) return;
        move_box(boxes, box, push.to, child_.data());
        occupied_[push.box] = 0;
        occupied_[push.to] = 1;
        child_.back() = counts_steps() ? push.box : area_.fill(occupied_, push.box);
        occupied_[push.to] = 0;
        occupied_[push.box] = 1;
        const Weight steps = task_.weights.step * steps_.to(push.from);
        reach(node, &push, nodes_[node].cost + task_.weights.push + steps, least);
    }

    // Whether the window may end here. Where the walker's steps count, its last ones are yet to be paid for: the position
    // comes up again as one that is at `next`.
    bool ends(std::uint32_t node, Cell walker) {
        if (task_.next == NOWHERE || walker == (counts_steps() ? task_.next : last_area_)) {
            best_ = node;
            return true;
        }
        if (!counts_steps() || steps_.to(task_.next) == NEVER) return false;
        std::copy(task_.targets.begin(), task_.targets.end(), child_.begin());
        child_.back() = task_.next;
        const Node here = nodes_[node];
        reach(here.parent, here.push, here.cost + task_.weights.step * steps_.to(task_.next), 0);
        return false;
    }

    const WindowTask& task_;
    Control& control_;
    Board board_;
    Distances distances_;
    Matching matching_;
    Area area_;
    WalkLengths steps_;
    Positions positions_;
    Occupied occupied_;
    Vector<Cell> child_;
    Vector<Node> nodes_;
    Vector<Open> open_;
    Cell last_area_ = NOWHERE;
    std::uint32_t best_ = NO_NODE;
};

}  // namespace

WindowAnswer solve_window(const Board& board, const WindowTask& task, Control& control) {
    return Window(board, task, control).answer();
}

}  // namespace unpuzzle::boxes
