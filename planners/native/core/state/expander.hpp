// Expands one state at a time: its derived variables and its successors, all or those that pruning leaves. Each search
// has one expander.
#pragma once

#include <concepts>

#include "state/extended_state.hpp"
#include "state/pruning.hpp"

namespace unpuzzle {

template <int W>
class Expander {
  public:
    explicit Expander(const CompiledTask& compiled, Pruning* pruning = nullptr)
        : compiled_(compiled), pruning_(pruning), state_(compiled) {}

    void load(const Word* state) {
        load([&](Word* to) { copy<W>(to, state, compiled_.words()); });
    }
    // The state that `write` puts there.
    template <class Write>
        requires std::invocable<Write, Word*>
    void load(Write&& write) {
        write(state_.words());
        state_.evaluate();
    }
    const Word* state() const { return state_.words(); }

    // The operators that are applicable in the loaded state, without those that are pruned; until the next call.
    const ApplicableOperators& applicable() {
        compiled_.successors.find(state_.words(), found_);
        if (pruning_) pruning_->prune(state_.words(), found_);
        return found_;
    }
    void apply(OperatorId op, Word* child) const { compiled_.operators.apply<W>(op, state_.words(), child); }

  private:
    const CompiledTask& compiled_;
    Pruning* pruning_;
    ApplicableOperators found_;
    ExtendedState state_;
};

}  // namespace unpuzzle
