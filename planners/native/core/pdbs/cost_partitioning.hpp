// Saturated cost partitioning over the databases of patterns (Seipp, Keller and Helmert, Saturated cost
// partitioning for optimal classical planning, 2020).
//
// Databases may be added if they share the costs of the operators. In an *order* of the databases, the first
// takes of each operator's cost only what it needs for its estimates, at most h(before) - h(after) over all its
// steps, and leaves the rest to the next. What it needs may be less than nothing: an operator that only leads
// away from the goal gives costs to the others.
//
//     cost ──► h1 ──► cost - need1 ──► h2 ──► cost - need1 - need2 ──► h3 ──► ...        h = h1 + h2 + h3 + ...
//
// Which order is good depends on the state. So states are sampled by random walks from the initial state, an order is
// chosen greedily for each (first the databases with high estimates that take little from others), and kept if it gives
// a higher estimate for any sampled state than all orders so far; the greatest sum counts.
//
// Admissible and consistent: h(before) - h(after) <= need in each database, and all needs of an operator together
// are at most its cost. All decisions depend on counts, never on time.
#pragma once

#include "pdbs/ranks.hpp"

namespace unpuzzle {

class SaturatedCostPartitionings {
  public:
    struct Sample {
        Vector<Word> state;
        Cost known;  // what is said of it without any order
    };
    using Patterns = Vector<Vector<std::uint32_t>>;

    // Takes those of the patterns whose graphs fit. An order may begin with a sum: its patterns, which are among
    // them, share the costs that count in each. Throws Stop, std::bad_alloc.
    SaturatedCostPartitionings(const CompiledTask& compiled, const Mutexes& mutexes, const Patterns& patterns,
                               const Vector<Vector<Pattern>>& sums, const Vector<Sample>& samples, Control& control,
                               Budget& budget);

    // How much the orders say of all samples together beyond what was known.
    Cost gain() const { return gain_; }

    Cost estimate(const Word* state) {
        const std::uint32_t* ranks = ranks_(state);
        Cost best = 0;
        const Table* table = tables_.data();
        for (const std::size_t end : order_end_) {
            Cost sum = 0;
            for (const Table* const stop = tables_.data() + end; table != stop; ++table)
                sum += entry(*table, ranks[table->pattern]);
            best = std::max(best, sum);
        }
        return best * unit_;
    }

  private:
    class Builder;
    struct Table {
        std::uint32_t pattern, width;  // in bytes, of an entry
        std::size_t begin;             // into `entries_`
    };
    std::uint32_t entry(const Table& table, std::uint32_t rank) const {
        const std::uint8_t* at = entries_.data() + table.begin + std::size_t{rank} * table.width;
        if (table.width == 1) return *at;
        std::uint32_t value = 0;
        for (std::uint32_t i = 0; i < table.width; ++i) value |= std::uint32_t{at[i]} << 8 * i;
        return value;
    }

    Cost unit_ = 1, gain_ = 0;
    PatternRanks ranks_;
    Vector<Table> tables_;  // order after order
    Vector<std::size_t> order_end_;
    Vector<std::uint8_t> entries_;
};

}  // namespace unpuzzle
