// The choice of patterns, and of those that may be added.
//
// In a *sum* every operator costs something in at most one pattern (a zero-one cost partition), so the sum of
// their estimates is admissible; of several sums the greatest counts. The patterns are made of *units*: a
// variable of the goal, with those of its causal ancestors that make its own database better. Units go into
// one pattern if that is worth more than adding: for each two the database of both is built and compared with
// the sum of the two (tiles of one row block each other, tiles far apart do not); groups.hpp does the rest.
// For the next sum, pairs that have shared a pattern count less.
//
// A goal may say of a variable only what it is not: where cells must be clear, a piece may be on none of them. Such
// variables can be units, too, and then come first, so that they pay for the operators that move them.
//
// A *common variable*, one that nearly all operators change (the blank, the player, the hand), joins every pattern.
// If the operators that cost something change other variables of the patterns too, it is *folded*: when it moves
// alone, that costs nothing, and the database keeps only the least over its values (`Pattern::folded_variable`).
// Otherwise it is a variable like any other, and moves of it alone cost something in a sum's first pattern.
//
// Who pays for an operator: the first pattern of the sum that has a variable which the operator changes, the
// common variable's claim coming last. All is decided by sizes of tables, never by time.
//
// Axioms of a folded variable:
//
//     derived    no variable is derived: databases do not support them                   make_heuristic
//     values     it has at most 64, the bits of a word                                   find_common
//     share      at least nine tenths of the operators change it                         find_common
//     alone      and no other variable is changed by as many                             find_common
//     goal       the goal is about other variables, too                                  find_common
//     pays       nine tenths of what changes it and costs changes patterns, too          folding_pays
//
// Only the first two are needed for correctness; the others say when folding pays. A database has the least costs of an
// abstraction: all states with the same values of its pattern are one, so each step of a plan is a step of it, or none.
// If nothing leads to a goal there, nothing does in the task. No operator costs anything in two patterns of a sum
// (`share`), and one that changes the folded variable alone costs nothing in any. Assumptions: the mutex groups of the
// task are true, since states that break them are left out; and searches re-open, since the least over folded values
// may fall by more than an operator costs.
//
// Sources: Felner, Korf and Hanan, Additive pattern database heuristics, 2004 (additive patterns); Edelkamp,
// Automated creation of pattern database search heuristics, 2006 (their choice as bin packing); Haslum et
// al., Domain-independent construction of pattern database heuristics, 2007 (choice by measured gain).
#pragma once

#include <algorithm>
#include <utility>

#include "pdbs/database.hpp"
#include "pdbs/groups.hpp"

namespace unpuzzle {

class PatternSelection {
  public:
    using Sum = Vector<Pattern>;
    using Variables = Vector<std::uint32_t>;  // ascending

    // Units are also made of the variables in `implied`, and these come first.
    PatternSelection(const Task& task, const Mutexes& mutexes, Control& control, Budget& budget, Variables implied)
        : task_(task), mutexes_(mutexes), control_(control), budget_(budget), implied_(std::move(implied)) {
        changes_.resize(task.operators.size());
        for (OperatorId op = 0; op < task.operators.size(); ++op) {
            control.tick();
            if (!task.operators[op].possible) continue;
            for (const Effect& effect : task.effects(task.operators[op])) changes_[op].push_back(effect.sets.variable);
            sort_and_unique(changes_[op]);
        }
        find_common();
        find_units();
        if (folds_ && !folding_pays()) {
            folds_ = false;
            find_units();
        }
        find_gains();
    }
    // Variables without a goal of their own, some of whose values the goal excludes.
    static Variables implied_variables(const Task& task, const Mutexes& mutexes, Control& control) {
        Variables found;
        for (std::uint32_t variable = 0; variable < task.variables.size(); ++variable) {
            control.tick();
            bool own = false, some = false;
            for (const Fact& fact : task.goal) {
                own |= fact.variable == variable;
                mutexes.excluded(fact, variable, [&](std::uint32_t) { some = true; });
            }
            if (some && !own && !task.variables[variable].derived()) found.push_back(variable);
        }
        return found;
    }

