// The searches of the core, on a transition system of numbers and on small tasks: when they end, and what they prune.
#include "search/a_star.hpp"
#include "search/breadth_first.hpp"
#include "search/ida_star.hpp"
#include "search/state_space.hpp"
#include "support.hpp"

using namespace unpuzzle;

namespace {

// Numbers from 1 to 100; operator 0 adds one, operator 1 doubles. So many successors are looked up at once.
template <std::size_t SIZE>
class Numbers {
  public:
    struct Context {
        Control& control;
        Budget& budget;
        Word goal;
        std::uint64_t most_expanded = UINT64_MAX;
        Cost weight = 1, g_weight = 1;
    };
    using Symmetries = NoSymmetries<Numbers>;
    static constexpr int WIDTH = 1;
    static constexpr std::size_t BATCH = SIZE;
    static constexpr bool COMPARES_WITH_PATH = SIZE > 1;
    static constexpr Word FIRST = 1, LAST = 100;

    explicit Numbers(Context& run) : goal_(run.goal) {}
    StateSize size() const { return {1, sizeof(Word)}; }
    const Word* start() const { return &FIRST; }
    template <class Write>
    void load(Write&& write) {
        write(&loaded_);
    }
    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        for (const OperatorId op : {0u, 1u}) {
            const Word next = op == 0 ? loaded_ + 1 : 2 * loaded_;
            if (next > LAST) return;
            *place() = next;
            if (!emit(op)) return;
        }
    }
    bool is_goal(const Word* state) const { return *state == goal_; }
    bool loaded_is_goal() const { return is_goal(&loaded_); }
    std::uint32_t cost(OperatorId) const { return 1; }
    std::size_t work() const { return 1; }
    std::size_t goal_work() const { return 1; }
    bool same_costs() const { return true; }
    std::uint32_t least_cost() const { return 1; }
    std::uint32_t dearest_cost() const { return 1; }
    bool admissible() const { return true; }
    bool wants_parents() const { return false; }
    bool batches() const { return true; }
    Cost estimate(const ReachedState& question) const { return is_goal(question.state) ? 0 : 1; }

  private:
    Word goal_, loaded_ = 0;
};

template <template <class> class Algorithm, std::size_t SIZE>
void search_numbers(const char* what) {
    Still still;
    for (const Word goal : {Word{1}, Word{77}, Word{101}}) {
        Control control(still);
        Budget budget;
        typename Numbers<SIZE>::Context run{control, budget, goal};
        Algorithm<Numbers<SIZE>> search(run);
        const Status status = search.run();
        if (goal <= 100) {
            check(status == Status::solved_optimally, what);
            check(search.plan().size() == (goal == 1 ? 0u : 9u), what);  // 1 2 4 8 9 18 19 38 76 77
        } else {
            check(status == Status::unsolvable, what);
        }
    }
}

void searches() {
    search_numbers<BreadthFirst, 1>("breadth-first search on numbers");
    search_numbers<BreadthFirst, 32>("breadth-first search on numbers, in batches");
    search_numbers<AStar, 1>("A* on numbers");
    search_numbers<AStar, 32>("A* on numbers, in batches");
    search_numbers<IDAStar, 1>("IDA* on numbers");
    search_numbers<IDAStar, 2>("IDA* on numbers, compared with the path");
    Still still;
    Control control(still);
    Budget budget;
    Numbers<1>::Context run{control, budget, 77};
    Numbers<1> numbers(run);
    const StateSpace space(numbers, {1, 1}, StateSpace::Request{budget}, control);
    check(space.size() == 100 && space.targets.size() == 149, "all numbers and their successors");
    check(space.goal_distance[0] == 9 && space.goal_distance[99] == StateSpace::NEVER, "the way to 77 and beyond it");
}

