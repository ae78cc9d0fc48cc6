// A propositional task: facts by number, operators and axioms over literals (`f`: fact f is true, `~f`: it is false).
//
// Everything is in three arrays, in the order of the operators:
//
//     literals   pre of op 0 | conditions of its effects | pre of op 1 | ...
//     effects    of op 0 | of op 1 | ...
//
// so passes that only remove things (pruning.cpp) compact them in place.
#pragma once

#include "base/bits.hpp"
#include "base/rows.hpp"
#include "grounding/input.hpp"

namespace unpuzzle::ground {

// The starts in which each fact is true: for a task with one start, one bit per fact; for a family, a bit for each of
// its starts.
//
//     starts    0 1 2 ... 63 | 64 65 ...
//     fact 0    1 0 0 ...  1 |  0  0 ...
//     fact 1    0 1 1 ...  0 |  0  0 ...
class Starts {
  public:
    explicit Starts(std::size_t count = 1) : count_(count), all_(words_for(count)), rows_(0, count) {
        for (std::size_t start = 0; start < count; ++start) add(all_, start);
    }

    std::size_t count() const { return count_; }
    BitSet none() const { return BitSet(all_.size()); }
    bool are_all(const BitSet& starts) const { return within(all_, starts); }

    // The fact becomes the last one.
    void add_fact() { resize(facts_ + 1); }
    void resize(std::size_t facts) { rows_.resize(facts_ = facts); }
    std::span<Word> operator[](std::size_t fact) { return rows_[fact]; }
    std::span<const Word> operator[](std::size_t fact) const { return rows_[fact]; }

    bool at(std::size_t fact, std::size_t start) const { return rows_.has(fact, start); }
    bool somewhere(std::size_t fact) const { return meets(rows_[fact], all_); }
    bool everywhere(std::size_t fact) const { return within(all_, rows_[fact]); }

  private:
    std::size_t count_, facts_ = 0;
    BitSet all_;
    BitRows rows_;
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

// `kept` are literals that conditions outside the task may test. If it is `faithful`, all facts of a state and all
// operators stay, even if the goal does not need them.
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
