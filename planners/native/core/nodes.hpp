// What A* knows about each state, in the state's own row: eight bytes beside it.
//
//     ┄ state │──────── parent ────────┬ c ┬───── g, lower 31 bits ─────┐     c: closed (expanded, not
//     re-opened)
//
// A state that comes up again is compared, and then its g is read: in the same row, that is one cache miss.
// Path costs may need 63 bits; the upper 32 are in rows of their own, which exist only from the first cost
// that needs them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rows.hpp"
#include "words.hpp"

namespace unpuzzle {

struct NodeRow {
    StateId parent;
    std::uint32_t closed_and_low;
};

// `Pool` has a `NodeRow` beside each state.
template <class Pool>
class Nodes : public Pool {
  public:
    template <class... Arguments>
    explicit Nodes(Budget& budget, Arguments&&... arguments)
        : Pool(budget, arguments..., sizeof(NodeRow)), budget_(budget) {}

    // Opens the node.
    void set(StateId id, StateId parent, Cost g) {
        this->set_beside(id, NodeRow{parent, static_cast<std::uint32_t>(g & LOW)});
        const auto high = static_cast<std::uint32_t>(g >> LOW_BITS);
        if (high != 0 && !high_) high_.emplace(budget_);
        if (!high_) return;
        if (high_->size() < this->size()) high_->extend(this->size());
        *(*high_)[id] = high;
    }
    StateId parent(StateId id) const { return row(id).parent; }
    Cost g(StateId id) const {
        const Cost low = row(id).closed_and_low & LOW;
        return high_ && id < high_->size() ? low | Cost{*(*high_)[id]} << LOW_BITS : low;
    }
    bool closed(StateId id) const { return (row(id).closed_and_low & CLOSED) != 0; }
    void close(StateId id) {
        NodeRow closed = row(id);
        closed.closed_and_low |= CLOSED;
        this->set_beside(id, closed);
    }
    // The states on the way from the initial one, which is 0, to this one.
    std::vector<StateId> way(StateId id) const {
        std::vector<StateId> ids{id};
        while (ids.back() != 0) ids.push_back(parent(ids.back()));
        std::reverse(ids.begin(), ids.end());
        return ids;
    }

  private:
    static constexpr int LOW_BITS = 31;
    static constexpr std::uint32_t CLOSED = 0x80000000u, LOW = 0x7FFFFFFFu;

    NodeRow row(StateId id) const { return this->template beside<NodeRow>(id); }

    Budget& budget_;
    std::optional<Rows<std::uint32_t, 1>> high_;
};

}  // namespace unpuzzle
