// Which operators are applicable: a decision tree over the preconditions.
//
//                     switch v7                      Each node ends in `next`, the operators that its
//                     question does
//                 0 ╱   1 │   2 ╲    next            not concern; a child's operators all passed the
//                 question.
//          guard v2=4    [o3]   switch v1 ───► guard v5=1 ───► (none)
//               │                0╱   ╲2            │
//            [o1 o8]           [o4]   [o6]        [o2]
//
// Four kinds of node: `apply` (operators with nothing left to test), `guard` (some facts as word tests, then
// one child), `table` (a switch that is indexed by the value) and `search` (a switch over few of very many
// values).
//
// Built from the top: the fact that most of the remaining operators want is asked first, in one switch with
// the other values of its variable that are wanted by at least a quarter as many; the rest of the operators
// go on to `next`. (Always switching on all values of the most-tested variable is worse where a variable is
// often wanted at one value and rarely at others: cells of the 15-puzzle, "blank" 60 times and each tile 4
// times.) Facts that all operators of a node share become one guard, so single operators end in one masked
// comparison a word. Building and walking use no recursion: the depth of the tree is the input's to choose.
#pragma once

#include <algorithm>
#include <vector>

#include "layout.hpp"

namespace unpuzzle {

class Successors {
  public:
    Successors(const Task& task, const Layout& layout, Control& control);

    // Calls `emit(operator)` for each applicable operator, in an order that only the task decides. `stack` is
    // scratch memory of `depth()` numbers. A true answer of `emit` ends the walk.
    template <class Emit>
    void visit(const Word* state, std::uint32_t* stack, Emit&& emit) const;
    std::size_t depth() const { return depth_; }
    std::size_t bytes() const;

  private:
    class Builder;

    // A reference to a node: NONE, a node's number, or with the top bit set a single operator.
    using Ref = std::uint32_t;
    static constexpr Ref NONE = 0x7FFFFFFFu, SINGLE = 0x80000000u;

    enum class Kind : std::uint32_t { apply, guard, table, search };
    struct Node {
        Kind kind;
        Ref next = NONE;
        std::uint32_t word = 0, shift = 0, mask = 0;  // table, search: the variable; guard: mask is the child
        std::uint32_t first = 0, count = 0,
                      keys = 0;  // a range of refs_ (operators or children), or of tests_
    };

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> refs_;
    std::vector<std::uint32_t> keys_;  // search: the values, ascending
    std::vector<Test> tests_;
    Ref root_ = NONE;
    std::size_t depth_ = 0;
};

template <class Emit>
void Successors::visit(const Word* state, std::uint32_t* stack, Emit&& emit) const {
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
                const std::uint32_t value =
                    static_cast<std::uint32_t>(state[node.word] >> node.shift) & node.mask;
                if (value < node.count) child = refs_[node.first + value];
            } else if (node.kind == Kind::guard) {
                child = node.mask;
                for (std::uint32_t i = 0; i < node.count; ++i) {
                    if (!tests_[node.first + i].holds(state)) child = NONE;
                }
            } else if (node.kind == Kind::apply) {
                for (std::uint32_t i = 0; i < node.count; ++i) emit(refs_[node.first + i]);
            } else {
                const std::uint32_t value =
                    static_cast<std::uint32_t>(state[node.word] >> node.shift) & node.mask;
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
