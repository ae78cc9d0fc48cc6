// The blind heuristic: 0 at goals, elsewhere the cost of the cheapest operator. With it, A* is the algorithm of
// Dijkstra (1959).
//
// Admissible and consistent. Supports everything.
#include "heuristics/heuristic.hpp"

namespace unpuzzle {

namespace {

class Blind : public Heuristic {
  public:
    explicit Blind(const CompiledTask& compiled) : goal_(compiled), cost_(compiled.features.least_cost) {}
    Cost estimate(const EvaluationContext& context) override { return goal_.holds(context.state) ? 0 : cost_; }
    bool batches() const override { return true; }
    bool blind() const override { return true; }

  private:
    GoalTest goal_;
    Cost cost_;
};

}  // namespace

std::unique_ptr<Heuristic> make_blind(const HeuristicContext& context) {
    return std::make_unique<Blind>(context.compiled);
}

}  // namespace unpuzzle
