// The core without Python: it plans, and faults that once were there stay away. Prints what fails; 0 where all is well.
#include <algorithm>
#include <atomic>

#include "base/number_table.hpp"
#include "base/rows.hpp"
#include "heuristics/landmark_store.hpp"
#include "search/trace.hpp"
#include "state/inverse.hpp"
#include "support.hpp"
#include "task/fact_numbers.hpp"

using namespace unpuzzle;

namespace {

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

// A task of one variable and one derived one that is true where an axiom says so: for every second value.
Buffers with_axioms(std::int32_t values) {
    Buffers task = ladder(values - 1);
    task.domains.push_back(2);
    task.layers.push_back(0);
    task.initial.push_back(0);
    task.goal = {1, 1};
    for (std::int32_t value = 0; value < values; value += 2) {
        for (const std::int32_t number : {1, 1, 0, value}) task.axioms.push_back(number);
    }
    return task;
}

void features() {
    Still still;
    Control control(still);
    const CompiledTask plain(ladder(3), control), derived(with_axioms(4), control);
    check(!plain.features.axioms && !plain.features.derived_goal && plain.features.undoable, "a plain task");
    check(plain.features.least_cost == 1 && plain.features.dearest_cost == 2 && !plain.features.same_costs, "costs");
    check(derived.features.axioms && derived.features.derived_goal, "a task with axioms");
    SearchOptions options;
    options.algorithm = "bidirectional";
    check(throws<UnsupportedTask>([&] { search(plain, options, control); }), "both ends want equal costs");
    options.algorithm = "astar";
    options.heuristic = "pdb";
    check(throws<UnsupportedTask>([&] { search(derived, options, control); }), "databases want no axioms");
    options.heuristic = "hmax";
    check(search(derived, options, control).cost == 0, "h^max supports axioms");
}

void axioms_write_what_they_touch() {
    constexpr std::uint32_t VALUES = 2000;
    Still still;
    Control control(still);
    const CompiledTask task(with_axioms(VALUES), control);
    Axioms::Scratch scratch;
    std::vector<Word> state(task.extended_words());
    const auto derived = [&](std::uint32_t value) {
        task.layout.pack(std::vector<std::uint32_t>{value, 0}, state.data());
        task.axioms.evaluate(state.data(), scratch);
        return task.layout[1].value(state.data()) == 1;
    };
    for (std::uint32_t value = 0; value < VALUES; ++value) check(derived(value) == (value % 2 == 0), "what is derived");
    scratch.waiting[7] = 12345;  // of an axiom that no state touches from here on
    for (std::uint32_t value = 100; value < 200; ++value) check(derived(value) == (value % 2 == 0), "and once more");
    check(scratch.waiting[7] == 12345, "axioms that nothing touches are not written");
}

// Four places in a row: (at ?x), (next ?x ?y), and from place to place `go`. The arrays are those of flatten.py.
ground::Request walk() {
    ground::Request request;
    request.arrays.objects = 4;
    request.arrays.domains = {4, 0, 1, 2, 3};
    request.arrays.predicates = {1, -1, 0, 2, -1, 0};
    request.arrays.initial = {1, 0, 1, 1, 1, 2, 1, 2, 3, 1, 1, 0, 1, 2, 1, 0, 0, 0, 1};
    request.arrays.starts = {1, 5, 1, 6};
    request.arrays.actions = {2, 0, 0, 2, 0, 1, 2, 0, 1, 4, 2, 0, 0, 0, 0, 1, 0,
                              1, 2, 0, 0, 4, 0, 0, 0, 1, 0, 4, 0, 0, 1, 1, 0, 1};
    request.arrays.goals = {0, 0, 0, 0, 0, -4};
    request.common = true;
    return request;
}

// What a program in any language does with the public interface: ground, solve, improve, explore, a family.
void a_program() {
    Still still;
    Control control(still);
    Budget budget;
    const ground::Report report = ground::ground(walk(), budget, control);
    check(report.status == Status::solved && report.grounded && report.common, "it grounds");
    const auto goal = report.common->goal({}, {0, 0, 0, 0, 0, -4});
    check(goal.known && goal.possible && goal.facts.size() == 1, "the goal has a place");
    Buffers buffers = report.grounded->release_buffers();
    buffers.goal = {static_cast<std::int32_t>(goal.facts[0].variable), static_cast<std::int32_t>(goal.facts[0].value)};
    PlanningTask task(std::move(buffers), control);

    SearchOptions blind, both;
    blind.algorithm = "astar";
    both.algorithm = "bidirectional";
    const SearchResult result = task.search(blind, still);
    check(result.status == Status::solved_optimally && result.cost == 3, "it solves");
    blind.seconds = 0;
    check(task.search(blind, still).status == Status::timeout, "within limits");
    blind.weight = 0;
    check(throws<std::invalid_argument>([&] { task.search(blind, still); }), "a weight of 0 is refused");

    Steps detour = *result.plan;
    for (const auto& [op, after] : task.successors({task.compiled().values(task.compiled().initial.data())})) {
        for (const auto& [back, last] : task.successors(after)) {
            if (last != task.compiled().values(task.compiled().initial.data())) continue;
            detour.insert(detour.begin(), {op, back});
        }
    }
    check(detour.size() == 5, "there and back");
    const ImprovedPlan better = task.improved(detour, 1000, {}, still);
    check(better.status == Status::solved && better.settled && better.cost == 3, "it improves");
    check(task.eliminated(detour, still).cost == 3, "it leaves out what is not needed");
    check(throws<BadTask>([&] { task.eliminated({}, still); }), "nothing is no plan");

    std::vector<std::uint32_t> actions(task.compiled().operators.count());
    for (std::uint32_t op = 0; op < actions.size(); ++op) actions[op] = op;
    const ExploredSpace explored = explore(task.compiled(), actions, true, SIZE_MAX, UINT64_MAX, control);
    check(explored.status == Status::solved && explored.space->size() == 4, "it explores");
    check(explore(task.compiled(), actions, true, SIZE_MAX, 2, control).status == Status::gave_up, "as far as it may");

    Packer packer = packer_of(task.compiled(), *report.common);
    Family family(task.compiled());
    family.add_goal(goal.facts, true);
    std::vector<Word> start(task.compiled().words());
    const std::vector<std::uint32_t> second{1}, both_places{0, 1};
    check(packer.pack(second, start.data()), "a start of the family");
    check(family.solve(start.data(), family.goal(0), {}, control).cost == 2, "is solved");
    check(!packer.pack(both_places, start.data()), "at two places at once is no start");
}

void schedules() {
    Still still;
    Control control(still);
    PlanningTask task(ladder(20), control);
    Schedule schedule(task, {});
    ScheduleLimits limits;
    limits.most_expanded = 3;
    check(schedule.run(limits, still).status == Status::gave_up, "three states are too few");
    limits.most_expanded = UINT64_MAX;
    SearchResult all = schedule.run(limits, still);
    check(all.status == Status::solved_optimally && all.cost == 40 && all.plan->size() == 20, "it goes on and solves");
    check(all.counters.expanded == 23, "and counts three states of blind search, twenty of landmarks");
    Schedule hurried(task, {});
    limits.seconds = 0.0;
    check(hurried.run(limits, still).status == Status::timeout, "there is no time");
    limits.seconds.reset();
    all = hurried.run(limits, still);
    check(all.status == Status::solved_optimally && all.cost == 40, "with more time it begins anew");
    limits.bound = 40;
    check(Schedule(task, {}).run(limits, still).status == Status::solved_optimally,
          "no plan is cheaper than the bound");
    Schedule walking(task, {"pushes", Steps{7'000'000}});
    check(throws<UnsupportedTask>([&] { walking.run({}, still); }), "nothing walks there");
}

void rows() {
    const std::pair<std::size_t, int> pairs[] = {{2, 5}, {0, 1}, {2, 6}, {0, 2}};
    const auto by_row = Rows<int>::by_row(3, [&](auto&& put) {
        for (const auto& [row, value] : pairs) put(row, value);
    });
    Rows<int> pushed;
    for (const std::vector<int>& row : {std::vector{1, 2}, {}, {5, 6}}) {
        pushed.push(row.begin(), row.end());
        pushed.close();
    }
    check(by_row.size() == 3 && pushed.size() == 3, "so many rows as were made");
    for (std::size_t row = 0; row < 3; ++row)
        check(std::ranges::equal(by_row[row], pushed[row]), "rows are the same, counted or pushed");
    check(by_row[1].empty() && by_row[2].front() == 5, "values of a row keep their order");
}

// Keys are words; a hash of few values makes many of them collide.
void numbers_of_keys() {
    std::vector<Word> keys;
    NumberTable<> table;
    const auto hash = [](Word key) { return (key % 7) << 32; };
    const auto same = [&](Word key) { return [&keys, key](std::uint32_t number) { return keys[number] == key; }; };
    for (int round = 0; round < 2; ++round) {
        for (Word key = 0; key < 1000; key += 3) {
            std::uint32_t& number = table.number(hash(key), same(key));
            check((number == NumberTable<>::NONE) == (round == 0), "a key is new once");
            if (round > 0) continue;
            number = static_cast<std::uint32_t>(keys.size());
            keys.push_back(key);
        }
    }
    for (std::uint32_t i = 0; i < keys.size(); ++i)
        check(table.find(hash(keys[i]), same(keys[i])) == i, "each key keeps its number while the table grows");
    check(table.find(hash(1), same(1)) == NumberTable<>::NONE, "other keys have none");
    table.clear();
    check(table.size() == 0 && table.find(hash(0), same(0)) == NumberTable<>::NONE, "a table forgets all");

    Budget budget(1 << 16);
    const Metered metered(budget);
    NumberTable<> counted;
    std::uint32_t filled = 0;
    const auto never = [](std::uint32_t) { return false; };
    check(throws<Stop>([&] {
              for (;; ++filled) counted.add(Word{filled} * 0x9E3779B97F4A7C15ull, filled);
          }),
          "a table counts against the budget");
    for (std::uint32_t i = 0; i < filled; ++i) {
        const auto own = [&](std::uint32_t number) { return number == i; };
        check(counted.find(Word{i} * 0x9E3779B97F4A7C15ull, own) == i, "what is there stays when memory runs out");
    }
    check(counted.find(1, never) == NumberTable<>::NONE, "and nothing else is there");
}

// A variable that claims more values than memory has: only what the task mentions has a number.
void numbers_of_facts() {
    Still still;
    Control control(still);
    for (const std::int32_t domain : {3, 2'000'000'000}) {
        Buffers buffers;
        buffers.domains = {domain, 2};
        buffers.layers = {-1, -1};
        buffers.initial = {1, 0};
        buffers.goal = {0, 2};
        const Task task(buffers, control);
        const FactNumbers numbers(task);
        const bool huge = domain > 3;
        check(numbers.count() == (huge ? 3 : 5), "facts have numbers: all, or those that are mentioned");
        for (FactId fact = 0; fact < numbers.count(); ++fact)
            check(numbers[numbers.fact(fact)] == fact, "a number tells its fact");
        check(numbers.begin(1) == numbers.end(0) && numbers.end(1) == numbers.count(), "by variable, ascending");
        check((numbers[{0, 0}] == FactNumbers::NONE) == huge, "what is not mentioned has none");
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
    std::vector<Word> packed(task.extended_words());
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

// 65,536 values before two variables would be 2^32 cases, which is 0 in 32 bits.
void cases_do_not_wrap() {
    Buffers buffers;
    buffers.domains = {65'536, 65'536};
    buffers.layers = {-1, -1};
    buffers.initial = {0, 0};
    buffers.goal = {0, 1, 1, 1};
    buffers.operators = {0, 2, 0, 0, 1, 0, 1, 1};
    buffers.costs = {1};
    Still still;
    Control control(still);
    const CompiledTask task(buffers, control);
    check(throws<UnsupportedTask>([&] { Inverse(task, control); }), "too many cases to go back");
}

}  // namespace

int main() {
    plans();
    limits();
    landmarks();
    traces();
    features();
    axioms_write_what_they_touch();
    a_program();
    schedules();
    rows();
    numbers_of_keys();
    numbers_of_facts();
    views();
    cases_do_not_wrap();
    return verdict("the core passes");
}
