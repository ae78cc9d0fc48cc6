// A pattern database: for every abstract state of a pattern, the least cost of reaching the goal in the abstraction
// (Culberson and Schaeffer, Pattern databases, 1998), whatever the value of the folded variable.
//
// An entry is a byte if all costs that count are equal, else two; costs are divided by their greatest common divisor;
// greater costs than an entry can express are entered as the greatest possible value, which is still admissible. Built
// by Dijkstra's algorithm from the goal backwards; for a unit-cost pattern that is breadth-first search. The queue
// holds abstract states with sets of folded values, and free moves of the folded variable are followed at once, a whole
// set at a time, so an abstract state is expanded once or twice and not once for each place of the blank (Felner, Korf
// and Hanan, Additive pattern database heuristics, 2004, build theirs so).
#pragma once

#include <bit>

#include "base/memory.hpp"
#include "pdbs/projection.hpp"

namespace unpuzzle {

class PatternDatabase {
  public:
    static constexpr std::uint32_t UNREACHED = ~0u;

    // What building one takes at the same time as the entries, for an abstract state: which folded values were
    // reached, and two layers. (An upper bound only where all costs are equal; otherwise the queue decides.)
    static std::size_t bytes_while_built(std::uint64_t folded_values) {
        return 3 * std::bit_ceil((folded_values + 7) / 8) + 1;
    }
    // Throws Projection::TooLarge, Stop, std::bad_alloc.
    PatternDatabase(const Task& task, const Mutexes& mutexes, const Pattern& pattern, Control& control, Budget& budget);

    // In units of `unit`; or UNREACHED: the goal cannot be reached from any state with this rank.
    std::uint32_t operator[](std::uint32_t rank) const {
        const std::uint32_t entry = wide_ ? static_cast<const std::uint16_t*>(entries_.data())[rank]
                                          : static_cast<const std::uint8_t*>(entries_.data())[rank];
        return entry == unreached_ ? UNREACHED : entry;
    }
    void fetch(std::uint32_t rank) const {
        prefetch(static_cast<const std::uint8_t*>(entries_.data()) + (rank << wide_));
    }
    std::uint32_t unit() const { return unit_; }
    const RankParts& rank_parts() const { return rank_parts_; }
    // What it took to build, in abstract states and moves looked at: a measure of time that is equal everywhere.
    std::uint64_t work() const { return work_; }
    double mean() const { return mean_; }  // cost, over the abstract states that reach the goal

  private:
    template <class FoldedMask>
    class Builder;

    void enter(std::uint32_t rank, Cost distance) {
        if (wide_)
            static_cast<std::uint16_t*>(entries_.data())[rank] = static_cast<std::uint16_t>(distance);
        else
            static_cast<std::uint8_t*>(entries_.data())[rank] = static_cast<std::uint8_t>(distance);
    }

    std::uint32_t unit_ = 1, unreached_;
    bool wide_;
    Block entries_;
    RankParts rank_parts_;
    double mean_ = 0;
    std::uint64_t work_;
};

}  // namespace unpuzzle
