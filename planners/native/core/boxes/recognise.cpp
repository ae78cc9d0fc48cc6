// How a board is recognised, and why the result is a board.
//
// Of each cell x the task may have a fact `clear(x)`, one of the two values of a variable, and a fact `box(x)`: the other
// value, or a value of a variable that a row of cells shares, since boxes cannot leave it but for ever. Initially, box(x)
// holds where clear(x) does not, and every operator is one of
//
//     walk a, b      wants the walker on a, and clear(b) if there is such a fact; sets the walker's cell
//     push a, b, c   wants the walker on a, box(b) and clear(c); afterwards clear(b) holds and clear(c) does not, and the
//                    same is true of box(c) and box(b), while no other fact box(x) changes
//
// so this stays true in every state, since no two cells have a fact in common. A shared variable is set to box(c) only
// if it was box(b); hence no box gets lost.
#include <algorithm>

#include "boxes/board.hpp"

namespace unpuzzle::boxes {

namespace {

constexpr Fact NONE{~0u, 0};

class Recogniser {
  public:
    Recogniser(const Task& task, Control& control) : task_(task), control_(control) {}

    std::optional<Board> board() {
        if (!task_.axioms.empty() || !task_.goal_possible || !find_walker()) return {};
        const std::size_t cells = task_.variables[walker_].domain;
        if (cells > MOST_CELLS) return {};
        clear_.assign(cells, NONE);
        box_.assign(cells, NONE);
        if (!read_walks() || !name_cells() || !read_pushes() || !boxes_are_told_apart() || !steps_are_joined())
            return {};
        return pushes_.empty() || !start() || !read_goal() ? std::nullopt : std::optional(made());
    }

  private:
    static constexpr std::size_t LOOKUP = 64;  // pieces of work

    std::span<const Fact> precondition(const Operator& op) const { return task_.facts(op.precondition); }

    // The walker's variable is the one that every operator sets.
    bool find_walker() {
        Vector<std::size_t> setting(task_.variables.size());
        for (const Operator& op : task_.operators) {
            control_.tick();
            if (!op.possible) return false;
            for (const Effect& effect : task_.effects(op)) {
                if (effect.conditions.begin != effect.conditions.end) return false;
                ++setting[effect.sets.variable];
            }
        }
        const auto most = std::find(setting.begin(), setting.end(), task_.operators.size());
        walker_ = static_cast<std::uint32_t>(most - setting.begin());
        return most != setting.end() && !task_.operators.empty();
    }

    // Operators that set nothing but the walker's cell.
    bool read_walks() {
        for (OperatorId number = 0; number < task_.operators.size(); ++number) {
            control_.tick();
            const Operator& op = task_.operators[number];
            if (task_.effects(op).size() > 1) continue;
            if (task_.effects(op).empty() || task_.effects(op)[0].sets.variable != walker_) return false;
            Cell from = NOWHERE;
            Fact clear = NONE;
            for (const Fact& fact : precondition(op)) {
                if (fact.variable == walker_) {
                    from = static_cast<Cell>(fact.value);
                } else if (clear == NONE) {
                    clear = fact;
                } else {
                    return false;
                }
            }
            const Cell to = static_cast<Cell>(task_.effects(op)[0].sets.value);
            if (from == NOWHERE || from == to) return false;
            if (clear != NONE && task_.variables[clear.variable].domain != 2) return false;
            walks_.push_back({from, {to, number}, clear});
        }
        return !walks_.empty();
    }

    // A cell is known by what walking to it wants, which must always be the same.
    bool name_cells() {
        Vector<bool> seen(clear_.size());
        cell_of_.assign(task_.variables.size(), NOWHERE);
        for (const auto& [from, walk, clear] : walks_) {
            control_.tick();
            if (seen[walk.to] && clear_[walk.to] != clear) return false;
            if (!seen[walk.to] && clear != NONE) {
                if (cell_of_[clear.variable] != NOWHERE) return false;
                cell_of_[clear.variable] = walk.to;
            }
            seen[walk.to] = true;
            clear_[walk.to] = clear;
        }
        return true;
    }