// Once a search has met a goal, what else it had made by then is not stored any more.
void ends() {
    Buffers fan;  // from 0 to each of 1..100; 1 is the goal
    fan.domains = {101};
    fan.layers = {-1};
    fan.initial = {0};
    fan.goal = {0, 1};
    for (std::int32_t value = 1; value <= 100; ++value) {
        for (const std::int32_t number : {1, 0, 0, 1, 0, 0, value}) fan.operators.push_back(number);
        fan.costs.push_back(1);
    }
    Still still;
    Control control(still);
    const CompiledTask task(fan, control);
    for (const char* algorithm : {"bfs", "bidirectional"}) {
        Control own(still);
        SearchOptions options;
        options.algorithm = algorithm;
        options.heuristic = "blind";
        const SearchResult result = search(task, options, own);
        check(result.status == Status::solved_optimally && result.counters.evaluated <= 3, algorithm);
    }
}

void expansions() {
    Still still;
    Control control(still);
    const CompiledTask task(ladder(5), control);
    for (const char* algorithm : {"astar", "idastar"}) {
        Control own(still);
        SearchOptions options;
        options.algorithm = algorithm;
        options.heuristic = "blind";
        options.most_expanded = 1;
        const SearchResult result = search(task, options, own);
        check(result.status == Status::gave_up && result.counters.expanded == 1, "no more states than are allowed");
    }
}

void pruning() {
    Still still;
    Control control(still);
    const CompiledTask task(switches(10, false), control);
    for (const char* algorithm : {"bfs", "astar", "gbfs"}) {
        Control own(still);
        SearchOptions options;
        options.algorithm = algorithm;
        options.heuristic = "blind";
        options.pruning = "stubborn";
        if (std::string_view(algorithm) == "gbfs") {
            check(throws<UnknownName>([&] { search(task, options, own); }), "greedy search is not pruned");
        } else {
            const SearchResult result = search(task, options, own);
            check(result.cost == 10 && result.counters.expanded == 10, "ten switches are turned in one order");
        }
    }
}

// On a plateau, greedy search looks at the states near its start, or as deep greedy search goes straight on.
void plateaus() {
    Buffers plateau = switches(9, false);
    plateau.goal = {8, 1};
    plateau.operators.resize(8 * 7);
    plateau.costs.resize(8);
    push(plateau.operators, {8, 0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 1, 0, 8, 1});
    plateau.costs.push_back(1);
    Still still;
    const auto expanded = [&](auto* make) {
        Control control(still);
        const CompiledTask task(plateau, control);
        Budget budget;
        const auto heuristic = make_heuristic("goalcount", {task, control, budget});
        SearchContext run{task, control, budget, *heuristic, UINT64_MAX};
        const auto search = make(run);
        check(search->run() == Status::solved && search->plan().size() == 9, "the switches and what they allow");
        return control.counters.expanded;
    };
    check(expanded(deep_greedy) == 9, "the deepest state first");
    check(expanded(greedy) == 256, "the nearest states first");
    check(expanded(narrow_greedy) == 9, "the states with the fewest moves first");
}

