// The one face of the core: what programs in any language ask of it. Nothing here knows of Python.
//
//     task/task.hpp                Buffers, Task            a finite-domain task as arrays, checked
//     state/compiled_task.hpp      CompiledTask                    the same, compiled: shared by all that follows
//     here                         search                   one search of one task
//     heuristics/registry.hpp      heuristics               which there are
//     plans/improvement.hpp        eliminate, windows       plans made shorter
//     search/state_space.hpp       StateSpace               every state and transition
//     search/family.hpp            Family                   many starts and goals of one task
//     grounding/ground.hpp         ground                   from a lifted task to a finite-domain one
//     script/                                               games that are played by rules of their own
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "heuristics/registry.hpp"
#include "search/search.hpp"

namespace unpuzzle {

struct SearchOptions {
    std::string_view algorithm, heuristic;  // or two of them, "ff,landmarks", for what takes several
    std::optional<double> seconds;
    std::size_t bytes = SIZE_MAX;
    std::uint64_t most_expanded = UINT64_MAX;
    Cost weight = 1;
    LazyOrbits* orbits = nullptr;
    std::uint64_t symmetries_after = 0;
    bool symmetric_start = false;
    Cost bound = NO_BOUND;
    std::string_view pruning = {};  // none: all successors
};

struct SearchResult {
    Status status = Status::gave_up;
    std::optional<std::vector<OperatorId>> plan;
    Cost cost = 0;
    Counters counters;
    std::size_t states = 0, bytes = 0;
    double seconds = 0;
};

SearchResult search(const CompiledTask& compiled, const SearchOptions& request, Control& control);

}  // namespace unpuzzle
