// Which facts hold together in a state that a plan passes through, and which operators a plan can contain:
// h^2, forwards and backwards (Haslum and Geffner, Admissible heuristics for optimal planning, 2000; Alcazar
// and Torralba, A reminder about the importance of computing and exploiting invariants in planning, 2015).
//
// Forwards: a pair of facts can hold if both hold at the start, or some operator whose preconditions can hold
// by twos makes it so. Backwards the same from the goal, with operators turned round. What neither way has is
// either unreachable or a dead end, so no plan passes through it; each way looks only at what the other one
// has left, and they take turns until nothing changes. Operators that no plan can contain drop out on the
// way.
//
//     start ──► pairs reached ──► operators left ──► pairs that lead to the goal ──► ... ──► a fixpoint
//
// *Disambiguation* makes it stronger: every variable has some value, so where the facts that an operator
// names leave a variable one value only, that fact is named too; where they leave none, the operator is out.
//
// Whatever is cut short is still right: `most_work` bounds the work, counted in words of rows, and what is
// known when it ends is kept. Supports costs of 0. Tasks with axioms or conditional effects are not
// supported.
#pragma once

#include "task/fact_pairs.hpp"

namespace unpuzzle {

class H2Pairs {
  public:
    H2Pairs(const Task& task, Control& control, Budget& budget, std::uint64_t most_work);

    // False if there is certainly no plan.
    bool solvable() const { return solvable_; }
    bool usable(OperatorId op) const { return usable_[op] != 0; }
    bool possible(const Fact& fact) const { return allowed_.has(numbers_(fact)); }
    const FactIds& numbers() const { return numbers_; }
    const FactPairs& pairs() const { return allowed_; }
    bool complete() const { return complete_; }  // false: the work was used up

  private:
    class Pass;
    // An operator in one direction: from a state with the facts `from`, it changes some variables, some of
    // them to the facts `to`, the `open` ones to whatever fits.
    struct Step {
        Vector<Fact> from, to;
        Vector<std::uint32_t> changed, open;
    };
    struct WorkIsDone {};

    void allow();
    void describe(const Operator& op, Step& forwards, Step& backwards) const;
    void take_turns();
    bool together(const Vector<Fact>& facts) const;
    void spend(std::size_t words) {
        if ((work_ += words) > most_work_) throw WorkIsDone{};
    }

    const Task& task_;
    Control& control_;
    FactIds numbers_;
    FactPairs allowed_, reached_;  // by the passes before; by this one
    Vector<std::uint8_t> usable_;
    std::uint64_t work_ = 0, most_work_;
    bool solvable_ = true, complete_ = false;
};

}  // namespace unpuzzle
