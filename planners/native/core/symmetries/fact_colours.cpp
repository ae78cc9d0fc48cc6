// A quick test that recognises most tasks without symmetries, in a fraction of the time of a search for symmetries.
//
// It gives facts colours that no symmetry can change: first whether it is a goal, then round by round the effects of
// the operators that test or set it on facts of other colours (Weisfeiler and Leman 1968).
//
//     round 0       goal   not   not   not   not
//     round 1          a     b     b     c     d
//     round 2          e     f     g     h     i          all different: no symmetry moves any
//
// If two colours stay equal there may be a symmetry or not: symmetries.cpp decides. A colour is a hash of sums, so
// different facts may by chance look equal, but never the other way round. Conditional effects and axioms are not
// supported: for tasks with them the test has no result.
#include <algorithm>

#include "symmetries/orbits.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

namespace {

using Colour = std::uint64_t;

constexpr std::size_t MOST_ROUNDS = 12, MOST_FACTS = std::size_t{1} << 20;
constexpr Colour TESTED = 0x9E3779B97F4A7C15ull, WRITTEN = 0xD6E8FEB86659FD93ull, OWN = 0xC2B2AE3D27D4EB4Full;

// Sums of what this gives count how often each colour comes up, whatever the order.
Colour blend(Colour colour, Colour role) {
    const Colour mixed = (colour ^ colour >> 29) * role;
    return (mixed ^ mixed >> 32) * OWN;
}

class FactColours {
  public:
    FactColours(const Task& task, const FactNumbers& numbers, Control& control)
        : task_(task), numbers_(numbers), control_(control), colours_(numbers.count(), UNMENTIONED) {}

    bool all_different() {
        for (const Fact& fact : task_.goal) mention(fact, 1);
        OperatorChanges changes(task_);
        for (const Operator& op : task_.operators) {
            control_.tick();
            if (op.possible && !read(op, changes)) return false;
        }
        list_mentioned();
        std::size_t before = 0;
        for (std::size_t round = 0; round < MOST_ROUNDS; ++round) {
            refine();
            const std::size_t now = different();
            if (now == mentioned_.size()) return true;
            if (now <= before) return false;
            before = now;
        }
        return false;
    }

  private:
    struct Step {
        Colour cost;
        std::size_t tests, sets;  // where they end in facts_
    };

    void mention(const Fact& fact, Colour wanted) {
        Colour& colour = colours_[numbers_[fact]];
        if (colour == UNMENTIONED) colour = blend(task_.variables[fact.variable].domain, OWN) + wanted;
    }

    // False for an operator with conditional effects.
    bool read(const Operator& op, OperatorChanges& changes) {
        const auto precondition = task_.facts(op.precondition);
        const std::size_t begin = facts_.size();
        for (const Fact& fact : precondition) name(fact);
        for (const Effect& effect : task_.effects(op)) {
            if (effect.conditions.begin != effect.conditions.end) return false;
            mention(effect.sets, 0);
        }
        const std::size_t tests = facts_.size();
        for (const Change& change : changes.of(op)) {
            if (change.base != value_in(precondition, change.variable)) name({change.variable, *change.base});
        }
        if (facts_.size() == tests) {
            facts_.resize(begin);  // it changes nothing
        } else {
            steps_.push_back({blend(op.cost, OWN), tests, facts_.size()});
        }
        return true;
    }
    void name(const Fact& fact) {
        mention(fact, 0);
        facts_.push_back(numbers_[fact]);
    }
    void list_mentioned() {
        for (FactId fact = 0; fact < colours_.size(); ++fact) {
            if (colours_[fact] != UNMENTIONED) mentioned_.push_back(fact);
        }
        seen_.assign(colours_.size(), 0);
        own_.assign(task_.variables.size(), 0);
    }

    // What an operator tells to each fact that it names is the sum of all the facts that it names.
    void refine() {
        std::size_t at = 0;
        for (const Step& step : steps_) {
            control_.tick();
            Colour sum = step.cost;
            for (std::size_t i = at; i < step.tests; ++i) sum += blend(colours_[facts_[i]], TESTED);
            for (std::size_t i = step.tests; i < step.sets; ++i) sum += blend(colours_[facts_[i]], WRITTEN);
            const Colour tested = blend(sum, TESTED), set = blend(sum, WRITTEN);
            for (; at < step.tests; ++at) seen_[facts_[at]] += tested;
            for (; at < step.sets; ++at) seen_[facts_[at]] += set;
        }
        for (const FactId fact : mentioned_) {
            colours_[fact] = blend(colours_[fact] + blend(seen_[fact], WRITTEN), TESTED);
            seen_[fact] = 0;
            own_[numbers_.fact(fact).variable] += blend(colours_[fact], OWN);
        }
        for (const FactId fact : mentioned_) colours_[fact] += own_[numbers_.fact(fact).variable];
        std::fill(own_.begin(), own_.end(), 0);
    }
    std::size_t different() {
        sorted_.clear();
        for (const FactId fact : mentioned_) sorted_.push_back(colours_[fact]);
        std::sort(sorted_.begin(), sorted_.end());
        return static_cast<std::size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
    }

    static constexpr Colour UNMENTIONED = 0;

    const Task& task_;
    const FactNumbers& numbers_;
    Control& control_;
    Vector<FactId> facts_;  // that the steps name: what one tests, then what it sets
    Vector<Step> steps_;
    Vector<FactId> mentioned_;
    Vector<Colour> colours_, seen_;  // by fact: what the operators say in this round
    Vector<Colour> own_;             // by variable: what its facts say
    Vector<Colour> sorted_;
};

}  // namespace

bool asymmetric_at_a_glance(const Task& task, const FactNumbers& numbers, Control& control) {
    const auto derived = [](const Variable& variable) { return variable.derived(); };
    if (numbers.count() > MOST_FACTS || std::any_of(task.variables.begin(), task.variables.end(), derived))
        return false;
    return FactColours(task, numbers, control).all_different();
}

}  // namespace unpuzzle
