// A propositional task: facts by number, operators and axioms over literals (`f`: fact f is true, `~f`: it is
// false).
//
// Everything lies in three arrays, in the order of the operators:
//
//     literals   pre of op 0 | conditions of its effects | pre of op 1 | ...
//     effects    of op 0 | of op 1 | ...
//
// so passes that only drop things (pruning.cpp) compact them in place.
#pragma once

#include "base/rows.hpp"
#include "grounding/input.hpp"

namespace unpuzzle::ground {

// In which starts facts are true. A task of one start is a table of one bit a fact; a family's has a bit for
// each of its starts.
//
//     starts    0 1 2 ... 63 | 64 65 ...
//     fact 0    1 0 0 ...  1 |  0  0 ...      row f is bits[f * words ..]
//     fact 1    0 1 1 ...  0 |  0  0 ...
class Starts {
  public:
    using Set = Vector<std::uint64_t>;  // of starts: a row without a fact

    explicit Starts(std::size_t count = 1)
        : count_(count), words_((count + 63) / 64), last_(~std::uint64_t{0} >> (64 * words_ - count) % 64) {}

    std::size_t count() const { return count_; }
    Set none() const { return Set(words_); }

    // A fact that is true in no start, or where one of another table is.
    void add_fact() { bits_.resize(bits_.size() + words_); }
    void add_fact(const Starts& from, std::size_t fact) {
        bits_.insert(bits_.end(), from.row(fact), from.row(fact) + words_);
    }
    void resize(std::size_t facts) { bits_.resize(facts * words_); }
    void set(std::size_t fact, std::size_t start) { row(fact)[start / 64] |= std::uint64_t{1} << (start % 64); }
    void merge(std::size_t fact, std::size_t other) {
        for (std::size_t i = 0; i < words_; ++i) row(fact)[i] |= row(other)[i];
    }
    void clear(std::size_t fact) {
        for (std::size_t i = 0; i < words_; ++i) row(fact)[i] = 0;
    }

    bool at(std::size_t fact, std::size_t start) const { return (row(fact)[start / 64] >> (start % 64) & 1) != 0; }
    bool somewhere(std::size_t fact) const {
        for (std::size_t i = 0; i < words_; ++i) {
            if (row(fact)[i] != 0) return true;
        }
        return false;
    }
    bool everywhere(std::size_t fact) const { return all(row(fact)); }
    bool together(std::size_t one, std::size_t other) const { return meets(row(one), row(other)); }

    bool meets(std::size_t fact, const Set& set) const { return meets(row(fact), set.data()); }
    bool all(const Set& set) const { return all(set.data()); }
    void add_to(Set& set, std::size_t fact) const {
        for (std::size_t i = 0; i < words_; ++i) set[i] |= row(fact)[i];
    }
    void take_from(Set& set, std::size_t fact) const {
        for (std::size_t i = 0; i < words_; ++i) set[i] &= ~row(fact)[i];
    }

  private:
    std::uint64_t* row(std::size_t fact) { return bits_.data() + fact * words_; }
    const std::uint64_t* row(std::size_t fact) const { return bits_.data() + fact * words_; }
    bool all(const std::uint64_t* bits) const {
        for (std::size_t i = 0; i + 1 < words_; ++i) {
            if (bits[i] != ~std::uint64_t{0}) return false;
        }
        return bits[words_ - 1] == last_;
    }
    bool meets(const std::uint64_t* one, const std::uint64_t* other) const {
        for (std::size_t i = 0; i < words_; ++i) {
            if ((one[i] & other[i]) != 0) return true;
        }
        return false;
    }

    std::size_t count_, words_;
    std::uint64_t last_;  // the bits of a row's last word that stand for starts
    Vector<std::uint64_t> bits_;
};

using AtomId = std::int32_t;
using Literal32 = std::int32_t;

inline AtomId fact_of(Literal32 literal) { return literal >= 0 ? literal : ~literal; }

struct GroundEffect {
    std::size_t begin;  // its condition
    std::uint32_t size;
    Literal32 sets;  // f: added, ~f: deleted
    bool add() const { return sets >= 0; }
    AtomId fact() const { return fact_of(sets); }
};

struct GroundOperator {
    std::size_t begin;  // its precondition
    std::size_t effects;
    std::uint32_t size, effect_count;
    std::uint32_t action;
    std::int32_t instance;  // row of the action's instances
    std::int64_t cost;
};

struct GroundAxiom {
    AtomId head;
    std::uint32_t size;
    std::size_t begin;  // its body, in `bodies`
};

struct GroundFact {
    std::int32_t predicate;  // -1: stands for a disjunction
    std::int32_t row;        // of the predicate's relation
};

// `kept` are literals that conditions outside the task may test. If it is `faithful`, all that a state tells
// and all operators stay, also those that the goal does not need.
struct GroundTask {
    Vector<GroundFact> facts;
    Vector<GroundFact> constant;  // fluents that are true in all states, and have no number
    Vector<std::int32_t> layers;  // of each fact, -1 if not derived
    Starts starts;                // in which of them a fact is true; derived ones are in none
    Vector<GroundOperator> operators;
    Vector<GroundEffect> effects;
    Vector<Literal32> literals;
    Vector<GroundAxiom> axioms;
    Vector<Literal32> bodies;
    Vector<Literal32> goal, kept;
    bool goal_possible = true;
    bool faithful = false;

    std::span<const Literal32> precondition(const GroundOperator& op) const {
        return {literals.data() + op.begin, op.size};
    }
    std::span<const Literal32> condition(const GroundEffect& effect) const {
        return {literals.data() + effect.begin, effect.size};
    }
    std::span<const GroundEffect> effects_of(const GroundOperator& op) const {
        return {effects.data() + op.effects, op.effect_count};
    }
    std::span<const Literal32> body(const GroundAxiom& axiom) const {
        return {bodies.data() + axiom.begin, axiom.size};
    }
};

}  // namespace unpuzzle::ground
