#include "api.hpp"

namespace unpuzzle {

SearchResult search(const CompiledTask& compiled, const SearchOptions& options, Control& control, LazyOrbits* orbits) {
    check(options);
    Budget budget(options.bytes);
    SearchResult result;
    std::unique_ptr<ResumableSearch> search;
    {
        const Metered metered(budget);
        result.status = within_limits([&] {
            budget.take(compiled.bytes());
            if (impossible(compiled, options)) return Status::unsolvable;
            search = resumable_search(compiled, options, control, budget, orbits);
            const Status ending = search->run(options.most_expanded);
            if (ending != Status::solved && ending != Status::solved_optimally) return ending;
            result.plan = search->plan();
            for (const OperatorId op : *result.plan) result.cost += compiled.operators.cost(op);
            return ending;
        });
        if (search) result.states = search->states();
        search.reset();
    }
    result.counters = control.counters;
    if (result.status == Status::memout) give_back_to_system();
    result.bytes = budget.peak();
    result.seconds = control.seconds();
    return result;
}

}  // namespace unpuzzle
