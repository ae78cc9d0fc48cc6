// Which number has this key? A hash table with open addressing that contains only numbers; the keys are elsewhere.
//
//     slot     │ 32 bits of the key's hash │ number │        at most half of the slots are in use
//
// The caller gives the key's hash and a function that says whether a number has that key. The bits of the hash in a
// slot avoid most calls of it, and all look-ups of keys when the table grows.
//
// Three tables are not made of this, since searches spend most of their time in them: storage/table.hpp (four bytes
// a slot, a cache line of slots at once), storage/compact_table.hpp (which has no keys at all), and
// storage/transposition_table.hpp (which forgets).
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "base/metered.hpp"
#include "base/words.hpp"

namespace unpuzzle {

// For keys that are rows of numbers.
template <class Number>
std::uint64_t hash_of(std::span<const Number> numbers) {
    std::uint64_t hash = 0;
    for (const Number number : numbers) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
    }
    return hash;
}

struct NumberSlot {
    std::uint32_t hash = 0, number = ~0u;
};

// `Slots`: the array type; Vector, if its memory counts against a budget.
template <class Slots = Vector<NumberSlot>>
class NumberTable {
  public:
    static constexpr std::uint32_t NONE = ~0u;

    NumberTable() = default;
    explicit NumberTable(Control& control) : control_(&control) {}

    std::size_t size() const { return used_; }
    std::size_t bytes() const { return slots_.capacity() * sizeof(NumberSlot); }

    // The number of a key, or NONE.
    template <class Same>
    std::uint32_t find(std::uint64_t hash, Same&& same) const {
        return slots_.empty() ? NONE : slots_[slot(hash, same)].number;
    }
    // The place for the number of a key, until the next call. It is NONE where the key is new, and has to be set.
    template <class Same>
    std::uint32_t& number(std::uint64_t hash, Same&& same) {
        if (2 * used_ >= slots_.size()) resize(slots_.empty() ? FIRST_SLOTS : 2 * slots_.size());
        NumberSlot& found = slots_[slot(hash, same)];
        if (found.number == NONE) {
            found.hash = kept(hash);
            ++used_;
        }
        return found.number;
    }
    // Of a key that has none yet.
    void add(std::uint64_t hash, std::uint32_t number) {
        this->number(hash, [](std::uint32_t) { return false; }) = number;
    }
    // Forgets all keys, and keeps no more slots in use than so many keys need; the memory of others is kept.
    void clear() {
        slots_.assign(std::min(slots_.size(), std::max(FIRST_SLOTS, std::bit_ceil(4 * used_))), NumberSlot{});
        used_ = 0;
    }

  private:
    static constexpr std::size_t FIRST_SLOTS = 16, MOST_SLOTS = std::size_t{1} << 31;

    static std::uint32_t kept(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
    // Where the key is, or the free slot for it.
    template <class Same>
    std::size_t slot(std::uint64_t hash, Same&& same) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = kept(hash) & mask;; at = (at + 1) & mask) {
            const NumberSlot& found = slots_[at];
            if (found.number == NONE || (found.hash == kept(hash) && same(found.number))) return at;
        }
    }
    void resize(std::size_t size) {
        if (size > MOST_SLOTS) throw Stop{Status::memout};
        Slots larger(size);
        const std::size_t mask = size - 1;
        for (const NumberSlot& slot : slots_) {
            if (control_) control_->tick();
            if (slot.number == NONE) continue;
            std::size_t at = slot.hash & mask;
            while (larger[at].number != NONE) at = (at + 1) & mask;
            larger[at] = slot;
        }
        slots_.swap(larger);
    }

    Control* control_ = nullptr;  // none: nothing stops it while it grows
    Slots slots_;
    std::size_t used_ = 0;
};

}  // namespace unpuzzle
