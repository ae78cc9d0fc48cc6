// One search of a task by the names of its parts, which can be paused: with its heuristics, its pruning method and, where
// walks are folded away, the task without them.
//
// A* that runs out of memory goes on depth-first, if the heuristic is cheap enough for that.
#pragma once

#include "plans/improvement.hpp"
#include "symmetries/orbits.hpp"
#include "walking/walking.hpp"

namespace unpuzzle {

// What is to be searched, and by what.
struct SearchOptions : Limits {
    std::string_view algorithm, heuristic = "blind";  // or two of them, "ff,landmarks", for what takes several
    std::uint64_t most_expanded = UINT64_MAX;
    std::int64_t weight = 1;                        // of the heuristic, 1..MOST_WEIGHT
    std::optional<std::uint64_t> symmetries_after;  // so many expansions; none: symmetries are not looked for
    bool symmetric_start = false;                   // use them only if one keeps the initial state
    Cost bound = NO_BOUND;                          // greedy searches: only cheaper plans are wanted
    std::string_view pruning = {};                  // none: all successors
    std::string_view objective = "moves";           // what is to be least; see search/objective.hpp
    bool folded = false;                            // walks are folded away, though moves are to be least
    std::optional<Steps> walks = {};                // what may be a walk then, changing no more than one variable
};

// Throws UnknownName and std::invalid_argument for options that do not go together.
void check(const SearchOptions& options);

// Whether parts of the goal exclude each other, so that there is nothing to search. Throws UnsupportedTask for heuristics.
bool impossible(const CompiledTask& compiled, const SearchOptions& options);

// What is given outlives it, but the options. Throws UnsupportedTask, Stop, std::bad_alloc.
std::unique_ptr<ResumableSearch> resumable_search(const CompiledTask& compiled, const SearchOptions& options,
                                                  Control& control, Budget& budget, LazyOrbits* orbits);

}  // namespace unpuzzle
