// h^add (Bonet and Geffner 2001): the cost of the goal in the delete relaxation, where a conjunction costs the sum of
// its members, as if no operator helped with two of them.
//
// Neither admissible nor consistent; its dead ends are true ones. Supports conditional effects and axioms.
#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

std::unique_ptr<Heuristic> make_hadd(const HeuristicContext& context) {
    return std::make_unique<RelaxedGoalValue<Combine::sum>>(context);
}

}  // namespace unpuzzle
