// Searches: their input, their output, and the interface of an algorithm.
//
// An algorithm is a template over a transition system (transition_system.hpp), in a separate file, and a line in the
// table of api.cpp. To add a heuristic: see heuristic.hpp; a pruning method: state/pruning.hpp.
//
// The counts mean the same as in Fast Downward: see `Counters`. With the blind heuristic they are equal to
// those of its `astar(blind())` whenever the whole space is searched; in the last layer before a goal the
// order decides.
#pragma once

#include <memory>
#include <vector>

#include "base/memory.hpp"
#include "heuristics/heuristic.hpp"
#include "state/compiled_task.hpp"
#include "state/pruning.hpp"

namespace unpuzzle {

constexpr std::int64_t MOST_WEIGHT = 1000;
constexpr Cost NO_BOUND = ~Cost{0};

class LazyOrbits;
class SymmetricOperators;

// The objects that a search uses. All of them outlive it.
struct SearchContext {
    const CompiledTask& compiled;
    Control& control;
    Budget& budget;
    Heuristic& heuristic;
    std::uint64_t most_expanded;
    Cost weight = 1;                     // of the heuristic in weighted A*, 1..MOST_WEIGHT
    Cost g_weight = 1;                   // of the cost so far; 0: A* only heeds the heuristic
    LazyOrbits* orbits = nullptr;        // if symmetries are wanted: see representatives.hpp
    std::uint64_t symmetries_after = 0;  // so many states are expanded before they are looked for
    bool symmetric_start = false;        // use them only if one keeps the initial state
    Heuristic* second = nullptr;
    Cost bound = NO_BOUND;  // only cheaper plans are wanted
    Cost known = 0;         // no plan is cheaper: proved elsewhere
    Pruning* pruning = nullptr;
    SymmetricOperators* symmetric_operators = nullptr;  // the same object, if it is that
};

class Search {
  public:
    virtual ~Search() = default;
    // May throw `Stop` or std::bad_alloc; `states` can be asked even then. After `gave_up` it may be called again, with a
    // larger `most_expanded`: the search goes on where it was, to the same plan as without the pause. (What breadth-first
    // search collects to look it up together, it looks up before a pause: it may then see the goal a little sooner.)
    virtual Status run() = 0;
    virtual std::size_t states() const = 0;      // stored
    virtual std::vector<OperatorId> plan() = 0;  // after a run that solved
};

// The plan of a search that found one. It is rebuilt from what the search kept, which takes time and memory that the search
// may have used up to the last; a plan that was found would be lost then. So there is some more of both.
inline std::vector<OperatorId> plan_of(Search& search, Control& control, Budget& budget) {
    struct Finishing {
        Finishing(Control& own, Budget& bytes) : control(own), budget(bytes) {
            control.finish();
            budget.finish();
        }
        ~Finishing() {
            control.finished();
            budget.finished();
        }
        Control& control;
        Budget& budget;
    } const finishing(control, budget);
    return search.plan();
}

// A search that starts again whenever improving the heuristic is better than going on.
template <class Context>
class StagedSearch {
  public:
    using Make = std::unique_ptr<Search> (*)(Context&);

    StagedSearch(Context& run, Make make) : run_(run), make_(make) {}

    // As `Search::run`, until so many states were expanded in all.
    Status run(std::uint64_t most) {
        const Counters& counters = run_.control.counters;
        while (true) {
            if (!search_) start();
            run_.most_expanded = std::min(most, stage_end_);
            const Status status = search_->run();
            const bool impatient = counters.expanded >= stage_end_ && stage_end_ < most;
            if (status != Status::gave_up || !impatient) return status;
            search_.reset();
            run_.control.begin_phase();
            run_.heuristic.refine();
        }
    }
    // Goes on by another search, from its beginning.
    void restart(Make make) {
        search_.reset();
        make_ = make;
    }
    Search* search() { return search_.get(); }

  private:
    void start() {
        const std::uint64_t budget = run_.heuristic.states_before_refining(), done = run_.control.counters.expanded;
        stage_end_ = budget < UINT64_MAX - done ? done + budget : UINT64_MAX;
        run_.control.begin_search();
        search_ = make_(run_);
        run_.control.begin_phase();
    }

    Context& run_;
    Make make_;
    std::unique_ptr<Search> search_;
    std::uint64_t stage_end_ = 0;
};

// A search that owns its data and can be paused.
class ResumableSearch {
  public:
    virtual ~ResumableSearch() = default;
    // Goes on until so many states were expanded in all, then `gave_up`. Throws Stop, std::bad_alloc: then it is over.
    virtual Status run(std::uint64_t most_expanded) = 0;
    // For what comes: no plan is cheaper than `known`, and only cheaper ones than `bound` are wanted.
    virtual void set_bounds(Cost known, Cost bound) = 0;
    virtual std::vector<OperatorId> plan() = 0;  // after a run that solved
    virtual std::size_t states() = 0;
    virtual bool pruning_pays() { return true; }  // see state/pruning.hpp
};

std::unique_ptr<Search> breadth_first(SearchContext& run);
std::unique_ptr<Search> a_star(SearchContext& run);
bool fits_compactly(const SearchContext& run);
std::unique_ptr<Search> compact_a_star(SearchContext& run);  // where that says so
std::unique_ptr<Search> bidirectional(SearchContext& run);
std::unique_ptr<Search> greedy(SearchContext& run);
std::unique_ptr<Search> deep_greedy(SearchContext& run);
std::unique_ptr<Search> narrow_greedy(SearchContext& run);
std::unique_ptr<Search> leaping_greedy(SearchContext& run);
std::unique_ptr<Search> best_first_width(SearchContext& run);
std::unique_ptr<Search> lazy_weighted_a_star(SearchContext& run);
std::unique_ptr<Search> ida_star(SearchContext& run);

std::unique_ptr<Pruning> stubborn_sets(const CompiledTask& compiled, Control& control);

}  // namespace unpuzzle
