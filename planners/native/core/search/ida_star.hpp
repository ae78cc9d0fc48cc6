// IDA* (Korf 1985): depth-first searches bounded by f, each with the least f that the last one left out.
//
// Memory is the path with its successors, and a table of a fixed number of states that were entered in this round: if a
// state is reached again at no smaller g, the search turns back (Reinefeld and Marsland 1994). The table forgets (a
// newer state takes the place of an older one), which costs time only. Since it may forget, successors are also
// compared with the states on the path at the same cost, so operators of cost 0 cannot form circles.
//
//     items   │ successors of the root │ of its chosen one ...│ ... │      each level is sorted by f, then h
//     frames        ▲ next                   ▲ next
//
// Optimal with admissible heuristics, consistent or not. It proves that there is no plan only if the bound stops
// growing, which may never happen on a finite space with cycles.
#pragma once

#include <algorithm>
#include <tuple>

#include "base/growing_array.hpp"
#include "search/search.hpp"
#include "search/transition_system.hpp"
#include "storage/transposition_table.hpp"

namespace unpuzzle {

template <SearchableSystem System>
class IDAStar : public Search {
  public:
    explicit IDAStar(typename System::Context& run)
        : run_(run),
          system_(run),
          words_(system_.size().words),
          counters_(run.control.counters),
          entered_(run.budget, words_),
          states_(run.budget, words_),
          items_(run.budget),
          frames_(run.budget),
          path_(run.budget, words_),
          child_(words_) {}

    Status run() override {
        const Word* start = system_.start();
        if (round_ == 0) {
            if (system_.is_goal(start)) return Status::solved_optimally;
            system_.load([&](Word* to) { copy<W>(to, start, words_); });
            ++counters_.evaluated;
            next_bound_ = system_.estimate({start, NO_STATE, NO_STATE, 0});
            bound_ = next_bound_;
        }
        while (bound_ != Heuristic::DEAD_END) {
            const bool begins = frames_.size() == 0;
            if (begins) {
                counters_.f = bound_;
                next_bound_ = Heuristic::DEAD_END;
                ++round_;
            }
            const Status status = deepen(begins);
            if (status != Status::unsolvable) return status;
            bound_ = next_bound_;
        }
        return Status::unsolvable;
    }
    std::size_t states() const override { return most_; }
    std::vector<OperatorId> plan() override {
        std::vector<OperatorId> plan;
        for (std::size_t i = 1; i < frames_.size(); ++i) plan.push_back(frames_[i]->op);
        if (frames_.size() > 0) plan.push_back(last_);
        return plan;
    }

  private:
    static constexpr int W = System::WIDTH;

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

    bool enough() const { return counters_.expanded >= run_.most_expanded; }
    // Everything up to the bound; unsolvable: no goal is there.
    Status deepen(bool begins) {
        if (enough()) return Status::gave_up;
        if (begins) {
            if (!System::COMPARES_WITH_PATH) entered_.again(system_.start(), 0, round_);
            enter(system_.start(), 0, 0);
        }
        while (frames_.size() > 0) {
            if (found_) return system_.admissible() ? Status::solved_optimally : Status::solved;
            Frame& frame = *frames_[frames_.size() - 1];
            if (frame.next == frame.end) {
                leave(frame);
                continue;
            }
            const Item item = *items_[frame.next++];
            const Word* state = states_[item.state];
            if (enough()) {
                --frame.next;  // for after a pause
                return Status::gave_up;
            }
            if (entered_.again(state, item.g, round_)) continue;
            enter(state, item.g, item.op);
        }
        return Status::unsolvable;
    }
    void enter(const Word* state, Cost g, OperatorId op) {
        run_.control.work(system_.work());
        copy<W>(path_.append(), state, words_);
        const std::size_t begin = items_.size();
        *frames_.append() = {g, begin, begin, begin, op};
        expand(g);
        sort(begin);
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
        system_.load([&](Word* to) { copy<W>(to, state, words_); });
        system_.successors([&] { return child_.data(); },
                           [&](OperatorId op) {
                               if (!found_) reach(op, g + system_.cost(op), state);
                               return !found_;
                           });
    }
    // The state in child_, at cost `g`.
    void reach(OperatorId op, Cost g, const Word* parent) {
        run_.control.work(system_.goal_work());
        ++counters_.generated;
        if (System::COMPARES_WITH_PATH && back(g)) return;
        ++counters_.evaluated;
        const Cost h = system_.estimate({child_.data(), NO_STATE, family_, op, parent});
        if (h == Heuristic::DEAD_END) return;
        if (g + h > bound_) {
            next_bound_ = std::min(next_bound_, g + h);
            return;
        }
        const auto number = static_cast<std::uint32_t>(items_.size());
        copy<W>(states_.append(), child_.data(), words_);
        *items_.append() = {g, h, number, op};
        if (h == 0 && system_.is_goal(child_.data())) {
            found_ = true;
            last_ = op;
        }
    }
    // Whether the successor is its grandparent, or a state on the path from which it cost nothing to come.
    bool back(Cost g) const {
        const std::size_t depth = path_.size();
        if (depth >= 2 && equal<W>(path_[depth - 2], child_.data(), words_)) return true;
        for (std::size_t i = depth; i-- > 0 && frames_[i]->g == g;) {
            if (equal<W>(path_[i], child_.data(), words_)) return true;
        }
        return false;
    }
    // By f, then h, then as they were generated: as their states are numbered.
    void sort(std::size_t begin) {
        std::sort(items_[begin], items_[items_.size()], [](const Item& left, const Item& right) {
            return std::tuple(left.g + left.h, left.h, left.state) <
                   std::tuple(right.g + right.h, right.h, right.state);
        });
    }

    typename System::Context& run_;
    System system_;
    std::size_t words_;
    Counters& counters_;
    TranspositionTable<W> entered_;
    GrowingArray<Word, W> states_;  // of the items
    GrowingArray<Item, 1> items_;
    GrowingArray<Frame, 1> frames_;
    GrowingArray<Word, W> path_;  // of the frames
    std::vector<Word> child_;
    Cost bound_ = 0, next_bound_ = 0;
    std::uint64_t round_ = 0;
    StateId family_ = 0;
    bool found_ = false;
    OperatorId last_ = 0;
    std::size_t most_ = 1;
};

}  // namespace unpuzzle
