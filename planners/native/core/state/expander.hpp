// One state taken out for work: its derived variables and its successors. Each search has one expander.
#pragma once

#include <concepts>
#include <vector>

#include "state/compiled_task.hpp"

namespace unpuzzle {

template <int W>
class Expander {
  public:
    explicit Expander(const Model& model)
        : model_(model), state_(model.extended_words()), stack_(model.successors.depth() + 1) {}

    void load(const Word* state) {
        load([&](Word* to) { copy<W>(to, state, model_.words()); });
    }
    // The state that `write` puts there.
    template <class Write>
        requires std::invocable<Write, Word*>
    void load(Write&& write) {
        write(state_.data());
        if (!model_.axioms.empty()) model_.axioms.evaluate(state_.data(), scratch_);
    }
    const Word* state() const { return state_.data(); }

    // For each operator applicable in the loaded state, `emit(op)`.
    template <class Emit>
    void applicable(Emit&& emit) {
        model_.successors.visit(state_.data(), stack_.data(), emit);
    }
    void apply(OperatorId op, Word* child) const { model_.operators.apply<W>(op, state_.data(), child); }

  private:
    const Model& model_;
    std::vector<Word> state_;  // the extended state
    std::vector<std::uint32_t> stack_;
    Axioms::Scratch scratch_;
};

}  // namespace unpuzzle
