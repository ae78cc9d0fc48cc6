// Searches: what goes in, what comes out, and what an algorithm must be.
//
// To add an algorithm: a class derived from `Search` in a file of its own, and a line in the table of
// search.cpp. To add a heuristic: see heuristic.hpp.
//
// The counts mean what they mean in Fast Downward: see `Counters`. With the blind heuristic they are equal to
// those of its `astar(blind())` whenever the whole space is searched; in the last layer before a goal the
// order decides.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heuristic.hpp"
#include "memory.hpp"
#include "model.hpp"

namespace unpuzzle {

constexpr std::int64_t MOST_WEIGHT = 1000;
constexpr Cost NO_BOUND = ~Cost{0};

class LazyOrbits;

// What a search works with. Everything here outlives it.
struct Run {
    const Model& model;
    Control& control;
    Budget& budget;
    Heuristic& heuristic;
    std::uint64_t most_expanded;
    Cost weight = 1;                     // of the heuristic in weighted A*, 1..MOST_WEIGHT
    LazyOrbits* orbits = nullptr;        // if symmetries are wanted: see representatives.hpp
    std::uint64_t symmetries_after = 0;  // so many states are expanded before they are looked for
    bool symmetric_start = false;        // use them only if one keeps the initial state
    Heuristic* second = nullptr;
    Cost bound = NO_BOUND;  // only cheaper plans are wanted
};

class Search {
  public:
    virtual ~Search() = default;
    // May throw `Stop` or std::bad_alloc; `states` can be asked even then.
    virtual Status run() = 0;
    virtual std::size_t states() const = 0;            // stored
    virtual std::vector<OperatorId> plan() const = 0;  // after a run that solved
};

std::unique_ptr<Search> breadth_first(Run& run);
std::unique_ptr<Search> a_star(Run& run);
bool fits_compactly(const Run& run);
std::unique_ptr<Search> compact_a_star(Run& run);  // where that says so
std::unique_ptr<Search> bidirectional(Run& run);
std::unique_ptr<Search> greedy(Run& run);
std::unique_ptr<Search> lazy_weighted_a_star(Run& run);
std::unique_ptr<Search> ida_star(Run& run);

struct Request {
    std::string_view algorithm, heuristic;  // or two of them, "ff,landmarks", for what takes several
    std::optional<double> seconds;
    std::size_t bytes = SIZE_MAX;
    std::uint64_t most_expanded = UINT64_MAX;
    Cost weight = 1;
    LazyOrbits* orbits = nullptr;
    std::uint64_t symmetries_after = 0;
    bool symmetric_start = false;
    Cost bound = NO_BOUND;
};

struct Outcome {
    Status status = Status::gave_up;
    std::optional<std::vector<OperatorId>> plan;
    Cost cost = 0;
    Counters counters;
    std::size_t states = 0, bytes = 0;
    double seconds = 0;
};

// An algorithm or heuristic that does not exist, or that do not go together: the message lists those that do.
struct UnknownName : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

Outcome search(const Model& model, const Request& request, Control& control);

// Calls `make.template operator()<W>()` with the template number for states of so many words.
template <class Make>
auto by_width(std::size_t words, Make&& make) {
    switch (words) {
        case 1:
            return make.template operator()<1>();
        case 2:
            return make.template operator()<2>();
        case 3:
            return make.template operator()<3>();
        case MOST_WORDS:
            return make.template operator()<MOST_WORDS>();
        default:
            return make.template operator()<0>();
    }
}

}  // namespace unpuzzle
