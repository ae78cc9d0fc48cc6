// A queue of propositions by value, for explorations in the manner of Dijkstra.
//
// Values are mostly small, so each of the first NEAR values has a stack of its own; what is beyond them,
// which costs up to 2^31 make possible, waits in a heap. Within one value the last comes first.
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
    void push(Value value, std::uint32_t item) {
        if (value >= NEAR) {
            far_.push({value, item});
            return;
        }
        const auto at = static_cast<std::size_t>(value);
        if (at >= near_.size()) near_.resize(at + 1);
        near_[at].push_back(item);
        if (at < at_) at_ = at;
    }
    // What it gives stays in registers; a pair of both would go through memory.
    UNPUZZLE_INLINE bool pop(Value& value, std::uint32_t& item) {
        for (; at_ < near_.size(); ++at_) {
            if (near_[at_].empty()) continue;
            value = static_cast<Value>(at_);
            item = near_[at_].back();
            near_[at_].pop_back();
            return true;
        }
        return pop_far(value, item);
    }
    void clear() {
        for (; at_ < near_.size(); ++at_) near_[at_].clear();
        if (!far_.empty()) far_ = {};
        at_ = 0;
    }

  private:
    static constexpr std::size_t NEAR = 1024;

    struct Entry {
        Value value;
        std::uint32_t item;
        bool operator>(const Entry& other) const { return value > other.value; }
    };

    bool pop_far(Value& value, std::uint32_t& item) {
        if (far_.empty()) return false;
        value = far_.top().value;
        item = far_.top().item;
        far_.pop();
        return true;
    }

    Vector<Vector<std::uint32_t>> near_;
    std::size_t at_ = 0;  // all stacks before it are empty
    std::priority_queue<Entry, Vector<Entry>, std::greater<>> far_;
};

}  // namespace unpuzzle
