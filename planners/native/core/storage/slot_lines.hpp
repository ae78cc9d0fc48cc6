// A line of a hash table: 64 bytes, one cache line, whose slots are all compared at once, without a branch.
#pragma once

#include <bit>

#if defined(__SSE2__) || defined(_M_X64)  // the second is MSVC's word for a processor that has it
#define UNPUZZLE_SSE2
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
#ifdef UNPUZZLE_SSE2
UNPUZZLE_INLINE __m128i in_all_slots(std::uint32_t value) { return _mm_set1_epi32(static_cast<int>(value)); }
UNPUZZLE_INLINE __m128i in_all_slots(std::uint64_t value) { return _mm_set1_epi64x(static_cast<long long>(value)); }

// Four slots of four bytes, or two of eight: of these, both halves must be equal.
template <class Slot>
UNPUZZLE_INLINE __m128i equal_slots(__m128i left, __m128i right) {
    const __m128i equal = _mm_cmpeq_epi32(left, right);
    if constexpr (sizeof(Slot) == 4) return equal;
    return _mm_and_si128(equal, _mm_shuffle_epi32(equal, _MM_SHUFFLE(2, 3, 0, 1)));
}

// Four times the same: a loop would stay one.
template <class Slot>
UNPUZZLE_INLINE std::uint32_t equal_bits(__m128i a, __m128i b, __m128i c, __m128i d, __m128i to) {
    const __m128i low = _mm_packs_epi32(equal_slots<Slot>(a, to), equal_slots<Slot>(b, to));
    const __m128i high = _mm_packs_epi32(equal_slots<Slot>(c, to), equal_slots<Slot>(d, to));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}

template <class Slot>
UNPUZZLE_INLINE Matches<Slot> matches(const Slot* slots, Slot mask, Slot wanted) {
    const auto* line = reinterpret_cast<const __m128i*>(slots);
    const __m128i a = _mm_loadu_si128(line), b = _mm_loadu_si128(line + 1), c = _mm_loadu_si128(line + 2),
                  d = _mm_loadu_si128(line + 3), masks = in_all_slots(mask);
    const std::uint32_t empty = equal_bits<Slot>(a, b, c, d, _mm_setzero_si128());
    const std::uint32_t found =
        equal_bits<Slot>(_mm_and_si128(a, masks), _mm_and_si128(b, masks), _mm_and_si128(c, masks),
                         _mm_and_si128(d, masks), in_all_slots(wanted));
    return {found & ~empty, empty};
}
#else
template <class Slot>
Matches<Slot> matches(const Slot* slots, Slot mask, Slot wanted) {
    Matches<Slot> found{0, 0};
    for (std::uint32_t i = 0; i < Matches<Slot>::SLOTS; ++i) {
        found.wanted |= std::uint32_t{(slots[i] & mask) == wanted} << i * Matches<Slot>::BITS;
        found.empty |= std::uint32_t{slots[i] == 0} << i * Matches<Slot>::BITS;
    }
    found.wanted &= ~found.empty;
    return found;
}
#endif

}  // namespace unpuzzle
