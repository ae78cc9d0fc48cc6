// A queue of propositions by value, for explorations in the manner of Dijkstra.
//
// Values are mostly small, so each of the first NEAR values has a stack of its own; what is beyond them,
// which costs up to 2^31 make possible, waits in a heap. Within one value the last comes first.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>

#include "metered.hpp"
#include "words.hpp"

namespace unpuzzle {

template <class Value>
class BucketQueue {
  public:
    struct Entry {
        Value value;
        std::uint32_t item;
        bool operator>(const Entry& other) const { return value > other.value; }
    };

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
    bool pop(Entry& entry) {
        for (; at_ < near_.size(); ++at_) {
            if (near_[at_].empty()) continue;
            entry = {static_cast<Value>(at_), near_[at_].back()};
            near_[at_].pop_back();
            return true;
        }
        if (far_.empty()) return false;
        entry = far_.top();
        far_.pop();
        return true;
    }
    void clear() {
        for (; at_ < near_.size(); ++at_) near_[at_].clear();
        far_ = {};
        at_ = 0;
    }

  private:
    static constexpr std::size_t NEAR = 1024;

    Vector<Vector<std::uint32_t>> near_;
    std::size_t at_ = 0;  // all stacks before it are empty
    std::priority_queue<Entry, Vector<Entry>, std::greater<>> far_;
};

}  // namespace unpuzzle
