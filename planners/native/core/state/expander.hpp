// One state taken out for work: its derived variables and its successors, all or those that pruning leaves. Each search
// has one expander.
#pragma once

#include <concepts>
#include <vector>

#include "state/compiled_task.hpp"
#include "state/pruning.hpp"

namespace unpuzzle {

template <int W>
class Expander {
  public:
    explicit Expander(const CompiledTask& compiled, Pruning* pruning = nullptr)
        : compiled_(compiled), pruning_(pruning), state_(compiled.extended_words()) {}

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

    // For each operator applicable in the loaded state, `emit(op)`; not for those that are pruned.
    template <class Emit>
    void applicable(Emit&& emit) {
        if (!pruning_) return compiled_.successors.visit(state_.data(), stack_.data(), emit);
        left_.clear();
        compiled_.successors.visit(state_.data(), stack_.data(), [&](OperatorId op) { left_.push_back(op); });
        pruning_->prune(state_.data(), left_);
        for (const OperatorId op : left_) emit(op);
    }
    void apply(OperatorId op, Word* child) const { compiled_.operators.apply<W>(op, state_.data(), child); }

  private:
    const CompiledTask& compiled_;
    Pruning* pruning_;
    Vector<OperatorId> left_;  // by pruning
    std::vector<Word> state_;  // the extended state
    std::vector<std::uint32_t> stack_ = std::vector<std::uint32_t>(compiled_.successors.depth() + 1);
    Axioms::Scratch scratch_;
};

}  // namespace unpuzzle
