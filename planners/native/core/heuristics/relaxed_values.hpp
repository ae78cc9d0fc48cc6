// The cost of each proposition in the delete relaxation, from one state: h^max or h^add.
//
// A generalisation of Dijkstra's algorithm (Knuth 1977): a rule fires when its last precondition is taken out
// of the queue, at its cost plus the greatest (h^max) or the sum (h^add) of its preconditions' values. It
// ends when the goal comes out.
#pragma once

#include "base/bucket_queue.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_task.hpp"

namespace unpuzzle {

enum class Combine { greatest, sum };

template <Combine HOW>
class RelaxedValues {
  public:
    using Value = std::uint64_t;
    static constexpr Value INFINITE = ~Value{0};

    RelaxedValues(const RelaxedTask& relaxed, Control& control)
        : relaxed_(relaxed),
          control_(control),
          fresh_(relaxed.rules()),
          rules_(fresh_),
          propositions_(relaxed.propositions()) {
        for (std::size_t i = 0; i < fresh_.size(); ++i)
            fresh_[i] = {0, static_cast<std::uint32_t>(relaxed.preconditions[i].size())};
    }

    // The goal's value; INFINITE: it is out of reach.
    Value run(StateView state) {
        control_.work(relaxed_.rules() + relaxed_.propositions());
        std::copy(fresh_.begin(), fresh_.end(), rules_.begin());
        propositions_.assign(relaxed_.propositions(), {INFINITE, RelaxedTask::NONE});
        queue_.clear();
        relaxed_.visit(state, [&](std::uint32_t proposition) { improve(proposition, 0, RelaxedTask::NONE); });
        Value value;
        std::uint32_t proposition;
        for (std::size_t pieces = 0; queue_.pop(value, proposition); ++pieces) {
            if (pieces >= PIECES) {
                control_.work(pieces);
                pieces = 0;
            }
            if (value > propositions_[proposition].value) continue;
            if (proposition == RelaxedTask::GOAL) return value;
            const auto rules = relaxed_.needed_by[proposition];
            for (const std::uint32_t rule : rules) take(rule, value);
            pieces += rules.size();
        }
        return INFINITE;
    }
    // The rule that gave a proposition its value; NONE: it is true in the state. Only of what the goal hangs on.
    std::uint32_t achiever(std::uint32_t proposition) const { return propositions_[proposition].achiever; }
    // Also only of what the goal hangs on.
    Value value(std::uint32_t proposition) const { return propositions_[proposition].value; }

  private:
    static constexpr Value MOST = Value{1} << 60;  // sums stop growing here
    static constexpr std::size_t PIECES = 1024;    // of work between two ticks

    struct Rule {
        Value value = 0;
        std::uint32_t waiting = 0;
    };
    struct Proposition {
        Value value;
        std::uint32_t achiever;
    };

    void improve(std::uint32_t proposition, Value value, std::uint32_t achiever) {
        Proposition& about = propositions_[proposition];
        if (value >= about.value) return;
        about = {value, achiever};
        queue_.push(value, proposition);
    }
    void take(std::uint32_t number, Value value) {
        Rule& rule = rules_[number];
        rule.value = HOW == Combine::greatest ? value : std::min(MOST, rule.value + value);
        if (--rule.waiting > 0) return;
        const Value after = std::min(MOST, rule.value + relaxed_.costs[number]);
        const auto effects = relaxed_.effects[number];
        for (const std::uint32_t effect : effects) improve(effect, after, number);
    }

    const RelaxedTask& relaxed_;
    Control& control_;
    Vector<Rule> fresh_, rules_;
    Vector<Proposition> propositions_;
    BucketQueue<Value> queue_;
};

// The value of the goal, as a heuristic. Admissible ones do not count steps.
template <Combine HOW>
class RelaxedGoalValue : public Heuristic {
  public:
    explicit RelaxedGoalValue(const HeuristicContext& context)
        : relaxed_(HOW == Combine::sum ? RelaxedTask::counting_steps(context)
                                       : RelaxedTask(context.compiled, context.control)),
          values_(relaxed_, context.control) {}
    Cost estimate(const EvaluationContext& context) override {
        return relaxed_.solvable ? values_.run(context.state) : DEAD_END;
    }

  private:
    static_assert(RelaxedValues<HOW>::INFINITE == DEAD_END);

    RelaxedTask relaxed_;
    RelaxedValues<HOW> values_;
};

}  // namespace unpuzzle
