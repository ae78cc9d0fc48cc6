// The states of a pattern that matter, and what leads from one to the next, with the operators' names kept.
//
// A pattern database is built once and forgets who moved; cost partitioning solves the same small state space
// again and again under other costs, and asks of each operator what it needs. So here the *nodes* (abstract states
// that the initial state reaches and from which the goal can be reached) are written out with all *steps*
// between them, sorted by the node after the step, since distances are found from the goal backwards.
//
//     goal ◄── step ── node ◄── step ── node     node 0..goals-1 are goals; no variable is folded
#pragma once

#include "pdbs/projection.hpp"

namespace unpuzzle {

struct PatternGraph {
    using Node = std::uint32_t;
    static constexpr Node NOWHERE = ~0u;
    struct Step {
        Node before;
        std::uint32_t by;  // a place in `operators`
    };

    // Throws Projection::TooLarge, also where there would be more than `most_steps`; Stop, std::bad_alloc.
    PatternGraph(const Task& task, const Mutexes& mutexes, const Vector<std::uint32_t>& variables,
                 std::size_t most_steps, Control& control);

    std::size_t nodes() const { return rank_of.size(); }

    Vector<std::uint32_t> variables, strides;  // of the pattern, ascending, and what they add to a rank
    std::size_t abstract_states = 0;
    std::uint64_t work = 0;         // spent on making this, see PatternDatabase::work
    Vector<std::uint32_t> rank_of;  // by node
    std::size_t goals = 0;          // the first nodes
    Vector<std::size_t> begin;      // into `steps`, by the node after; and the end
    Vector<Step> steps;
    Vector<OperatorId> operators;  // of all steps, ascending
    Vector<bool> loops;            // by place in `operators`: perhaps changes nothing here
};

}  // namespace unpuzzle
