// Which states were seen: a hash table over the state pool, four bytes a slot.
//
//     slot     ┌────── tag ──────┬────── number + 1 ──────┐      0 is an empty slot
//              │ bits of the hash│ of a state in the pool │
//              └─────────────────┴────────────────────────┘
//                                 ◄── as many bits as the fullest table needs ──►
//
// The states themselves are in the pool, so a slot that might match costs a read there, most likely a cache
// miss. The number leaves bits over until the table has 2^32 slots; they hold a part of the hash and sort out
// nearly all slots that do not match. Open addressing with linear steps, at most 3/4 full.
//
// Growing: the old slots are freed *before* the new ones are taken and all are filled again from the pool,
// which holds everything; so memory never holds two tables. A table doubles until it has 16 million slots and
// then grows by half, which keeps it between 1/2 and 3/4 full, 5.3 to 8 bytes a state, where memory is what
// ends a search.
#pragma once

#include "rows.hpp"
#include "words.hpp"

namespace unpuzzle {

template <int W>
class Table {
  public:
    Table(Budget& budget, Control& control, const Rows<Word, W>& pool, std::size_t words)
        : budget_(budget), control_(control), pool_(pool), words_(words) {
        resize(FIRST_SLOTS);
    }

    struct Probe {
        StateId found;     // or NO_STATE
        std::size_t slot;  // where it is, or where it goes
    };

    void prefetch_slot(std::uint64_t hash) const { prefetch(slots_ + home(hash)); }
    // The state that `find` will most likely compare, so that its row can be fetched ahead; or NO_STATE.
    StateId likely(std::uint64_t hash) const {
        const std::uint32_t tag = static_cast<std::uint32_t>(hash) & tag_mask_;
        for (std::size_t at = home(hash);; at = at + 1 == count_ ? 0 : at + 1) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) return NO_STATE;
            if ((slot & tag_mask_) == tag) return (slot & ~tag_mask_) - 1;
        }
    }

    Probe find(const Word* state, std::uint64_t hash) const {
        const std::uint32_t tag = static_cast<std::uint32_t>(hash) & tag_mask_;
        for (std::size_t at = home(hash);; at = at + 1 == count_ ? 0 : at + 1) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) return {NO_STATE, at};
            if ((slot & tag_mask_) != tag) continue;
            const StateId id = (slot & ~tag_mask_) - 1;
            if (equal<W>(pool_[id], state, words_)) return {id, at};
        }
    }
    // The state that was not found gets this number; it must be in the pool.
    void put(std::size_t slot, StateId id, std::uint64_t hash) {
        slots_[slot] = (static_cast<std::uint32_t>(hash) & tag_mask_) | (id + 1);
        if (++used_ > most_) grow();
    }

  private:
    static constexpr std::size_t FIRST_SLOTS = 256, DOUBLING = std::size_t{1} << 24, MOST_SLOTS = 0xFFFFFFFFu;

    std::size_t home(std::uint64_t hash) const {
        return static_cast<std::size_t>((hash >> 32) * std::uint64_t{count_} >> 32);
    }

    void resize(std::size_t slots) {
        block_ = Block();
        block_ = Block(budget_, slots * sizeof(std::uint32_t));
        slots_ = static_cast<std::uint32_t*>(block_.data());
        count_ = slots;
        most_ = slots / 4 * 3;
        tag_mask_ = static_cast<std::uint32_t>(~std::uint64_t{0} << std::bit_width(most_ + 1));
    }

    void grow() {
        if (count_ == MOST_SLOTS) throw Stop{Status::memout};
        const std::size_t wanted = count_ < DOUBLING ? 2 * count_ : count_ / 2 * 3;
        resize(wanted < MOST_SLOTS ? wanted : MOST_SLOTS);
        for (std::size_t begin = 0; begin < used_; begin += BATCH) {
            control_.tick();
            refill(begin, begin + BATCH < used_ ? begin + BATCH : used_);
        }
    }
    void refill(std::size_t begin, std::size_t end) {
        std::uint64_t hashes[BATCH];
        for (std::size_t id = begin; id < end; ++id) {
            hashes[id - begin] = hash<W>(pool_[id], words_);
            prefetch_slot(hashes[id - begin]);
        }
        for (std::size_t id = begin; id < end; ++id) {
            std::size_t at = home(hashes[id - begin]);
            while (slots_[at] != 0) at = at + 1 == count_ ? 0 : at + 1;
            slots_[at] = (static_cast<std::uint32_t>(hashes[id - begin]) & tag_mask_) |
                         static_cast<std::uint32_t>(id + 1);
        }
    }

    static constexpr std::size_t BATCH = 32;

    Budget& budget_;
    Control& control_;
    const Rows<Word, W>& pool_;
    std::size_t words_;
    Block block_;
    std::uint32_t* slots_ = nullptr;
    std::size_t count_ = 0, used_ = 0, most_ = 0;
    std::uint32_t tag_mask_ = 0;
};

}  // namespace unpuzzle
