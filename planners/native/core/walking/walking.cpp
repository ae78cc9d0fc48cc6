#include "walking/walking.hpp"

#include "search/a_star.hpp"
#include "search/breadth_first.hpp"
#include "walking/system.hpp"

namespace unpuzzle {

namespace {

template <template <class> class Algorithm>
std::unique_ptr<Search> make_for_task(WalkingContext& run) {
    return std::make_unique<Algorithm<WalkingSystem>>(run);
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
    result.status = run_in_stages(run, breadth_first ? make_for_task<BreadthFirst> : make_for_task<AStar>, search);
    result.states = search->states();
    if (result.status == Status::solved || result.status == Status::solved_optimally)
        result.plan = plan_of(*search, control, budget);
    return result;
}

}  // namespace unpuzzle
