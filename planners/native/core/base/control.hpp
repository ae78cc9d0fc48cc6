// When to stop: the clock, the cancel flag and the caller's observer, looked at from inside long loops.
//
// Every loop that can be long calls `tick()` once a step. A tick is a decrement; now and then it looks at the
// clock, and the number of ticks between two looks adapts itself so that looks are 1 to 4 ms apart, whether a
// step takes 50 ns or 5 ms. It can only adapt to what it has seen: after a thousand short steps a long one
// would come as a surprise. So a step that grows with the task says how long it is (`work`), there are never more
// than MOST_TICKS ticks without a look, and each phase of the work begins with a look (`begin_phase`).
//
// The observer, which may have to wait for Python's lock, is called every 50 ms. None of this changes the search before
// it is stopped: the same input gives the same counts.
//
// Ticks are counted, too: `spent` is the effort so far, the same on every machine, for every kind of work.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/words.hpp"

namespace unpuzzle {

enum class Status { solved_optimally, solved, unsolvable, timeout, memout, gave_up, cancelled, interrupted };

// Thrown by `tick()` and by the budget, caught at the top of a search. `cancelled`: by another thread; `interrupted`:
// by the observer.
struct Stop {
    Status status;
};

struct Counters {
    std::uint64_t expanded = 0;   // states whose successors were generated
    std::uint64_t evaluated = 0;  // states that the heuristic was asked about, the initial one included
    std::uint64_t generated = 0;  // successors, duplicates included
    std::uint64_t reopened = 0;   // states expanded before and put back because a cheaper path was found
    Cost f = 0;                   // the least f that is still open
};

class Observer {
  public:
    virtual ~Observer() = default;
    virtual bool look(const Counters& counters, double seconds) = 0;  // false: stop at once
    virtual double now() const;                                       // seconds since some moment
};

class Control {
  public:
    explicit Control(Observer& observer, std::optional<double> time_limit = {},
                     const std::atomic<std::uint32_t>* cancels = nullptr);

    // Once it has thrown, it throws at every further tick, too.
    void tick() {
        if (--ticks_ == 0) look();
    }
    // Ticks for so many pieces of work of a few nanoseconds each: an operator tested, an edge followed.
    void work(std::size_t pieces) {
        const std::size_t ticks = 1 + pieces / PIECES;
        if (ticks >= ticks_) {
            spent_ += ticks - ticks_;
            ticks_ = 0;
            return look();
        }
        ticks_ -= static_cast<std::uint32_t>(ticks);
    }
    // So many ticks were no effort.
    void uncount(std::uint64_t ticks) { spent_ -= ticks; }
    std::uint64_t spent() const { return spent_ + granted_ - ticks_; }
    static constexpr std::size_t PIECES = 64;  // of work in a tick
    static constexpr std::uint32_t MOST_TICKS = 1u << 14;
    // Steps may take longer from here on: looks at the clock at the next one.
    void begin_phase() {
        stride_ = 1;
        grant(1);
    }
    // The work done before a search begins, or begins again with a better heuristic.
    struct Done {
        std::uint64_t spent = 0;
        Counters counters;
    };
    void begin_search() {
        begin_phase();
        before_search_ = done();
    }
    Done done() const { return {spent(), counters}; }
    const Done& before_search() const { return before_search_; }
    double seconds() const;  // since this object was made, or renewed
    // For more work under the same observer: the clock starts anew.
    void renew(std::optional<double> time_limit);
    // While an answer that was found is written down, nobody cancels it, and there is a tenth of the time limit more for
    // that, at least a second. Only the observer ends it sooner.
    void finish();
    void finished();

    Counters counters;

  private:
    void look();
    // So many ticks until the next look.
    void grant(std::uint32_t ticks) {
        spent_ += granted_ - ticks_;
        granted_ = ticks_ = ticks;
    }

    Observer& observer_;
    double start_;
    std::optional<double> limit_;
    std::optional<double> finished_by_;          // while it is written down
    const std::atomic<std::uint32_t>* cancels_;  // counts calls of cancel(); a change ends the run
    std::uint32_t cancels_at_start_;
    std::uint32_t stride_ = 1, ticks_ = 1, granted_ = 1;
    std::uint64_t spent_ = 0;  // before the last look
    Done before_search_;
    double last_look_ = 0, last_observed_ = 0;
};

}  // namespace unpuzzle
