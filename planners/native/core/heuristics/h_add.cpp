// h^add (Bonet and Geffner 2001): the cost of the goal in the delete relaxation, where a conjunction costs
// the sum of its members, as if nothing served two of them.
//
// Neither admissible nor consistent; what it calls a dead end is one. Supports conditional effects, and
// axioms (as rules of cost 0; that a derived variable is false counts as always true).
#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

namespace {

class HAdd : public Heuristic {
  public:
    explicit HAdd(const HeuristicContext& context)
        : relaxed_(context.compiled, context.control), values_(relaxed_, context.control) {
        if (context.plus_one) relaxed_.count_steps(context.compiled.features.same_costs);
    }
    Cost estimate(const EvaluationContext& context) override {
        return relaxed_.solvable ? values_.run(context.state) : DEAD_END;
    }

  private:
    static_assert(RelaxedValues<Combine::sum>::INFINITE == DEAD_END);

    RelaxedTask relaxed_;
    RelaxedValues<Combine::sum> values_;
};

}  // namespace

std::unique_ptr<Heuristic> make_hadd(const HeuristicContext& context) { return std::make_unique<HAdd>(context); }

}  // namespace unpuzzle
