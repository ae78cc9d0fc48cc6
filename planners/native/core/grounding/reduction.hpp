// What groups of mutually exclusive facts tell of operators, axioms and the goal.
//
//     group {at t1 c1, at t1 c2, at t1 c3}      (at t1 c1) and (at t1 c2): never both, so it is dropped
//                                               (at t1 c1) and not (at t1 c3): the second goes without saying
#pragma once

#include "grounding/mutexes.hpp"

namespace unpuzzle::ground {

// Drops what the groups exclude and the literals that they imply; tells whether anything was excluded.
bool reduce_by(const std::vector<MutexGroup>& groups, GroundTask& task, Control& control);

}  // namespace unpuzzle::ground
