// Pruning: the applicable operators that a search may skip in a state.
//
// To add a method: a class derived from `Pruning` in a separate file, whose head proves that the kept operators are
// enough, and a line in the table of resumable_search.cpp. Only searches for which the table of algorithms there allows
// it may prune:
//
//     algorithm       pruning      because
//     astar           yes          the proof asks for no more than this: if there is a plan from a state, one of those
//                                  with the least cost, and among them the fewest operators, begins with an operator
//                                  that is kept. So some cheapest way to a goal is there from every state; re-opening
//                                  finds it with every admissible heuristic, weights keep their bound, and where
//                                  nothing is left to expand there is no plan.
//     bfs             yes          the same with all costs equal, which a method must not ask for
//     idastar         yes          what it leaves out besides is not on such a way: a state that was entered in this
//                                  round at no larger g has been searched, or is on the path, and then the rest of the
//                                  way is not the shortest
//     bidirectional   no           the other half of the search goes backwards
//     gbfs lazywastar no           preferred operators, novelty and bounds have not been looked at
//     bfws
//     symmetries      no           the operators that are kept in a state and in its representative may differ; but those
//                                  that symmetric_operators.cpp leaves out are only left out with symmetries
//
// State spaces, families and walks of patterns count or sample all successors, so they do not prune either.
#pragma once

#include "state/successors.hpp"

namespace unpuzzle {

class Pruning {
  public:
    virtual ~Pruning() = default;
    // Leaves of the operators that are applicable in an extended state those that a search needs, in their order.
    virtual void prune(const Word* state, ApplicableOperators& applicable) = 0;
    // Whether it has left out much of what it saw.
    virtual bool pays() const = 0;
};

}  // namespace unpuzzle
