// The landmark count (Richter and Westphal 2010): the cost of the landmarks that the path to a state has not reached
// yet, or that will be needed again.
//
//     reached    1 1 1 0 0 ...     by state; a landmark is reached when it is true and all before it were reached
//     true now   1 0 1 0 0
//     open         ^   ^ ^         not reached, or not true and either a goal or greedy-necessary for one not reached
//
// It depends on the path; if two paths lead to a state, only landmarks reached on both count, and a state without a
// number counts as an initial one. Neither admissible nor consistent; 0 at goals and perhaps elsewhere, and no state is
// reported as a dead end. Supports what the delete relaxation does: conditional effects, and axioms. Operators are
// preferred that may reach a landmark all of whose predecessors were reached.
#include <algorithm>

#include "base/growing_array.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/landmark_graph.hpp"

namespace unpuzzle {

namespace {

class LandmarkCount : public Heuristic {
  public:
    explicit LandmarkCount(const HeuristicContext& context)
        : LandmarkCount(context, RelaxedTask::counting_steps(context)) {}

    Cost estimate(const EvaluationContext& context) override {
        if (!solvable_) return DEAD_END;
        control_.work(graph_.size() * (2 + words_ / 4));
        find_true(context.state);
        find_reached(context);
        return goal_.holds(context.state) ? 0 : count();
    }
    bool prefers(OperatorId op) const override {
        for (const std::uint32_t landmark : achieved_[op]) {
            if (!has(reached_, landmark) && within(graph_.before[landmark], reached_)) return true;
        }
        return false;
    }

  private:
    LandmarkCount(const HeuristicContext& context, const RelaxedTask& relaxed)
        : compiled_(context.compiled),
          control_(context.control),
          solvable_(relaxed.solvable),
          graph_(relaxed, context.compiled, context.control, context.budget),
          words_(std::max<std::size_t>(1, words_for(graph_.size()))),
          rows_(context.budget, words_) {
        for (const std::uint32_t proposition : graph_.propositions) {
            const Fact fact = relaxed.facts[proposition];
            facts_.push_back(fact);
            wants_derived_ = wants_derived_ || compiled_.task.variables[fact.variable].derived();
        }
        find_achievers(relaxed);
    }
    void find_achievers(const RelaxedTask& relaxed) {
        for (const std::uint32_t group : relaxed.group_of_operator) {
            if (group != RelaxedTask::NONE) {
                for (std::size_t rule = relaxed.group_begin[group]; rule < relaxed.group_begin[group + 1]; ++rule) {
                    for (const std::uint32_t effect : relaxed.effects[rule]) {
                        const std::uint32_t landmark = graph_.of_proposition[effect];
                        if (landmark != RelaxedTask::NONE) achieved_.push(landmark);
                    }
                }
            }
            achieved_.close();
        }
    }

    void find_true(StateView state) {
        if (wants_derived_) state = derived_.add_to(state);
        std::ranges::fill(true_, 0);
        for (std::size_t landmark = 0; landmark < facts_.size(); ++landmark)
            true_[landmark / 64] |= Word{state.holds(facts_[landmark])} << landmark % 64;
    }
    // Sets and stores `reached_`.
    void find_reached(const EvaluationContext& context) {
        if (context.parent == NO_STATE || context.id == NO_STATE) {
            std::ranges::fill(reached_, 0);
        } else {
            copy<0>(reached_.data(), rows_[context.parent], words_);
        }
        before_ = reached_;
        each(true_, [&](std::size_t landmark) {
            if (within(graph_.before[landmark], before_)) add(reached_, landmark);
        });
        if (context.id == NO_STATE) return;
        const bool again = context.id < rows_.size();
        if (!again) rows_.extend(context.id + 1);
        Word* row = rows_[context.id];
        for (std::size_t i = 0; i < words_; ++i) row[i] = reached_[i] = again ? reached_[i] & row[i] : reached_[i];
    }
    Cost count() const {
        Cost cost = 0;
        for (std::size_t landmark = 0; landmark < graph_.size(); ++landmark) {
            if (!has(reached_, landmark) || (!has(true_, landmark) && needed_again(landmark)))
                cost += graph_.costs[landmark];
        }
        return cost;
    }
    bool needed_again(std::size_t landmark) const {
        return graph_.is_goal[landmark] || !within(graph_.needed_for[landmark], reached_);
    }

    const CompiledTask& compiled_;
    Control& control_;
    bool solvable_, wants_derived_ = false;
    LandmarkGraph graph_;
    std::size_t words_;
    GrowingArray<Word, 0> rows_;  // by state: reached landmarks
    BitSet true_ = BitSet(words_), reached_ = true_, before_;
    Vector<Fact> facts_;            // by landmark
    Rows<std::uint32_t> achieved_;  // by operator: landmarks that it may make true
    DerivedVariables derived_{compiled_};
    GoalTest goal_{compiled_};
};

}  // namespace

std::unique_ptr<Heuristic> make_landmarks(const HeuristicContext& context) {
    return std::make_unique<LandmarkCount>(context);
}

}  // namespace unpuzzle
