// The set of known states: a hash table over the state pool, with four bytes per slot.
//
//     line     │slot│slot│slot│ 0 │ 0 │ ... │      16 slots, one cache line; 0 is empty
//
//     slot     ┌────── tag ──────┬────── number + 1 ──────┐
//              │ bits of the hash│ of a state in the pool │
//              └─────────────────┴────────────────────────┘
//                                 ◄── as many bits as the fullest table needs ──►
//
// The states themselves are in the pool, so a slot that might match costs a read there, most likely a cache miss. Until
// the table has 2^32 slots, the number leaves bits free; they contain a part of the hash and exclude nearly all slots
// that do not match. All slots of a line are compared at once, without a branch; a state whose line is full goes to the
// next one.
//
// Growing: the old slots are freed *before* the new ones are taken, and all are filled again from the pool, which
// contains everything; so there are never two tables in memory. A table doubles when it is 27/32 full. One of eight
// million slots or more costs a cache miss for each slot that is filled again and for each line that is found full, so
// it doubles at 3/4 already, while there is plenty of memory. If there is not, or for a `lean` table of a search that
// stores little more than states, it grows by two fifths at 28/32: 4.6 to 6.4 bytes a state instead of 5.3 to 10.7, but
// a blind search of twelve million states took 1.25 times as long.
//
// A pool is anything with `is_state(id, state)` and `hash_of(id)`.
#pragma once

#include <bit>

#include "base/memory.hpp"
#include "base/words.hpp"
#include "storage/slot_lines.hpp"

namespace unpuzzle {

template <class Pool>
class Table {
  public:
    static constexpr std::size_t NO_SLOT = SIZE_MAX;

    enum class Growth { fast, lean };

    Table(Budget& budget, Control& control, Pool& pool, Growth growth = Growth::fast)
        : budget_(budget), control_(control), pool_(pool), memory_(budget), growth_(growth) {
        resize(FIRST_LINES);
    }

    struct Probe {
        StateId found;     // or NO_STATE
        std::size_t slot;  // where it goes
    };

    UNPUZZLE_INLINE void prefetch_slot(std::uint64_t hash) const { prefetch(slots_ + home(hash) * LINE); }
    // The result of looking for a state in its first line.
    struct Glance {
        StateId likely;    // the state that it most likely is, so that its row can be fetched ahead; else 0
        std::size_t slot;  // where it goes if it is not that one; NO_SLOT: to be looked up
    };

    // Without a branch, as nothing tells which states are new.
    UNPUZZLE_INLINE Glance glance(std::uint64_t hash) const {
        const std::size_t line = home(hash);
        const auto found = matches(line, tag_of(hash));
        const std::uint32_t slot = slots_[line * LINE + first(found.wanted | 1u << (LINE - 1))];
        const bool told = ((found.wanted & (found.wanted - 1)) == 0) & (found.empty != 0);
        const std::size_t free = line * LINE + first(found.empty | 1u << (LINE - 1));
        return {((slot & ~mask_) - 1) & -std::uint32_t{found.wanted != 0}, free | (std::size_t{told} - 1)};
    }
    // Whether a glance, taken when there were so many lines, still tells where a state goes.
    bool holds(const Glance& glance, std::size_t lines) const {
        return glance.slot != NO_SLOT && lines == lines_ && slots_[glance.slot] == 0;
    }
    std::size_t lines() const { return lines_; }
    Probe find(const Word* state, std::uint64_t hash) const {
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t line = home(hash);; line = after(line)) {
            const auto found = matches(line, tag);
            for (std::uint32_t tags = found.wanted; tags != 0; tags &= tags - 1) {
                const StateId id = state_in(line, tags);
                if (pool_.is_state(id, state)) return {id, 0};
            }
            if (found.empty != 0) return {NO_STATE, line * LINE + first(found.empty)};
        }
    }
    // The state that was not found gets this number; it must be in the pool.
    void put(std::size_t slot, StateId id, std::uint64_t hash) {
        slots_[slot] = tag_of(hash) | (id + 1);
        if (++used_ > most_) grow();
    }

  private:
    static constexpr std::size_t LINE = Matches<std::uint32_t>::SLOTS, FIRST_LINES = 16, AHEAD = 32, TICKS = 64;
    static constexpr std::size_t SMALL = std::size_t{1} << 14, LARGE = std::size_t{1} << 19;
    static constexpr std::size_t MOST_LINES = (std::size_t{1} << 28) - 1;

    UNPUZZLE_INLINE Matches<std::uint32_t> matches(std::size_t line, std::uint32_t tag) const {
        return unpuzzle::matches<std::uint32_t>(slots_ + line * LINE, mask_, tag);
    }
    static std::uint32_t first(std::uint32_t bits) { return Matches<std::uint32_t>::first(bits); }
    StateId state_in(std::size_t line, std::uint32_t bits) const {
        return (slots_[line * LINE + first(bits)] & ~mask_) - 1;
    }
    std::uint32_t tag_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash) & mask_; }
    std::size_t home(std::uint64_t hash) const {
        return static_cast<std::size_t>((hash >> 32) * std::uint64_t{lines_} >> 32);
    }
    std::size_t after(std::size_t line) const { return line + 1 == lines_ ? 0 : line + 1; }

    void resize(std::size_t lines) {
        memory_.renew(lines * LINE * sizeof(std::uint32_t));
        slots_ = static_cast<std::uint32_t*>(memory_.data());
        lines_ = lines;
        most_ = lines * LINE / 32 * (lines < LARGE ? 27 : growth_ == Growth::fast ? 24 : 28);
        mask_ = static_cast<std::uint32_t>(~std::uint64_t{0} << std::bit_width(most_ + 1));
    }
    void grow() {
        if (lines_ == MOST_LINES) throw Stop{Status::memout};
        if (lines_ >= LARGE && lines_ * LINE * sizeof(std::uint32_t) > budget_.left() / 4) growth_ = Growth::lean;
        const std::size_t wanted = lines_ < SMALL                              ? 4 * lines_
                                   : lines_ < LARGE || growth_ == Growth::fast ? 2 * lines_
                                                                               : lines_ / 5 * 7;
        resize(wanted < MOST_LINES ? wanted : MOST_LINES);
        refill(used_);
    }
    // Each line is fetched well before a number is put there.
    void refill(std::size_t count) {
        std::uint64_t hashes[AHEAD];
        for (std::size_t next = 0; next < count + AHEAD; ++next) {
            if (next % TICKS == 0) control_.tick();
            std::uint64_t& hash = hashes[next % AHEAD];
            if (next >= AHEAD) refill(next - AHEAD, hash);
            if (next >= count) continue;
            hash = pool_.hash_of(static_cast<StateId>(next));
            prefetch_to_write(slots_ + home(hash) * LINE);
        }
    }
    void refill(std::size_t id, std::uint64_t hash) {
        std::size_t line = home(hash), at = line * LINE + hash % LINE;
        if (slots_[at] != 0) {  // rarely at first; so the processor need not wait to see it
            std::uint32_t empty = matches(line, 0).empty;
            for (; empty == 0; empty = matches(line, 0).empty) line = after(line);
            at = line * LINE + first(empty);
        }
        slots_[at] = tag_of(hash) | static_cast<std::uint32_t>(id + 1);
    }

    Budget& budget_;
    Control& control_;
    Pool& pool_;
    Block memory_;
    Growth growth_;
    std::uint32_t* slots_ = nullptr;
    std::size_t lines_ = 0, used_ = 0, most_ = 0;
    std::uint32_t mask_ = 0;  // of the tag
};

}  // namespace unpuzzle
