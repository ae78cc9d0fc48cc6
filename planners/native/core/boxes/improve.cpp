#include "boxes/improve.hpp"

#include <algorithm>

namespace unpuzzle::boxes {

namespace {

constexpr std::size_t SHORTEST = 8;
constexpr std::uint64_t FIRST_EXPANSIONS = 500, MORE_EXPANSIONS = 4;

class Windows {
  public:
    Windows(const Board& board, const Weights& weights, Pushed& pushes, Control& control, std::uint64_t most_expanded)
        : board_(board),
          weights_(weights),
          pushes_(pushes),
          control_(control),
          left_(most_expanded),
          occupied_(board.cells()),
          lengths_(board) {}

    // Windows get longer until most are not searched to their end, then start short again and may expand more.
    void run() {
        bool settled = pushes_.empty();
        for (std::uint64_t most = FIRST_EXPANSIONS; left_ > 0 && !settled; most *= MORE_EXPANSIONS) {
            if (pushes_count_first() || most == FIRST_EXPANSIONS) grow({0, 1}, most);
            settled = grow(weights_, most);
        }
    }

  private:
    // Fewer pushes weigh less, however many steps they take. Otherwise the two kinds of windows could undo each other's work.
    bool pushes_count_first() const { return weights_.push > (weights_.step << 20); }
    // Whether the whole solution was one window, and nothing weighs less.
    bool grow(const Weights& weights, std::uint64_t most) {
        for (std::size_t size = SHORTEST; left_ > 0; size += size / 2) {
            while (sweep(size, weights, most)) {
            }
            if (windows_ == 1 && unsolved_ == 0) return true;
            if (2 * unsolved_ > windows_ || size >= pushes_.size()) break;
        }
        return false;
    }

    struct Place {
        Vector<Cell> boxes;
        Cell walker;
    };

    // All windows of one size; whether the solution got better.
    bool sweep(std::size_t size, const Weights& weights, std::uint64_t most) {
        control_.begin_phase();
        windows_ = unsolved_ = 0;
        bool better = false;
        Place here{board_.boxes, board_.walker};
        for (std::size_t begin = 0; begin < pushes_.size() && left_ > 0;) {
            const std::size_t end = std::min(begin + size, pushes_.size());
            better = solve(here, begin, end, weights, most) || better;
            const bool last = begin + size >= pushes_.size();
            const std::size_t next = last ? pushes_.size() : std::min(begin + (size + 1) / 2, pushes_.size());
            for (; begin < next; ++begin) take(here, pushes_[begin]);
        }
        return better;
    }
    static void take(Place& place, const Push& push) {
        const auto box = std::lower_bound(place.boxes.begin(), place.boxes.end(), push.box) - place.boxes.begin();
        const Vector<Cell> before = place.boxes;
        move_box(before, static_cast<std::size_t>(box), push.to, place.boxes.data());
        place.walker = push.box;
    }

    bool solve(const Place& here, std::size_t begin, std::size_t end, const Weights& weights, std::uint64_t most) {
        ++windows_;
        Place there = here;
        Weight spent = 0;
        for (std::size_t i = begin; i < end; ++i) {
            spent += weights.push;
            if (weights.step > 0) spent += weights.step * steps(there, pushes_[i].from);
            take(there, pushes_[i]);
        }
        const Cell next = end < pushes_.size() ? pushes_[end].from : NOWHERE;
        if (weights.step > 0 && next != NOWHERE) spent += weights.step * steps(there, next);
        const WindowTask task{here.boxes, there.boxes, here.walker, next, weights, spent, std::min(most, left_)};
        const WindowAnswer answer = solve_window(board_, task, control_);
        left_ -= std::min(left_, answer.expanded + 1);
        unsolved_ += !answer.complete;
        if (!answer.better) return false;
        Pushed other(pushes_.begin(), pushes_.begin() + static_cast<std::ptrdiff_t>(begin));
        other.insert(other.end(), answer.pushes.begin(), answer.pushes.end());
        other.insert(other.end(), pushes_.begin() + static_cast<std::ptrdiff_t>(end), pushes_.end());
        pushes_.swap(other);  // nothing can end this half-way
        return true;
    }

    // How far the walker has to go.
    Weight steps(const Place& place, Cell to) {
        control_.work(8 * board_.cells());
        for (const Cell box : place.boxes) occupied_[box] = 1;
        lengths_.fill(occupied_, place.walker);
        for (const Cell box : place.boxes) occupied_[box] = 0;
        return lengths_.to(to);
    }

    const Board& board_;
    const Weights weights_;
    Pushed& pushes_;
    Control& control_;
    std::uint64_t left_;
    Occupied occupied_;
    WalkLengths lengths_;
    std::size_t windows_ = 0, unsolved_ = 0;
};

}  // namespace

Status improve(const Board& board, const Weights& weights, Pushed& pushes, Control& control,
               std::uint64_t most_expanded) {
    return within_limits([&] {
        Windows(board, weights, pushes, control, most_expanded).run();
        return Status::solved;
    });
}

}  // namespace unpuzzle::boxes
