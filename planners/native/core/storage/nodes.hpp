// What A* knows about each state, in the state's own row: two to eight bytes beside it.
//
//     ┄ state │ c ┬─── g, lower bits ───┬───── link ─────│     c: closed (expanded, not re-opened)
//
// A state that comes up again is compared, and then its g is read: in the same row, that is one cache miss. The link
// leads back: it is the parent's number or, if operators can be undone, the number of the operator. The number of bits
// of g depends on the costs of operators: at least seven if they cost at most 1, up to 31 if they are expensive. Path
// costs may need 63; the upper bits are in separate rows, which exist only from the first cost that needs them.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "base/growing_array.hpp"

namespace unpuzzle {

// The layout of the data of a node; at first with the widest fields.
struct NodeBits {
    std::size_t bytes = sizeof(Word);
    int g = 31;

    // `dearest`: the most that an operator costs. `links`: how many different ones there are; 0: numbers of states.
    NodeBits(std::uint32_t dearest, std::size_t links) {
        if (std::endian::native != std::endian::little) return;
        const int link = links == 0 ? 32 : std::bit_width(links - 1);
        const int least = 1 + (dearest <= 1 ? 7 : dearest <= 255 ? 15 : 31) + link;
        bytes = static_cast<std::size_t>(least + 7) / 8;
        g = std::min(static_cast<int>(8 * bytes) - 1 - link, 31);
    }
};

// `Pool` has a word, or the first bytes of one, beside each state.
template <class Pool>
class Nodes : public Pool {
  public:
    Nodes(Budget& budget, const StateSize& size, std::uint32_t dearest, std::size_t links = 0)
        : Nodes(budget, size, NodeBits(dearest, links)) {}

    using Pool::append;
    // Opens a new node.
    void append(const Word* state, std::uint32_t link, Cost g) {
        Pool::append(state, open(link, g));
        set_high(static_cast<StateId>(this->size() - 1), g);
    }
    // Opens the node again.
    void set(StateId id, std::uint32_t link, Cost g) {
        this->set_beside(id, open(link, g), mask_);
        set_high(id, g);
    }
    std::uint32_t link(StateId id) const {
        return static_cast<std::uint32_t>((this->beside(id) & mask_) >> (1 + bits_.g));
    }
    Cost g(StateId id) const {
        const Cost low = this->beside(id) >> 1 & low_;
        return high_ && id < high_->size() ? low | *(*high_)[id] << bits_.g : low;
    }
    bool closed(StateId id) const { return (this->beside(id) & CLOSED) != 0; }
    void close(StateId id) { this->set_beside(id, CLOSED, CLOSED); }
    // The states on the way from the initial one, which is 0, to this one, where links are parents.
    std::vector<StateId> way(StateId id) const {
        std::vector<StateId> ids{id};
        while (ids.back() != 0) ids.push_back(link(ids.back()));
        std::ranges::reverse(ids);
        return ids;
    }

  private:
    static constexpr Word CLOSED = 1;

    Nodes(Budget& budget, const StateSize& size, NodeBits bits)
        : Pool(budget, size, bits.bytes), budget_(budget), bits_(bits) {}

    Word open(std::uint32_t link, Cost g) const { return Word{link} << (1 + bits_.g) | (g & low_) << 1; }
    void set_high(StateId id, Cost g) {
        const Cost high = g >> bits_.g;
        if (high != 0 && !high_) high_.emplace(budget_);
        if (!high_) return;
        if (high_->size() < this->size()) high_->extend(this->size());
        *(*high_)[id] = high;
    }

    Budget& budget_;
    NodeBits bits_;
    Cost low_ = (Cost{1} << bits_.g) - 1;
    Word mask_ = ~Word{0} >> (sizeof(Word) - bits_.bytes) * 8;
    std::optional<GrowingArray<Cost, 1>> high_;
};

}  // namespace unpuzzle
