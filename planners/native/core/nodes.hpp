// What A* knows about each state, in the state's own row: five to eight bytes beside it.
//
//     ┄ state │──────── parent ────────┬ c ┬─── g, lower bits ───┐     c: closed (expanded, not re-opened)
//
// A state that comes up again is compared, and then its g is read: in the same row, that is one cache miss.
// How many bits of g are there hangs on how dear the operators are: seven where they cost 1 at most, 31 where
// they are dear. Path costs may need 63; the upper bits are in rows of their own, which exist only from the
// first cost that needs them.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "model.hpp"
#include "rows.hpp"

namespace unpuzzle {

struct NodeRow {
    StateId parent;
    std::uint32_t closed_and_low;  // the lowest bit is `closed`
};

// How many bytes of a `NodeRow` are worth keeping.
inline std::size_t bytes_of_nodes(const Model& model) {
    std::uint32_t dearest = 0;
    for (OperatorId op = 0; op < model.operators.count(); ++op)
        dearest = std::max(dearest, model.operators.cost(op));
    if (std::endian::native != std::endian::little || dearest > 255) return sizeof(NodeRow);
    return sizeof(StateId) + (dearest <= 1 ? 1 : 2);
}

// `Pool` has a `NodeRow`, or the first bytes of one, beside each state.
template <class Pool>
class Nodes : public Pool {
  public:
    explicit Nodes(Budget& budget) : Pool(budget, sizeof(NodeRow)), budget_(budget) {}
    Nodes(Budget& budget, const Model& model)
        : Pool(budget, model, bytes_of_nodes(model)), budget_(budget), bytes_(bytes_of_nodes(model)) {}

    // Opens the node.
    void set(StateId id, StateId parent, Cost g) {
        this->set_beside(id, NodeRow{parent, static_cast<std::uint32_t>(g & low_) << 1}, bytes_);
        const Cost high = g >> low_bits_;
        if (high != 0 && !high_) high_.emplace(budget_);
        if (!high_) return;
        if (high_->size() < this->size()) high_->extend(this->size());
        *(*high_)[id] = high;
    }
    StateId parent(StateId id) const { return row(id).parent; }
    Cost g(StateId id) const {
        const Cost low = row(id).closed_and_low >> 1 & low_;
        return high_ && id < high_->size() ? low | *(*high_)[id] << low_bits_ : low;
    }
    bool closed(StateId id) const { return (row(id).closed_and_low & CLOSED) != 0; }
    void close(StateId id) {
        NodeRow closed = row(id);
        closed.closed_and_low |= CLOSED;
        this->set_beside(id, closed, bytes_);
    }
    // The states on the way from the initial one, which is 0, to this one.
    std::vector<StateId> way(StateId id) const {
        std::vector<StateId> ids{id};
        while (ids.back() != 0) ids.push_back(parent(ids.back()));
        std::reverse(ids.begin(), ids.end());
        return ids;
    }

  private:
    static constexpr std::uint32_t CLOSED = 1;

    NodeRow row(StateId id) const { return this->template beside<NodeRow>(id); }

    Budget& budget_;
    std::size_t bytes_ = sizeof(NodeRow);
    int low_bits_ = static_cast<int>(8 * (bytes_ - sizeof(StateId))) - 1;
    Cost low_ = (Cost{1} << low_bits_) - 1;
    std::optional<Rows<Cost, 1>> high_;
};

}  // namespace unpuzzle
