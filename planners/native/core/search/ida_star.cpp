// IDA* (Korf 1985): depth-first searches bounded by f, each with the least f that the last one left out.
//
// Memory is the path with its successors, and a table of a fixed number of states that were entered in this
// round: who comes again at no smaller g turns back (Reinefeld and Marsland 1994). The table forgets (a newer
// state takes the place of an older one), which costs time only. Since it may forget, successors are also
// compared with the states on the path from which no cost lies between, so operators of cost 0 cannot go
// round in circles.
//
//     items   │ successors of the root │ of its chosen one ...│ ... │      each level is sorted by f, then h
//     frames        ▲ next                   ▲ next
//
// Optimal with admissible heuristics, consistent or not. It proves that there is no plan only where the bound
// stops growing, which on a finite space with cycles it may never do.
#include <algorithm>

#include "base/growing_array.hpp"
#include "search/search.hpp"
#include "state/expander.hpp"
#include "state/goal.hpp"
#include "storage/transposition_table.hpp"

namespace unpuzzle {

namespace {

template <int W>
class IDAStar : public Search {
  public:
    explicit IDAStar(SearchContext& run)
        : run_(run),
          compiled_(run.compiled),
          counters_(run.control.counters),
          entered_(run.budget, compiled_.words()),
          states_(run.budget, compiled_.words()),
          items_(run.budget),
          frames_(run.budget),
          path_(run.budget, compiled_.words()),
          expander_(compiled_),
          goal_test_(compiled_),
          child_(compiled_.words()) {}

    Status run() override {
        const Word* initial = compiled_.initial.data();
        if (goal_test_.holds(initial)) return Status::solved_optimally;
        ++counters_.evaluated;
        bound_ = run_.heuristic.estimate({{run_.compiled, initial}, NO_STATE, NO_STATE, 0});
        while (bound_ != Heuristic::DEAD_END) {
            counters_.f = bound_;
            next_bound_ = Heuristic::DEAD_END;
            ++round_;
            const Status status = deepen();
            if (status != Status::unsolvable) return status;
            bound_ = next_bound_;
        }
        return Status::unsolvable;
    }
    std::size_t states() const override { return most_; }
    std::vector<OperatorId> plan() const override {
        std::vector<OperatorId> plan;
        for (std::size_t i = 1; i < frames_.size(); ++i) plan.push_back(frames_[i]->op);
        if (frames_.size() > 0) plan.push_back(last_);
        return plan;
    }

  private:
    struct Item {
        Cost g, h;
        std::uint32_t state;
        OperatorId op;
    };
    struct Frame {
        Cost g;
        std::size_t next, end;
        std::size_t begin;
        OperatorId op;
    };

    // Everything up to the bound; unsolvable: no goal is there.
    Status deepen() {
        enter(compiled_.initial.data(), 0, 0);
        while (frames_.size() > 0) {
            if (found_) return run_.heuristic.admissible() ? Status::solved_optimally : Status::solved;
            Frame& frame = *frames_[frames_.size() - 1];
            if (frame.next == frame.end) {
                leave(frame);
                continue;
            }
            const Item item = *items_[frame.next++];
            const Word* state = states_[item.state];
            if (entered_.again(state, item.g, round_)) continue;
            if (counters_.expanded >= run_.most_expanded) return Status::gave_up;
            enter(state, item.g, item.op);
        }
        return Status::unsolvable;
    }
    void enter(const Word* state, Cost g, OperatorId op) {
        run_.control.tick();
        copy<W>(path_.append(), state, compiled_.words());
        const std::size_t begin = items_.size();
        *frames_.append() = {g, begin, begin, begin, op};
        expand(g);
        for (std::size_t i = begin + 1; i < items_.size(); ++i) sink(begin, i);
        frames_[frames_.size() - 1]->end = items_.size();
        most_ = std::max(most_, items_.size());
    }
    void leave(const Frame& frame) {
        items_.extend(frame.begin);
        states_.extend(frame.begin);
        frames_.extend(frames_.size() - 1);
        path_.extend(path_.size() - 1);
    }

    void expand(Cost g) {
        ++counters_.expanded;
        if (++family_ == NO_STATE) family_ = 0;
        const Word* state = path_[path_.size() - 1];
        expander_.load(state);
        expander_.applicable([&](OperatorId op) {
            if (found_) return;
            run_.control.tick();
            ++counters_.generated;
            expander_.apply(op, child_.data());
            const Cost after = g + compiled_.operators.cost(op);
            if (back(after)) return;
            ++counters_.evaluated;
            const Cost h = run_.heuristic.estimate(
                {{run_.compiled, child_.data()}, NO_STATE, family_, op, {run_.compiled, state}});
            if (h == Heuristic::DEAD_END) return;
            if (after + h > bound_) {
                next_bound_ = std::min(next_bound_, after + h);
                return;
            }
            const auto number = static_cast<std::uint32_t>(items_.size());
            copy<W>(states_.append(), child_.data(), compiled_.words());
            *items_.append() = {after, h, number, op};
            if (h == 0 && goal_test_.holds(child_.data())) {
                found_ = true;
                last_ = op;
            }
        });
    }
    // Whether the successor is its grandparent, or a state on the path from which it cost nothing to come.
    bool back(Cost g) const {
        const std::size_t depth = path_.size();
        if (depth >= 2 && equal<W>(path_[depth - 2], child_.data(), compiled_.words())) return true;
        for (std::size_t i = depth; i-- > 0 && frames_[i]->g == g;) {
            if (equal<W>(path_[i], child_.data(), compiled_.words())) return true;
        }
        return false;
    }
    void sink(std::size_t begin, std::size_t at) {
        const Item item = *items_[at];
        const auto before = [](const Item& left, const Item& right) {
            return left.g + left.h < right.g + right.h || (left.g + left.h == right.g + right.h && left.h < right.h);
        };
        for (; at > begin && before(item, *items_[at - 1]); --at) *items_[at] = *items_[at - 1];
        *items_[at] = item;
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Counters& counters_;
    TranspositionTable<W> entered_;
    GrowingArray<Word, W> states_;  // of the items
    GrowingArray<Item, 1> items_;
    GrowingArray<Frame, 1> frames_;
    GrowingArray<Word, W> path_;  // of the frames
    Expander<W> expander_;
    GoalTest goal_test_;
    std::vector<Word> child_;
    Cost bound_ = 0, next_bound_ = 0;
    std::uint64_t round_ = 0;
    StateId family_ = 0;
    bool found_ = false;
    OperatorId last_ = 0;
    std::size_t most_ = 1;
};

}  // namespace

std::unique_ptr<Search> ida_star(SearchContext& run) {
    return by_width(run.compiled.words(),
                    [&]<int W>() -> std::unique_ptr<Search> { return std::make_unique<IDAStar<W>>(run); });
}

}  // namespace unpuzzle
