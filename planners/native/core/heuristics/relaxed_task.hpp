// The delete relaxation of a task: what relaxation heuristics (h^max, h^add, h^FF, LM-cut) work on.
//
// A *proposition* is a fact that once true stays true. A *rule* is a relaxed operator without conditional
// effects: if all its preconditions are true it makes all its effects true, at the operator's cost. An
// operator with conditional effects becomes one rule for each different condition, and these rules form a
// *group*: an admissible heuristic must not count the operator's cost once for each of them.
//
//     operator 7, cost 3: pre {a}  {} ─► b,c   {d} ─► e        rule 11: {a}   ─► b,c  cost 3  ┐ group 6
//                                                              rule 12: {a,d} ─► e    cost 3  ┘
//
// Axioms are rules of cost 0 and separate groups; that a derived variable is *false* counts as always true. So every
// plan is also a relaxed plan at the same cost, and lower bounds for relaxed plans are lower bounds for plans, with
// axioms as well.
//
// Two propositions are artificial: START, true everywhere, precondition of rules that have none, and GOAL, which the
// last rule makes true at cost 0 where the goal holds. Propositions that the initial state cannot reach, or that are
// irrelevant for the goal, are left out; preconditions that are always true, too.
#pragma once

#include <algorithm>

#include "base/rows.hpp"
#include "heuristics/heuristic.hpp"

namespace unpuzzle {

struct RelaxedTask {
    static constexpr std::uint32_t NONE = 0xFFFFFFFFu, START = 0, GOAL = 1;

    RelaxedTask(const CompiledTask& compiled, Control& control);
    // Operators cost one more, or 1 if they all cost the same, where the context wants that; see there.
    static RelaxedTask counting_steps(const HeuristicContext& context);

    std::size_t propositions() const { return needed_by.size(); }
    std::size_t rules() const { return costs.size(); }
    std::size_t groups() const { return group_begin.size() - 1; }
    std::uint32_t cost(std::uint32_t group) const { return costs[group_begin[group]]; }
    bool conditional() const { return groups() < rules(); }
    // What no path without a repeated rule can cost more than.
    std::uint64_t most_cost() const;

    // Calls `visit(proposition)` for each one that is true in the state. START is among them.
    template <class Visit>
    UNPUZZLE_INLINE void visit(StateView state, Visit&& visit) const {
        visit(START);
        for (const Seen& seen : seen_) {
            const std::uint32_t proposition = proposition_of(seen, seen.place.value(state.words()));
            if (proposition != NONE) visit(proposition);
        }
    }

    bool solvable = true;                        // false: the relaxed goal is out of reach even from the initial state
    Rows<std::uint32_t> preconditions, effects;  // by rule
    Rows<std::uint32_t> needed_by, achieved_by;  // by proposition: rules
    Vector<std::uint32_t> costs;                 // by rule
    Vector<std::uint32_t> group;                 // by rule
    Vector<std::uint32_t> group_begin;           // by group: its first rule
    Vector<std::uint32_t> group_of_operator;     // by operator; NONE: it makes nothing true that matters
    Vector<OperatorId> operator_of_group;        // NONE: an axiom, or the goal
    Vector<Fact> facts;                          // by proposition; of START and GOAL the variable is NONE

  private:
    class Builder;
    // A stored variable that has propositions: their numbers by value or, if few of very many values have one, beside a
    // list of these values.
    struct Seen {
        Place place;
        std::size_t numbers, values;
        std::uint32_t count;  // 0: by value
    };
    UNPUZZLE_INLINE std::uint32_t proposition_of(const Seen& seen, std::uint32_t value) const {
        if (seen.count == 0) return numbers_[seen.numbers + value];
        const auto first = values_.begin() + static_cast<std::ptrdiff_t>(seen.values), last = first + seen.count;
        const auto found = std::lower_bound(first, last, value);
        if (found == last || *found != value) return NONE;
        return numbers_[seen.numbers + static_cast<std::size_t>(found - first)];
    }

    Vector<Seen> seen_;
    Vector<std::uint32_t> numbers_, values_;
};

}  // namespace unpuzzle