    // Up to `number` different sums, none of whose patterns has more abstract states than `most`.
    Vector<Sum> sums(std::size_t most, std::size_t number) const {
        Vector<Sum> sums;
        Vector<Groups> found;
        Vector<double> gains = gains_;
        const std::size_t count = units_.size();
        for (std::size_t i = 0; i < number && count > 0; ++i) {
            Groups groups = UnitGroups(task_, units_, gains, control_).partition(most);
            for (const auto& group : groups) {
                for (const std::size_t one : group) {
                    for (const std::size_t two : group) {
                        if (!gains.empty()) gains[one * count + two] *= TOGETHER_BEFORE;
                    }
                }
            }
            std::ranges::sort(groups);
            if (std::ranges::find(found, groups) != found.end()) continue;
            Vector<Variables> patterns;
            for (const auto& group : groups) patterns.push_back(united(units_, group));
            const auto first = patterns.begin() + static_cast<std::ptrdiff_t>(found.size() % patterns.size());
            std::rotate(patterns.begin(), first, patterns.end());  // Clang 14 cannot read what `ranges::rotate` returns
            found.push_back(std::move(groups));
            sums.push_back(share(patterns));
            std::erase_if(sums.back(), [&](const Pattern& pattern) { return !costs(pattern); });
        }
        return sums;
    }

    // Units, alone and by twos, as long as there are fewer than `most`. (A common variable that is not folded
    // is in each of them.)
    Vector<Variables> small_patterns(std::size_t most) const {
        Vector<Variables> patterns = units_;
        for (std::size_t one = 0; one < units_.size(); ++one) {
            for (std::size_t two = one + 1; two < units_.size() && patterns.size() < most; ++two) {
                control_.tick();
                Variables both = united(units_, {one, two});
                if (Pattern::abstract_states(task_, both, MOST_IN_PAIR)) patterns.push_back(std::move(both));
            }
        }
        return patterns;
    }
    // The sum, but nothing counts in a pattern that changes nothing of it besides the common variable.
    Sum without_claims_of_common(Sum sum) const {
        for (Pattern& pattern : sum) {
            for (OperatorId op = 0; op < changes_.size(); ++op) {
                pattern.cost_mask[op] = pattern.cost_mask[op] && std::ranges::any_of(changes_[op], [&](auto variable) {
                                            return variable != common_ && contains(pattern.variables, variable);
                                        });
            }
        }
        return sum;
    }
    bool folds() const { return folds_; }

  private:
    static constexpr double COMMON_SHARE = 0.9;                        // of the operators change a common variable
    static constexpr std::size_t MOST_ALONE = std::size_t{1} << 20;    // abstract states of a variable of the goal
    static constexpr std::size_t MOST_IN_UNIT = std::size_t{1} << 14;  // abstract states, while units are grown
    static constexpr std::size_t MOST_IN_PAIR = std::size_t{1} << 16;  // abstract states, while gains are measured
    static constexpr OperatorId OPERATORS_PER_TICK = 4;                // of which few change a pattern
    static constexpr std::uint64_t MOST_MEASURING = std::uint64_t{1} << 24;  // for measuring, see PatternDatabase::work
    static constexpr std::size_t MOST_PAIRED = 256;                          // units, for their pairs to be looked at
    static constexpr double LEAST_GROWTH = 1.05;     // of a unit's mean, to take one more variable
    static constexpr double TOGETHER_BEFORE = 0.25;  // what a pair's gain counts in the next sum

