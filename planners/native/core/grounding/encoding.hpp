// From propositional facts to finite-domain variables: the last step.
//
//     pruning → mutex groups → pruning → choice of variables → operators and axioms over (variable, value)
//
// Groups are chosen greedily, the one that covers most facts first. A fact that some condition tests for falsehood (and
// whose falsehood no other literal of that condition implies) keeps its own variable, since a value can only be tested
// for equality. Facts outside all groups get a variable of two values.
#pragma once

#include "grounding/mutexes.hpp"

namespace unpuzzle::ground {

// The finite-domain task in the arrays of FDRTask.buffers(), and the meaning of its numbers.
struct Grounded : Buffers {
    bool goal_possible = true;  // false: no state that can be reached is a goal, and there is nothing else

    // Names: for each operator its action and arguments, for each value of each variable its fact (predicate and
    // objects, or -1 and a number for a fact that stands for a disjunction; nothing for "none of the others").
    Rows<std::int32_t> action_names, value_names;

    // The arrays of the task; those that only the task needs are handed over, and empty afterwards.
    Buffers release_buffers();
};

// The assumptions of the finite-domain task, which decide whether it is correct for another start or goal, too.
//
// A state in which only `possible` literals are true, and which has at most (exactly) one fact of each (exact) group,
// has only such successors, so for it the encoded task means the same as the whole task.
struct Basis {
    static constexpr std::uint32_t UNPLACED = ~0u;
    static constexpr std::int64_t NO_NONE = -1;

    Possible possible{0};
    std::vector<MutexGroup> groups;
    Vector<Fact> place;         // of each fact in use, the variable and the value that make it true
    Vector<std::int64_t> none;  // of each variable, the value "none of these", or NO_NONE

    bool placed(std::size_t fact) const { return place[fact].variable != UNPLACED; }
    // The values of the variables in one of the starts.
    std::vector<std::int32_t> initial(const Starts& starts, std::size_t start) const;
};

// Where the goal is certainly out of reach: a task without operators that says so.
Basis encode(GroundTask& task, Reachability& names, Grounded& result, Control& control);

}  // namespace unpuzzle::ground
