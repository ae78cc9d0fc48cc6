// The states that a search has seen, numbered in the order in which they were found, each with the state and
// the key that led to it first.
#pragma once

#include <algorithm>
#include <vector>

#include "base/growing_array.hpp"
#include "storage/table.hpp"

namespace unpuzzle::script {

class Pool {
  public:
    Pool(Budget& budget, Control& control, std::size_t words)
        : words_(words), states_(budget, words), parents_(budget), keys_(budget), table_(budget, control, states_) {}

    struct Added {
        StateId id;
        bool fresh;
    };
    Added add(const Word* state, StateId parent, std::uint8_t key) {
        const std::uint64_t code = hash<0>(state, words_);
        const auto probe = table_.find(state, code);
        if (probe.found != NO_STATE) return {probe.found, false};
        const auto id = static_cast<StateId>(states_.size());
        copy<0>(states_.append(), state, words_);
        *parents_.append() = parent;
        *keys_.append() = key;
        table_.put(probe.slot, id, code);
        return {id, true};
    }
    void reach(StateId id, StateId parent, std::uint8_t key) {
        *parents_[id] = parent;
        *keys_[id] = key;
    }
    const Word* operator[](StateId id) const { return states_[id]; }
    std::size_t size() const { return states_.size(); }

    // The keys on the way to a state.
    std::vector<std::uint8_t> way(StateId id) const {
        std::vector<std::uint8_t> keys;
        for (; id != 0; id = *parents_[id]) keys.push_back(*keys_[id]);
        std::reverse(keys.begin(), keys.end());
        return keys;
    }

  private:
    std::size_t words_;
    WordRows<0> states_;
    GrowingArray<StateId, 1> parents_;
    GrowingArray<std::uint8_t, 1> keys_;
    Table<WordRows<0>> table_;
};

}  // namespace unpuzzle::script
