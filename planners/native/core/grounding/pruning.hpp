// What a ground task can do without: what can never happen, what always holds, what the goal does not depend
// on.
//
// `simplify` asks which literals can hold at all if operators only ever add possibilities: a fact that can
// become true may be true, one that can become false may be false. What needs an impossible literal goes; a
// literal whose opposite is impossible needs no test. Joins saw only a weaker form of the conditions (no
// negation, no `forall`), so there is often something to find; and again after mutex groups have shown some
// operators to be impossible.
#pragma once

#include "base/control.hpp"
#include "grounding/task.hpp"

namespace unpuzzle::ground {

// Literals that can hold, by `at`.
class Possible {
  public:
    explicit Possible(std::size_t facts) : marks_(2 * facts) {}
    static std::size_t at(Literal32 literal) {
        return literal >= 0 ? 2 * static_cast<std::size_t>(literal) : 2 * static_cast<std::size_t>(~literal) + 1;
    }
    bool operator()(Literal32 literal) const { return marks_[at(literal)] != 0; }
    bool mark(Literal32 literal) {  // false if it was marked
        std::uint8_t& mark = marks_[at(literal)];
        if (mark) return false;
        mark = 1;
        return true;
    }
    // Takes over what is known by now of some facts.
    void update(const Possible& now, const Vector<std::uint8_t>& facts) {
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            if (facts[i / 2]) marks_[i] &= now.marks_[i];
        }
    }

  private:
    Vector<std::uint8_t> marks_;
};

// Drops what is impossible and what is certain; `goal_possible` becomes false if the goal is impossible.
Possible simplify(GroundTask& task, Control& control);

// Drops effects on facts that the goal and `kept` do not depend on, however indirectly, then operators
// without effects. Returns a mark for each fact that remains.
Vector<std::uint8_t> prune_irrelevant(GroundTask& task, Control& control);

// Rewrites all operators in place; those without effects go, unless the task is faithful. The functions
// append what is left of a precondition, and of the condition of an effect, to a vector, or say false: it
// goes.
//     bool precondition(std::span<const Literal32>, Vector<Literal32>&)
//     bool effect(const Vector<Literal32>& precondition, const GroundEffect&, std::span<const Literal32>,
//     Vector<Literal32>&)
template <class Precondition, class Effect>
void rewrite(GroundTask& task, Control& control, Precondition&& precondition, Effect&& effect) {
    std::size_t literals = 0, effects = 0, operators = 0;
    Vector<Literal32> before, condition;
    const auto write = [&](const Vector<Literal32>& from) {
        std::copy(from.begin(), from.end(), task.literals.begin() + static_cast<std::ptrdiff_t>(literals));
        literals += from.size();
        return static_cast<std::uint32_t>(from.size());
    };
    for (std::size_t i = 0; i < task.operators.size(); ++i) {
        control.tick();
        const GroundOperator old = task.operators[i];
        before.clear();
        if (!precondition(task.precondition(old), before)) continue;
        GroundOperator made = old;
        made.begin = literals;
        made.effects = effects;
        made.size = write(before);
        for (std::size_t e = old.effects; e < old.effects + old.effect_count; ++e) {
            const GroundEffect of_old = task.effects[e];
            condition.clear();
            if (!effect(before, of_old, task.condition(of_old), condition)) continue;
            const std::size_t begin = literals;
            const std::uint32_t size = write(condition);
            task.effects[effects++] = {begin, size, of_old.sets};
        }
        made.effect_count = static_cast<std::uint32_t>(effects - made.effects);
        if (made.effect_count == 0 && !task.faithful) {
            literals = made.begin;
        } else {
            task.operators[operators++] = made;
        }
    }
    task.operators.resize(operators);
    task.effects.resize(effects);
    task.literals.resize(literals);
}

// The same for axioms: `bool body(const GroundAxiom&, std::span<const Literal32>, Vector<Literal32>&)`.
template <class Body>
void rewrite_axioms(GroundTask& task, Control& control, Body&& body) {
    std::size_t literals = 0, axioms = 0;
    Vector<Literal32> kept;
    for (std::size_t i = 0; i < task.axioms.size(); ++i) {
        control.tick();
        const GroundAxiom old = task.axioms[i];
        kept.clear();
        if (!body(old, task.body(old), kept)) continue;
        task.axioms[axioms++] = {old.head, static_cast<std::uint32_t>(kept.size()), literals};
        std::copy(kept.begin(), kept.end(), task.bodies.begin() + static_cast<std::ptrdiff_t>(literals));
        literals += kept.size();
    }
    task.axioms.resize(axioms);
    task.bodies.resize(literals);
}

}  // namespace unpuzzle::ground
