// The relevant states of a pattern, and the steps between them, each with its operator.
//
// A pattern database is built once and does not store operators; cost partitioning solves the same small state space
// again and again with other costs, and needs the share of each operator. So here the *nodes* (abstract states that the
// initial state reaches and from which the goal can be reached) are stored with all *steps* between them, sorted by the
// node after the step, since distances are found from the goal backwards.
//
//     goal ◄── step ── node ◄── step ── node     node 0..goals-1 are goals; no variable is folded
#pragma once

#include "base/rows.hpp"
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

    Vector<std::uint32_t> variables;  // of the pattern, ascending
    RankParts rank_parts;
    std::size_t abstract_states = 0;
    std::uint64_t work = 0;         // spent on making this, see PatternDatabase::work
    Vector<std::uint32_t> rank_of;  // by node
    std::size_t goals = 0;          // the first nodes
    Rows<Step> steps;               // by the node after
    Vector<OperatorId> operators;   // of all steps, ascending
    Vector<bool> loops;             // by place in `operators`: perhaps changes nothing here
};

}  // namespace unpuzzle
