// Transition systems: the interface between a search and its state space.
//
//                        ┌── successors ──► state, operator           A state is an array of words, and an operator a
//     start ──► load ──► the loaded state ► state, operator           number. One state at a time is loaded; searches
//                        └──────────────► state, operator, ...        write its successors where they want them.
//
// Searches are templates over such a class: a compiled task for states of 1, 2, 3, 4 words and of any number
// (compiled_system.hpp), a level of a game that is played by its rules (the room `script`), or one that a test makes
// up. Nothing here is virtual, so that generating a successor is straight-line code, as if it were written into the
// search.
#pragma once

#include <concepts>

#include "heuristics/heuristic.hpp"

namespace unpuzzle {

// A state, and how it was reached, in words: the counterpart of `Heuristic::EvaluationContext`.
struct ReachedState {
    const Word* state;
    StateId id, parent;
    OperatorId op;
    const Word* parent_state = nullptr;
};

// What breadth-first search and state spaces need.
//
// `WIDTH` is the template number for the words of a state, see words.hpp; `size()` tells how many there are. `load(write)`
// calls `write(words)` to get the state. `successors(place, emit)` calls `place()` before it writes a successor there,
// and then `emit(op)`. Systems whose successors are dear stop when that returns false, others need not. `is_goal(state)` is
// asked about the start and about successors, `loaded_is_goal()` about the loaded state.
// `cost(op)` is asked for right after the successor was made, as costs may hang on the loaded state.
// `work()` and `goal_work()` say how much work expanding a state and testing one may be; see `Control::work`.
template <class System>
concept TransitionSystem =
    requires(System& system, Word* (*place)(), bool (*emit)(OperatorId), void (*write)(Word*), const Word* state) {
        requires System::WIDTH >= 0;
        { system.size() } -> std::same_as<StateSize>;
        { system.start() } -> std::same_as<const Word*>;
        system.load(write);
        system.successors(place, emit);
        { system.is_goal(state) } -> std::same_as<bool>;
        { system.loaded_is_goal() } -> std::same_as<bool>;
        { system.cost(OperatorId{}) } -> std::convertible_to<Cost>;
        { system.work() } -> std::same_as<std::size_t>;
        { system.goal_work() } -> std::same_as<std::size_t>;
    };

// What searches need.
//
// They make the system from its `Context`, which has their limits, too (see `SearchContext`). So many successors as `BATCH`
// says are made before they are looked up: where they cost little, one then waits for memory together with
// others; where estimates want to see more of a successor than its words, as it was just made, it is 1. `Symmetries` is the
// class that knows a system's orbits and traces plans: `Representatives` or `NoSymmetries`. IDA* knows states that it
// comes back to by a table that forgets, in which the start is, too, or, if `COMPARES_WITH_PATH`, also by the states on its
// path; then operators may cost 0.
//
// `estimate` is asked about the start, when that is loaded, and about successors while their parent is. `wants_parents`
// tells whether it looks at the parent's state. `batches`: see `Heuristic`.
template <class System>
concept SearchableSystem = TransitionSystem<System> && requires(System& system, typename System::Context& run) {
    requires System::BATCH >= 1;
    requires System::COMPARES_WITH_PATH || !System::COMPARES_WITH_PATH;
    System(run);
    typename System::Symmetries;
    { system.same_costs() } -> std::same_as<bool>;
    { system.least_cost() } -> std::same_as<std::uint32_t>;
    { system.dearest_cost() } -> std::same_as<std::uint32_t>;
    { system.admissible() } -> std::same_as<bool>;
    { system.wants_parents() } -> std::same_as<bool>;
    { system.batches() } -> std::same_as<bool>;
    { system.estimate(ReachedState{}) } -> std::same_as<Cost>;
};

// Where all operators can be undone, a system may say so: then A* keeps the operator that led to a state (of so many)
// instead of the parent.
template <class System>
concept UndoingSystem = requires(const System& system, Word* state) {
    { system.can_be_undone() } -> std::same_as<bool>;
    { system.operators() } -> std::same_as<std::size_t>;
    system.undo(OperatorId{}, state);
};

}  // namespace unpuzzle
