// The place of each variable in a packed state.
//
//      word 0                                    word 1                    word 2 (derived, if any)
//     ┌──────┬──────┬─────┬─────┬───┬─┬─┬─────┐ ┌─────┬───┬─────────────┐ ┌─┬─┬─┬────────────────┐
//     │ v7:9 │ v2:8 │ ...                │ free│ │ v4:5│v1 │    free     │ │d0 d1 ...   one bit each │
//     └──────┴──────┴─────┴─────┴───┴─┴─┴─────┘ └─────┴───┴─────────────┘ └─┴─┴─┴────────────────┘
//
// A variable of n values takes ceil(log2 n) bits and never crosses a word. Widest first, each into the fullest word
// where it fits (best-fit decreasing), so nearly no bit is lost. Derived variables follow in separate words: a *stored*
// state has `words()` words, and only an expanded one has the `derived_words()` behind them. Unused bits are always 0,
// so equal states are equal words.
#pragma once

#include <span>

#include "base/words.hpp"
#include "task/task.hpp"

namespace unpuzzle {

struct Place {
    std::uint32_t word = 0, shift = 0;
    Word mask = 0;  // not shifted

    std::uint32_t value(const Word* state) const { return static_cast<std::uint32_t>(state[word] >> shift & mask); }
    Word field() const { return mask << shift; }
    Word put(std::uint32_t value) const { return static_cast<Word>(value) << shift; }
    void write(std::uint32_t value, Word* state) const { state[word] = (state[word] & ~field()) | put(value); }
};

// Some facts of one word as a test.
struct Test {
    std::uint32_t word;
    Word mask, value;
    bool holds(const Word* state) const { return (state[word] & mask) == value; }
};
UNPUZZLE_INLINE bool all_hold(std::span<const Test> tests, const Word* state) {
    for (const Test& test : tests) {
        if (!test.holds(state)) return false;
    }
    return true;
}

class Layout {
  public:
    explicit Layout(const Task& task);

    std::size_t words() const { return words_; }
    std::size_t derived_words() const { return derived_words_; }
    std::size_t bits() const { return bits_; }
    StateSize size() const;  // of a stored state
    const Place& operator[](std::size_t variable) const { return places_[variable]; }
    void pack(std::span<const std::uint32_t> values, Word* state) const;
    // Appends the fewest tests that say the same; derived variables come last.
    void tests(std::span<const Fact> facts, Vector<Test>& out) const;

  private:
    Vector<Place> places_;
    std::size_t words_ = 0, derived_words_ = 0, bits_ = 0;
};

}  // namespace unpuzzle
