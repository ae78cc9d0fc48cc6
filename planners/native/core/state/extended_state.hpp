// Room for one state with its derived variables.
#pragma once

#include "state/compiled_task.hpp"

namespace unpuzzle {

class ExtendedState {
  public:
    explicit ExtendedState(const CompiledTask& compiled);
    ~ExtendedState();  // not inline: every search has some of them

    Word* words() { return words_.data(); }
    const Word* words() const { return words_.data(); }
    // Fills the derived variables, when the stored ones are there.
    void evaluate() {
        if (compiled_.features.axioms) compiled_.axioms.evaluate(words_.data(), scratch_);
    }

  private:
    const CompiledTask& compiled_;
    Vector<Word> words_;
    Axioms::Scratch scratch_;
};

}  // namespace unpuzzle
