// IDA* (Korf 1985): depth-first searches bounded by f, each with the least f that the last one left out.
//
// Memory is the path with its successors, and a table of a fixed number of states that were entered in this
// round: who comes again at no smaller g turns back (Reinefeld and Marsland 1994). The table forgets, which
// costs time only. There is no plan where no round leaves anything out; where states can be reached again and
// again, and the table forgets them, that may never be so.
#include <algorithm>

#include "base/growing_array.hpp"
#include "script/search.hpp"
#include "storage/transposition_table.hpp"

namespace unpuzzle::script {

namespace {

constexpr Cost NEVER = ~Cost{0};

class IDAStar : public Search {
  public:
    explicit IDAStar(Run& run)
        : run_(run),
          words_(run.walker.words()),
          entered_(run.budget, words_),
          states_(run.budget, words_),
          items_(run.budget),
          frames_(run.budget),
          state_(words_),
          child_(words_) {}

    Status run() override {
        Walker& walker = run_.walker;
        if (walker.won(walker.start())) return Status::solved_optimally;
        walker.load(walker.start());
        ++run_.control.counters.evaluated;
        bound_ = run_.estimate.of(walker.board(), false);
        while (bound_ != NEVER) {
            run_.control.counters.f = bound_;
            next_bound_ = NEVER;
            ++round_;
            const Status status = deepen();
            if (status != Status::unsolvable) return status;
            bound_ = next_bound_;
        }
        return Status::unsolvable;
    }
    std::size_t states() const override { return most_; }
    std::vector<std::uint8_t> plan() const override { return plan_; }

  private:
    struct Item {
        Cost f;
        std::uint32_t state;
        std::uint8_t key;
    };
    struct Frame {
        std::size_t begin, next, end;
        std::uint8_t key;
    };

    // Everything up to the bound; unsolvable: no win is there.
    Status deepen() {
        entered_.again(run_.walker.start(), 0, round_);
        if (Status status = enter(run_.walker.start(), 0); status != Status::unsolvable) return status;
        while (frames_.size() > 0) {
            Frame& frame = *frames_[frames_.size() - 1];
            if (frame.next == frame.end) {
                items_.extend(frame.begin);
                states_.extend(frame.begin);
                frames_.extend(frames_.size() - 1);
                continue;
            }
            const Item item = *items_[frame.next++];
            copy<0>(state_.data(), states_[item.state], words_);
            if (entered_.again(state_.data(), frames_.size(), round_)) continue;
            if (Status status = enter(state_.data(), item.key); status != Status::unsolvable) return status;
        }
        return Status::unsolvable;
    }
    Status enter(const Word* state, std::uint8_t key) {
        Counters& counters = run_.control.counters;
        run_.control.tick();
        if (counters.expanded >= run_.most_expanded) return Status::gave_up;
        ++counters.expanded;
        const std::size_t begin = items_.size();
        *frames_.append() = {begin, begin, begin, key};
        const Cost g = frames_.size();  // of the successors
        run_.walker.load(state);
        for (std::uint8_t next = 0; next < run_.keys.size(); ++next) {
            if (!run_.walker.after(run_.keys[next], child_.data())) continue;
            if (equal<0>(child_.data(), state, words_)) continue;
            ++counters.generated;
            ++counters.evaluated;
            const bool won = run_.walker.won(child_.data());
            const Cost f = g + run_.estimate.of(run_.walker.board(), won);
            if (f > bound_) {
                next_bound_ = std::min(next_bound_, f);
                continue;
            }
            if (won) return found(next);
            const auto number = static_cast<std::uint32_t>(items_.size());
            copy<0>(states_.append(), child_.data(), words_);
            *items_.append() = {f, number, next};
        }
        sort(begin);
        frames_[frames_.size() - 1]->end = items_.size();
        most_ = std::max(most_, items_.size());
        return Status::unsolvable;
    }
    Status found(std::uint8_t last) {
        for (std::size_t i = 1; i < frames_.size(); ++i) plan_.push_back(frames_[i]->key);
        plan_.push_back(last);
        return run_.admissible ? Status::solved_optimally : Status::solved;
    }
    void sort(std::size_t begin) {
        for (std::size_t i = begin + 1; i < items_.size(); ++i) {
            const Item item = *items_[i];
            std::size_t at = i;
            for (; at > begin && item.f < items_[at - 1]->f; --at) *items_[at] = *items_[at - 1];
            *items_[at] = item;
        }
    }

    Run& run_;
    std::size_t words_;
    TranspositionTable<0> entered_;
    GrowingArray<Word, 0> states_;  // of the items
    GrowingArray<Item, 1> items_;
    GrowingArray<Frame, 1> frames_;
    std::vector<Word> state_, child_;
    std::vector<std::uint8_t> plan_;
    Cost bound_ = 0, next_bound_ = 0;
    std::uint64_t round_ = 0;
    std::size_t most_ = 1;
};

}  // namespace

std::unique_ptr<Search> ida_star(Run& run) { return std::make_unique<IDAStar>(run); }

}  // namespace unpuzzle::script