    bool read_pushes() {
        for (OperatorId number = 0; number < task_.operators.size(); ++number) {
            control_.tick();
            const Operator& op = task_.operators[number];
            if (task_.effects(op).size() < 2) continue;
            if (!read_push(op, number)) return false;
        }
        return pushes_.size() <= MOST_PUSHES && std::all_of(pushes_.begin(), pushes_.end(), [&](const Push& push) {
                   control_.work(box_.size());
                   return changes_as_told(task_.operators[push.op], push);
               });
    }
    bool read_push(const Operator& op, OperatorId number) {
        if (precondition(op).size() != 3) return false;
        Push push{NOWHERE, NOWHERE, NOWHERE, number};
        for (const Effect& effect : task_.effects(op)) {
            if (effect.sets.variable == walker_) push.box = static_cast<Cell>(effect.sets.value);
        }
        Fact box = NONE;
        for (const Fact& fact : precondition(op)) {
            const Cell cell = fact.variable == walker_ ? NOWHERE : cell_of_[fact.variable];
            if (fact.variable == walker_) {
                push.from = static_cast<Cell>(fact.value);
            } else if (cell != NOWHERE && clear_[cell] == fact && push.to == NOWHERE) {
                push.to = cell;
            } else if (box == NONE) {
                box = fact;
            }
        }
        if (push.from == NOWHERE || push.box == NOWHERE || push.to == NOWHERE || box == NONE) return false;
        if (push.from == push.box || push.from == push.to || push.box == push.to) return false;
        if (box_[push.box] != NONE && box_[push.box] != box) return false;
        if (cell_of_[box.variable] != NOWHERE && box != opposite(clear_[push.box])) return false;
        box_[push.box] = box;
        pushes_.push_back(push);
        return true;
    }
    static Fact opposite(Fact fact) { return {fact.variable, 1 - fact.value}; }

    // What the operator sets, written as one change of each variable, is what a push does.
    bool changes_as_told(const Operator& op, const Push& push) const {
        if (clear_[push.box] == NONE) return false;
        Map<std::uint32_t, std::uint32_t> sets;
        for (const Effect& effect : task_.effects(op)) {
            if (!sets.emplace(effect.sets.variable, effect.sets.value).second) return false;
        }
        const auto take = [&](Fact fact) {
            const auto found = sets.find(fact.variable);
            const bool right = found != sets.end() && found->second == fact.value;
            if (right) sets.erase(found);
            return right;
        };
        const Fact before = box_[push.box], after = box_[push.to];
        const bool shared_before = before.variable != clear_[push.box].variable;
        const bool shared_after = after != NONE && after.variable != clear_[push.to].variable;
        if (!take({walker_, push.box}) || !take(clear_[push.box]) || !take(opposite(clear_[push.to]))) return false;
        if (shared_after) return shared_before && before.variable == after.variable && take(after) && sets.empty();
        if (!shared_before) return sets.empty();
        const auto left = sets.find(before.variable);
        return sets.size() == 1 && left != sets.end() && !names_a_box({before.variable, left->second});
    }
    bool names_a_box(Fact fact) const { return std::find(box_.begin(), box_.end(), fact) != box_.end(); }

    bool boxes_are_told_apart() const {
        Set<Fact> all;
        return std::all_of(box_.begin(), box_.end(), [&](const Fact& box) {
            control_.work(LOOKUP);
            return box == NONE || all.insert(box).second;
        });
    }

