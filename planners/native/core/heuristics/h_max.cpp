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
    explicit HMax(const HeuristicContext& setting)
        : relaxed_(setting.compiled, setting.control), values_(relaxed_, setting.control) {}
    Cost estimate(const EvaluationContext& question) override {
        return relaxed_.solvable ? values_.run(question.state) : DEAD_END;
    }
    bool admissible() const override { return true; }

  private:
    static_assert(RelaxedValues<Combine::greatest>::INFINITE == DEAD_END);

    RelaxedTask relaxed_;
    RelaxedValues<Combine::greatest> values_;
};

}  // namespace

std::unique_ptr<Heuristic> h_max(const HeuristicContext& setting) { return std::make_unique<HMax>(setting); }

}  // namespace unpuzzle
