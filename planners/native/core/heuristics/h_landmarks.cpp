// The landmark count (Richter and Westphal 2010): what the landmarks cost that are still to be reached on the
// way that led to a state, or will be needed again.
//
//     reached    1 1 1 0 0 ...     by state; a landmark is reached when it is true and all before it were
//     reached true now   1 0 1 0 0 open         ^   ^ ^         not reached, or not true and either a goal or
//     greedy-necessary for one not reached
//
// It depends on the path; of two ways to one state only what was reached on both counts, and a state without
// a number is taken for an initial one. Neither admissible nor consistent; 0 at goals and perhaps elsewhere,
// and no state is called a dead end. Supports what the delete relaxation does: conditional effects, and
// axioms. Operators are preferred that may reach a landmark all of whose predecessors were reached.
#include <algorithm>

#include "base/growing_array.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/landmark_graph.hpp"
#include "state/goal.hpp"

namespace unpuzzle {

namespace {

class LandmarkCount : public Heuristic {
  public:
    explicit LandmarkCount(const HeuristicContext& setting) : LandmarkCount(setting, relaxed_for(setting)) {}

    Cost estimate(const EvaluationContext& question) override {
        if (!solvable_) return DEAD_END;
        find_true(question.state);
        find_reached(question);
        return goal_.holds(question.state) ? 0 : count();
    }
    bool admissible() const override { return false; }
    bool prefers(OperatorId op) const override {
        for (const std::uint32_t landmark : achieved_[op]) {
            if (!has(reached_, landmark) && within(graph_.before[landmark], reached_)) return true;
        }
        return false;
    }

  private:
    struct Seen {
        Place place;
        std::uint32_t value;
    };

    LandmarkCount(const HeuristicContext& setting, const RelaxedTask& relaxed)
        : compiled_(setting.compiled),
          solvable_(relaxed.solvable),
          graph_(relaxed, setting.compiled, setting.control, setting.budget),
          words_(std::max<std::size_t>(1, words_for(graph_.size()))),
          rows_(setting.budget, words_),
          true_(words_),
          reached_(words_),
          extended_(setting.compiled.extended_words()),
          goal_(setting.compiled) {
        for (const std::uint32_t proposition : graph_.propositions) {
            const Fact fact = relaxed.facts[proposition];
            seen_.push_back({compiled_.layout[fact.variable], fact.value});
            derived_ = derived_ || compiled_.task.variables[fact.variable].derived();
        }
        find_achievers(relaxed);
    }
    static RelaxedTask relaxed_for(const HeuristicContext& setting) {
        RelaxedTask relaxed(setting.compiled, setting.control);
        if (setting.plus_one) relaxed.count_steps(setting.compiled.same_costs);
        return relaxed;
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

    void find_true(const Word* state) {
        if (derived_) {
            copy<0>(extended_.data(), state, compiled_.words());
            compiled_.axioms.evaluate(extended_.data(), scratch_);
            state = extended_.data();
        }
        std::fill(true_.begin(), true_.end(), 0);
        for (std::size_t landmark = 0; landmark < seen_.size(); ++landmark) {
            const Word holds = seen_[landmark].place.value(state) == seen_[landmark].value;
            true_[landmark / 64] |= holds << landmark % 64;
        }
    }
    // Sets and stores `reached_`.
    void find_reached(const EvaluationContext& question) {
        if (question.parent == NO_STATE || question.id == NO_STATE) {
            std::fill(reached_.begin(), reached_.end(), 0);
        } else {
            copy<0>(reached_.data(), rows_[question.parent], words_);
        }
        before_ = reached_;
        each(true_, [&](std::size_t landmark) {
            if (within(graph_.before[landmark], before_)) reached_[landmark / 64] |= Word{1} << landmark % 64;
        });
        if (question.id == NO_STATE) return;
        const bool again = question.id < rows_.size();
        if (!again) rows_.extend(question.id + 1);
        Word* row = rows_[question.id];
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
    bool solvable_, derived_ = false;
    LandmarkGraph graph_;
    std::size_t words_;
    GrowingArray<Word, 0> rows_;  // by state: reached landmarks
    Vector<Word> true_, reached_, before_;
    Vector<Seen> seen_;             // by landmark
    Rows<std::uint32_t> achieved_;  // by operator: landmarks that it may make true
    Vector<Word> extended_;
    Axioms::Scratch scratch_;
    GoalTest goal_;
};

}  // namespace

std::unique_ptr<Heuristic> landmark_count(const HeuristicContext& setting) {
    return std::make_unique<LandmarkCount>(setting);
}

}  // namespace unpuzzle
