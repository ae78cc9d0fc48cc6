// One state taken out for work: its derived variables and its successors. Each search has one expander.
#pragma once

#include <concepts>
#include <vector>

#include "state/compiled_task.hpp"

namespace unpuzzle {

template <int W>
class Expander {
  public:
    explicit Expander(const CompiledTask& compiled)
        : compiled_(compiled), state_(compiled.extended_words()), stack_(compiled.successors.depth() + 1) {}

    void load(const Word* state) {
        load([&](Word* to) { copy<W>(to, state, compiled_.words()); });
    }
    // The state that `write` puts there.
    template <class Write>
        requires std::invocable<Write, Word*>
    void load(Write&& write) {
        write(state_.data());
        if (compiled_.features.axioms) compiled_.axioms.evaluate(state_.data(), scratch_);
    }
    const Word* state() const { return state_.data(); }

    // For each operator applicable in the loaded state, `emit(op)`.
    template <class Emit>
    void applicable(Emit&& emit) {
        compiled_.successors.visit(state_.data(), stack_.data(), emit);
    }
    void apply(OperatorId op, Word* child) const { compiled_.operators.apply<W>(op, state_.data(), child); }

  private:
    const CompiledTask& compiled_;
    std::vector<Word> state_;  // the extended state
    std::vector<std::uint32_t> stack_;
    Axioms::Scratch scratch_;
};

}  // namespace unpuzzle
