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

#include "base/lists.hpp"
#include "grounding/input.hpp"
#include "grounding/starts.hpp"

namespace unpuzzle::ground {

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

template <class T>
struct View {
    T *first, *last;
    T* begin() const { return first; }
    T* end() const { return last; }
    std::size_t size() const { return static_cast<std::size_t>(last - first); }
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

    View<const Literal32> precondition(const GroundOperator& op) const { return view(op.begin, op.size); }
    View<const Literal32> condition(const GroundEffect& effect) const {
        return view(effect.begin, effect.size);
    }
    View<const GroundEffect> effects_of(const GroundOperator& op) const {
        return {effects.data() + op.effects, effects.data() + op.effects + op.effect_count};
    }
    View<const Literal32> body(const GroundAxiom& axiom) const {
        return {bodies.data() + axiom.begin, bodies.data() + axiom.begin + axiom.size};
    }

  private:
    View<const Literal32> view(std::size_t begin, std::uint32_t size) const {
        return {literals.data() + begin, literals.data() + begin + size};
    }
};

}  // namespace unpuzzle::ground
