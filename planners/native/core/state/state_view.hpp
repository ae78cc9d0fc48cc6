// A read-only view of a state: the value of each variable, without its words and bits.
//
// Stored states have no derived variables. To read those, too, use the view that a `DerivedVariables` returns.
#pragma once

#include "state/extended_state.hpp"

namespace unpuzzle {

class StateView {
  public:
    StateView() = default;  // of no state
    StateView(const CompiledTask& compiled, const Word* words) : compiled_(&compiled), words_(words) {}

    explicit operator bool() const { return words_ != nullptr; }
    std::uint32_t operator[](std::size_t variable) const { return compiled_->layout[variable].value(words_); }
    bool holds(const Fact& fact) const { return (*this)[fact.variable] == fact.value; }
    bool hold(std::span<const Fact> facts) const {
        return std::ranges::all_of(facts, [&](const Fact& fact) { return holds(fact); });
    }
    // Calls `visit` with each fact of a variable that is not derived.
    template <class Visit>
    void each(Visit&& visit) const {
        const auto& variables = compiled_->task.variables;
        for (std::uint32_t variable = 0; variable < variables.size(); ++variable) {
            if (!variables[variable].derived()) visit(Fact{variable, (*this)[variable]});
        }
    }
    // For what copies, compares or hashes a whole state.
    const Word* words() const { return words_; }

  private:
    const CompiledTask* compiled_ = nullptr;
    const Word* words_ = nullptr;
};

class DerivedVariables {
  public:
    explicit DerivedVariables(const CompiledTask& compiled) : compiled_(compiled), extended_(compiled) {}

    // The same state with its derived variables, until the next call.
    StateView add_to(StateView state) {
        if (!compiled_.features.axioms) return state;
        copy<0>(extended_.words(), state.words(), compiled_.words());
        extended_.evaluate();
        return {compiled_, extended_.words()};
    }

  private:
    const CompiledTask& compiled_;
    ExtendedState extended_;
};

// The goal test. It compares words; the axioms are evaluated only if the goal needs derived variables and the rest of
// it is true.
class GoalTest {
  public:
    explicit GoalTest(const CompiledTask& compiled) : compiled_(compiled), derived_(compiled) {}

    bool holds(const Word* state) {
        if (!compiled_.task.goal_possible || !all_hold(compiled_.goal.stored, state)) return false;
        return !compiled_.features.derived_goal ||
               all_hold(compiled_.goal.derived, derived_.add_to({compiled_, state}).words());
    }
    bool holds(StateView state) { return holds(state.words()); }
    bool holds_extended(const Word* state) const {
        return compiled_.task.goal_possible && all_hold(compiled_.goal.stored, state) &&
               all_hold(compiled_.goal.derived, state);
    }

  private:
    const CompiledTask& compiled_;
    DerivedVariables derived_;
};

}  // namespace unpuzzle
