// The checked input task: the form that compilers of searches and heuristics read. `grounding` says what it means.
//
// The arrays may hold anything. Every number in them is checked before it is used, and a fault is a `BadTask` that says
// where; nothing is ever allocated by the size of a number that a few bytes can claim. Three small normalisations are
// made here, so that no later part needs them: the facts of one list are sorted by variable, each once; an operator
// whose precondition, or an effect whose condition, wants two values of one variable is dropped (the operator keeps its
// number); so is an axiom with such a body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/errors.hpp"
#include "base/metered.hpp"

namespace unpuzzle {

struct Fact {
    std::uint32_t variable, value;
    auto operator<=>(const Fact&) const = default;
};

struct Variable {
    std::uint32_t domain;  // values are 0..domain-1
    std::int32_t layer;    // -1: set by operators; 0 or more: derived
    bool derived() const { return layer >= 0; }
};

struct Range {
    std::size_t begin = 0, end = 0;
};

struct Effect {
    Range conditions;
    Fact sets;
};

struct Operator {
    Range precondition, effects;
    std::uint32_t cost = 0;
    bool possible = true;
};

struct Axiom {
    std::uint32_t head;
    Range body;
};

struct Buffers {
    Vector<std::int32_t> domains, layers, initial, goal, operators, axioms, mutexes;
    Vector<std::int64_t> costs;
};

class Task {
  public:
    Task(const Buffers& buffers, Control& control);

    std::span<const Fact> facts(Range range) const { return {facts_.data() + range.begin, range.end - range.begin}; }
    std::span<const Effect> effects(const Operator& op) const {
        return {effects_.data() + op.effects.begin, op.effects.end - op.effects.begin};
    }
    // Calls `emit(fact)` for every fact that comes up anywhere, `mentions()` times; most of them more than once.
    template <class Emit>
    void mention(Emit&& emit) const {
        for (const Fact& fact : facts_) emit(fact);
        for (const Effect& effect : effects_) emit(effect.sets);
        for (const Axiom& axiom : axioms) emit(Fact{axiom.head, 1});
        for (std::uint32_t variable = 0; variable < initial.size(); ++variable) emit(Fact{variable, initial[variable]});
    }
    std::size_t mentions() const { return facts_.size() + effects_.size() + axioms.size() + initial.size(); }

    Vector<Variable> variables;
    Vector<std::uint32_t> initial;  // derived variables: 0
    Vector<Fact> goal;
    bool goal_possible = true;
    Vector<Operator> operators;
    Vector<Axiom> axioms;
    Vector<Range> mutexes;  // groups of facts of which at most one holds in a state that can be reached

  private:
    class Parser;
    Vector<Fact> facts_;  // all lists of facts, one after the other
    Vector<Effect> effects_;
};

}  // namespace unpuzzle
