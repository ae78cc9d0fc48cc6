// h^max (Bonet and Geffner 2001): the cost of the goal in the delete relaxation, where a conjunction costs as much as
// its most expensive member.
//
// Admissible and consistent. Supports conditional effects and axioms, as relaxed_task.hpp says.
#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

std::unique_ptr<Heuristic> make_hmax(const HeuristicContext& context) {
    return std::make_unique<RelaxedGoalValue<Combine::greatest>>(context);
}

}  // namespace unpuzzle
