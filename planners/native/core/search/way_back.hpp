// From a goal state back to the initial one, where a search kept nothing but the costs of states.
//
// Where operators can be undone, a state before is one that the table knows, at a cost that is less by what the
// operator costs. (Many operators are tried for each state, so that they are not undone one by one, but by masks.)
// Operators that cost nothing could lead round in a circle, so the way back through states of one cost is a
// breadth-first search.
#pragma once

#include <span>

#include "base/growing_array.hpp"
#include "search/search.hpp"
#include "state/expander.hpp"
#include "storage/compact_table.hpp"

namespace unpuzzle {

// It spoils the table: a state that was seen gets a cost at which it is not looked for again.
class WayBack {
  public:
    WayBack(SearchContext& run, CompactTable& table);

    // The states of a way from the initial state to this one, which costs so much.
    std::vector<Word> to(Word state, Cost cost);

  private:
    // An operator: a state that it leads to has the value `after` in the bits `asked`; the one before has `before`.
    struct Undoing {
        OperatorId op;
        Word asked, before, after;
    };
    // A state that may be before another one.
    struct Before {
        OperatorId op;
        Word state;
        std::uint64_t mixed;
    };
    // A state of the same cost as the last one of the way, and which of those before it in the list it leads to.
    struct Same {
        std::uint32_t to;
        PackedState state;
    };

    void add(OperatorId op);
    Cost step(Cost cost);
    std::span<const Before> before(Word state);
    bool leads(const Before& it, Cost cost);
    void append(const GrowingArray<Same, 1>& same, std::uint32_t last);

    const CompiledTask& compiled_;
    Control& control_;
    Budget& budget_;
    CompactTable& table_;
    Expander<1> expander_;
    Vector<Undoing> undoings_;
    Vector<Before> before_;
    std::vector<Word> way_;
};

}  // namespace unpuzzle
