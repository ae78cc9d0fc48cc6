// A hash table without a pool, for states of few bits, each with the cost of the cheapest known path to it.
//
// The line of a state encodes a part of it, so that only the rest is stored (quotienting, as Cleary 1984). For that,
// hashing must not lose anything: it is a permutation of all numbers of so many bits.
//
//     mixed     ┌────────── line ──────────┬──────── rest ────────┐
//               └────────────────┬─────────┴──────────────────────┤
//     slot                       │ last 5 of line       rest      │  cost + 1  │      0: empty
//                                └────────────── key ─────────────┴────────────┘
//
// A state whose line is full goes to one of the 31 lines behind; the last five bits of its own line, which are stored,
// identify that line. A line has 16 slots of four bytes or, as long as that is too few for the rest of a state and
// costs, eight of eight. The more lines, the shorter the rest. (If costs get too high for narrow slots, they become
// wide ones again.)
//
// So a state costs 5.3 to 10.7 bytes once slots are narrow, 12.8 to 25.6 before, and looking one up is a single cache
// miss. The table grows in place: its lines are emptied from the last to the first, and their states move to lines
// behind them, which are empty already.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/memory.hpp"
#include "base/metered.hpp"
#include "storage/slot_lines.hpp"

namespace unpuzzle {

class CompactTable {
  public:
    // Of a state; of what a step costs. With these, wide slots have bits for the costs of all ways: 64 - 5 -
    // (MOST_BITS - bits of the line), while a way has fewer steps than there are slots, 2^(bits of the line + 3).
    static constexpr int MOST_BITS = 40, MOST_STEP_BITS = 16;
    static constexpr std::size_t NO_SLOT = SIZE_MAX;

    CompactTable(Budget& budget, Control& control, std::size_t bits)
        : control_(control), memory_(budget), bits_(std::max(static_cast<int>(bits), 2 * FIRST_LINE_BITS)) {
        const Shape first = shape(FIRST_LINE_BITS);
        memory_.grow(first.lines() * LINE_BYTES);
        set_shape(first);
    }

    // Two odd factors and a shift by half of the bits, each of which can be undone.
    std::uint64_t mixed(Word state) const {
        state = state * 0x9E3779B97F4A7C15ull & all_;
        state ^= state >> half_;
        return state * 0xD6E8FEB86659FD93ull & all_;
    }
    UNPUZZLE_INLINE void prefetch(std::uint64_t mixed) const {
        unpuzzle::prefetch(static_cast<const std::uint8_t*>(memory_.data()) + line_of(mixed) * LINE_BYTES);
    }

    // The place of a mixed state, or else a free place for it; NO_SLOT: none before the table grows.
    struct Place {
        std::size_t slot;
        bool known;
    };
    UNPUZZLE_INLINE Place find(std::uint64_t mixed) const {
        return shape_.narrow ? find_as<std::uint32_t>(mixed) : find_as<std::uint64_t>(mixed);
    }
    Cost cost(std::size_t slot) const {
        const std::uint64_t word = shape_.narrow ? slots<std::uint32_t>()[slot] : slots<std::uint64_t>()[slot];
        return (word & shape_.cost_mask) - 1;
    }
    // Puts a state there, or gives it another cost. Other places hold no longer.
    void put(Place place, std::uint64_t mixed, Cost cost) {
        highest_ = std::max(highest_, cost);
        if (cost >= shape_.cost_mask) {
            rebuild(shape(shape_.line_bits + 1, false));
            place = find(mixed);
        }
        while (place.slot == NO_SLOT) {
            grow();
            place = find(mixed);
        }
        write(place.slot, mixed, cost);
        used_ += !place.known;
        if (used_ > most_) grow();
    }
    std::size_t size() const { return used_; }

  private:
    static constexpr std::size_t REACH = 32;  // a state is in one of so many lines
    static constexpr int REACH_BITS = 5, FIRST_LINE_BITS = 5, SMALL_LINE_BITS = 14, LEAST_COST_BITS = 6;
    static constexpr std::size_t TICKS = 16;

    // The number of lines, without the extra ones after the last, and the layout of a slot.
    struct Shape {
        int line_bits, rest_bits, cost_bits;
        bool narrow;
        std::uint64_t key_mask, cost_mask;

        std::size_t lines() const { return (std::size_t{1} << line_bits) + REACH - 1; }
    };
    struct Entry {
        std::uint64_t mixed;
        Cost cost;
    };

    std::size_t line_of(std::uint64_t mixed) const { return static_cast<std::size_t>(mixed >> shape_.rest_bits); }
    template <class Slot>
    Slot* slots() const {
        return static_cast<Slot*>(memory_.data());
    }
    template <class Slot>
    static constexpr std::size_t PER_LINE = Matches<Slot>::SLOTS;

