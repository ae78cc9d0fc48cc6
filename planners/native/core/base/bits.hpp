// Sets of small numbers, all of the same size, in one array: row i is a set.
#pragma once

#include <bit>
#include <span>

#include "base/metered.hpp"
#include "base/words.hpp"

namespace unpuzzle {

inline bool has(std::span<const Word> set, std::size_t member) { return (set[member / 64] >> member % 64 & 1) != 0; }
inline void add(std::span<Word> set, std::size_t member) { set[member / 64] |= Word{1} << member % 64; }

class BitRows {
  public:
    static std::size_t words_for(std::size_t columns) { return (columns + 63) / 64; }

    BitRows() = default;
    BitRows(std::size_t rows, std::size_t columns) : words_(words_for(columns)), bits_(rows * words_) {}

    std::span<Word> operator[](std::size_t row) { return {bits_.data() + row * words_, words_}; }
    std::span<const Word> operator[](std::size_t row) const { return {bits_.data() + row * words_, words_}; }
    bool has(std::size_t row, std::size_t column) const {
        return (bits_[row * words_ + column / 64] >> column % 64 & 1) != 0;
    }
    void add(std::size_t row, std::size_t column) { bits_[row * words_ + column / 64] |= Word{1} << column % 64; }
    std::size_t words() const { return words_; }

  private:
    std::size_t words_ = 0;
    Vector<Word> bits_;
};

// Calls `visit` with each member of a set, ascending.
template <class Visit>
void each(std::span<const Word> set, Visit&& visit) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        for (Word left = set[i]; left != 0; left &= left - 1) {
            visit(i * 64 + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
}
inline void unite(std::span<Word> set, std::span<const Word> other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] |= other[i];
}
// Whether all members of `set` are in `other`.
inline bool within(std::span<const Word> set, std::span<const Word> other) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if ((set[i] & ~other[i]) != 0) return false;
    }
    return true;
}

}  // namespace unpuzzle
