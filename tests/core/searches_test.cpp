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

}  // namespace

int main() {
    searches();
    ends();
    expansions();
    pruning();
    return verdict("the searches pass");
}
