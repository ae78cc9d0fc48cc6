// Which operators are applicable: a decision tree over the preconditions.
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
// Built from the top. The variable asked first is the one that rules out most operators, each value being as
// likely as any other; into its switch go the values that are wanted at least a quarter as often as the one
// wanted most, and the operators of the others wait for a later question. (With all its values a cell of the
// 15-puzzle, wanted 60 times as blank and 4 times with each tile, would put four operators behind every
// value.) Where a question would concern four operators at most, the rest become a filter: branches that are
// hard to predict cost more than the comparisons (1.5 times as fast on tiles). Facts that all operators of a
// node want become one guard.
//
// Then parts of the tree with few operators are replaced where that is faster (see successor_sets.cpp): a set
// of operators for each value of each group of bits of the state, and what is in all of them is applicable.
//
//     state   │ 0110 │ 1011 │ ...        {o1 o3 o8} & {o1 o2 o8 o9} & ... = {o1 o8}       64 operators a word
//
// Building and walking use no recursion: the depth of the tree is the input's to choose.
#pragma once

#include <algorithm>
#include <bit>

#include "state/layout.hpp"

namespace unpuzzle {

class SuccessorGenerator {
  public:
    SuccessorGenerator(const Task& task, const Layout& layout, Control& control);

    // Calls `emit(operator)` for each applicable operator, in an order that only the task decides. `stack` is
    // scratch memory of `depth()` numbers.
    template <class Emit>
    void visit(const Word* state, std::uint32_t* stack, Emit&& emit) const;
    std::size_t depth() const { return depth_; }

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

    template <class Emit>
    void filter(const Node& node, const Word* state, Emit&& emit) const;
    template <class Emit>
    void in_all_sets(const Node& node, const Word* state, Emit&& emit) const;
    template <std::uint32_t SIZE, class Emit>
    void in_all_sets(const Node& node, const Word* state, Emit&& emit) const;

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

template <class Emit>
void SuccessorGenerator::filter(const Node& node, const Word* state, Emit&& emit) const {
    const Candidate* candidates = &candidates_[node.first];
    for (std::uint32_t begin = 0; begin < node.count; begin += 64) {
        const std::uint32_t size = std::min<std::uint32_t>(node.count - begin, 64);
        std::uint64_t hits = 0;
        for (std::uint32_t i = 0; i < size; ++i) {
            const Candidate& it = candidates[begin + i];
            hits |= std::uint64_t{(state[it.word] & it.mask) == it.value} << i;
        }
        for (; hits != 0; hits &= hits - 1) {
            const Candidate& it = candidates[begin + static_cast<std::uint32_t>(std::countr_zero(hits))];
            if (all_hold({tests_.data() + it.more, it.more_count}, state)) emit(it.op);
        }
    }
}

template <class Emit>
void SuccessorGenerator::in_all_sets(const Node& node, const Word* state, Emit&& emit) const {
    switch ((node.count + SET - 1) / SET) {
        case 1:
            return in_all_sets<1>(node, state, emit);
        case 2:
            return in_all_sets<2>(node, state, emit);
        case 3:
            return in_all_sets<3>(node, state, emit);
        default:
            return in_all_sets<MOST_SETS>(node, state, emit);
    }
}

template <std::uint32_t SIZE, class Emit>
void SuccessorGenerator::in_all_sets(const Node& node, const Word* state, Emit&& emit) const {
    std::uint64_t hits[SIZE];
    std::fill_n(hits, SIZE, ~std::uint64_t{0});
    const Chunk* chunk = &chunks_[node.keys];
    for (const Chunk* const end = chunk + node.shift; chunk != end; ++chunk) {
        const auto value = static_cast<std::uint32_t>(state[chunk->word] >> chunk->shift) & chunk->mask;
        const std::uint64_t* set = &sets_[chunk->first + value * SIZE];
#pragma GCC unroll 4
        for (std::uint32_t i = 0; i < SIZE; ++i) hits[i] &= set[i];
    }
    const std::uint32_t* operators = &refs_[node.first];
    for (std::uint32_t i = 0; i < SIZE; ++i) {
        for (std::uint64_t left = hits[i]; left != 0; left &= left - 1)
            emit(operators[i * SET + static_cast<std::uint32_t>(std::countr_zero(left))]);
    }
}

template <class Emit>
void SuccessorGenerator::visit(const Word* state, std::uint32_t* stack, Emit&& emit) const {
    Ref at = root_;
    std::size_t waiting = 0;
    while (true) {
        Ref child = NONE, next = NONE;
        if (at & SINGLE) {
            emit(at & ~SINGLE);
        } else if (at != NONE) {
            const Node& node = nodes_[at];
            next = node.next;
            if (node.kind == Kind::table) {
                const std::uint32_t value = static_cast<std::uint32_t>(state[node.word] >> node.shift) & node.mask;
                if (value < node.count) child = refs_[node.first + value];
            } else if (node.kind == Kind::sets) {
                in_all_sets(node, state, emit);
            } else if (node.kind == Kind::filter) {
                filter(node, state, emit);
            } else if (node.kind == Kind::guard) {
                if (all_hold({tests_.data() + node.first, node.count}, state)) child = node.mask;
            } else if (node.kind == Kind::apply) {
                for (std::uint32_t i = 0; i < node.count; ++i) emit(refs_[node.first + i]);
            } else {
                const std::uint32_t value = static_cast<std::uint32_t>(state[node.word] >> node.shift) & node.mask;
                const auto begin = keys_.begin() + node.keys, end = begin + node.count;
                const auto found = std::lower_bound(begin, end, value);
                if (found != end && *found == value)
                    child = refs_[node.first + static_cast<std::uint32_t>(found - begin)];
            }
        }
        if (child == NONE) {
            at = next;
        } else if (child & SINGLE) {
            emit(child & ~SINGLE);
            at = next;
        } else {
            if (next != NONE) stack[waiting++] = next;
            at = child;
        }
        if (at == NONE) {
            if (waiting == 0) return;
            at = stack[--waiting];
        }
    }
}

}  // namespace unpuzzle
