// The core without Python: it plans, and faults that once were there stay away. Prints what fails; 0 where all is well.
#include <atomic>
#include <cstdio>
#include <functional>

#include "api.hpp"
#include "heuristics/landmark_store.hpp"
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
    landmarks.open(1);
    const std::size_t head = 1 + 1 + 1 + 3;  // value, number of landmarks, cost, size (three bytes beyond 2^14)
    for (std::size_t i = head; i < bytes; ++i) landmarks.push(7);
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

// Switches that are off; each can be turned on, and all are to be.
Buffers switches(std::int32_t count) {
    Buffers task;
    for (std::int32_t v = 0; v < count; ++v) {
        task.domains.push_back(2);
        task.layers.push_back(-1);
        task.initial.push_back(0);
        for (const std::int32_t number : {v, 1}) task.goal.push_back(number);
        for (const std::int32_t number : {1, v, 0, 1, 0, v, 1}) task.operators.push_back(number);
        task.costs.push_back(1);
    }
    return task;
}

void pruning() {
    Still still;
    Control control(still);
    const CompiledTask task(switches(10), control);
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
    pruning();
    plans();
    limits();
    landmarks();
    traces();
    if (failures == 0) std::puts("the core passes");
    return failures == 0 ? 0 : 1;
}
