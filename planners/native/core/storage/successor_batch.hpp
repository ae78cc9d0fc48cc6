// Batches of successors that are looked up in the table together.
//
// Looking up a state is one or two cache misses (the slot, then the row it names), so looking each one up
// when it is made would wait for memory most of the time. Instead up to 32 successors, of several expansions
// if need be, are made first; each one's slot is fetched when its hash is known, then the rows that the slots
// name, and only then are they looked up, in the order in which they were made. (1.5 times as fast at 10^8
// states, no difference while all fits the cache.)
#pragma once

#include <vector>

#include "base/words.hpp"

namespace unpuzzle {

template <int W, std::size_t SIZE = 32>
class SuccessorBatch {
  public:
    struct Child {
        std::uint64_t hash;
        Cost g;
        StateId parent;
        OperatorId op;
    };
    static constexpr std::size_t MOST = SIZE;

    explicit SuccessorBatch(std::size_t words) : words_(words), states_(MOST * width<W>(words)) {}

    std::size_t size() const { return size_; }
    bool full() const { return size_ == MOST; }
    void clear() { size_ = 0; }
    Word* state(std::size_t i) { return states_.data() + i * width<W>(words_); }
    const Child& operator[](std::size_t i) const { return children_[i]; }

    Word* next() { return state(size_); }  // write the state here, then add it
    void add(const Child& child) { children_[size_++] = child; }
    void drop_last(bool drop) { size_ -= drop; }  // without a branch

  private:
    std::size_t words_, size_ = 0;
    std::vector<Word> states_;
    Child children_[MOST];
};

// Looks up all successors of the batch in a table over a pool, and empties the batch.
//
// `key(i)` is the state that successor i is known by. `add(i, slot)` is called for one that is new, and goes to that slot;
// it returns whether to go on. Where `AGAIN`, states that are known may matter, too: `matters(i, id)` tells whether
// successor i changes what is known of state `id`, which it is, and then (or if it did when the look-up began)
// `again(i, id)` is called.
template <bool AGAIN, class Batch, class Pool, class Table, class Key, class Add, class Matters, class Again>
UNPUZZLE_INLINE void look_up(Batch& batch, const Pool& pool, const Table& table, Key&& key, Add&& add,
                             Matters&& matters, Again&& again) {
    const std::size_t size = batch.size(), lines = table.lines();
    typename Table::Glance seen[Batch::MOST];
    for (std::size_t i = 0; i < size; ++i) {
        seen[i] = table.glance(batch[i].hash);
        pool.fetch(seen[i].likely);
    }
    // Those that change something. Without a branch, too: nothing tells which states were there already.
    std::size_t left[Batch::MOST], count = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const StateId id = seen[i].likely;
        const bool known = pool.is_state(id, key(i));
        if constexpr (AGAIN) {
            seen[i].slot |= ~(std::size_t{known} - 1);      // NO_SLOT if so,
            seen[i].likely |= StateId{known} - StateId{1};  // NO_STATE if not
        }
        left[count] = i;
        count += !(known & !matters(i, id));
    }
    bool on = true;
    for (std::size_t j = 0; j < count && on; ++j) {
        const std::size_t i = left[j];
        std::size_t slot = seen[i].slot;
        if (!table.holds(seen[i], lines)) {
            StateId id = AGAIN ? seen[i].likely : NO_STATE;
            if (id == NO_STATE) {
                const auto probe = table.find(key(i), batch[i].hash);
                id = probe.found;
                slot = probe.slot;
            }
            if (id != NO_STATE) {
                again(i, id);
                continue;
            }
        }
        on = add(i, slot);
    }
    batch.clear();
}

// The same where successors are known by themselves, and only new ones matter.
template <class Batch, class Pool, class Table, class Add>
UNPUZZLE_INLINE void look_up(Batch& batch, const Pool& pool, const Table& table, Add&& add) {
    const auto never = [](std::size_t, StateId) { return false; };
    look_up<false>(batch, pool, table, [&](std::size_t i) { return batch.state(i); }, add, never, never);
}

}  // namespace unpuzzle
