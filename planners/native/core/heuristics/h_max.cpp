// h^max (Bonet and Geffner 2001): the cost of the goal in the delete relaxation, where a conjunction costs as
// much as its dearest member.
//
// Admissible and consistent. Supports conditional effects, and axioms (as rules of cost 0; that a derived
// variable is false counts as always true).
#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

namespace {

class HMax : public Heuristic {
  public:
    explicit HMax(const HeuristicContext& context)
        : relaxed_(context.compiled, context.control), values_(relaxed_, context.control) {}
    Cost estimate(const EvaluationContext& context) override {
        return relaxed_.solvable ? values_.run(context.state) : DEAD_END;
    }

  private:
    static_assert(RelaxedValues<Combine::greatest>::INFINITE == DEAD_END);

    RelaxedTask relaxed_;
    RelaxedValues<Combine::greatest> values_;
};

}  // namespace

std::unique_ptr<Heuristic> make_hmax(const HeuristicContext& context) { return std::make_unique<HMax>(context); }

}  // namespace unpuzzle
