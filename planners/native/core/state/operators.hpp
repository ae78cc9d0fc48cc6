// Operators in the form in which they are applied: a mask of bits to keep, and the bits to put, for each word.
//
//     state   ┌──v7──┬──v2──┬──v9──┬──v4──┐        child = (state & keep) | put
//     keep    │111111│000000│111111│000000│        one such pair a word; for more than four words
//     put     │000000│ new  │000000│ new  │        only the words that the operator changes are listed
//
// Conditional effects come after that, in two forms, both tested in the state before:
// - *switches*: all conditional effects on v depend on one variable u alone (`when u=a: v:=b`), and the value
//   that v would have without them follows from a: then child ^= delta[a] applies them all without a branch.
//   Permutation puzzles are made of these (u is v itself there).
// - *guarded* writes: any others, one after the other: if the tests hold, child = (child & keep) | put.
// Effects that later ones always overwrite are dropped here, so the order between the parts does not matter.
#pragma once

#include "base/rows.hpp"
#include "state/layout.hpp"

namespace unpuzzle {

class Operators {
  public:
    Operators(const Task& task, const Layout& layout, Control& control);

    // `state` is extended by its derived words; `child` is not.
    template <int W>
    void apply(OperatorId op, const Word* state, Word* child) const {
        const std::size_t words = width<W>(words_);
        if (words <= DENSE_WORDS) {
            const Pair* pair = &pairs_[op * words];
            for (std::size_t i = 0; i < words; ++i) child[i] = (state[i] & pair[i].keep) | pair[i].put;
        } else {
            copy<W>(child, state, words_);
            for (const Write& write : writes_[op]) write.to(child);
        }
        if (!conditional_.empty()) apply_conditional(conditional_[op], state, child);
    }
    std::uint32_t cost(OperatorId op) const { return costs_[op]; }
    std::size_t count() const { return costs_.size(); }

  private:
    class Compiler;
    static constexpr std::size_t DENSE_WORDS = 4;

    struct Pair {
        Word keep, put;
    };
    struct Write {
        std::uint32_t word;
        Word keep, put;

        void to(Word* child) const { child[word] = (child[word] & keep) | put; }
    };
    struct Guarded {
        Range tests;
        Write write;
    };
    struct Switch {
        Place on;
        std::uint32_t word;  // of v
        std::size_t deltas;  // one for each value that the field of u can hold
    };
    struct Conditional {
        Range switches, guarded;
    };

    void apply_conditional(const Conditional& conditional, const Word* state, Word* child) const {
        for (std::size_t i = conditional.switches.begin; i < conditional.switches.end; ++i) {
            const Switch& entry = switches_[i];
            child[entry.word] ^= deltas_[entry.deltas + entry.on.value(state)];
        }
        for (std::size_t i = conditional.guarded.begin; i < conditional.guarded.end; ++i) {
            const auto& [tests, write] = guarded_[i];
            if (all_hold({tests_.data() + tests.begin, tests.end - tests.begin}, state)) write.to(child);
        }
    }

    std::size_t words_;
    Vector<Pair> pairs_;  // either these, up to four words,
    Rows<Write> writes_;  // or, by operator, these
    Vector<std::uint32_t> costs_;
    Vector<Conditional> conditional_;  // empty if no operator has any
    Vector<Switch> switches_;
    Vector<Word> deltas_;
    Vector<Guarded> guarded_;
    Vector<Test> tests_;
};

}  // namespace unpuzzle
