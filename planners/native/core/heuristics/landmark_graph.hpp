// Landmarks: facts that every plan makes true at some time (Porteous, Sebastia and Hoffmann 2001), and their orders.
//
// They are found on the delete relaxation, whose landmarks are landmarks of the task. The landmarks of a proposition
// are itself and the landmarks that all rules that make it true have in common; a rule has the landmarks of its
// preconditions:
//
//     LM(p) = {p} if p is true, else {p} ∪ ⋂ { ⋃ LM(q), q a precondition of r }, r a rule that makes p true
//
// whose largest solution is found by iteration (Zhu and Givan 2003; Keyder, Richter and Helmert 2010). Only
// propositions of one relaxed plan are considered as landmarks, since no others are necessary; so the sets are short,
// and the work is small even for large tasks. If it is not, the goals are the landmarks.
//
// Orders:
// - natural: A is a landmark of B, so it was true before.
// - greedy-necessary: A is a precondition of whatever makes B true for the first time. So as long as B was
//   not reached, A will be needed (again).
// - reasonable (Hoffmann, Porteous and Sebastia 2004; Richter and Westphal 2010): whoever makes B true before
//   A must destroy B to get A, and B is needed at the same time as A, or later. A guess, unlike the others.
#pragma once

#include "base/bits.hpp"
#include "heuristics/relaxed_task.hpp"

namespace unpuzzle {

struct LandmarkGraph {
    LandmarkGraph(const RelaxedTask& relaxed, const CompiledTask& compiled, Control& control, const Budget& budget);

    std::size_t size() const { return propositions.size(); }

    Vector<std::uint32_t> propositions;    // by landmark
    Vector<std::uint32_t> of_proposition;  // by proposition; RelaxedTask::NONE: it is no landmark
    Vector<std::uint32_t> costs;           // by landmark: of the cheapest rule that makes it true first
    Vector<bool> is_goal;                  // by landmark
    BitRows before;                        // by landmark: those that come first, in any of the orders
    BitRows needed_for;                    // by landmark: those that it is greedy-necessary for

  private:
    class Finder;
    class Orderer;
};

}  // namespace unpuzzle
