// Finds applicable operators by a decision tree over the preconditions.
//
//                     switch v7                      Each node ends in `next`, the operators that
//                 0 ╱   1 │   2 ╲    next            its question does not concern; a child's operators
//                                                    all passed the question.
//          guard v2=4    [o3]   switch v1 ───► filter o2, o5, o9
//               │                0╱   ╲2
//            [o1 o8]           [o4]   [o6]
//
// Five kinds of node: `apply` (operators with nothing left to test), `guard` (some facts as word tests, then
// one child), `table` (a switch that is indexed by the value), `search` (a switch over few of very many
// values), `filter` (operators one by one, each a masked comparison, without a branch until all are done).
//
// It is built from the top. The first variable is the one that rules out most operators, if all values are equally
// likely; its switch has the values that are required at least a quarter as often as the most frequent one, and the
// operators of other values wait for a later question. (With all its values a cell of the 15-puzzle, wanted 60 times as
// blank and 4 times with each tile, would put four operators behind every value.) If a question would concern at most
// four operators, the rest become a filter: branches that are hard to predict cost more than the comparisons (1.5 times
// as fast on tiles). Facts that all operators of a node require become one guard.
//
// Then parts of the tree with few operators are replaced if that is faster (see successor_sets.cpp): by a set of
// operators for each value of each group of bits of the state; operators in all of them are applicable.
//
//     state   │ 0110 │ 1011 │ ...        {o1 o3 o8} & {o1 o2 o8 o9} & ... = {o1 o8}       64 operators a word
//
// Building and walking use no recursion: the input determines the depth of the tree.
#pragma once

#include <algorithm>
#include <bit>

#include "state/layout.hpp"

namespace unpuzzle {

class SuccessorGenerator;

// The operators that are applicable in a state, found by a generator; the memory serves one state after another.
class ApplicableOperators {
  public:
    const OperatorId* begin() const { return ids_.data(); }
    const OperatorId* end() const { return ids_.data() + count_; }
    std::size_t size() const { return count_; }
    template <class Wanted>
    void keep_if(Wanted&& wanted) {
        std::size_t kept = 0;
        for (const OperatorId op : *this)
            if (wanted(op)) ids_[kept++] = op;
        count_ = kept;
    }

  private:
    friend SuccessorGenerator;

    // The end, with room for some more.
    OperatorId* room(std::size_t more) {
        if (ids_.size() - count_ < more) ids_.resize(2 * (count_ + more));
        return ids_.data() + count_;
    }
    void end_at(const OperatorId* end) { count_ = static_cast<std::size_t>(end - ids_.data()); }
    void add(OperatorId op) {
        *room(1) = op;
        ++count_;
    }

    Vector<OperatorId> ids_;  // the first `count_` of them count
    std::size_t count_ = 0;
    Vector<std::uint32_t> stack_;  // nodes of the tree that are left to see
};

class SuccessorGenerator {
  public:
    SuccessorGenerator(const Task& task, const Layout& layout, Control& control);

    // Finds the operators that are applicable in a state, in an order that only the task decides.
    void find(const Word* state, ApplicableOperators& found) const;

  private:
    class Builder;
    class Sets;
    void use_sets(const Task& task, const Layout& layout, Control& control);  // successor_sets.cpp

    // A reference to a node: NONE, a node's number, or with the top bit set a single operator.
    using Ref = std::uint32_t;
    static constexpr Ref NONE = 0x7FFFFFFFu, SINGLE = 0x80000000u;

    enum class Kind : std::uint32_t { apply, guard, table, search, filter, sets };
    struct Node {
        Kind kind;
        Ref next = NONE;
        std::uint32_t word = 0, shift = 0, mask = 0;  // table, search: the variable; guard: mask is the child
        std::uint32_t first = 0, count = 0;  // a range of refs_ (operators or children), of tests_ or of candidates_
        std::uint32_t keys = 0;              // search: in keys_; sets: in chunks_, of which there are `shift`
    };

    struct Candidate {  // filter: an operator with the facts of one word, and the rest of its facts in tests_
        Word mask, value;
        std::uint32_t word;
        OperatorId op;
        std::uint32_t more, more_count;
    };

    struct Chunk {  // sets: some bits of a word, and where the sets of their values begin
        std::uint32_t word, shift, mask, first;
    };
    static constexpr std::uint32_t SET = 64, MOST_SETS = 4;  // operators of a word; words of a set

    OperatorId* filter(const Node& node, const Word* state, OperatorId* end) const;
    OperatorId* in_all_sets(const Node& node, const Word* state, OperatorId* end) const;
    template <std::uint32_t SIZE>
    OperatorId* in_all_sets(const Node& node, const Word* state, OperatorId* end) const;

    Vector<Node> nodes_;
    Vector<std::uint32_t> refs_;
    Vector<std::uint32_t> keys_;  // search: the values, ascending
    Vector<Test> tests_;
    Vector<Candidate> candidates_;
    Vector<Chunk> chunks_;
    Vector<std::uint64_t> sets_;
    Ref root_ = NONE;
    std::size_t depth_ = 0;
};

}  // namespace unpuzzle
