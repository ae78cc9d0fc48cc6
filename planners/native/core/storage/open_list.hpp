// The open list: buckets by f, then h, each a stack.
//
//     (f,h)   (12,3) ─► ┌─────────────┐     ┌─────────────┐
//             (12,5)    │15 ids │below├────►│15 ids │below│       blocks of one cache line, from one
//             (13,2)    └─────────────┘     └─────────────┘       growing array; emptied ones are used again
//
// Last in, first out within a bucket: the state is still in the cache. The buckets are in a sorted map, so costs may be
// anything up to 2^31; a small cache in front of it makes the usual push (a key that was pushed a moment ago) a
// comparison. An entry is four bytes without a g: a state that got cheaper is pushed again, and its old entry is
// recognised when it is popped, because the state is closed then.
#pragma once

#include <array>
#include <map>

#include "base/growing_array.hpp"
#include "base/words.hpp"

namespace unpuzzle {

// `Entry` is the number of a state, or an edge to one that has not been made yet.
template <class Entry>
class BasicOpenList {
  public:
    struct Key {
        Cost f, h;
        auto operator<=>(const Key&) const = default;
    };

    explicit BasicOpenList(Budget& budget) : budget_(budget), blocks_(budget) {}
    ~BasicOpenList() { budget_.give_back(buckets_.size() * MAP_BYTES); }
    BasicOpenList(const BasicOpenList&) = delete;
    BasicOpenList& operator=(const BasicOpenList&) = delete;

    bool empty() const { return buckets_.empty(); }
    // Gives everything back: nothing waits any more.
    void release() {
        budget_.give_back(buckets_.size() * MAP_BYTES);
        buckets_.clear();
        recent_.fill({});
        blocks_ = GrowingArray<Block, 1>(budget_);
        free_ = NONE;
    }
    const Key& top() const { return buckets_.begin()->first; }

    void push(const Key& key, const Entry& entry) {
        Bucket& bucket = find(key);
        if (bucket.used == PER_BLOCK) {
            const std::uint32_t block = take_block();
            blocks_[block]->below = bucket.block;
            bucket = {block, 0};
        }
        blocks_[bucket.block]->entries[bucket.used++] = entry;
    }
    // An entry that comes up soon if nothing is pushed meanwhile, so that what is known of it can be fetched ahead;
    // null near the end.
    const Entry* soon() const {
        const Bucket& bucket = buckets_.begin()->second;
        const Block& block = *blocks_[bucket.block];
        if (bucket.used > AHEAD) return &block.entries[bucket.used - 1 - AHEAD];
        return block.below == NONE ? nullptr : &blocks_[block.below]->entries[PER_BLOCK + bucket.used - 1 - AHEAD];
    }
    Entry pop() {
        const auto first = buckets_.begin();
        Bucket& bucket = first->second;
        Block& block = *blocks_[bucket.block];
        const Entry entry = block.entries[--bucket.used];
        if (bucket.used > 0) return entry;
        const std::uint32_t below = block.below;
        block.below = free_;
        free_ = bucket.block;
        if (below == NONE) {
            erase(first);
        } else {
            bucket = {below, PER_BLOCK};
            const std::uint32_t next = blocks_[below]->below;
            if (next != NONE) prefetch(blocks_[next]);
        }
        return entry;
    }

  private:
    static constexpr std::uint32_t PER_BLOCK = 60 / sizeof(Entry), NONE = ~0u;
    static constexpr std::uint32_t AHEAD = PER_BLOCK > 6 ? 6 : PER_BLOCK - 1;
    static constexpr std::size_t MAP_BYTES = 96;  // of a map entry, with what the allocator adds

    struct Block {
        Entry entries[PER_BLOCK];
        std::uint32_t below;
    };
    struct Bucket {
        std::uint32_t block = NONE, used = PER_BLOCK;
    };
    using Map = std::map<Key, Bucket>;
    struct Recent {
        Key key;
        Bucket* bucket = nullptr;
    };

    Recent& recent(const Key& key) { return recent_[(key.f * 7 + key.h) % recent_.size()]; }

    Bucket& find(const Key& key) {
        Recent& slot = recent(key);
        return slot.bucket && slot.key == key ? *slot.bucket : look_up(key, slot);
    }
    // Apart and not inlined, so that the usual push is small enough to be, wherever it is called.
    [[gnu::noinline]] Bucket& look_up(const Key& key, Recent& slot) {
        auto found = buckets_.find(key);
        if (found == buckets_.end()) {
            budget_.take(MAP_BYTES);
            found = buckets_.try_emplace(key).first;
        }
        slot = {key, &found->second};
        return found->second;
    }
    void erase(typename Map::iterator entry) {
        Recent& slot = recent(entry->first);
        if (slot.key == entry->first) slot.bucket = nullptr;
        buckets_.erase(entry);
        budget_.give_back(MAP_BYTES);
    }
    std::uint32_t take_block() {
        if (free_ == NONE) {
            blocks_.append();
            return static_cast<std::uint32_t>(blocks_.size() - 1);
        }
        const std::uint32_t block = free_;
        free_ = blocks_[block]->below;
        return block;
    }

    Budget& budget_;
    GrowingArray<Block, 1> blocks_;
    Map buckets_;
    std::array<Recent, 32> recent_;
    std::uint32_t free_ = NONE;
};

using OpenList = BasicOpenList<StateId>;

}  // namespace unpuzzle
