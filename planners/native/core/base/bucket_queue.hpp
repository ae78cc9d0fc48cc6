// A queue of propositions by value, for explorations in the manner of Dijkstra.
//
// Values are mostly small, so each of the first NEAR values has its own stack; greater ones (costs may be up to 2^31)
// wait in a heap. Within one value the last comes first.
//
//     top    2 0 3        links   │ - │ item, 0 │ item, 1 │ item, 0 │       a stack is a chain of links from its top
//                                   0      1         2         3
//
// All stacks are chains in one array, so that a push is a few instructions in every inner loop: GCC does not inline the
// push of a vector that several loops share. Popped items are freed by `clear`.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>

#include "base/metered.hpp"
#include "base/words.hpp"

namespace unpuzzle {

template <class Value>
class BucketQueue {
  public:
    UNPUZZLE_INLINE void push(Value value, std::uint32_t item) {
        if (value >= values_ || used_ == room_) return push_growing(value, item);
        const auto at = static_cast<std::size_t>(value);
        links_[used_] = {item, top_[at]};
        top_[at] = used_++;
        if (at < at_) at_ = at;
    }
    // What it gives stays in registers; a pair of both would go through memory.
    UNPUZZLE_INLINE bool pop(Value& value, std::uint32_t& item) {
        for (; at_ < values_; ++at_) {
            if (top_[at_] == NONE) continue;
            value = static_cast<Value>(at_);
            item = links_[top_[at_]].item;
            top_[at_] = links_[top_[at_]].next;
            return true;
        }
        return pop_far(value, item);
    }
    void clear() {
        std::fill(top_.begin() + static_cast<std::ptrdiff_t>(at_), top_.end(), NONE);
        if (!far_.empty()) far_ = {};
        at_ = 0;
        used_ = NONE + 1;
    }

  private:
    static constexpr std::size_t NEAR = 1024, LEAST_ROOM = 64;
    static constexpr std::uint32_t NONE = 0;

    struct Link {
        std::uint32_t item, next;
    };
    struct Entry {
        Value value;
        std::uint32_t item;
        bool operator>(const Entry& other) const { return value > other.value; }
    };

    void push_growing(Value value, std::uint32_t item) {
        if (value >= NEAR) return far_.push({value, item});
        top_.resize(std::max(values_, static_cast<std::size_t>(value) + 1), NONE);
        values_ = top_.size();
        if (used_ >= room_) links_.resize(std::max(LEAST_ROOM, 2 * links_.size()));
        room_ = links_.size();
        push(value, item);
    }
    bool pop_far(Value& value, std::uint32_t& item) {
        if (far_.empty()) return false;
        value = far_.top().value;
        item = far_.top().item;
        far_.pop();
        return true;
    }

    Vector<Link> links_;
    Vector<std::uint32_t> top_;  // by value, the link of the last; NONE: there is nothing
    std::size_t at_ = 0;         // no value below this has any
    std::size_t values_ = 0, room_ = 0;
    std::uint32_t used_ = NONE + 1;
    std::priority_queue<Entry, Vector<Entry>, std::greater<>> far_;
};

}  // namespace unpuzzle