// Searches that pause before every state go the same way as without a pause.
void pauses() {
    struct Case {
        const char* what;
        std::unique_ptr<Search> (*make)(SearchContext&);
        const char* heuristic;
        Buffers task;
    };
    for (const Case& it : {Case{"breadth-first search", breadth_first, "blind", switches(7, true)},
                           {"A*", a_star, "hmax", switches(7, true)},
                           {"A* in batches", a_star, "pdb", ladder(20)},
                           {"compact A*", compact_a_star, "blind", ladder(20)},
                           {"IDA*", ida_star, "hmax", switches(5, true)},
                           {"greedy search", greedy, "goalcount", switches(7, true)},
                           {"greedy search, deepest first", deep_greedy, "goalcount", switches(7, true)},
                           {"greedy search, fewest moves first", narrow_greedy, "goalcount", switches(7, true)},
                           {"lazy weighted A*", lazy_weighted_a_star, "goalcount", switches(7, true)},
                           {"bidirectional search", bidirectional, "blind", switches(9, true)}}) {
        Still still;
        Control compiling(still);
        const CompiledTask task(it.task, compiling);
        const auto searched = [&](std::uint64_t pause) {
            Control control(still);
            Budget budget;
            const auto heuristic = make_heuristic(it.heuristic, {task, control, budget});
            SearchContext run{task, control, budget, *heuristic, pause};
            const auto search = it.make(run);
            std::uint64_t pauses = 0;
            for (; search->run() == Status::gave_up; ++pauses) run.most_expanded += pause;
            check((pauses > 0) == (pause < UINT64_MAX), std::string(it.what) + " pauses");
            check(control.counters.expanded >= pauses, std::string(it.what) + " goes on after each pause");
            return std::tuple(search->plan(), control.counters.expanded, control.counters.evaluated,
                              control.counters.generated, control.counters.f);
        };
        const auto paused = searched(1), whole = searched(UINT64_MAX);
        const bool sooner = it.make == breadth_first && std::get<0>(paused) == std::get<0>(whole) &&
                            std::get<1>(paused) <= std::get<1>(whole);
        check(paused == whole || sooner, std::string(it.what) + " is the same with pauses");
    }
}

// A clock on which a second passes from look to look; it keeps how many states had been evaluated at the last one.
struct Hasty : Observer {
    bool look(const Counters&, double) override { return true; }
    double now() const override {
        if (counters) evaluated = counters->evaluated;
        return static_cast<double>(seconds++);
    }
    const Counters* counters = nullptr;
    mutable std::uint64_t seconds = 0, evaluated = 0;
};

// A ring of free steps, from which a step that costs something leads out: the way back looks at many states of one cost.
Buffers ring(std::int32_t size) {
    Buffers task;
    task.domains = {size, 2};
    task.layers = {-1, -1};
    task.initial = {0, 0};
    task.goal = {1, 1};
    for (std::int32_t value = 0; value < size; ++value) {
        push(task.operators, {1, 0, value, 1, 0, 0, (value + 1) % size});
        task.costs.push_back(0);
    }
    push(task.operators, {2, 0, size - 1, 1, 0, 1, 0, 1, 1});
    task.costs.push_back(1);
    return task;
}

