// The core without Python: it plans, and faults that once were there stay away. Prints what fails; 0 where all is well.
#include <atomic>
#include <cstdio>
#include <functional>

#include "api.hpp"
#include "heuristics/landmark_store.hpp"
#include "search/a_star.hpp"
#include "search/breadth_first.hpp"
#include "search/ida_star.hpp"
#include "search/state_space.hpp"
#include "search/trace.hpp"

using namespace unpuzzle;

namespace {

int failures = 0;

void check(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "failed: %s\n", what);
    ++failures;
}

template <class Error>
bool throws(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error&) {
        return true;
    }
    return false;
}

struct Still : Observer {
    bool look(const Counters&, double) override { return true; }
};

// One variable that counts up from 0 to `last`, each step at cost 2, and may fall back to 0 for 1.
Buffers ladder(std::int32_t last) {
    Buffers task;
    task.domains = {last + 1};
    task.layers = {-1};
    task.initial = {0};
    task.goal = {0, last};
    for (std::int32_t value = 0; value < last; ++value) {
        for (const std::int32_t number : {1, 0, value, 1, 0, 0, value + 1}) task.operators.push_back(number);
        task.costs.push_back(2);
    }
    for (const std::int32_t number : {1, 0, last, 1, 0, 0, 0}) task.operators.push_back(number);
    task.costs.push_back(1);
    return task;
}

void plans() {
    Still still;
    Control control(still);
    const CompiledTask task(ladder(5), control);
    for (const char* heuristic : {"blind", "hmax", "lmcut", "pdb", "goalcount", "ff"}) {
        Control own(still);
        SearchOptions options;
        options.algorithm = "astar";
        options.heuristic = heuristic;
        const SearchResult result = search(task, options, own);
        check(result.plan && result.plan->size() == 5 && result.cost == 10, heuristic);
    }
    SearchOptions options;
    options.algorithm = "astar";
    options.heuristic = "none";
    check(throws<UnknownName>([&] { search(task, options, control); }), "an unknown heuristic is refused");
}

void limits() {
    Still still;
    Control late(still, 0.0);
    for (int i = 0; i < 3; ++i) check(throws<Stop>([&] { late.tick(); }), "a clock that has struck strikes again");
    std::atomic<std::uint32_t> cancels{0};
    Control control(still, {}, &cancels);
    cancels = 1;
    try {
        control.tick();
        check(false, "a run can be cancelled");
    } catch (const Stop& stop) {
        check(stop.status == Status::cancelled, "cancelled is not given up");
    }
}

// A landmark of numbers of one byte each, so that its line has this many bytes.
Landmarks landmark_of_line(std::size_t bytes) {
    Landmarks landmarks;
    const std::size_t head = 1 + 1 + 1 + 3;  // value, number of landmarks, cost, size (three bytes beyond 2^14)
    std::fill_n(landmarks.append(1, bytes - head), bytes - head, 7);
    return landmarks;
}

void landmarks() {
    constexpr std::size_t CHUNK = std::size_t{1} << 20, UNIT = 4;
    Budget budget;
    LandmarkStore store(budget, 8);
    store.put(0, NO_STATE, 0, 1, landmark_of_line(CHUNK - UNIT));
    check(store.h_plus_1(0) == 1, "the longest line is kept");
    for (std::size_t more = 1; more <= UNIT; ++more) {
        const Landmarks long_one = landmark_of_line(CHUNK - UNIT + more);
        check(throws<Stop>([&] { store.put(1, NO_STATE, 0, 1, long_one); }), "a longer line has no place");
    }
}

void traces() {
    Still still;
    Control control(still);
    const CompiledTask task(ladder(3), control);
    std::vector<Word> start(task.words()), end(task.words());
    task.layout.pack(std::vector<std::uint32_t>{0}, start.data());
    task.layout.pack(std::vector<std::uint32_t>{2}, end.data());
    check(throws<std::logic_error>([&] { trace(task, {start.data(), end.data()}); }),
          "states that no operator joins are no way");
}

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
    const StateSpace space(numbers, {1, 1}, {}, control);
    check(space.size() == 100 && space.targets.size() == 149, "all numbers and their successors");
    check(space.goal_distance[0] == 9 && space.goal_distance[99] == StateSpace::NEVER, "the way to 77 and beyond it");
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

// A derived variable that is true where the other one is at 1: a state says so only after it was added.
void views() {
    Still still;
    Control control(still);
    Buffers buffers = ladder(3);
    buffers.domains.push_back(2);
    buffers.layers.push_back(0);
    buffers.initial.push_back(0);
    buffers.axioms = {1, 1, 0, 1};
    const CompiledTask task(std::move(buffers), control);
    DerivedVariables derived(task);
    std::vector<Word> packed(task.words());
    for (const std::uint32_t value : {0u, 1u, 3u}) {
        task.layout.pack(std::vector<std::uint32_t>{value, 0}, packed.data());
        const StateView state(task, packed.data()), whole = derived.add_to(state);
        check(state[0] == value && state.holds({0, value}) && !state.holds({0, 2}), "a view has the values of a state");
        check(whole[0] == value && whole[1] == (value == 1), "and the derived ones where they are wanted");
        std::size_t facts = 0;
        state.each([&](const Fact& fact) { facts += fact.variable == 0 && fact.value == value; });
        check(facts == 1, "a view goes through the stored facts");
    }
    check(!StateView(), "there may be no state");
}

}  // namespace

int main() {
    plans();
    limits();
    landmarks();
    traces();
    searches();
    expansions();
    views();
    if (failures == 0) std::puts("the core passes");
    return failures == 0 ? 0 : 1;
}
