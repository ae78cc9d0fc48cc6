// Limits of the core, counted: how much work lies between two looks at the clock, what memory is held, and what
// threads do when one of them fails. Nothing here measures time: the clock is a fake one.
#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#ifdef _WIN32
#define malloc_usable_size _msize
#endif
#endif

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <atomic>
#include <condition_variable>
#include <new>
#include <numeric>
#include <thread>

#include "grounding/ground.hpp"
#include "heuristics/landmark_graph.hpp"
#include "plans/improvement.hpp"
#include "search/family.hpp"
#include "search/state_space.hpp"
#include "state/inverse.hpp"
#include "support.hpp"
#include "symmetries/orbits.hpp"
#include "task/h2_pruning.hpp"
#include "walking/walker.hpp"

// Allocations are counted, and those of threads other than the first can be made to fail.
namespace {
std::atomic<bool> others_fail{false}, one_fails{false};
std::atomic<int> others_allocated{0}, ended{0};
std::atomic<std::int64_t> held{0};
const std::thread::id first_thread = std::this_thread::get_id();

// While `one_fails`: the first allocation of another thread fails, and the first thread allocates when that one has
// ended, or after some patience. So threads that it starts then begin after the failure.
struct Ending {
    ~Ending() { ++ended; }
};
bool may_allocate() {
    if (!one_fails) return true;
    if (std::this_thread::get_id() != first_thread) {
        thread_local Ending ending;
        static_cast<void>(ending);
        return others_allocated++ > 0;
    }
    for (int patience = 50; ended == 0 && patience > 0; --patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return true;
}
}  // namespace

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    if (others_fail && std::this_thread::get_id() != first_thread) return nullptr;
    if (!may_allocate()) return nullptr;
    void* data = std::malloc(bytes ? bytes : 1);
    if (data) held += static_cast<std::int64_t>(malloc_usable_size(data));
    return data;
}
void* operator new(std::size_t bytes) {
    if (void* data = operator new(bytes, std::nothrow)) return data;
    throw std::bad_alloc();
}
void operator delete(void* data) noexcept {
    if (data) held -= static_cast<std::int64_t>(malloc_usable_size(data));
    std::free(data);
}
void operator delete(void* data, std::size_t) noexcept { operator delete(data); }

using namespace unpuzzle;

namespace {
// A clock that stands still: steps seem to take no time, so that looks become as rare as they ever do. It keeps how
// far the counters came at most from one look to the next.
struct Clock : Observer {
    bool look(const Counters&, double) override { return true; }
    double now() const override {
        ++looks;
        if (!counters) return 0;
        expanded = std::max(expanded, counters->expanded - last.expanded);
        evaluated = std::max(evaluated, counters->evaluated - last.evaluated);
        generated = std::max(generated, counters->generated - last.generated);
        last = *counters;
        return 0;
    }
    void watch(const Control& control) { counters = &control.counters; }

