// Groups of facts of which at most one is ever true, found on the ground task.
//
// A set G is such a group if at most one of its facts is true at the start and every operator that adds a
// fact of G takes one away: some *balancer* in G is certainly true before (required by the precondition or by
// the effect's condition) and certainly deleted. Ground search for groups sees through conditional effects
// and quantifiers, where the usual synthesis over lifted schemas (Helmert 2009) gives up.
//
//     seed {at t1 c1}      operator slide(t1, c2, c1) adds (at t1 c1); balancers: (at t1 c2), (blank c1)
//       choose (at t1 c2)  → its adders want (at t1 c3), ...     → the tile's group: where is t1?
//       choose (blank c1)  → its adders want (at t2 c1), ...     → the cell's group: what is on c1?
//
// Each choice is remembered by its pattern (schema, predicates, which parameters), so that one decision settles all
// operators of a schema. Every fact that is true at the start is a seed, and every first choice makes a separate group.
// A group is *exact* if no operator deletes its true fact without adding another.
//
// A growing group is a trail: candidates are appended, and removed if they lead nowhere.
#pragma once

#include "grounding/pruning.hpp"
#include "grounding/reach.hpp"

namespace unpuzzle::ground {

struct MutexGroup {
    Vector<AtomId> facts;  // ascending
    bool exact;            // exactly one is true
};

std::vector<MutexGroup> find_groups(const GroundTask& task, Reachability& names, Control& control);

// Drops what the groups exclude and the literals that they imply; tells whether anything was excluded.
bool reduce_by(const std::vector<MutexGroup>& groups, GroundTask& task, Control& control);

}  // namespace unpuzzle::ground
