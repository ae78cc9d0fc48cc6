// Groups of facts of which at most one is ever true: see mutexes.py for what makes a group and how they are
// found.
//
// Here a group that grows is a trail: what is tried is appended, and taken back if it leads nowhere, where
// the Python twin works on copies.
#pragma once

#include "ground_pruning.hpp"
#include "ground_reach.hpp"

namespace unpuzzle::ground {

struct MutexGroup {
    Vector<Fact> facts;  // ascending
    bool exact;          // exactly one is true
};

std::vector<MutexGroup> find_groups(const GroundTask& task, Reachability& names, Control& control);

// Drops what the groups exclude and the literals that they imply; tells whether anything was excluded.
bool reduce_by(const std::vector<MutexGroup>& groups, GroundTask& task, Control& control);

}  // namespace unpuzzle::ground
