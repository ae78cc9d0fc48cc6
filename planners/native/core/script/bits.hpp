// Sets of small numbers as 64-bit words, and the loop over their members.
#pragma once

#include <bit>
#include <vector>

#include "base/words.hpp"

namespace unpuzzle::script {

constexpr std::size_t WORD_BITS = 64;

using Bits = std::vector<Word>;

inline std::size_t words_for(std::size_t bits) { return (bits + WORD_BITS - 1) / WORD_BITS; }
inline Word bit(std::size_t at) { return Word{1} << at % WORD_BITS; }
inline bool has(const Word* set, std::size_t at) { return (set[at / WORD_BITS] & bit(at)) != 0; }
inline void add(Word* set, std::size_t at) { set[at / WORD_BITS] |= bit(at); }

inline bool disjoint(const Word* left, const Word* right, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) {
        if (left[i] & right[i]) return false;
    }
    return true;
}
inline bool within(const Word* part, const Word* whole, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) {
        if (part[i] & ~whole[i]) return false;
    }
    return true;
}
inline bool empty(const Word* set, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) {
        if (set[i]) return false;
    }
    return true;
}

// Calls `each(member)`, in ascending order; members that are taken out meanwhile may still be called.
template <class Each>
inline void members(const Word* set, std::size_t words, Each&& each) {
    for (std::size_t i = 0; i < words; ++i) {
        for (Word left = set[i]; left; left &= left - 1) {
            each(i * WORD_BITS + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
}

}  // namespace unpuzzle::script
