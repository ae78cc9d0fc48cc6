// What A* knows about each state, beside the state itself: eight bytes, in one row.
//
//     ┌──────── parent ────────┬ c ┬───── g, lower 31 bits ─────┐     c: closed (expanded, and not re-opened)
//
// Path costs may need 63 bits; the upper 32 are in rows of their own, which exist only from the first cost
// that needs them.
#pragma once

#include <optional>

#include "rows.hpp"
#include "words.hpp"

namespace unpuzzle {

class Nodes {
  public:
    explicit Nodes(Budget& budget) : budget_(budget), rows_(budget) {}

    void append(StateId parent, Cost g) {
        const std::size_t id = rows_.size();
        rows_.append();
        set(static_cast<StateId>(id), parent, g);
    }
    // Opens the node.
    void set(StateId id, StateId parent, Cost g) {
        *rows_[id] = {parent, static_cast<std::uint32_t>(g & LOW)};
        const auto high = static_cast<std::uint32_t>(g >> LOW_BITS);
        if (high != 0 && !high_) high_.emplace(budget_);
        if (!high_) return;
        high_->extend(rows_.size());
        *(*high_)[id] = high;
    }
    StateId parent(StateId id) const { return rows_[id]->parent; }
    Cost g(StateId id) const {
        const Cost low = rows_[id]->closed_and_low & LOW;
        return high_ && id < high_->size() ? low | Cost{*(*high_)[id]} << LOW_BITS : low;
    }
    bool closed(StateId id) const { return (rows_[id]->closed_and_low & CLOSED) != 0; }
    void close(StateId id) { rows_[id]->closed_and_low |= CLOSED; }
    void fetch(StateId id) const { prefetch(rows_[id]); }

  private:
    static constexpr int LOW_BITS = 31;
    static constexpr std::uint32_t CLOSED = 0x80000000u, LOW = 0x7FFFFFFFu;

    struct Row {
        StateId parent;
        std::uint32_t closed_and_low;
    };

    Budget& budget_;
    Rows<Row, 1> rows_;
    std::optional<Rows<std::uint32_t, 1>> high_;
};

}  // namespace unpuzzle
