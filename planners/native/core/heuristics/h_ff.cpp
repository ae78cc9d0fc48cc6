// h^FF (Hoffmann and Nebel 2001): the cost of one relaxed plan, which is built backwards from the goal
// out of the rules by which h^add reaches each proposition (Keyder and Geffner 2008). An operator counts
// once, however many of its conditional effects are used.
//
// Neither admissible nor consistent; its dead ends are true ones. Supports conditional effects and axioms. The relaxed
// plan's operators that may be applicable at once are preferred ("helpful actions"): all their preconditions are true,
// or follow by axioms. (In searches that prefer, steps count, so only that has the value 0.)
#include "base/marks.hpp"
#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

namespace {

class HFF : public Heuristic {
  public:
    explicit HFF(const HeuristicContext& context)
        : relaxed_(RelaxedTask::counting_steps(context)), values_(relaxed_, context.control) {}
    Cost estimate(const EvaluationContext& context) override {
        for (Marks* marks : {&seen_, &used_, &preferred_}) marks->forget();
        if (!relaxed_.solvable || values_.run(context.state) == values_.INFINITE) return DEAD_END;
        return find_plan();
    }
    bool prefers(OperatorId op) const override {
        const std::uint32_t group = relaxed_.group_of_operator[op];
        return group != RelaxedTask::NONE && preferred_.has(group);
    }

    std::span<const OperatorId> relaxed_plan() override {
        std::ranges::sort(plan_);
        operators_.clear();
        for (const auto& [value, op] : plan_) operators_.push_back(op);
        return operators_;
    }

  private:
    Cost find_plan() {
        Cost cost = 0;
        plan_.clear();
        stack_.assign(1, RelaxedTask::GOAL);
        while (!stack_.empty()) {
            const std::uint32_t proposition = take_last(stack_), rule = values_.achiever(proposition);
            if (rule == RelaxedTask::NONE) continue;
            const std::uint32_t group = relaxed_.group[rule];
            if (used_.mark(group)) {
                cost += relaxed_.costs[rule];
                if (relaxed_.operator_of_group[group] != RelaxedTask::NONE)
                    plan_.emplace_back(values_.value(proposition), relaxed_.operator_of_group[group]);
            }
            bool at_once = true;
            for (const std::uint32_t precondition : relaxed_.preconditions[rule]) {
                at_once = at_once && values_.value(precondition) == 0;
                if (seen_.mark(precondition)) stack_.push_back(precondition);
            }
            if (at_once) preferred_.mark(group);
        }
        return cost;
    }

    RelaxedTask relaxed_;
    RelaxedValues<Combine::sum> values_;
    Marks seen_{relaxed_.propositions()}, used_{relaxed_.groups()}, preferred_{relaxed_.groups()};
    Vector<std::uint32_t> stack_;
    Vector<std::pair<Cost, OperatorId>> plan_;  // with the value of what each makes true
    Vector<OperatorId> operators_;
};

}  // namespace

std::unique_ptr<Heuristic> make_ff(const HeuristicContext& context) { return std::make_unique<HFF>(context); }

}  // namespace unpuzzle
