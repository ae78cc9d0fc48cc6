// Grounding: a lifted task in, a finite-domain task out.
//
//     input          arrays → schemas, checked
//     joins          the bindings that satisfy a condition, found fast
//     reach          facts and instances, to the fixpoint
//     instantiate    ground operators and axioms
//     pruning        the impossible and the irrelevant
//     events, mutexes, encoding   finite-domain variables
//     common         for several starts and goals: is it correct for others, too?
//
// Tests compare each ground task with the reference semantics in Python, step by step.
#pragma once

#include "grounding/common.hpp"

namespace unpuzzle::ground {

struct Request {
    Arrays arrays;
    // Only look which actions apply at all, and which goals can be reached: no task is made.
    bool instances_only = false;
    // For several starts and goals, which no goal of its own prunes; without it there is one start, one goal.
    bool common = false;
    bool any_goal = false;  // others may be asked for later: then relevance prunes nothing
    bool faithful = false;  // keep everything, so that states and transitions are those of the lifted task
};

struct Report {
    Status status = Status::solved;  // or timeout, memout, interrupted
    Progress progress;               // where it was when a limit struck
    Int largest = -1;                // the action with the most instances then, and how many
    std::size_t instances = 0;
    std::size_t facts = 0;         // reached
    std::vector<bool> applicable;  // of each action, whether it has operators
    std::vector<bool> goals;       // of each goal, whether something may make it true
    std::unique_ptr<Grounded> grounded;
    std::unique_ptr<Common> common;  // if it was asked for; it uses the control that `ground` was given
    std::unique_ptr<LargeCost> large_cost;
    std::vector<MissingCost> missing_costs;  // their instances were left out
};

Report ground(const Request& request, Budget& budget, Control& control);

}  // namespace unpuzzle::ground
