// Grounding: a lifted task in, a finite-domain task out. The same result as grounding.py, its slow twin, to
// the order of every list.
//
//     input          arrays → schemas, checked             instantiate   ground operators and axioms
//     bodies, joins  what a condition needs, found fast    pruning       the impossible and the irrelevant
//     reach          facts and instances, to the fixpoint  events, mutexes, encoding   finite-domain
//     variables
#pragma once

#include <memory>
#include <string>

#include "ground_encoding.hpp"
#include "ground_instantiate.hpp"

namespace unpuzzle::ground {

struct Report {
    Status status = Status::solved;  // or timeout, memout, interrupted
    Progress progress;               // where it was when a limit struck
    Int largest = -1;                // the action with the most instances then, and how many
    std::size_t instances = 0;
    std::size_t facts = 0;  // reached
    std::unique_ptr<Grounded> grounded;
    std::unique_ptr<LargeCost> large_cost;
};

Report ground(const Arrays& arrays, std::size_t bytes, Control& control);

}  // namespace unpuzzle::ground
