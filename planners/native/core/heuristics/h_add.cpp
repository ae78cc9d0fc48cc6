// h^add (Bonet and Geffner 2001): the cost of the goal in the delete relaxation, where a conjunction costs
// the sum of its members, as if nothing served two of them.
//
// Neither admissible nor consistent; what it calls a dead end is one. Supports conditional effects and axioms.
#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

std::unique_ptr<Heuristic> make_hadd(const HeuristicContext& context) {
    return std::make_unique<RelaxedGoalValue<Combine::sum>>(context);
}

}  // namespace unpuzzle
