#include "walking/walking.hpp"

#include "search/a_star.hpp"
#include "search/breadth_first.hpp"
#include "walking/system.hpp"

namespace unpuzzle {

namespace {

// For states of any width: most of the time goes into finding where one can walk, so versions for each width would be
// compiled for seconds and gain nothing.
using AnyWidth = WalkingSystem<0>;

// A heuristic that would rather be improved than go on is improved, and the search starts again.
Status run_in_stages(WalkingContext& run, bool breadth_first, std::unique_ptr<Search>& search) {
    const std::uint64_t most = run.most_expanded;
    while (true) {
        const std::uint64_t budget = run.heuristic.states_before_refining(), done = run.control.counters.expanded;
        run.most_expanded = budget < most - done ? done + budget : most;
        search.reset();
        run.control.begin_phase();
        if (breadth_first)
            search = std::make_unique<BreadthFirst<AnyWidth>>(run);
        else
            search = std::make_unique<AStar<AnyWidth>>(run);
        const Status status = search->run();
        const bool impatient = run.control.counters.expanded >= run.most_expanded && run.most_expanded < most;
        if (status != Status::gave_up || !impatient) return status;
        search.reset();
        run.heuristic.refine();
    }
}

}  // namespace

WalkingResult search_pushes(const CompiledTask& compiled, const WalkingOptions& options, Control& control,
                            Budget& budget) {
    const std::optional<Walker> walker = find_walker(compiled.task, compiled.features, options.walker, control);
    if (!walker) throw UnsupportedTask("tasks in which nothing walks", "Searches of pushes");
    const FoldedTask folded(compiled, *walker, control);
    const ObjectiveCosts costs(options.objective, folded.farthest(),
                               folded.farthest() + compiled.features.dearest_cost);
    std::unique_ptr<const CompiledTask> counting;
    if (costs.estimates_pushes()) counting = folded.counting_pushes(*walker, control);
    const CompiledTask& estimated = counting ? *counting : compiled;
    const auto heuristic = make_heuristic(options.heuristic, {estimated, control, budget});
    WalkingContext run{.folded = folded,
                       .costs = costs,
                       .estimated = estimated,
                       .control = control,
                       .budget = budget,
                       .heuristic = *heuristic,
                       .most_expanded = options.most_expanded,
                       .weight = options.weight};
    std::unique_ptr<Search> search;
    const bool breadth_first = options.objective == Objective::pushes && (options.breadth_first || heuristic->blind());
    WalkingResult result;
    result.status = run_in_stages(run, breadth_first, search);
    result.states = search->states();
    control.begin_phase();
    if (result.status == Status::solved || result.status == Status::solved_optimally) result.plan = search->plan();
    return result;
}

}  // namespace unpuzzle
