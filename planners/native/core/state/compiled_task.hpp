// A task with everything that was compiled from it. It never changes, so any number of searches may share it; the data
// that a search writes are in its `Expander`.
#pragma once

#include "state/axioms.hpp"
#include "state/operators.hpp"
#include "state/successors.hpp"
#include "task/features.hpp"

namespace unpuzzle {

// A state is a goal if the tests are true; tests on derived variables need the axioms to be evaluated first.
struct Goal {
    Vector<Test> stored, derived;
};

struct CompiledTask {
    CompiledTask(const Buffers& buffers, Control& control);

    std::size_t words() const { return layout.words(); }
    std::size_t extended_words() const { return layout.words() + layout.derived_words(); }
    std::size_t bytes() const { return bytes_; }  // that the budget gave for it
    // A state of one value a variable, with derived words in which nothing is true, and back. BadTask for what is none.
    std::vector<Word> packed(std::span<const std::int64_t> values) const;
    std::vector<std::int64_t> values(const Word* extended) const;
    // The same operators, from this state to what the facts say, which are sorted by variable and not on derived ones.
    CompiledTask between(const Word* start, const Vector<Fact>& facts) const;
    // Makes the state to which the operator led, without derived words, the one in which it was applied; only where
    // the operators are `undoable`. (Elsewhere the way back is a search of its own; see inverse.hpp.)
    void undo(OperatorId op, Word* state) const;
    // Pieces of work that expanding a state may be; see `Control::work`.
    std::size_t work() const { return task.operators.size() + axioms.work(); }

  private:
    void test(const Vector<Fact>& facts);

    std::size_t bytes_ = Metered::used();  // before anything else is made, and in the end the difference

  public:
    Task task;
    TaskFeatures features;
    Layout layout;
    Operators operators;
    SuccessorGenerator successors;
    Axioms axioms;
    Goal goal;
    Vector<Word> initial;  // without derived words
};

}  // namespace unpuzzle
