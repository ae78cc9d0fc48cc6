// Removes needless parts of a ground task: impossible ones, always true ones, and those irrelevant for the goal.
//
// `simplify` finds the literals that can be true at all if operators only ever add possibilities: a fact that can
// become true may be true, one that can become false may be false. Parts that need an impossible literal are removed; a
// literal whose opposite is impossible needs no test. Joins saw only a weaker form of the conditions (no negation, no
// `forall`), so there is often something to remove, and again after mutex groups have shown some operators to be
// impossible.
#pragma once

#include "base/control.hpp"
#include "grounding/task.hpp"

namespace unpuzzle::ground {

// The literals that can be true, by `at`.
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

// Rewrites operators, axioms and the goal in place. Operators without effects go, unless the task is faithful.
//     bool keeps(Literal32)      whether an effect that sets this, or an axiom of this head, stays
//     bool left(std::span<const Literal32> given, std::span<const Literal32> literals, Vector<Literal32>& out)
//                                appends what is left of a condition where others are given, or says: never true
template <class Keeps, class Left>
void rewrite(GroundTask& task, Control& control, Keeps&& keeps, Left&& left) {
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
        if (!left({}, task.precondition(old), before)) continue;
        GroundOperator made = old;
        made.begin = literals;
        made.effects = effects;
        made.size = write(before);
        for (std::size_t e = old.effects; e < old.effects + old.effect_count; ++e) {
            const GroundEffect of_old = task.effects[e];
            condition.clear();
            if (!keeps(of_old.sets) || !left(before, task.condition(of_old), condition)) continue;
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
    std::size_t bodies = 0, axioms = 0;
    for (std::size_t i = 0; i < task.axioms.size(); ++i) {
        control.tick();
        const GroundAxiom old = task.axioms[i];
        condition.clear();
        if (!keeps(old.head) || !left({}, task.body(old), condition)) continue;
        task.axioms[axioms++] = {old.head, static_cast<std::uint32_t>(condition.size()), bodies};
        std::copy(condition.begin(), condition.end(), task.bodies.begin() + static_cast<std::ptrdiff_t>(bodies));
        bodies += condition.size();
    }
    task.axioms.resize(axioms);
    task.bodies.resize(bodies);
    Vector<Literal32> goal;
    task.goal_possible = task.goal_possible && left({}, task.goal, goal);
    task.goal.swap(goal);
}

}  // namespace unpuzzle::ground
