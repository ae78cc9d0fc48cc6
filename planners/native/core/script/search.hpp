// Searches on the states of a PuzzleScript level. All moves cost 1; a state is won or not, see packer.hpp.
//
// The counts mean what they mean elsewhere in the core: a move that leads to the state itself is none, and is
// not counted as generated.
#pragma once

#include <memory>
#include <optional>

#include "base/control.hpp"
#include "base/memory.hpp"
#include "script/estimate.hpp"
#include "script/walker.hpp"

namespace unpuzzle::script {

// What a search works with. Everything here outlives it.
struct Run {
    Walker& walker;
    Estimate& estimate;
    bool admissible;  // the estimate
    const std::vector<Direction>& keys;
    Control& control;
    Budget& budget;
    std::uint64_t most_expanded;
    std::uint64_t g_weight = 1, h_weight = 1;  // f = g_weight * g + h_weight * h
};

class Search {
  public:
    virtual ~Search() = default;
    // May throw `Stop` or std::bad_alloc; `states` can be asked even then.
    virtual Status run() = 0;
    virtual std::size_t states() const = 0;              // stored
    virtual std::vector<std::uint8_t> plan() const = 0;  // places of keys, after a run that solved
};

std::unique_ptr<Search> breadth_first(Run& run);
std::unique_ptr<Search> best_first(Run& run);  // A*, weighted A*, greedy: by the weights
std::unique_ptr<Search> ida_star(Run& run);

}  // namespace unpuzzle::script