    template <class Slot>
    UNPUZZLE_INLINE Place find_as(std::uint64_t mixed) const {
        const auto wanted = static_cast<Slot>((mixed & shape_.key_mask) << shape_.cost_bits);
        std::size_t line = line_of(mixed);
        for (const std::size_t end = line + REACH; line != end; ++line) {
            const std::size_t begin = line * PER_LINE<Slot>;
            const auto found = matches<Slot>(slots<Slot>() + begin, static_cast<Slot>(~shape_.cost_mask), wanted);
            if (found.wanted != 0) return {begin + found.first(found.wanted), true};
            if (found.empty != 0) return {begin + found.first(found.empty), false};
        }
        return {NO_SLOT, false};
    }
    template <class Slot>
    void write_as(std::size_t slot, std::uint64_t mixed, Cost cost) {
        slots<Slot>()[slot] = static_cast<Slot>((mixed & shape_.key_mask) << shape_.cost_bits | (cost + 1));
    }
    void write(std::size_t slot, std::uint64_t mixed, Cost cost) {
        shape_.narrow ? write_as<std::uint32_t>(slot, mixed, cost) : write_as<std::uint64_t>(slot, mixed, cost);
    }

    Shape shape(int line_bits, bool narrow) const {
        const int rest_bits = bits_ - line_bits, key_bits = rest_bits + REACH_BITS;
        const int cost_bits = (narrow ? 32 : 64) - key_bits;
        const auto mask = [](int bits) { return bits > 0 ? (std::uint64_t{1} << bits) - 1 : 0; };
        return {line_bits, rest_bits, cost_bits, narrow, mask(key_bits), mask(cost_bits)};
    }
    // narrow if that can be
    // There must be room for costs to double, or the slots would soon be wide again.
    Shape shape(int line_bits) const {
        const Shape narrow = shape(line_bits, true);
        const int cost_bits = static_cast<int>(std::bit_width(highest_ + 1)) + 1;
        return narrow.cost_bits >= std::max(cost_bits, LEAST_COST_BITS) ? narrow : shape(line_bits, false);
    }
    void set_shape(const Shape& shape) {
        shape_ = shape;
        const std::size_t lines = std::size_t{1} << shape.line_bits;
        // Lines of fewer slots are full sooner.
        most_ = shape.narrow ? lines * PER_LINE<std::uint32_t> / 4 * 3 : lines * PER_LINE<std::uint64_t> / 8 * 5;
    }
    void grow() {
        const int bits = shape_.line_bits;
        rebuild(shape(std::min(bits + (bits < SMALL_LINE_BITS ? 2 : 1), bits_)));
    }
    void rebuild(const Shape& next) {
        const Shape old = shape_;
        if (next.line_bits <= old.line_bits || next.line_bits > bits_) throw Stop{Status::memout};
        memory_.grow(next.lines() * LINE_BYTES);
        set_shape(next);
        Vector<Entry> entries;
        const auto take = [&](std::size_t line) {
            if (line % TICKS == 0) control_.tick();
            old.narrow ? take_out<std::uint32_t>(old, line, entries) : take_out<std::uint64_t>(old, line, entries);
        };
        // What is in line i belongs to line i - 31 or a later one, so from now on to 2 * (i - 31) or a later one: behind
        // i, but for the first lines.
        const std::size_t first = std::min(old.lines(), 2 * REACH);
        for (std::size_t line = old.lines(); line-- > first;) {
            take(line);
            put_all(entries);
        }
        for (std::size_t line = 0; line < first; ++line) take(line);
        put_all(entries);
    }
    template <class Slot>
    void take_out(const Shape& old, std::size_t line, Vector<Entry>& out) {
        Slot* slots = this->slots<Slot>() + line * PER_LINE<Slot>;
        for (std::size_t i = 0; i < PER_LINE<Slot> && slots[i] != 0; ++i) {
            const std::uint64_t key = slots[i] >> old.cost_bits;
            const std::uint64_t own = line - ((line - (key >> old.rest_bits)) & (REACH - 1));
            const std::uint64_t rest = key & ((std::uint64_t{1} << old.rest_bits) - 1);
            out.push_back({own << old.rest_bits | rest, (slots[i] & old.cost_mask) - 1});
            slots[i] = 0;
        }
    }
    void put_all(Vector<Entry>& entries) {
        for (const Entry& entry : entries) {
            const Place place = find(entry.mixed);
            if (place.slot == NO_SLOT) throw Stop{Status::memout};
            write(place.slot, entry.mixed, entry.cost);
        }
        entries.clear();
    }

    Control& control_;
    Block memory_;
    int bits_, half_ = (bits_ + 1) / 2;
    std::uint64_t all_ = (std::uint64_t{1} << bits_) - 1;
    Shape shape_;
    std::size_t used_ = 0, most_ = 0;
    Cost highest_ = 0;
};

// A state, in enough bytes for any state.
struct PackedState {
    std::uint8_t low[4], high;

    static PackedState of(Word state) {
        PackedState packed;
        const auto low = static_cast<std::uint32_t>(state);
        std::memcpy(packed.low, &low, sizeof low);
        packed.high = static_cast<std::uint8_t>(state >> 32);
        return packed;
    }
    Word word() const {
        std::uint32_t word;
        std::memcpy(&word, low, sizeof word);
        return Word{high} << 32 | word;
    }
};
static_assert(sizeof(PackedState) * 8 == CompactTable::MOST_BITS);

}  // namespace unpuzzle
