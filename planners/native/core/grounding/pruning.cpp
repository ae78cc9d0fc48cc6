#include "grounding/pruning.hpp"

#include <algorithm>

#include "grounding/mutexes.hpp"

namespace unpuzzle::ground {

namespace {

// A unit is an operator, an effect or an axiom; it waits for literals, an effect for its operator too.
class Reach {
  public:
    Reach(const GroundTask& task, const Vector<std::uint8_t>& certain, Control& control)
        : task_(task),
          control_(control),
          possible_(task.facts.size()),
          missing_(task.operators.size() + task.effects.size() + task.axioms.size()) {
        wait();
        for (std::size_t fact = 0; fact < task.facts.size(); ++fact) {
            const auto literal = static_cast<Literal32>(fact);
            if (certain[fact] || task.starts.somewhere(fact)) reach(literal);
            if (!certain[fact] && !task.starts.everywhere(fact)) reach(~literal);
        }
        for (std::size_t unit = 0; unit < missing_.size(); ++unit) {
            if (missing_[unit] == 0) fire(unit);
        }
    }

    Possible run() {
        while (!pending_.empty()) {
            control_.tick();
            const Literal32 literal = pending_.back();
            pending_.pop_back();
            for (const std::uint32_t unit : waiting_[Possible::at(literal)]) {
                if (--missing_[unit] == 0) fire(unit);
            }
        }
        return std::move(possible_);
    }

  private:
    template <class Visit>
    void units(Visit&& visit) const {
        std::uint32_t unit = 0;
        for (const GroundOperator& op : task_.operators) visit(unit++, task_.precondition(op));
        for (const GroundEffect& effect : task_.effects) visit(unit++, task_.condition(effect));
        for (const GroundAxiom& axiom : task_.axioms) visit(unit++, task_.body(axiom));
    }
    void wait() {
        waiting_ = Rows<std::uint32_t>::by_row(2 * task_.facts.size(), [&](auto&& put) {
            units([&](std::uint32_t unit, std::span<const Literal32> literals) {
                control_.tick();
                missing_[unit] = static_cast<std::uint32_t>(literals.size());
                for (const Literal32 literal : literals) put(Possible::at(literal), unit);
            });
        });
        const std::size_t operators = task_.operators.size();
        for (std::size_t e = 0; e < task_.effects.size(); ++e) ++missing_[operators + e];
    }
    void fire(std::size_t unit) {
        const std::size_t operators = task_.operators.size(), effects = task_.effects.size();
        if (unit < operators) {
            const GroundOperator& op = task_.operators[unit];
            for (std::size_t e = op.effects; e < op.effects + op.effect_count; ++e) {
                // An effect without conditions may be reached here and by the first look at all units: both
                // are harmless.
                if (--missing_[operators + e] == 0) reach(task_.effects[e].sets);
            }
        } else if (unit < operators + effects) {
            reach(task_.effects[unit - operators].sets);
        } else {
            reach(task_.axioms[unit - operators - effects].head);
        }
    }
    void reach(Literal32 literal) {
        if (possible_.mark(literal)) pending_.push_back(literal);
    }

    const GroundTask& task_;
    Control& control_;
    Possible possible_;
    Rows<std::uint32_t> waiting_;
    Vector<std::uint32_t> missing_;
    Vector<Literal32> pending_;
};

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

// What groups of mutually exclusive facts tell of operators, axioms and the goal.
//
//     group {at t1 c1, at t1 c2, at t1 c3}      (at t1 c1) and (at t1 c2): never both, so it is dropped
//                                               (at t1 c1) and not (at t1 c3): the second goes without saying
class Reducer {
  public:
    Reducer(const std::vector<MutexGroup>& groups, std::size_t facts)
        : groups_of_(Rows<std::uint32_t>::by_row(facts,
                                                 [&](auto&& put) {
                                                     for (std::uint32_t i = 0; i < groups.size(); ++i) {
                                                         for (const AtomId fact : groups[i].facts)
                                                             put(static_cast<std::size_t>(fact), i);
                                                     }
                                                 })),
          true_(groups.size(), -1) {}

    // Appends the literals that the true ones (and those of `given`) leave open; false if they contradict
    // each other.
    bool reduced(std::span<const Literal32> given, std::span<const Literal32> literals, Vector<Literal32>& left) {
        const bool possible = set(given) && set(literals);
        for (const Literal32 literal : literals) {
            if (possible && (literal >= 0 || !excluded(~literal))) left.push_back(literal);
        }
        for (const std::uint32_t group : set_) true_[group] = -1;
        set_.clear();
        return possible;
    }

  private:
    bool set(std::span<const Literal32> literals) {
        for (const Literal32 literal : literals) {
            if (literal < 0) continue;
            for (const std::uint32_t group : groups_of_[static_cast<std::size_t>(literal)]) {
                if (true_[group] < 0) {
                    true_[group] = literal;
                    set_.push_back(group);
                } else if (true_[group] != literal) {
                    return false;
                }
            }
        }
        return true;
    }
    bool excluded(AtomId fact) const {
        for (const std::uint32_t group : groups_of_[static_cast<std::size_t>(fact)]) {
            if (true_[group] >= 0 && true_[group] != fact) return true;
        }
        return false;
    }

    Rows<std::uint32_t> groups_of_;
    Vector<AtomId> true_;  // of each group
    Vector<std::uint32_t> set_;
};

}  // namespace

Possible simplify(GroundTask& task, Control& control) {
    Vector<std::uint8_t> certain(task.facts.size());  // derived facts that are always true
    while (true) {
        Possible possible = Reach(task, certain, control).run();
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
        const auto fact = static_cast<std::size_t>(pending.back());
        pending.pop_back();
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

bool reduce_by(const std::vector<MutexGroup>& groups, GroundTask& task, Control& control) {
    Reducer reducer(groups, task.facts.size());
    const std::size_t effects = task.effects.size(), axioms = task.axioms.size();
    Vector<Literal32> open;
    rewrite(
        task, control, [](Literal32) { return true; },
        [&](std::span<const Literal32> given, std::span<const Literal32> literals, Vector<Literal32>& left) {
            if (given.empty()) return reducer.reduced({}, literals, left);
            if (literals.empty()) return true;
            open.clear();
            if (!reducer.reduced(given, literals, open)) return false;
            for (const Literal32 literal : open) {
                if (std::find(given.begin(), given.end(), ~literal) != given.end()) return false;
                if (std::find(given.begin(), given.end(), literal) == given.end()) left.push_back(literal);
            }
            return true;
        });
    return task.effects.size() < effects || task.axioms.size() < axioms;
}

}  // namespace unpuzzle::ground
