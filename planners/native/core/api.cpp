#include "api.hpp"

#include <algorithm>
#include <new>

#include "plans/improvement.hpp"

namespace unpuzzle {

namespace {

struct Entry {
    const char* name;
    std::unique_ptr<Search> (*make)(SearchContext&);
    bool informed;         // takes heuristics other than blind
    bool several = false;  // and two of them, and counts steps; see `HeuristicContext`
    bool prunes = false;   // see state/pruning.hpp
    Feature unsupported = Feature::none;
    const char* by = nullptr;  // its plural, to say so
};

std::unique_ptr<Search> leanest_a_star(SearchContext& run) {
    if (run.heuristic.blind() && run.compiled.features.same_costs) return breadth_first(run);
    return fits_compactly(run) ? compact_a_star(run) : a_star(run);
}

constexpr Entry ALGORITHMS[] = {
    {"bfs", breadth_first, false, false, true},
    {"astar", leanest_a_star, true, false, true},
    {"bidirectional", bidirectional, false, false, false, Feature::different_costs | Feature::axioms,
     "Searches from both ends"},
    {"gbfs", greedy, true, true},
    {"lazywastar", lazy_weighted_a_star, true, true},
    {"idastar", ida_star, true, false, true},
};

struct PruningMethod {
    const char* name;
    std::unique_ptr<Pruning> (*make)(const CompiledTask&, Control&);
};

constexpr PruningMethod PRUNINGS[] = {{"stubborn", stubborn_sets}};

const Entry& find(std::string_view name) {
    std::string names;
    for (const Entry& entry : ALGORITHMS) {
        if (name == entry.name) return entry;
        names += std::string(names.empty() ? "" : ", ") + entry.name;
    }
    throw UnknownName("unknown algorithm '" + std::string(name) + "': there are " + names);
}

// Or null, for the empty name.
const PruningMethod* find_pruning(const SearchOptions& request, const Entry& algorithm) {
    if (request.pruning.empty()) return nullptr;
    if (!algorithm.prunes || request.orbits)
        throw UnknownName(std::string(request.orbits ? "symmetries" : algorithm.name) + " do not go with pruning");
    for (const PruningMethod& method : PRUNINGS) {
        if (request.pruning == method.name) return &method;
    }
    throw UnknownName("unknown pruning '" + std::string(request.pruning) + "'");
}

constexpr std::uint64_t STEPS_TO_ELIMINATE = 10'000'000;

// One name, or two with a comma between them.
struct Names {
    explicit Names(std::string_view text) : first(text.substr(0, text.find(','))) {
        if (first.size() < text.size()) second = text.substr(first.size() + 1);
    }
    std::string_view first, second;
};

// The search's own limits are its answers, whatever it was doing when they struck.
template <class Work>
void within_limits(SearchResult& outcome, Work&& work) {
    try {
        work();
    } catch (const Stop& stop) {
        outcome.status = stop.status;
    } catch (const std::bad_alloc&) {
        outcome.status = Status::memout;
    } catch (const std::length_error&) {  // a container would be larger than any memory
        outcome.status = Status::memout;
    }
}

// As long as the heuristic would rather be improved than go on, the search starts again.
Status run_in_stages(SearchContext& run, std::unique_ptr<Search> (*make)(SearchContext&),
                     std::unique_ptr<Search>& search) {
    const std::uint64_t most = run.most_expanded;
    while (true) {
        const std::uint64_t budget = run.heuristic.states_before_refining(), done = run.control.counters.expanded;
        run.most_expanded = budget < most - done ? done + budget : most;
        search.reset();
        run.control.begin_phase();
        search = make(run);
        run.control.begin_phase();
        const Status status = search->run();
        const bool impatient = run.control.counters.expanded >= run.most_expanded && run.most_expanded < most;
        if (status != Status::gave_up || !impatient) return status;
        search.reset();
        run.control.begin_phase();
        run.heuristic.refine();
    }
}

constexpr std::uint64_t LEAST_BEFORE_DEPTH = 50'000, DEPTH_PER_BREADTH = 100;

// A* that runs out of memory goes on depth-first, if the heuristic is cheap enough for that; not for ever, as
// that may never end where there is no plan.
Status run_within_memory(SearchContext& run, const Entry& algorithm, std::unique_ptr<Search>& search) {
    const std::uint64_t most = run.most_expanded;
    try {
        return run_in_stages(run, algorithm.make, search);
    } catch (const Stop& stop) {
        const std::uint64_t done = run.control.counters.expanded;
        const bool deeper = search && algorithm.make == leanest_a_star && run.heuristic.cheap() &&
                            run.compiled.features.least_cost > 0 && done >= LEAST_BEFORE_DEPTH;
        if (stop.status != Status::memout || !deeper) throw;
        search.reset();
        run.most_expanded = std::min(most, done * DEPTH_PER_BREADTH);
        const Status status = run_in_stages(run, ida_star, search);
        if (status == Status::gave_up && run.control.counters.expanded < most) throw;
        return status;
    }
}

void solve(const CompiledTask& compiled, const SearchOptions& request, const Entry& algorithm, Control& control,
           Budget& budget, SearchResult& outcome) {
    std::unique_ptr<Heuristic> heuristic, second;
    std::unique_ptr<Pruning> pruning;
    std::optional<SearchContext> run;
    std::unique_ptr<Search> search;
    const Metered metered(budget);
    within_limits(outcome, [&] {
        budget.take(compiled.bytes());
        const HeuristicContext setting{compiled, control, budget, algorithm.several};
        const Names names(request.heuristic);
        heuristic = make_heuristic(names.first, setting);
        if (!names.second.empty()) second = make_heuristic(names.second, setting);
        if (const PruningMethod* method = find_pruning(request, algorithm)) pruning = method->make(compiled, control);
        run.emplace(SearchContext{.compiled = compiled,
                                  .control = control,
                                  .budget = budget,
                                  .heuristic = *heuristic,
                                  .most_expanded = request.most_expanded,
                                  .weight = request.weight,
                                  .orbits = request.orbits,
                                  .symmetries_after = request.symmetries_after,
                                  .symmetric_start = request.symmetric_start,
                                  .second = second.get(),
                                  .bound = request.bound,
                                  .pruning = pruning.get()});
        if (compiled.task.goal_possible) {
            check_support(compiled.features, algorithm.unsupported, algorithm.by);
            outcome.status = run_within_memory(*run, algorithm, search);
        } else {
            outcome.status = Status::unsolvable;
        }
        if (outcome.status != Status::solved && outcome.status != Status::solved_optimally) return;
        control.begin_phase();
        outcome.plan = search->plan();
        if (algorithm.several)
            outcome.plan = eliminate(compiled, std::move(*outcome.plan), control, STEPS_TO_ELIMINATE);
        for (const OperatorId op : *outcome.plan) outcome.cost += compiled.operators.cost(op);
    });
    if (search) outcome.states = search->states();
}

}  // namespace

SearchResult search(const CompiledTask& compiled, const SearchOptions& request, Control& control) {
    const Entry& algorithm = find(request.algorithm);
    const Names names(request.heuristic);
    find_heuristic(names.first);
    if (names.first.size() < request.heuristic.size()) {
        find_heuristic(names.second);
        if (!algorithm.several) throw UnknownName(std::string(algorithm.name) + " takes one heuristic, not two");
    }
    if (!algorithm.informed && request.heuristic != "blind") {
        throw UnknownName(std::string(algorithm.name) + " takes no heuristic but blind, not '" +
                          std::string(request.heuristic) + "'");
    }
    find_pruning(request, algorithm);
    Budget budget(request.bytes);
    SearchResult outcome;
    solve(compiled, request, algorithm, control, budget, outcome);
    outcome.counters = control.counters;
    if (outcome.status == Status::memout) give_back_to_system();
    outcome.bytes = budget.peak();
    outcome.seconds = control.seconds();
    return outcome;
}

}  // namespace unpuzzle
