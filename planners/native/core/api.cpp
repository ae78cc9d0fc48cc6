#include "api.hpp"

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

// Or null, for the empty name.
const PruningMethod* find_pruning(const SearchOptions& options, const Entry& algorithm) {
    if (options.pruning.empty()) return nullptr;
    if (!algorithm.prunes || options.symmetries_after)
        throw UnknownName(std::string(options.symmetries_after ? "symmetries" : algorithm.name) +
                          " do not go with pruning");
    return &entry_of(PRUNINGS, "pruning", options.pruning);
}

constexpr std::uint64_t STEPS_TO_ELIMINATE = 10'000'000;

// One name, or two with a comma between them.
struct Names {
    explicit Names(std::string_view text) : first(text.substr(0, text.find(','))) {
        if (first.size() < text.size()) second = text.substr(first.size() + 1);
    }
    std::string_view first, second;
};

constexpr std::uint64_t LEAST_BEFORE_DEPTH = 50'000, DEPTH_PER_BREADTH = 100;

// A* that runs out of memory goes on depth-first, if the heuristic is cheap enough for that; not for ever, as
// that may never end where there is no plan.
Status run_within_memory(SearchContext& run, const Entry& algorithm, std::unique_ptr<Search>& search) {
    const std::uint64_t most = run.most_expanded;
    Status status = Status::memout;
    if (within_memory([&] { status = run_in_stages(run, algorithm.make, search); })) return status;
    const std::uint64_t done = run.control.counters.expanded;
    const bool deeper = search && algorithm.make == leanest_a_star && run.heuristic.cheap() &&
                        run.compiled.features.least_cost > 0 && done >= LEAST_BEFORE_DEPTH;
    if (!deeper) return Status::memout;
    search.reset();
    run.most_expanded = std::min(most, done * DEPTH_PER_BREADTH);
    status = run_in_stages(run, ida_star, search);
    return status == Status::gave_up && run.control.counters.expanded < most ? Status::memout : status;
}

bool folds(const SearchOptions& options) { return options.folded || options.objective != OBJECTIVES[0]; }

// With walks folded away.
Status solve_folded(const CompiledTask& compiled, const SearchOptions& options, Control& control, Budget& budget,
                    SearchResult& result) {
    const Metered metered(budget);
    return within_limits([&] {
        budget.take(compiled.bytes());
        if (!compiled.task.goal_possible) return Status::unsolvable;
        WalkingOptions walking{.breadth_first = options.algorithm == "bfs",
                               .objective = objective_of(options.objective),
                               .heuristic = options.heuristic,
                               .most_expanded = options.most_expanded,
                               .weight = static_cast<Cost>(options.weight),
                               .walker = {options.walks}};
        WalkingResult walked = search_pushes(compiled, walking, control, budget);
        result.states = walked.states;
        if (walked.status != Status::solved && walked.status != Status::solved_optimally) return walked.status;
        for (const OperatorId op : walked.plan) result.cost += compiled.operators.cost(op);
        result.plan = std::move(walked.plan);
        return walked.status;
    });
}

Status solve(const CompiledTask& compiled, const SearchOptions& options, const Entry& algorithm, Control& control,
             Budget& budget, LazyOrbits* orbits, SearchResult& result) {
    if (folds(options)) return solve_folded(compiled, options, control, budget, result);
    std::unique_ptr<Heuristic> heuristic, second;
    std::unique_ptr<Pruning> pruning;
    std::optional<SearchContext> run;
    std::unique_ptr<Search> search;
    const Metered metered(budget);
    const Status status = within_limits([&] {
        budget.take(compiled.bytes());
        const HeuristicContext setting{compiled, control, budget, algorithm.several};
        const Names names(options.heuristic);
        heuristic = make_heuristic(names.first, setting);
        if (!names.second.empty()) second = make_heuristic(names.second, setting);
        if (!compiled.task.goal_possible) return Status::unsolvable;
        check_support(compiled.features, algorithm.unsupported, algorithm.by);
        if (const PruningMethod* method = find_pruning(options, algorithm)) pruning = method->make(compiled, control);
        run.emplace(SearchContext{.compiled = compiled,
                                  .control = control,
                                  .budget = budget,
                                  .heuristic = *heuristic,
                                  .most_expanded = options.most_expanded,
                                  .weight = static_cast<Cost>(options.weight),
                                  .orbits = options.symmetries_after ? orbits : nullptr,
                                  .symmetries_after = options.symmetries_after.value_or(0),
                                  .symmetric_start = options.symmetric_start,
                                  .second = second.get(),
                                  .bound = options.bound,
                                  .pruning = pruning.get()});
        const Status ending = run_within_memory(*run, algorithm, search);
        if (ending != Status::solved && ending != Status::solved_optimally) return ending;
        result.plan = plan_of(*search, control, budget);
        if (algorithm.several) result.plan = eliminate(compiled, std::move(*result.plan), control, STEPS_TO_ELIMINATE);
        for (const OperatorId op : *result.plan) result.cost += compiled.operators.cost(op);
        return ending;
    });
    if (search) result.states = search->states();
    return status;
}

void check(const SearchOptions& options, const Entry& algorithm) {
    const Names names(options.heuristic);
    find_heuristic(names.first);
    if (names.first.size() < options.heuristic.size()) {
        find_heuristic(names.second);
        if (!algorithm.several) throw UnknownName(std::string(algorithm.name) + " takes one heuristic, not two");
    }
    if (!algorithm.informed && options.heuristic != "blind") {
        throw UnknownName(std::string(algorithm.name) + " takes no heuristic but blind, not '" +
                          std::string(options.heuristic) + "'");
    }
    find_pruning(options, algorithm);
    if (folds(options)) {
        const Objective objective = objective_of(options.objective);
        const bool counted = objective == Objective::pushes ? options.algorithm != "astar" && options.algorithm != "bfs"
                                                            : options.algorithm != "astar";
        if (counted || options.symmetries_after || !options.pruning.empty())
            throw UnknownName("objective '" + std::string(options.objective) +
                              "' goes with 'astar', or for 'pushes' with 'bfs', without symmetries and pruning");
    }
    if (options.weight < 1 || options.weight > MOST_WEIGHT)
        throw std::invalid_argument("weight " + std::to_string(options.weight) + " is not in 1.." +
                                    std::to_string(MOST_WEIGHT));
}

}  // namespace

SearchResult search(const CompiledTask& compiled, const SearchOptions& options, Control& control, LazyOrbits* orbits) {
    const Entry& algorithm = entry_of(ALGORITHMS, "algorithm", options.algorithm);
    check(options, algorithm);
    Budget budget(options.bytes);
    SearchResult result;
    result.status = solve(compiled, options, algorithm, control, budget, orbits, result);
    result.counters = control.counters;
    if (result.status == Status::memout) give_back_to_system();
    result.bytes = budget.peak();
    result.seconds = control.seconds();
    return result;
}

}  // namespace unpuzzle
