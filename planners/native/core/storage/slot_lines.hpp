// A line of a hash table: 64 bytes, one cache line, whose slots are all compared at once, without a branch.
#pragma once

#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/words.hpp"

namespace unpuzzle {

constexpr std::size_t LINE_BYTES = 64;

// Sets of a line's slots: bits, of which each slot of four bytes has one, each of eight two.
template <class Slot>
struct Matches {
    static constexpr std::uint32_t BITS = sizeof(Slot) / 4, SLOTS = LINE_BYTES / sizeof(Slot);

    std::uint32_t wanted, empty;

    static std::uint32_t first(std::uint32_t bits) { return static_cast<std::uint32_t>(std::countr_zero(bits)) / BITS; }
};

// Slots whose bits under the mask are those wanted, and those that are 0, which are never wanted.
template <class Slot>
UNPUZZLE_INLINE Matches<Slot> matches(const Slot* slots, Slot mask, Slot wanted) {
    Matches<Slot> found{0, 0};
    for (std::uint32_t i = 0; i < Matches<Slot>::SLOTS; ++i) {
        found.wanted |= std::uint32_t{(slots[i] & mask) == wanted} << i * Matches<Slot>::BITS;
        found.empty |= std::uint32_t{slots[i] == 0} << i * Matches<Slot>::BITS;
    }
    found.wanted &= ~found.empty;
    return found;
}

#ifdef __SSE2__
UNPUZZLE_INLINE std::uint32_t as_bits(__m128i a, __m128i b, __m128i c, __m128i d) {
    const __m128i low = _mm_packs_epi32(a, b), high = _mm_packs_epi32(c, d);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}

template <>
UNPUZZLE_INLINE Matches<std::uint32_t> matches(const std::uint32_t* slots, std::uint32_t mask, std::uint32_t wanted) {
    const auto* four = reinterpret_cast<const __m128i*>(slots);
    const __m128i masks = _mm_set1_epi32(static_cast<int>(mask)), wants = _mm_set1_epi32(static_cast<int>(wanted)),
                  none = _mm_setzero_si128();
    // Four times the same: a loop would stay one.
    const __m128i a = _mm_loadu_si128(four), b = _mm_loadu_si128(four + 1), c = _mm_loadu_si128(four + 2),
                  d = _mm_loadu_si128(four + 3);
    const std::uint32_t empty =
        as_bits(_mm_cmpeq_epi32(a, none), _mm_cmpeq_epi32(b, none), _mm_cmpeq_epi32(c, none), _mm_cmpeq_epi32(d, none));
    const std::uint32_t found =
        as_bits(_mm_cmpeq_epi32(_mm_and_si128(a, masks), wants), _mm_cmpeq_epi32(_mm_and_si128(b, masks), wants),
                _mm_cmpeq_epi32(_mm_and_si128(c, masks), wants), _mm_cmpeq_epi32(_mm_and_si128(d, masks), wants));
    return {found & ~empty, empty};
}

// Two slots a vector; four halves of them are compared, and both must be equal.
UNPUZZLE_INLINE __m128i equal_pairs(__m128i a, __m128i b) {
    const __m128i halves = _mm_cmpeq_epi32(a, b);
    return _mm_and_si128(halves, _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1)));
}

template <>
UNPUZZLE_INLINE Matches<std::uint64_t> matches(const std::uint64_t* slots, std::uint64_t mask, std::uint64_t wanted) {
    const auto* two = reinterpret_cast<const __m128i*>(slots);
    const __m128i masks = _mm_set1_epi64x(static_cast<long long>(mask)),
                  wants = _mm_set1_epi64x(static_cast<long long>(wanted)), none = _mm_setzero_si128();
    const __m128i a = _mm_loadu_si128(two), b = _mm_loadu_si128(two + 1), c = _mm_loadu_si128(two + 2),
                  d = _mm_loadu_si128(two + 3);
    const std::uint32_t empty =
        as_bits(equal_pairs(a, none), equal_pairs(b, none), equal_pairs(c, none), equal_pairs(d, none));
    const std::uint32_t found =
        as_bits(equal_pairs(_mm_and_si128(a, masks), wants), equal_pairs(_mm_and_si128(b, masks), wants),
                equal_pairs(_mm_and_si128(c, masks), wants), equal_pairs(_mm_and_si128(d, masks), wants));
    return {found & ~empty, empty};
}
#endif

}  // namespace unpuzzle