// A plan that was found is told, though rebuilding it takes more memory and time than the limits have left, or the search
// is cancelled then.
void found_plans() {
    struct Case {
        const char* what;
        std::unique_ptr<Search> (*make)(SearchContext&);
        const char* heuristic;
        Buffers task;
    };
    std::size_t memouts = 0, timeouts = 0, cancelled = 0;
    for (const Case& it : {Case{"breadth-first search", breadth_first, "blind", ladder(20)},
                           {"A*", a_star, "hmax", ladder(20)},
                           {"compact A*", compact_a_star, "blind", ring(5'000)},
                           {"IDA*", ida_star, "hmax", ladder(20)},
                           {"greedy search", greedy, "ff", ladder(20)},
                           {"greedy search, deepest first", deep_greedy, "ff", ladder(20)},
                           {"greedy search, fewest moves first", narrow_greedy, "ff", ladder(20)},
                           {"lazy weighted A*", lazy_weighted_a_star, "ff", ladder(20)},
                           {"bidirectional search", bidirectional, "blind", switches(9, true)}}) {
        struct Settable : Observer {
            bool look(const Counters&, double) override { return true; }
            double now() const override { return seconds; }
            double seconds = 0;
        } clock;
        Control compiling(clock);
        const CompiledTask task(it.task, compiling);
        enum { memory, time, cancel };
        for (const int limit : {memory, time, cancel}) {
            // What strikes once the goal was found; the plan is asked for beyond the limits, or as before within them.
            const auto after_the_goal = [&](bool beyond) {
                std::atomic<std::uint32_t> cancels{0};
                clock.seconds = 0;
                Control control(clock, 10.0, &cancels);
                Budget budget(1'000'000'000);
                const Metered metered(budget);
                const auto heuristic = make_heuristic(it.heuristic, {task, control, budget});
                SearchContext run{task, control, budget, *heuristic, UINT64_MAX};
                const auto search = it.make(run);
                const Status status = search->run();
                check(status == Status::solved || status == Status::solved_optimally, std::string(it.what) + " solves");
                if (limit == memory) budget.renew(0);
                if (limit == time) clock.seconds = 100;
                if (limit == cancel) ++cancels;
                control.begin_phase();
                const Steps plan = beyond ? plan_of(*search, control, budget) : search->plan();
                const Unmetered judged;
                PlanRunner runner(task);
                for (const OperatorId op : plan) {
                    check(runner.applicable(op), std::string(it.what) + ": the steps can be taken");
                    runner.take(op);
                }
                check(runner.at_goal(), std::string(it.what) + ": they lead to the goal");
                check(limit == memory ? throws<Stop>([&] { budget.take(budget.left() + 1); })
                                      : throws<Stop>([&] { control.tick(); }),
                      "the limits hold again");
            };
            const bool lost = throws<Stop>([&] { after_the_goal(false); });
            (limit == memory ? memouts : limit == time ? timeouts : cancelled) += lost;
            check(!throws<Stop>([&] { after_the_goal(true); }),
                  std::string(it.what) + ": a plan that was found is lost");
        }
    }
    // Without that it would be lost: or nothing was tested.
    check(memouts >= 4 && timeouts >= 1 && cancelled >= 1,
          "limits strike while plans are rebuilt: " + std::to_string(memouts) + " " + std::to_string(timeouts) + " " +
              std::to_string(cancelled));
}

// Once a search knows that it has found a plan, it looks at no clock.
void no_look_after_the_goal() {
    for (const bool both_ends : {false, true}) {
        Still still;
        Control compiling(still);
        const CompiledTask task(switches(9, true), compiling);
        Hasty clock;
        Control control(clock);
        clock.counters = &control.counters;
        Budget budget;
        const auto heuristic = make_heuristic("blind", {task, control, budget});
        SearchContext run{task, control, budget, *heuristic, UINT64_MAX};
        const auto search = both_ends ? bidirectional(run) : breadth_first(run);
        check(search->run() == Status::solved_optimally, "switches are turned on");
        check(clock.evaluated > 0 && clock.evaluated < control.counters.evaluated, "a look after the goal was found");
    }
}

// If the goal is among what waits to be looked up when symmetries are due, nobody looks for them: that may take long.
void no_symmetries_after_the_goal() {
    Still still;
    Control compiling(still);
    const CompiledTask task(switches(8, false), compiling);
    for (const std::uint64_t after : {248, 254}) {  // the first state of the layer before the goal has number 247
        struct Striking : Observer {                // when the goal, the last of 256 states, has been found
            bool look(const Counters&, double) override { return true; }
            double now() const override { return counters && counters->evaluated == 256 ? 1e9 : seconds += 0.1; }
            const Counters* counters = nullptr;
            mutable double seconds = 0;
        } clock;
        Control control(clock, 1e6);
        clock.counters = &control.counters;
        Budget budget;
        LazyOrbits orbits;
        const auto heuristic = make_heuristic("blind", {task, control, budget});
        SearchContext run{.compiled = task,
                          .control = control,
                          .budget = budget,
                          .heuristic = *heuristic,
                          .most_expanded = UINT64_MAX,
                          .orbits = &orbits,
                          .symmetries_after = after};
        const auto search = breadth_first(run);
        check(within_limits([&] { return search->run(); }) == Status::solved_optimally,
              "symmetries are due after " + std::to_string(after));
    }
}

}  // namespace

int main() {
    searches();
    ends();
    expansions();
    pruning();
    plateaus();
    pauses();
    found_plans();
    no_look_after_the_goal();
    no_symmetries_after_the_goal();
    return verdict("the searches pass");
}
