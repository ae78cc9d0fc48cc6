// Sets of small numbers as the bits of words, and rows of such sets, all of the same size, in one array.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "base/metered.hpp"
#include "base/words.hpp"

namespace unpuzzle {

using BitSet = Vector<Word>;
constexpr std::size_t words_for(std::size_t members) { return (members + 63) / 64; }

inline bool has(std::span<const Word> set, std::size_t member) { return (set[member / 64] >> member % 64 & 1) != 0; }
inline void add(std::span<Word> set, std::size_t member) { set[member / 64] |= Word{1} << member % 64; }
inline void remove(std::span<Word> set, std::size_t member) { set[member / 64] &= ~(Word{1} << member % 64); }
inline void unite(std::span<Word> set, std::span<const Word> other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] |= other[i];
}
inline void subtract(std::span<Word> set, std::span<const Word> other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] &= ~other[i];
}
// Whether all members of `set` are in `other`.
inline bool within(std::span<const Word> set, std::span<const Word> other) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if ((set[i] & ~other[i]) != 0) return false;
    }
    return true;
}
inline bool meets(std::span<const Word> set, std::span<const Word> other) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if ((set[i] & other[i]) != 0) return true;
    }
    return false;
}
// Calls `visit` with each member of a set, ascending.
template <class Visit>
inline void each(std::span<const Word> set, Visit&& visit) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        for (Word left = set[i]; left != 0; left &= left - 1) {
            visit(i * 64 + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
}
// Calls `visit(i, bits)` for the words that hold the members from `begin` to before `end`.
template <class Visit>
void each_word(std::size_t begin, std::size_t end, Visit&& visit) {
    while (begin < end) {
        const std::size_t width = std::min(end - begin, 64 - begin % 64);
        visit(begin / 64, (~Word{0} >> (64 - width)) << begin % 64);
        begin += width;
    }
}

class BitRows {
  public:
    BitRows() = default;
    BitRows(std::size_t rows, std::size_t columns) : words_(words_for(columns)), bits_(rows * words_) {}
    // Of which there may be so many that it takes a while.
    BitRows(std::size_t rows, std::size_t columns, Control& control) : words_(words_for(columns)) {
        constexpr std::size_t AT_ONCE = std::size_t{1} << 16;
        const std::size_t all = rows * words_;
        for (bits_.reserve(all); bits_.size() < all; bits_.resize(std::min(all, bits_.size() + AT_ONCE)))
            control.work(AT_ONCE);
    }

    std::span<Word> operator[](std::size_t row) { return {bits_.data() + row * words_, words_}; }
    std::span<const Word> operator[](std::size_t row) const { return {bits_.data() + row * words_, words_}; }
    bool has(std::size_t row, std::size_t column) const { return unpuzzle::has((*this)[row], column); }
    void add(std::size_t row, std::size_t column) { unpuzzle::add((*this)[row], column); }
    void clear() { std::fill(bits_.begin(), bits_.end(), Word{0}); }
    void resize(std::size_t rows) { bits_.resize(rows * words_); }
    std::size_t words() const { return words_; }
    bool operator==(const BitRows& other) const { return bits_ == other.bits_; }

  private:
    std::size_t words_ = 0;
    Vector<Word> bits_;
};

}  // namespace unpuzzle