    static bool contains(const Variables& sorted, std::uint32_t number) {
        return std::ranges::binary_search(sorted, number);
    }
    static bool intersect(const Variables& left, const Variables& right) {
        return std::ranges::any_of(left, [&](std::uint32_t number) { return contains(right, number); });
    }
    void find_common() {
        Vector<std::size_t> count(task_.variables.size());
        for (const Variables& changes : changes_) {
            for (const std::uint32_t variable : changes) ++count[variable];
        }
        const double least = COMMON_SHARE * static_cast<double>(changes_.size());
        const auto nearly_all = [&](std::size_t of) { return of > 0 && static_cast<double>(of) >= least; };
        if (std::ranges::count_if(count, nearly_all) != 1) return;  // of two, neither is one
        const auto common = static_cast<std::uint32_t>(std::ranges::find_if(count, nearly_all) - count.begin());
        const auto& goal = task_.goal;
        const bool others = std::ranges::any_of(goal, [&](const Fact& fact) {
            return fact.variable != common && !task_.variables[fact.variable].derived();
        });
        if (!others) return;
        common_ = common;
        folds_ = task_.variables[common].domain <= Pattern::MOST_FOLDED_VALUES;
    }

    // ---- units

    void find_units() {
        units_.clear();
        for (const std::uint32_t variable : implied_) add_unit(variable, false);
        // What is left: goals that operators change without changing what is implied.
        Vector<bool> open(task_.variables.size());
        for (const Variables& changes : changes_) {
            if (intersect(changes, implied_)) continue;
            for (const std::uint32_t variable : changes) open[variable] = true;
        }
        for (const Fact& fact : task_.goal) {
            if (open[fact.variable] || implied_.empty()) add_unit(fact.variable, implied_.empty());
        }
    }
    void add_unit(std::uint32_t variable, bool grown) {
        if (variable == common_ || task_.variables[variable].derived()) return;
        Variables unit{variable};
        if (common_ != Pattern::NO_VARIABLE && !folds_) unit.push_back(common_);
        sort_and_unique(unit);
        if (!Pattern::abstract_states(task_, unit, MOST_ALONE)) return;
        if (grown) grow(unit);
        units_.push_back(std::move(unit));
    }
    // Whether the operators that cost something change more than the common variable, as far as patterns can tell.
    bool folding_pays() const {
        std::size_t all = 0, paid = 0;
        for (OperatorId op = 0; op < changes_.size(); ++op) {
            if (task_.operators[op].cost == 0 || !contains(changes_[op], common_)) continue;
            ++all;
            paid += std::ranges::any_of(units_, [&](const Variables& unit) { return intersect(unit, changes_[op]); });
        }
        return static_cast<double>(paid) >= COMMON_SHARE * static_cast<double>(all);
    }
    void grow(Variables& unit) {
        std::optional<double> best = mean(unit);
        while (best) {
            std::optional<Variables> better;
            const double least = *best * LEAST_GROWTH + LEAST_PATTERN_GAIN;
            for (const std::uint32_t candidate : candidates(unit)) {
                Variables larger = unit;
                larger.push_back(candidate);
                sort_and_unique(larger);
                if (!Pattern::abstract_states(task_, larger, MOST_IN_UNIT)) continue;
                const std::optional<double> value = mean(larger);
                if (!value || *value < least || *value <= *best) continue;
                best = value;
                better = std::move(larger);
            }
            if (!better) return;
            unit = std::move(*better);
        }
    }
    // Variables on which the changes of a unit hang, without those of the goal, which are units of their own.
    Variables candidates(const Variables& unit) const {
        Variables found;
        const auto add = [&](Range facts) {
            for (const Fact& fact : task_.facts(facts)) found.push_back(fact.variable);
        };
        for (OperatorId op = 0; op < changes_.size(); ++op) {
            if (op % OPERATORS_PER_TICK == 0) control_.tick();
            if (!intersect(changes_[op], unit)) continue;
            add(task_.operators[op].precondition);
            for (const Effect& effect : task_.effects(task_.operators[op])) {
                if (contains(unit, effect.sets.variable)) add(effect.conditions);
            }
        }
        sort_and_unique(found);
        std::erase_if(found, [&](std::uint32_t variable) {
            return variable == common_ || contains(unit, variable) || task_.variables[variable].derived() ||
                   std::ranges::any_of(task_.goal, [&](const Fact& fact) { return fact.variable == variable; });
        });
        return found;
    }

