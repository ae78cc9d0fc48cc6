// Searches that end within microseconds, one after the other, on the same graph.
//
// A new search of some hundred states spends nearly all its time on allocation and page faults (0.5 to 0.8 ms), and
// most of the rest on finding and applying operators. Starts of one family lead to the same states again and again, so
// the states, and the successors of those that were expanded, stay where they are for the next search:
//
//     pool    │ s0 │ s1 │ s2 │ ...                   states, numbered as they are met
//     nodes   │ edges │ mark, parent, operator │      what is kept │ what the current search wrote, if `mark`
//                                                     is its number: nothing is cleared between two searches
//     edges   │ target, operator │ ...
//     table   state → number
//
// Answers and counts are the same as in a new search. The graph is dropped when it becomes large and little of it is
// used again (levels with different walls have no state in common).
//
// Where all operators cost the same it is breadth-first search with goals tested at generation, otherwise
// uniform-cost search (Dijkstra 1959) with a binary heap; both are optimal and support everything.
#pragma once

#include <memory>
#include <vector>

#include "state/compiled_task.hpp"

namespace unpuzzle {

struct SmallGoal {
    Goal tests;
    bool possible = true;
};

struct SmallBounds {
    std::size_t bytes = SIZE_MAX;
    std::uint64_t most_expanded = UINT64_MAX;
};

struct SmallAnswer {
    Status status = Status::gave_up;
    std::vector<OperatorId> plan;
    Cost cost = 0;
    std::uint64_t expanded = 0, generated = 0, states = 0;
    bool solved() const { return status == Status::solved_optimally; }
};

class SmallSearch {
  public:
    virtual ~SmallSearch() = default;
    // Limits are answers; never throws, except what `control` is told by its observer: `interrupted`.
    virtual SmallAnswer solve(const Word* start, const SmallGoal& goal, const SmallBounds& bounds,
                              Control& control) = 0;
};

std::unique_ptr<SmallSearch> make_small_search(const CompiledTask& compiled);

}  // namespace unpuzzle
