// Sets of small numbers as 64-bit words, and the loop over their members.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
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

// The same of whole sets of one size.
inline bool has(const Bits& set, std::size_t at) { return has(set.data(), at); }
inline void add(Bits& set, std::size_t at) { add(set.data(), at); }
inline bool disjoint(const Bits& left, const Bits& right) { return disjoint(left.data(), right.data(), left.size()); }
inline bool within(const Bits& part, const Bits& whole) { return within(part.data(), whole.data(), part.size()); }
inline bool empty(const Bits& set) { return empty(set.data(), set.size()); }
inline void clear(Bits& set) { std::fill(set.begin(), set.end(), 0); }
inline Bits& operator|=(Bits& to, const Bits& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] |= from[i];
    return to;
}
inline Bits& operator&=(Bits& to, const Bits& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] &= from[i];
    return to;
}
inline Bits operator&(Bits left, const Bits& right) { return std::move(left &= right); }
inline Bits operator-(Bits left, const Bits& right) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] &= ~right[i];
    return left;
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

template <class Each>
inline void members(const Bits& set, Each&& each) {
    members(set.data(), set.size(), std::forward<Each>(each));
}

}  // namespace unpuzzle::script
