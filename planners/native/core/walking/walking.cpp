#include "walking/walking.hpp"

#include "search/a_star.hpp"
#include "search/breadth_first.hpp"

namespace unpuzzle {

namespace {

template <template <class> class Algorithm>
std::unique_ptr<Search> make_for_task(WalkingContext& run) {
    return std::make_unique<Algorithm<WalkingSystem>>(run);
}

}  // namespace

PushSearch::PushSearch(const CompiledTask& compiled, const WalkingOptions& options, Control& control, Budget& budget)
    : walker_(find_walker(compiled.task, compiled.features, options.walker, control)) {
    if (!walker_) throw UnsupportedTask("tasks without a walker", "Searches of pushes");
    folded_.emplace(compiled, *walker_, control);
    costs_.emplace(options.objective, folded_->farthest(), folded_->farthest() + compiled.features.dearest_cost);
    if (costs_->estimates_pushes()) counting_ = folded_->counting_pushes(*walker_, control);
    const CompiledTask& estimated = counting_ ? *counting_ : compiled;
    heuristic_ = make_heuristic(options.heuristic, {estimated, control, budget});
    run_.emplace(WalkingContext{.folded = *folded_,
                                .costs = *costs_,
                                .estimated = estimated,
                                .control = control,
                                .budget = budget,
                                .heuristic = *heuristic_,
                                .most_expanded = UINT64_MAX,
                                .weight = options.weight});
    const bool breadth_first = options.objective == Objective::pushes && (options.breadth_first || heuristic_->blind());
    staged_.emplace(*run_, breadth_first ? make_for_task<BreadthFirst> : make_for_task<AStar>);
}

void PushSearch::set_bounds(Cost known, Cost bound) {
    if (!heuristic_->admissible() || run_->weight > 1) return;
    run_->known = known;
    run_->bound = bound;
}

}  // namespace unpuzzle
