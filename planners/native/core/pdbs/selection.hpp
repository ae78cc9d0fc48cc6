// Which patterns, and which of them may be added.
//
// In a *sum* every operator costs something in at most one pattern (a zero-one cost partition), so the sum of
// their estimates is admissible; of several sums the greatest counts. The patterns are made of *units*: a
// variable of the goal, with those of its causal ancestors that make its own database better. Units go into
// one pattern if that is worth more than adding: for each two the database of both is built and compared with
// the sum of the two (tiles of one row block each other, tiles far apart do not); groups.hpp does the rest.
// For the next sum, pairs that have been together count less.
//
// A goal may say of a variable only what it is not: where cells must be clear, a piece may be on none of them. Such
// variables can be units, too, and then come first, so that it is them who are charged for what moves them.
//
// A *common variable*, one that nearly all operators change (the blank, the player, the hand), joins every pattern.
// If the operators that cost something change other variables of the patterns too, it is *folded*: when it moves
// alone, that costs nothing, and the database keeps only the least over its values (`Pattern::folded_variable`).
// Otherwise it is a variable like any other, and moves of it alone cost something in a sum's first pattern.
//
// Who pays for an operator: the first pattern of the sum that has a variable which the operator changes, the
// common variable's claim coming last. All is decided by sizes of tables, never by time.
//
// Sources: Felner, Korf and Hanan, Additive pattern database heuristics, 2004 (additive patterns); Edelkamp,
// Automated creation of pattern database search heuristics, 2006 (their choice as bin packing); Haslum et
// al., Domain-independent construction of pattern database heuristics, 2007 (choice by measured gain).
#pragma once

#include <utility>

#include "pdbs/database.hpp"

namespace unpuzzle {

class PatternSelection {
  public:
    using Sum = Vector<Pattern>;
    using Variables = Vector<std::uint32_t>;  // ascending

    // Units are also made of the variables in `implied`, and these come first.
    PatternSelection(const Task& task, const Mutexes& mutexes, Control& control, Budget& budget, Variables implied);
    // Variables without a goal of their own, some of whose values the goal excludes.
    static Variables implied_variables(const Task& task, const Mutexes& mutexes, Control& control);

    // Up to `number` different sums, none of whose patterns has more abstract states than `most`.
    Vector<Sum> sums(std::size_t most, std::size_t number) const;

    // Units, alone and by twos, as long as there are fewer than `most`. (A common variable that is not folded
    // is in each of them.)
    Vector<Vector<std::uint32_t>> small_patterns(std::size_t most) const;
    // The sum, but nothing counts in a pattern that changes nothing of it besides the common variable.
    Sum without_claims_of_common(Sum sum) const;
    bool folds() const { return folds_; }

  private:
    void find_common();
    void find_units();
    void add_unit(std::uint32_t variable, bool grown);
    bool folding_pays() const;
    void grow(Variables& unit);
    Variables candidates(const Variables& unit) const;
    void find_gains();
    double gain(const Variables& one, const Variables& two);

    Sum share(const Vector<Variables>& patterns) const;
    bool costs(const Pattern& pattern) const;
    std::optional<double> mean(const Pattern& pattern);
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
