// Sets of small numbers as 64-bit words: what base/bits.hpp does, and more for rows of boards and sets of cells.
#pragma once

#include <vector>

#include "base/bits.hpp"

namespace unpuzzle::script {

constexpr std::size_t WORD_BITS = 64;

using Bits = std::vector<Word>;

inline Word bit(std::size_t at) { return Word{1} << at % WORD_BITS; }
inline bool none(std::span<const Word> set) {
    for (const Word word : set) {
        if (word) return false;
    }
    return true;
}
inline void clear(Bits& set) { std::fill(set.begin(), set.end(), 0); }
inline Bits& operator|=(Bits& to, const Bits& from) {
    unite(to, from);
    return to;
}
inline Bits& operator&=(Bits& to, const Bits& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] &= from[i];
    return to;
}
inline Bits operator&(Bits left, const Bits& right) { return std::move(left &= right); }
inline Bits operator-(Bits left, const Bits& right) {
    subtract(left, right);
    return left;
}

}  // namespace unpuzzle::script
