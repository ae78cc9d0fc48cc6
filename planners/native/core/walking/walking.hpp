// Searches of tasks with a walker: see walker.hpp for its definition, and system.hpp for the searched states.
//
//     walker.hpp           who walks, proved                shadows.hpp, implications.hpp    what the proof needs
//     folded_task.hpp      the task without its walks       component.hpp                    where one can walk
//     objective.hpp        what is to be least              system.hpp                       states, steps, plans
#pragma once

#include "search/objective.hpp"
#include "search/search.hpp"
#include "walking/system.hpp"
#include "walking/walker.hpp"

namespace unpuzzle {

struct WalkingOptions {
    bool breadth_first = false;  // else A*
    Objective objective = Objective::moves;
    std::string_view heuristic = "blind";  // of the task, or for the counts of pushes of one where walks are free
    Cost weight = 1;
    WalkerRequest walker = {};
};

// A search of pushes, with its data. Throws UnsupportedTask if there is no walker, `Stop` and std::bad_alloc.
class PushSearch {
  public:
    PushSearch(const CompiledTask& compiled, const WalkingOptions& options, Control& control, Budget& budget);

    // As StagedSearch has them.
    Status run(std::uint64_t most_expanded) { return staged_->run(most_expanded); }
    Search* search() { return staged_->search(); }
    void set_bounds(Cost known, Cost bound);

  private:
    std::optional<Walker> walker_;
    std::optional<FoldedTask> folded_;
    std::optional<ObjectiveCosts> costs_;
    std::unique_ptr<const CompiledTask> counting_;
    std::unique_ptr<Heuristic> heuristic_;
    std::optional<WalkingContext> run_;
    std::optional<StagedSearch<WalkingContext>> staged_;
};

}  // namespace unpuzzle