    // Walks lead back, and join the three cells of a push.
    bool steps_are_joined() const {
        Vector<std::pair<Cell, Cell>> all;
        control_.work(LOOKUP * walks_.size());
        for (const auto& walk : walks_) all.emplace_back(walk.from, walk.walk.to);
        std::sort(all.begin(), all.end());
        const auto joined = [&](Cell from, Cell to) {
            control_.work(LOOKUP);
            return std::binary_search(all.begin(), all.end(), std::pair(from, to));
        };
        return std::all_of(walks_.begin(), walks_.end(),
                           [&](const auto& walk) { return joined(walk.walk.to, walk.from); }) &&
               std::all_of(pushes_.begin(), pushes_.end(),
                           [&](const Push& push) { return joined(push.from, push.box) && joined(push.box, push.to); });
    }

    bool start() {
        for (Cell cell = 0; cell < clear_.size(); ++cell) {
            const bool occupied = clear_[cell] != NONE && task_.initial[clear_[cell].variable] != clear_[cell].value;
            const Fact box = box_[cell];
            if (box != NONE && (task_.initial[box.variable] == box.value) != occupied) return false;
            if (occupied) boxes_.push_back(cell);
        }
        const Cell walker = static_cast<Cell>(task_.initial[walker_]);
        return !boxes_.empty() && boxes_.size() <= MOST_BOXES &&
               !std::binary_search(boxes_.begin(), boxes_.end(), walker);
    }

    // Goals are the cells that want a box or, where those are fewer than the boxes, all that need not be clear.
    bool read_goal() {
        Vector<Cell> wanted;
        Vector<bool> clear(clear_.size());
        for (const Fact& fact : task_.goal) {
            control_.work(2 * box_.size());
            const auto box = std::find(box_.begin(), box_.end(), fact);
            const auto free = std::find(clear_.begin(), clear_.end(), fact);
            if (box != box_.end()) {
                wanted.push_back(static_cast<Cell>(box - box_.begin()));
            } else if (free != clear_.end()) {
                clear[static_cast<std::size_t>(free - clear_.begin())] = true;
            } else if (cell_of_[fact.variable] != NOWHERE) {
                wanted.push_back(cell_of_[fact.variable]);
            } else {
                return false;
            }
        }
        std::sort(wanted.begin(), wanted.end());  // a box and no clear cell may both be wanted of one cell
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        for (const Cell cell : wanted) {
            if (clear[cell]) return false;
        }
        goals_ = wanted;
        if (wanted.size() == boxes_.size()) return true;
        goals_.clear();
        for (Cell cell = 0; cell < clear_.size(); ++cell) {
            if (clear_[cell] != NONE && !clear[cell]) goals_.push_back(cell);
        }
        return goals_.size() == boxes_.size() || (wanted.empty() && goals_.size() > boxes_.size());
    }

    Board made() const {
        Board board;
        board.walks = Rows<Walk>::by_row(clear_.size(), [&](auto&& put) {
            for (const auto& walk : walks_) put(walk.from, walk.walk);
        });
        board.pushes = Rows<Push>::by_row(clear_.size(), [&](auto&& put) {
            for (const Push& push : pushes_) put(push.box, push);
        });
        board.pulls = Rows<Push>::by_row(clear_.size(), [&](auto&& put) {
            for (const Push& push : pushes_) put(push.to, push);
        });
        board.goals = goals_;
        board.is_goal.resize(clear_.size());
        for (const Cell goal : goals_) board.is_goal[goal] = 1;
        board.boxes = boxes_;
        board.walker = static_cast<Cell>(task_.initial[walker_]);
        return board;
    }

    struct WalkFrom {
        Cell from;
        Walk walk;
        Fact clear;
    };

    const Task& task_;
    Control& control_;
    std::uint32_t walker_ = 0;
    Vector<WalkFrom> walks_;
    Vector<Push> pushes_;
    Vector<Fact> clear_, box_;  // by cell
    Vector<Cell> cell_of_;      // by the variable of a cell's fact `clear`
    Vector<Cell> boxes_, goals_;
};

}  // namespace

std::optional<Board> recognise(const CompiledTask& compiled, Control& control) {
    return Recogniser(compiled.task, control).board();
}

}  // namespace unpuzzle::boxes
