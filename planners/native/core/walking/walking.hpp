// Searches of tasks in which somebody walks: see walker.hpp for who that is, and system.hpp for what is searched.
//
//     walker.hpp           who walks, proved                shadows.hpp, implications.hpp    what the proof needs
//     folded_task.hpp      the task without its walks       component.hpp                    where one can walk
//     objective.hpp        what is to be least              system.hpp                       states, steps, plans
#pragma once

#include "search/objective.hpp"
#include "search/search.hpp"
#include "walking/walker.hpp"

namespace unpuzzle {

struct WalkingOptions {
    bool breadth_first = false;  // else A*
    Objective objective = Objective::moves;
    std::string_view heuristic = "blind";  // of the task, or for the counts of pushes of one where walks are free
    std::uint64_t most_expanded = UINT64_MAX;
    Cost weight = 1;
    WalkerRequest walker = {};
};

struct WalkingResult {
    Status status = Status::gave_up;
    std::vector<OperatorId> plan;
    std::size_t states = 0;
};

// Throws UnsupportedTask where nobody walks, `Stop` and std::bad_alloc.
WalkingResult search_pushes(const CompiledTask& compiled, const WalkingOptions& options, Control& control,
                            Budget& budget);

}  // namespace unpuzzle
