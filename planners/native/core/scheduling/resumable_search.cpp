#include "scheduling/resumable_search.hpp"

#include "search/search.hpp"
#include "symmetries/orbits.hpp"

namespace unpuzzle {

namespace {

using Costs = HeuristicContext::Costs;

struct Entry {
    const char* name;
    std::unique_ptr<Search> (*make)(SearchContext&);
    bool informed;             // takes heuristics other than blind
    Costs costs = Costs::own;  // that heuristics count; searches for some plan take two of them, too
    bool prunes = false;       // see state/pruning.hpp
    Feature unsupported = Feature::none;
    const char* by = nullptr;  // its plural, to say so

    bool several() const { return costs != Costs::own; }
};

std::unique_ptr<Search> leanest_a_star(SearchContext& run) {
    if (run.heuristic.blind() && run.compiled.features.same_costs) return breadth_first(run);
    return fits_compactly(run) ? compact_a_star(run) : a_star(run);
}

constexpr Entry ALGORITHMS[] = {
    {"bfs", breadth_first, false, Costs::own, true},
    {"astar", leanest_a_star, true, Costs::own, true},
    {"bidirectional", bidirectional, false, Costs::own, false, Feature::different_costs | Feature::axioms,
     "Searches from both ends"},
    {"gbfs", greedy, true, Costs::one},
    {"gbfs, deepest first", deep_greedy, true, Costs::one},
    {"gbfs, fewest moves first", narrow_greedy, true, Costs::one},
    {"gbfs, leaping", leaping_greedy, true, Costs::one},
    {"bfws", best_first_width, true, Costs::one},
    {"lazywastar", lazy_weighted_a_star, true, Costs::plus_one},
    {"idastar", ida_star, true, Costs::own, true},
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

bool folds(const SearchOptions& options) { return options.folded || options.objective != OBJECTIVES[0]; }

class PlainSearch : public ResumableSearch {
  public:
    PlainSearch(const CompiledTask& compiled, const SearchOptions& options, const Entry& algorithm, Control& control,
                Budget& budget, LazyOrbits* orbits)
        : algorithm_(algorithm) {
        const HeuristicContext setting{compiled, control, budget, algorithm.costs};
        const Names names(options.heuristic);
        heuristic_ = make_heuristic(names.first, setting);
        if (!names.second.empty()) second_ = make_heuristic(names.second, setting);
        check_support(compiled.features, algorithm.unsupported, algorithm.by);
        if (const PruningMethod* method = find_pruning(options, algorithm)) pruning_ = method->make(compiled, control);
        SymmetricOperators* symmetric = nullptr;
        if (!pruning_ && algorithm.prunes && options.symmetries_after)
            pruning_.reset(symmetric = new SymmetricOperators(compiled.task));
        run_.emplace(SearchContext{.compiled = compiled,
                                   .control = control,
                                   .budget = budget,
                                   .heuristic = *heuristic_,
                                   .most_expanded = UINT64_MAX,
                                   .weight = static_cast<Cost>(options.weight),
                                   .orbits = options.symmetries_after ? orbits : nullptr,
                                   .symmetries_after = options.symmetries_after.value_or(0),
                                   .symmetric_start = options.symmetric_start,
                                   .second = second_.get(),
                                   .bound = algorithm.several() ? options.bound : NO_BOUND,
                                   .pruning = pruning_.get(),
                                   .symmetric_operators = symmetric});
        staged_.emplace(*run_, algorithm.make);
    }

    // A* that runs out of memory goes on depth-first, if the heuristic is cheap enough for that; not for ever, as
    // that may never end where there is no plan.
    Status run(std::uint64_t most_expanded) override {
        const std::uint64_t& done = run_->control.counters.expanded;
        Status status = Status::memout;
        if (most_deep_ == 0) {
            if (within_memory([&] { status = staged_->run(most_expanded); })) return status;
            const bool deeper = staged_->search() && algorithm_.make == leanest_a_star && heuristic_->cheap() &&
                                run_->compiled.features.least_cost > 0 && done >= LEAST_BEFORE_DEPTH;
            if (!deeper) throw Stop{Status::memout};
            staged_->restart(ida_star);
            most_deep_ = done * DEPTH_PER_BREADTH;
        }
        status = staged_->run(std::min(most_expanded, most_deep_));
        if (status == Status::gave_up && done >= most_deep_) throw Stop{Status::memout};
        return status;
    }
    void set_bounds(Cost known, Cost bound) override {
        if (algorithm_.several()) run_->bound = bound;  // which what a plan costs so far is compared with
        if (!heuristic_->admissible() || run_->weight > 1 || algorithm_.several()) return;
        run_->known = known;
        run_->bound = bound;
    }
    Steps plan() override {
        Steps plan = plan_of(*staged_->search(), run_->control, run_->budget);
        return algorithm_.several() ? eliminate(run_->compiled, std::move(plan), run_->control, STEPS_TO_ELIMINATE)
                                    : plan;
    }
    std::size_t states() override { return staged_->search() ? staged_->search()->states() : 0; }
    bool pruning_pays() override { return !pruning_ || pruning_->pays(); }

  private:
    const Entry& algorithm_;
    std::unique_ptr<Heuristic> heuristic_, second_;
    std::unique_ptr<Pruning> pruning_;
    std::optional<SearchContext> run_;
    std::optional<StagedSearch<SearchContext>> staged_;
    std::uint64_t most_deep_ = 0;  // expanded in all when it ends, once it goes on depth-first
};

// With walks folded away.
class FoldedSearch : public ResumableSearch {
  public:
    FoldedSearch(const CompiledTask& compiled, const SearchOptions& options, Control& control, Budget& budget)
        : control_(control),
          budget_(budget),
          search_(compiled,
                  {.breadth_first = options.algorithm == "bfs",
                   .objective = objective_of(options.objective),
                   .heuristic = options.heuristic,
                   .weight = static_cast<Cost>(options.weight),
                   .walker = {options.walks}},
                  control, budget) {}

    Status run(std::uint64_t most_expanded) override { return search_.run(most_expanded); }
    void set_bounds(Cost known, Cost bound) override { search_.set_bounds(known, bound); }
    Steps plan() override { return plan_of(*search_.search(), control_, budget_); }
    std::size_t states() override { return search_.search() ? search_.search()->states() : 0; }

  private:
    Control& control_;
    Budget& budget_;
    PushSearch search_;
};

}  // namespace

void check(const SearchOptions& options) {
    const Entry& algorithm = entry_of(ALGORITHMS, "algorithm", options.algorithm);
    const Names names(options.heuristic);
    find_heuristic(names.first);
    if (names.first.size() < options.heuristic.size()) {
        find_heuristic(names.second);
        if (!algorithm.several()) throw UnknownName(std::string(algorithm.name) + " takes one heuristic, not two");
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

bool impossible(const CompiledTask& compiled, const SearchOptions& options) {
    const Names names(options.heuristic);
    for (const std::string_view name : {names.first, names.second}) {
        if (folds(options) || name.empty()) continue;
        const HeuristicEntry& heuristic = find_heuristic(name);
        check_support(compiled.features, heuristic.unsupported, heuristic.plural);
    }
    return !compiled.task.goal_possible;
}

std::unique_ptr<ResumableSearch> resumable_search(const CompiledTask& compiled, const SearchOptions& options,
                                                  Control& control, Budget& budget, LazyOrbits* orbits) {
    if (folds(options)) return std::make_unique<FoldedSearch>(compiled, options, control, budget);
    const Entry& algorithm = entry_of(ALGORITHMS, "algorithm", options.algorithm);
    return std::make_unique<PlainSearch>(compiled, options, algorithm, control, budget, orbits);
}

}  // namespace unpuzzle
