// The goal count: the number of facts of the goal that are false. Folklore; the name is Fast Downward's.
//
// Neither admissible nor consistent (one operator may reach two facts, at any cost). Supports everything.
#include "heuristics/heuristic.hpp"

namespace unpuzzle {

namespace {

class GoalCount : public Heuristic {
  public:
    explicit GoalCount(const CompiledTask& compiled) : compiled_(compiled), derived_(compiled) {}
    Cost estimate(const EvaluationContext& context) override {
        const StateView state = compiled_.features.derived_goal ? derived_.add_to(context.state) : context.state;
        const auto& goal = compiled_.task.goal;
        return static_cast<Cost>(std::ranges::count_if(goal, [&](const Fact& fact) { return !state.holds(fact); }));
    }

  private:
    const CompiledTask& compiled_;
    DerivedVariables derived_;
};

}  // namespace

std::unique_ptr<Heuristic> make_goalcount(const HeuristicContext& context) {
    return std::make_unique<GoalCount>(context.compiled);
}

}  // namespace unpuzzle
