// Small things that every part of the core shares: numbers, and the packed state as an array of 64-bit words.
//
// Code that touches states is a template on their number of words, W = 1..4, so that copies, comparisons and hashes are
// straight-line code; W = 0 takes the number at run time, so any task works. (Copies of the code for 5..8 words took a
// quarter of the time to compile the searches, and were no faster than W = 0. If estimates take most of the time, as in
// greedy search, or everything fits the caches, as in small searches, there is only W = 0.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace unpuzzle {

using Word = std::uint64_t;
using StateId = std::uint32_t;     // states are numbered in the order of their generation
using OperatorId = std::uint32_t;  // the operator's place in the task
using Cost = std::uint64_t;        // of a path: 2^32 states of cost 2^31 each still fit

constexpr StateId NO_STATE = 0xFFFFFFFFu;

// UNPUZZLE_INLINE, and UNPUZZLE_INLINED_LAMBDA after the parameters of a lambda: for the inside of inner loops, which
// compilers would rather call. What only fetches ahead must be inlined: to GCC, a call of it is without effect, and it
// left some of them out.
#if defined(__GNUC__) || defined(__clang__)
#define UNPUZZLE_INLINE __attribute__((always_inline)) inline
#define UNPUZZLE_INLINED_LAMBDA __attribute__((always_inline))
UNPUZZLE_INLINE void prefetch(const void* address) { __builtin_prefetch(address); }
UNPUZZLE_INLINE void prefetch_to_write(const void* address) { __builtin_prefetch(address, 1); }
#else
#define UNPUZZLE_INLINE inline
#define UNPUZZLE_INLINED_LAMBDA
inline void prefetch(const void*) {}
inline void prefetch_to_write(const void*) {}
#endif

template <int W>
constexpr std::size_t width(std::size_t words) {
    return W > 0 ? static_cast<std::size_t>(W) : words;
}

// Four words at a time, the last four perhaps a second time: a call of memcpy costs more than what it copies.
template <int W>
inline void copy(Word* to, const Word* from, std::size_t words) {
    constexpr std::size_t STEP = 4;
    if constexpr (W > 0) {
        std::memcpy(to, from, W * sizeof(Word));
    } else if (words < STEP) {
        for (std::size_t i = 0; i < words; ++i) std::memcpy(to + i, from + i, sizeof(Word));
    } else {
        for (std::size_t i = 0; i + STEP < words; i += STEP) {
            std::memcpy(to + i, from + i, STEP * sizeof(Word));
        }
        std::memcpy(to + words - STEP, from + words - STEP, STEP * sizeof(Word));
    }
}

template <int W>
inline bool equal(const Word* left, const Word* right, std::size_t words) {
    Word different = 0;  // few words are compared without a branch
    for (std::size_t i = 0; i < width<W>(words); ++i) {
        different |= left[i] ^ right[i];
        if (W == 0 && different != 0) return false;
    }
    return different == 0;
}

// Multiply and fold: the product moves every bit upwards, the fold brings the upper half down again. The
// table takes its slot from the upper 32 bits and its tag from the upper bits of the lower 32.
template <int W>
inline std::uint64_t hash(const Word* state, std::size_t words) {
    std::uint64_t mixed = 0x2545F4914F6CDD1Dull;
    for (std::size_t i = 0; i < width<W>(words); ++i) {
        mixed = (mixed ^ state[i]) * 0x9E3779B97F4A7C15ull;
        mixed ^= mixed >> 32;
    }
    return mixed * 0xD6E8FEB86659FD93ull;
}

// Calls `make.template operator()<W>()` with the template number for states of so many words; copies for 3 and 4 words are
// for those searches that have a use for each percent.
template <int MOST = 4, class Make>
auto by_width(std::size_t words, Make&& make) {
    if (words == 1) return make.template operator()<1>();
    if (words == 2) return make.template operator()<2>();
    if constexpr (MOST > 2) {
        if (words == 3) return make.template operator()<3>();
        if (words == 4) return make.template operator()<4>();
    }
    return make.template operator()<0>();
}

// The size of a state: its words, only the first bytes of the last one.
struct StateSize {
    std::size_t words = 1, bytes_of_last_word = sizeof(Word);
};

}  // namespace unpuzzle