    const Counters* counters = nullptr;
    mutable Counters last;
    mutable std::uint64_t looks = 0, expanded = 0, evaluated = 0, generated = 0;
};

// A clock on which a second passes from look to look.
struct Hasty : Observer {
    bool look(const Counters&, double) override { return true; }
    double now() const override { return static_cast<double>(seconds++); }
    mutable std::atomic<std::uint64_t> seconds{0};
};

// A wheel of so many values, each of which leads to each other: 102,080 operators of one variable where there are
// 320. The goal is to have two of three values of another variable at once: no relaxation sees that this is too much.
Buffers wheel(std::int32_t values) {
    Buffers task;
    task.domains = {values, 3, 2, 2};
    task.layers = {-1, -1, -1, -1};
    task.initial = {0, 0, 0, 0};
    task.goal = {0, values - 1, 2, 1, 3, 1};
    const auto add = [&](std::initializer_list<std::int32_t> numbers) {
        push(task.operators, numbers);
        task.costs.push_back(1);
    };
    for (std::int32_t from = 0; from < values; ++from) {
        for (std::int32_t to = 0; to < values; ++to) {
            if (from != to) add({1, 0, from, 1, 0, 0, to});
        }
    }
    for (const std::int32_t side : {1, 2}) {
        add({1, 1, 0, 1, 0, 1, side});
        add({1, 1, side, 1, 0, 1 + side, 1});
    }
    return task;
}

// The same with few operators and a chain of axioms, of which the last one is wanted, too.
Buffers chain(std::int32_t values, std::int32_t axioms) {
    Buffers task = wheel(3);
    task.domains[0] = values;
    task.goal[1] = values - 1;
    for (std::int32_t from = 2; from + 1 < values; ++from) {
        push(task.operators, {1, 0, from, 1, 0, 0, from + 1});
        task.costs.push_back(1);
    }
    for (std::int32_t i = 0; i < axioms; ++i) {
        task.domains.push_back(2);
        task.layers.push_back(0);
        task.initial.push_back(0);
        push(task.axioms, {4 + i, 1, i == 0 ? 1 : 3 + i, i == 0 ? 0 : 1});
    }
    push(task.goal, {3 + axioms, 1});
    return task;
}

// One state with so many successors, which are the end.
Buffers fan(std::int32_t successors) {
    Buffers task;
    task.domains = {successors + 1, 2};
    task.layers = {-1, -1};
    task.initial = {0, 0};
    task.goal = {1, 1};
    for (std::int32_t to = 1; to <= successors; ++to) {
        push(task.operators, {1, 0, 0, 1, 0, 0, to});
        task.costs.push_back(1);
    }
    return task;
}

constexpr double PIECES = Control::PIECES * Control::MOST_TICKS;  // of work between two looks, at most

Clock searched(const Buffers& buffers, const char* algorithm, const char* heuristic, std::uint64_t expanded) {
    Clock clock;
    Control control(clock);
    const CompiledTask task(buffers, control);
    clock.watch(control);
    SearchOptions options;
    options.algorithm = algorithm;
    options.heuristic = heuristic;
    options.most_expanded = expanded;
    search(task, options, control);
    return clock;
}

void looks_of_searches() {
    const Buffers wide = wheel(320), deep = chain(300, 10'000);
    const auto most = static_cast<std::uint64_t>(PIECES / 100'000) + 1;
    struct Case {
        const char *algorithm, *heuristic;
        std::uint64_t expanded;
    };
    for (const Case& it : {Case{"bfs", "blind", 900},
                           {"astar", "blind", 900},
                           {"gbfs", "blind", 900},
                           {"lazywastar", "blind", 900},
                           {"idastar", "blind", 900},
                           {"astar", "goalcount", 900}}) {
        const Clock clock = searched(wide, it.algorithm, it.heuristic, it.expanded);
        check(clock.expanded <= most, std::string("wide, expanded: ") + it.algorithm + " " + it.heuristic + " " +
                                          std::to_string(clock.expanded));
    }
    for (const Case& it :
         {Case{"gbfs", "hmax", 100}, {"gbfs", "hadd", 100}, {"gbfs", "ff", 100}, {"astar", "lmcut", 2}}) {
        const Clock clock = searched(wide, it.algorithm, it.heuristic, it.expanded);
        check(clock.evaluated <= most, std::string("wide, evaluated: ") + it.algorithm + " " + it.heuristic + " " +
                                           std::to_string(clock.evaluated));
    }
    for (const Case& it : {Case{"bfs", "blind", 600},
                           {"astar", "blind", 600},
                           {"gbfs", "blind", 600},
                           {"idastar", "blind", 600},
                           {"gbfs", "goalcount", 600},
                           {"gbfs", "hmax", 600},
                           {"gbfs", "hadd", 600},
                           {"gbfs", "ff", 600}}) {
        const Clock clock = searched(deep, it.algorithm, it.heuristic, it.expanded);
        const auto of_axioms = static_cast<std::uint64_t>(PIECES / 10'000) + 1;
        check(clock.expanded <= of_axioms && clock.evaluated <= of_axioms,
              std::string("axioms: ") + it.algorithm + " " + it.heuristic + " " + std::to_string(clock.expanded) + " " +
                  std::to_string(clock.evaluated));
    }
    for (const char* algorithm : {"bfs", "astar", "idastar", "gbfs"}) {
        const Clock clock = searched(fan(60'000), algorithm, "blind", 10);
        check(clock.generated <= 2 * Control::MOST_TICKS,
              std::string("successors: ") + algorithm + " " + std::to_string(clock.generated));
    }
}

void looks_of_spaces() {
    Clock clock;
    Control control(clock);
    const CompiledTask task(fan(60'000), control);
    clock.watch(control);
    std::vector<std::uint32_t> actions(60'000);
    std::iota(actions.begin(), actions.end(), 0u);
    Budget budget;
    const auto space = state_space(task, actions, true, {budget}, control);
    check(space->size() == 60'001, "a space has all its states");
    check(clock.generated <= 2 * Control::MOST_TICKS, "successors of a space: " + std::to_string(clock.generated));
}

void looks_of_phases() {
    Clock clock;
    Control control(clock);
    for (int i = 0; i < 1'000'000; ++i) control.tick();
    const std::uint64_t before = clock.looks;
    for (int i = 0; i < 100; ++i) control.tick();
    check(clock.looks == before, "short steps make looks rare");
    control.begin_phase();
    control.tick();
    check(clock.looks > before, "a phase begins with a look");

    // Compiling: tasks with more operators have more looks.
    const auto looks = [](const Buffers& buffers, const char* heuristic) {
        Clock counting;
        Control own(counting);
        const CompiledTask task(buffers, own);
        if (!heuristic) return counting.looks;
        Budget budget;
        const std::uint64_t compiled = counting.looks;
        for (int i = 0; i < 1'000'000; ++i) own.tick();
        const std::uint64_t ticked = counting.looks - compiled;
        own.begin_phase();
        make_heuristic(heuristic, {task, own, budget});
        return counting.looks - compiled - ticked;
    };
    const auto most = [](std::uint64_t ticks) { return ticks / Control::MOST_TICKS; };
    const Buffers wide = wheel(320);
    check(looks(wide, nullptr) >= most(5 * 100'000), "compiling looks at the clock");
    for (const char* heuristic : {"hmax", "ff", "landmarks", "pdb"})
        check(looks(wide, heuristic) >= most(3 * 100'000), std::string("made: ") + heuristic);
}

// One estimate of a large task is no short step, and the schedule counts it.
void work_of_estimates() {
    Still still;
    Control control(still);
    const std::int32_t size = 4'000;
    const CompiledTask task(switches(size, false), control);
    Budget budget;
    for (const char* name : {"landmarks", "ff", "hadd"}) {
        const auto heuristic = make_heuristic(name, {task, control, budget, HeuristicContext::Costs::plus_one});
        const std::uint64_t before = control.spent();
        heuristic->estimate({{task, task.initial.data()}, 0, NO_STATE, 0});
        check(control.spent() - before >= size / Control::PIECES, std::string("an estimate is work: ") + name);
    }
}

// Who walks is not sought for ever. Each of many doors is open at first, and closes only at the last place; each walk
// needs one door, and the walk back another, so that an open door must follow from the place. It does not: proving that
// looks at all operators once for each place, from the last to the first.
void seeking_a_walker_ends() {
    const std::int32_t places = 200, doors = 40;
    Buffers task = switches(doors, false);
    for (std::int32_t& fact : task.initial) fact = 1;
    task.operators.clear();
    task.domains.insert(task.domains.begin(), places);
    task.layers.push_back(-1);
    task.initial.insert(task.initial.begin(), 0);
    const auto walk = [&](std::int32_t from, std::int32_t to, std::int32_t door) {
        push(task.operators, {2, 0, from, door, 1, 1, 0, 0, to});
    };
    for (std::int32_t place = 0; place + 1 < places; ++place) {
        for (std::int32_t door = 1; door <= doors; door += 2) {
            walk(place, place + 1, door);
            walk(place + 1, place, door + 1);
        }
    }
    for (std::int32_t door = 1; door <= doors; ++door) push(task.operators, {2, 0, places - 1, door, 1, 1, 0, door, 0});
    task.costs.assign(static_cast<std::size_t>(places * doors), 0);
    Still still;
    Control control(still);
    const CompiledTask compiled(task, control);
    const std::uint64_t before = control.spent();
    const auto walker = find_walker(compiled.task, compiled.features, {}, control);
    check(!walker || walker->walks.empty(), "no open door follows from a place");
    check(control.spent() - before < 20'000'000, "seeking a walker: " + std::to_string(control.spent() - before));
}

// Loops over pairs of things, and steps that grow with a task: so many looks at least, where each tick is one, and reads the
// clock three times.
void looks_of_preparations() {
    const auto looks = [](const Buffers& buffers, auto&& work) {
        Hasty hasty;
        Control control(hasty);
        const CompiledTask task(buffers, control);
        const std::uint64_t before = hasty.seconds;
        work(task, control);
        return hasty.seconds - before;
    };
    // Landmarks with many achievers each: every rule is looked at when landmarks are found, and when they are ordered.
    Buffers achievers = switches(14, false);
    achievers.goal = {0, 1, 1, 1, 2, 1, 3, 1};
    for (std::int32_t op = 0; op < 1'000; ++op) {
        push(achievers.operators, {1, 4 + op % 10, 0, 1, 0, op % 4, 1});
        achievers.costs.push_back(1);
    }
    check(looks(achievers,
                [](const CompiledTask& task, Control& control) {
                    const RelaxedTask relaxed(task, control);
                    const std::uint64_t rules = relaxed.rules();
                    Hasty hasty;
                    Control own(hasty);
                    Budget budget;
                    const LandmarkGraph graph(relaxed, task, own, budget);
                    check(hasty.seconds >= 2 * 3 * rules, "landmarks: " + std::to_string(hasty.seconds) +
                                                              " looks for " + std::to_string(rules) + " rules");
                }) > 0,
          "relaxing looks at the clock");
    // One group of many facts, which are looked at by twos.
    Buffers group = switches(500, false);
    group.goal = {0, 1};
    group.operators.resize(7);
    group.costs.resize(1);
    group.mutexes.push_back(500);
    for (std::int32_t variable = 0; variable < 500; ++variable) push(group.mutexes, {variable, 1});
    const std::uint64_t pairs = looks(group, [](const CompiledTask& task, Control& control) {
        pruned(task.task, task.features, control, UINT64_MAX);
    });
    check(pairs >= 3 * 500, "pairs of facts: " + std::to_string(pairs));
    // States that the goal leaves open, each of many variables.
    Clock still;
    Control control(still);
    Buffers open = switches(20'000, false);
    open.goal.resize(2 * 19'988);
    const CompiledTask task(open, control);
    for (int i = 0; i < 1'000'000; ++i) control.tick();  // looks are rare
    const std::uint64_t before = still.looks;
    Inverse(task, control);
    const std::uint64_t found = still.looks - before, pieces = 4'096 * 20'000;
    check(found >= pieces / static_cast<std::uint64_t>(PIECES), "states at the goal: " + std::to_string(found));
}

void axioms_are_touched_once() {
    Clock clock;
    Control control(clock);
    const CompiledTask task(chain(300, 10'000), control);
    std::vector<Word> state(task.extended_words());
    std::vector<std::uint32_t> values(task.task.variables.size());
    const auto count = [&](std::uint32_t side) {
        values[1] = side;
        task.layout.pack(values, state.data());
        Axioms::Scratch scratch;
        task.axioms.evaluate(state.data(), scratch);
        std::size_t touched = 0;
        for (const Range& told : scratch.told) touched += told.end - told.begin;
        return touched;
    };
    check(count(0) == 10'000, "a chain whose first axiom fires is touched from end to end");
    check(count(1) == 0, "a chain whose first axiom does not fire is not touched");
}

void domains_are_counted() {
    Clock clock;
    Control control(clock);
    Budget budget(10'000'000);
    const Metered metered(budget);
    ground::Request request;
    request.arrays.objects = 1'000'000;
    for (int i = 0; i < 10'000; ++i) push(request.arrays.domains, {1, i});
    bool counted = false;
    try {
        counted = ground::ground(request, budget, control).status == Status::memout;
    } catch (const BadTask&) {  // read to the end, where it turns out that there is no goal
    }
    check(counted, "sets of objects for thousands of domains are counted");
}

// What is only cleared is held still, and would be cleared again before every search.
void small_searches_let_go() {
    constexpr std::int64_t LITTLE = 2'000'000;
    Clock clock;
    Control control(clock);
    for (const std::int32_t count : {16, 18}) {  // one whose graph is kept for the next search, one too large for that
        const CompiledTask task(switches(count, true), control);
        Family family(task);
        family.add_goal(task.task.goal, true);
        const auto held_after = [&](std::size_t bytes, std::uint64_t expanded) {
            const std::int64_t before = held;
            family.solve(task.initial.data(), family.goal(0), {bytes, expanded}, control);
            return held - before;
        };
        const std::int64_t large = held_after(SIZE_MAX, UINT64_MAX), left = large + held_after(1'000'000, 10);
        check(count != 16 || large > LITTLE, "a graph is kept: " + std::to_string(large));
        check(left <= LITTLE, "a smaller search lets go what a large one held: " + std::to_string(left));
    }
}

void workers_tell_what_they_threw() {
    Clock clock;
    Control control(clock);
    const CompiledTask task(fan(10), control);
    Family family(task);
    const Fact fact{0, 3};
    family.add_goal({&fact, 1}, true);
    std::vector<Word> starts;
    std::vector<const SmallGoal*> goals;
    for (int i = 0; i < 1'000; ++i) {
        starts.insert(starts.end(), task.initial.begin(), task.initial.end());
        goals.push_back(family.goal(0));
    }
    const Family::Batch batch{starts, goals, {}, {}, 4};
    others_fail = true;
    check(throws<std::bad_alloc>([&] { family.solve_many(batch, clock); }), "a worker's bad_alloc arrives");
    others_fail = false;
    const Family::Answers found = family.solve_many(batch, clock);
    check(std::all_of(found.answers.begin(), found.answers.end(), [](const auto& answer) { return answer.cost == 1; }),
          "workers solve everything");
    Family fresh(task);  // which has no searches yet
    fresh.add_goal({&fact, 1}, true);
    std::fill(goals.begin(), goals.end(), fresh.goal(0));
    one_fails = true;
    check(throws<std::bad_alloc>([&] { fresh.solve_many(batch, clock); }), "one worker's bad_alloc arrives");
    one_fails = false;
    check(others_allocated < 500, "workers that begin after it solve nothing: " + std::to_string(others_allocated));
}

void waiting_for_orbits_ends() {
    Hasty hasty;
    Clock clock;
    Control control(clock);
    const CompiledTask task(fan(10), control);
    LazyOrbits orbits;
    struct Holding : Observer {  // the first look waits until the other search has given up
        bool look(const Counters&, double) override { return true; }
        double now() const override {
            looking = true;
            while (!done && patience-- > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
            return 0;
        }
        mutable std::atomic<bool> looking{false};
        mutable std::atomic<int> patience{1'000};
        std::atomic<bool> done{false};
    } holding;
    std::thread finder([&] {
        holding.done = true;
        Control own(holding);
        holding.done = holding.looking = false;
        Budget budget;
        orbits.get(task.task, task.layout, own, budget);
    });
    while (!holding.looking) std::this_thread::yield();
    Control late(hasty, 10.0);
    Budget budget;
    bool stopped_while_waiting = false;
    try {
        orbits.get(task.task, task.layout, late, budget);
    } catch (const Stop& stop) {
        stopped_while_waiting = stop.status == Status::timeout && !holding.done;
    }
    holding.done = true;
    finder.join();
    check(stopped_while_waiting, "waiting for another search's orbits ends at the time limit");
    check(throws<Stop>([&] { late.tick(); }), "and that clock has struck");
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need addresses
// While it lasts, so many bytes of addresses are left.
class FewAddresses {
  public:
    explicit FewAddresses(std::size_t left) {
        getrlimit(RLIMIT_AS, &before_);
        std::FILE* file = std::fopen("/proc/self/statm", "r");
        unsigned long pages = 0;
        check(file && std::fscanf(file, "%lu", &pages) == 1, "the system tells how many pages there are");
        if (file) std::fclose(file);
        rlimit few = before_;
        few.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + left;
        check(setrlimit(RLIMIT_AS, &few) == 0, "addresses are limited");
    }
    ~FewAddresses() { setrlimit(RLIMIT_AS, &before_); }

  private:
    rlimit before_{};
};

// Blocks that grow by turns: none reserves what another one needs, none loses what it holds or counts it twice.
void blocks_share_addresses() {
    constexpr std::size_t MEGABYTE = std::size_t{1} << 20, MOST = 32;
    Budget budget(500 * MEGABYTE);
    const FewAddresses few(400 * MEGABYTE);
    std::vector<Block> blocks;
    for (int i = 0; i < 8; ++i) blocks.emplace_back(budget);
    const auto number = [](Block& block, std::size_t megabyte) -> std::size_t& {
        return static_cast<std::size_t*>(block.data())[megabyte * MEGABYTE / sizeof(std::size_t)];
    };
    bool zero = true, kept = true;
    for (std::size_t size = 1; size <= MOST; ++size) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            blocks[i].grow(size * MEGABYTE);
            zero = zero && number(blocks[i], size - 1) == 0;
            number(blocks[i], size - 1) = 100 * i + size;
        }
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        for (std::size_t size = 1; size <= MOST; ++size) kept = kept && number(blocks[i], size - 1) == 100 * i + size;
    }
    check(zero, "what a block gets is zero");
    check(kept, "a block that moves keeps what it holds");
    check(budget.used() >= 8 * MOST * MEGABYTE && budget.used() <= 8 * (MOST + MOST / 4) * MEGABYTE,
          "blocks take little more than they need: " + std::to_string(budget.used()));
    check(budget.peak() <= budget.used() + 2 * MEGABYTE, "none is there twice: " + std::to_string(budget.peak()));
    blocks.clear();
    check(budget.used() == 0, "all is given back");
}

// What the system refuses ends no more than what the budget refuses.
void refused_memory_is_not_the_end() {
    Clock clock;
    Control control(clock);
    const std::int32_t many = 3'000;
    const CompiledTask task(switches(many, true), control);
    Budget budget;
    LazyOrbits orbits;
    std::vector<OperatorId> plan;
    for (std::int32_t i = 0; i < many; ++i) plan.push_back(static_cast<OperatorId>(2 * i));
    const std::vector<OperatorId> same = plan;
    const FewAddresses few(0);
    check(!throws<std::bad_alloc>([&] { orbits.get(task.task, task.layout, control, budget); }), "without symmetries");
    Improved better;
    check(!throws<std::bad_alloc>([&] { better = improve_by_windows(task, std::move(plan), control, budget, 100); }),
          "without windows");
    check(better.plan == same, "the plan is kept");
}
#endif

// Two searches of one task at once, with symmetries that one of them finds.
void searches_share_a_task() {
    Clock clock;
    Control control(clock);
    const CompiledTask task(wheel(20), control);
    LazyOrbits orbits;
    std::vector<std::uint64_t> expanded(3);
    std::vector<std::thread> threads;
    for (std::uint64_t& count : expanded) {
        threads.emplace_back([&] {
            Clock own;
            Control mine(own);
            SearchOptions options;
            options.algorithm = "astar";
            options.heuristic = "blind";
            options.symmetries_after = 0;
            count = search(task, options, mine, &orbits).counters.expanded;
        });
    }
    for (std::thread& thread : threads) thread.join();
    check(expanded[0] > 0 && expanded[1] == expanded[0] && expanded[2] == expanded[0], "they do the same");
}

}  // namespace

int main() {
    looks_of_searches();
    looks_of_spaces();
    looks_of_phases();
    work_of_estimates();
    seeking_a_walker_ends();
    looks_of_preparations();
    axioms_are_touched_once();
    domains_are_counted();
    small_searches_let_go();
    workers_tell_what_they_threw();
    waiting_for_orbits_ends();
    searches_share_a_task();
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    blocks_share_addresses();
    refused_memory_is_not_the_end();
#endif
    return verdict("the limits hold");
}