    // ---- gains

    void find_gains() {
        const std::size_t count = units_.size();
        if (count > MOST_PAIRED) return;
        gains_.assign(count * count, 0);
        for (std::size_t one = 0; one < count; ++one) {
            for (std::size_t two = one + 1; two < count; ++two) {
                control_.tick();
                gains_[one * count + two] = gains_[two * count + one] = gain(units_[one], units_[two]);
            }
        }
    }
    double gain(const Variables& one, const Variables& two) {
        const Variables both = united({one, two}, {0, 1});
        if (!Pattern::abstract_states(task_, both, MOST_IN_PAIR)) return 0;
        const Sum apart = share({one, two});
        const auto together = mean(both), first = mean(apart[0]), second = mean(apart[1]);
        return together && first && second ? *together - *first - *second : 0;
    }

    // The patterns of a sum: who counts what.
    Sum share(const Vector<Variables>& patterns) const {
        Sum sum;
        for (const Variables& variables : patterns)
            sum.push_back({variables, folds_ ? common_ : Pattern::NO_VARIABLE, Vector<bool>(changes_.size())});
        Vector<Vector<std::uint32_t>> claims(task_.variables.size());
        for (std::uint32_t i = 0; i < patterns.size(); ++i) {
            for (const std::uint32_t variable : patterns[i]) claims[variable].push_back(i);
        }
        constexpr std::uint32_t NOBODY = ~0u;
        for (OperatorId op = 0; op < changes_.size(); ++op) {
            if (op % OPERATORS_PER_TICK == 0) control_.tick();
            std::uint32_t by_rank[3] = {NOBODY, NOBODY, NOBODY};
            for (const std::uint32_t variable : changes_[op]) {
                if (claims[variable].empty()) continue;
                std::uint32_t& claim = by_rank[variable == common_ ? 2 : contains(implied_, variable) ? 0 : 1];
                claim = std::min(claim, claims[variable].front());
            }
            const auto* payer = std::find_if(by_rank, by_rank + 3, [](std::uint32_t by) { return by != NOBODY; });
            if (payer != by_rank + 3) sum[*payer].cost_mask[op] = true;
        }
        return sum;
    }
    // Whether anything counts in it.
    bool costs(const Pattern& pattern) const {
        for (OperatorId op = 0; op < changes_.size(); ++op) {
            if (pattern.cost_mask[op] && task_.operators[op].cost > 0) return true;
        }
        return false;
    }
    // The mean estimate; nothing if the work is used up or the pattern is too large for it.
    std::optional<double> mean(const Pattern& pattern) {
        if (!costs(pattern)) return 0;
        const auto key = std::pair(pattern.variables, pattern.cost_mask);
        const auto known = means_.find(key);
        if (known != means_.end()) return known->second;
        const auto abstract_states = Pattern::abstract_states(task_, pattern.variables, MOST_IN_PAIR);
        if (!abstract_states || work_ > MOST_MEASURING) return {};
        std::optional<double> value;
        try {
            within_memory([&] {
                const PatternDatabase database(task_, mutexes_, pattern, control_, budget_);
                work_ += database.work();
                value = database.mean();
            });
        } catch (const Projection::TooLarge&) {
        }
        return means_[key] = value;
    }
    std::optional<double> mean(const Variables& variables) { return mean(share({variables}).front()); }

    const Task& task_;
    const Mutexes& mutexes_;
    Control& control_;
    Budget& budget_;
    Variables implied_;                            // of which the goal excludes values; empty if they are no units
    Vector<Variables> changes_;                    // by operator
    std::uint32_t common_ = Pattern::NO_VARIABLE;  // the variable that nearly all operators change
    bool folds_ = false;                           // whether it is folded
    Vector<Variables> units_;
    Vector<double> gains_;  // of putting two units into one pattern: a square matrix
    Map<std::pair<Variables, Vector<bool>>, std::optional<double>> means_;  // what was measured
    std::uint64_t work_ = 0;                                                // and what that took
};

}  // namespace unpuzzle
