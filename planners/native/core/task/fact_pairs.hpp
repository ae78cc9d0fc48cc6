// Sets of pairs of facts.
//
// Such a set is a square of bits, the same on both sides of its diagonal; the bit of a fact with itself
// says that the fact is possible at all. A row is the set of facts that a fact is paired with, so what an
// operator does to all pairs at once is a few operations on whole rows.
//
//     facts   v0=0 v0=1 v0=2 │ v1=0 v1=1 │ ...        row of v0=1    0 1 0 │ 1 0 │ ...
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "task/fact_numbers.hpp"

namespace unpuzzle {

// A set of facts, as the words of a row.
namespace fact_set {

inline bool has(const Word* set, FactId fact) { return (set[fact / 64] >> fact % 64 & 1) != 0; }
inline void add(Word* set, FactId fact) { set[fact / 64] |= Word{1} << fact % 64; }
inline void remove(Word* set, FactId fact) { set[fact / 64] &= ~(Word{1} << fact % 64); }

// Calls `visit(word, bits)` for the words that hold the facts from `begin` to before `end`.
template <class Visit>
void words_of(FactId begin, FactId end, Visit&& visit) {
    while (begin < end) {
        const std::uint32_t width = std::min<std::uint32_t>(end - begin, 64 - begin % 64);
        visit(begin / 64, (~Word{0} >> (64 - width)) << begin % 64);
        begin += width;
    }
}

template <class Visit>
void each(const Word* set, std::size_t words, Visit&& visit) {
    for (std::size_t i = 0; i < words; ++i) {
        for (Word left = set[i]; left != 0; left &= left - 1)
            visit(static_cast<FactId>(i * 64) + static_cast<FactId>(std::countr_zero(left)));
    }
}

}  // namespace fact_set

class FactPairs {
  public:
    FactPairs(Budget& budget, std::size_t facts)
        : words_((facts + 63) / 64),
          size_(facts),
          block_(budget, std::max<std::size_t>(1, size_ * words_) * sizeof(Word)) {}

    std::size_t words() const { return words_; }
    Word* row(FactId fact) { return static_cast<Word*>(block_.data()) + fact * words_; }
    const Word* row(FactId fact) const { return static_cast<const Word*>(block_.data()) + fact * words_; }
    bool has(FactId one, FactId two) const { return fact_set::has(row(one), two); }
    bool has(FactId fact) const { return has(fact, fact); }
    void add(FactId one, FactId two) {
        fact_set::add(row(one), two);
        fact_set::add(row(two), one);
    }
    void remove(FactId one, FactId two) {
        fact_set::remove(row(one), two);
        fact_set::remove(row(two), one);
    }
    void clear() { std::fill_n(row(0), size_ * words_, Word{0}); }
    bool operator==(const FactPairs& other) const { return std::equal(row(0), row(0) + size_ * words_, other.row(0)); }

  private:
    std::size_t words_, size_;
    Block block_;
};

}  // namespace unpuzzle
