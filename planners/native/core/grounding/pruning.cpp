#include "grounding/pruning.hpp"

#include <algorithm>

#include "grounding/mutexes.hpp"

namespace unpuzzle::ground {

namespace {

// The literals that can hold, where the `certain` facts always do. A unit is an operator, an effect or an axiom; it waits
// for literals, an effect for its operator too.
Possible reachable(const GroundTask& task, const Vector<std::uint8_t>& certain, Control& control) {
    const std::size_t operators = task.operators.size(), effects = task.effects.size();
    Vector<std::uint32_t> missing(operators + effects + task.axioms.size());
    const auto waiting = Rows<std::uint32_t>::by_row(2 * task.facts.size(), [&](auto&& put) {
        std::uint32_t unit = 0;
        const auto wait = [&](std::span<const Literal32> literals) {
            control.tick();
            missing[unit] = static_cast<std::uint32_t>(literals.size());
            for (const Literal32 literal : literals) put(Possible::at(literal), unit);
            ++unit;
        };
        for (const GroundOperator& op : task.operators) wait(task.precondition(op));
        for (const GroundEffect& effect : task.effects) wait(task.condition(effect));
        for (const GroundAxiom& axiom : task.axioms) wait(task.body(axiom));
    });
    for (std::size_t e = 0; e < effects; ++e) ++missing[operators + e];
    Possible possible(task.facts.size());
    Vector<Literal32> pending;
    const auto reach = [&](Literal32 literal) {
        if (possible.mark(literal)) pending.push_back(literal);
    };
    const auto fire = [&](std::size_t unit) {
        if (unit < operators) {
            const GroundOperator& op = task.operators[unit];
            for (std::size_t e = op.effects; e < op.effects + op.effect_count; ++e) {
                // An effect without conditions may be reached here and by the first look at all units: both are
                // harmless.
                if (--missing[operators + e] == 0) reach(task.effects[e].sets);
            }
        } else if (unit < operators + effects) {
            reach(task.effects[unit - operators].sets);
        } else {
            reach(task.axioms[unit - operators - effects].head);
        }
    };
    for (std::size_t fact = 0; fact < task.facts.size(); ++fact) {
        const auto literal = static_cast<Literal32>(fact);
        if (certain[fact] || task.starts.somewhere(fact)) reach(literal);
        if (!certain[fact] && !task.starts.everywhere(fact)) reach(~literal);
    }
    for (std::size_t unit = 0; unit < missing.size(); ++unit) {
        if (missing[unit] == 0) fire(unit);
    }
    while (!pending.empty()) {
        control.tick();
        const Literal32 literal = take_last(pending);
        for (const std::uint32_t unit : waiting[Possible::at(literal)]) {
            if (--missing[unit] == 0) fire(unit);
        }
    }
    return possible;
}

void reduce(GroundTask& task, const Possible& possible, Control& control) {
    rewrite(
        task, control, [&](Literal32 sets) { return possible(~sets); },
        [&](std::span<const Literal32>, std::span<const Literal32> literals, Vector<Literal32>& left) {
            for (const Literal32 literal : literals) {
                if (!possible(literal)) return false;
                if (possible(~literal)) left.push_back(literal);
            }
            return true;
        });
    std::erase_if(task.kept, [&](Literal32 literal) { return !possible(literal) || !possible(~literal); });
}

}  // namespace

Possible simplify(GroundTask& task, Control& control) {
    Vector<std::uint8_t> certain(task.facts.size());  // derived facts that are always true
    while (true) {
        Possible possible = reachable(task, certain, control);
        reduce(task, possible, control);
        bool found = false;
        for (const GroundAxiom& axiom : task.axioms) {
            if (axiom.size == 0) certain[static_cast<std::size_t>(axiom.head)] = found = true;
        }
        if (!found) return possible;
    }
}

Vector<std::uint8_t> prune_irrelevant(GroundTask& task, Control& control) {
    const std::size_t facts = task.facts.size();
    struct Achiever {
        std::uint32_t op, effect;
    };
    const auto effects = Rows<Achiever>::by_row(facts, [&](auto&& put) {
        for (std::uint32_t o = 0; o < task.operators.size(); ++o) {
            control.tick();
            const GroundOperator& op = task.operators[o];
            for (std::size_t e = op.effects; e < op.effects + op.effect_count; ++e)
                put(static_cast<std::size_t>(task.effects[e].fact()), Achiever{o, static_cast<std::uint32_t>(e)});
        }
    });
    const auto axioms = Rows<std::uint32_t>::by_row(facts, [&](auto&& put) {
        for (std::uint32_t a = 0; a < task.axioms.size(); ++a) put(static_cast<std::size_t>(task.axioms[a].head), a);
    });
    Vector<std::uint8_t> relevant(facts), seen(task.operators.size());
    Vector<AtomId> pending;
    const auto need = [&](std::span<const Literal32> literals) {
        for (const Literal32 literal : literals) {
            const AtomId fact = fact_of(literal);
            if (relevant[static_cast<std::size_t>(fact)]) continue;
            relevant[static_cast<std::size_t>(fact)] = 1;
            pending.push_back(fact);
        }
    };
    need(task.goal);
    need(task.kept);
    for (std::size_t o = 0; task.faithful && o < task.operators.size(); ++o) {
        need(task.precondition(task.operators[o]));
    }
    while (!pending.empty()) {
        control.tick();
        const auto fact = static_cast<std::size_t>(take_last(pending));
        for (const auto& [op, effect] : effects[fact]) {
            need(task.condition(task.effects[effect]));
            if (seen[op]) continue;
            seen[op] = 1;
            need(task.precondition(task.operators[op]));
        }
        for (const std::uint32_t a : axioms[fact]) need(task.body(task.axioms[a]));
    }
    rewrite(
        task, control, [&](Literal32 sets) { return relevant[static_cast<std::size_t>(fact_of(sets))] != 0; },
        [](std::span<const Literal32>, std::span<const Literal32> literals, Vector<Literal32>& left) {
            left.insert(left.end(), literals.begin(), literals.end());
            return true;
        });
    for (std::size_t fact = 0; fact < facts; ++fact) {
        if (!relevant[fact]) subtract(task.starts[fact], task.starts[fact]);
    }
    return relevant;
}

//     group {at t1 c1, at t1 c2, at t1 c3}      (at t1 c1) and (at t1 c2): never both, so it is dropped
//                                               (at t1 c1) and not (at t1 c3): the second goes without saying
bool reduce_by(const std::vector<MutexGroup>& groups, GroundTask& task, Control& control) {
    const auto groups_of = Rows<std::uint32_t>::by_row(task.facts.size(), [&](auto&& put) {
        for (std::uint32_t i = 0; i < groups.size(); ++i) {
            for (const AtomId fact : groups[i].facts) put(static_cast<std::size_t>(fact), i);
        }
    });
    Vector<AtomId> true_of(groups.size(), -1);
    Vector<std::uint32_t> settled;  // groups of which a fact is true
    // False if the literals contradict those before.
    const auto settle = [&](std::span<const Literal32> literals) {
        for (const Literal32 literal : literals) {
            if (literal < 0) continue;
            for (const std::uint32_t group : groups_of[static_cast<std::size_t>(literal)]) {
                if (true_of[group] < 0) {
                    true_of[group] = literal;
                    settled.push_back(group);
                } else if (true_of[group] != literal) {
                    return false;
                }
            }
        }
        return true;
    };
    const auto left_open = [&](Literal32 literal) {
        if (literal >= 0) return true;
        return std::ranges::all_of(groups_of[static_cast<std::size_t>(~literal)], [&](std::uint32_t group) {
            return true_of[group] < 0 || true_of[group] == ~literal;
        });
    };
    const std::size_t effects = task.effects.size(), axioms = task.axioms.size();
    rewrite(
        task, control, [](Literal32) { return true; },
        [&](std::span<const Literal32> given, std::span<const Literal32> literals, Vector<Literal32>& left) {
            if (literals.empty()) return true;
            bool possible = settle(given) && settle(literals);
            for (const Literal32 literal : literals) {
                if (!possible) break;
                if (!left_open(literal)) continue;
                possible = std::ranges::find(given, ~literal) == given.end();
                if (std::ranges::find(given, literal) == given.end()) left.push_back(literal);
            }
            for (const std::uint32_t group : settled) true_of[group] = -1;
            settled.clear();
            return possible;
        });
    return task.effects.size() < effects || task.axioms.size() < axioms;
}

}  // namespace unpuzzle::ground
