// Searches on the states of a level, and its state space. All moves cost 1; a state is won or not, see packer.hpp.
//
// The searches are those of the room `search`, on a level as a transition system: its operators are places of keys.
// A key that leaves the state as it is is no move, and not counted as generated; neither is one after which
// turns follow each other without end.
#pragma once

#include "script/estimate.hpp"
#include "script/walker.hpp"
#include "search/search.hpp"
#include "search/state_space.hpp"

namespace unpuzzle::script {

// What a search works with. Everything here outlives it.
struct LevelContext {
    Walker& walker;
    const std::vector<Direction>& keys;
    Estimate& estimate;
    bool admissible;  // the estimate
    Control& control;
    Budget& budget;
    std::uint64_t most_expanded;
    Cost weight = 1, g_weight = 1;  // as those of `SearchContext`
};

std::unique_ptr<Search> breadth_first(LevelContext& run);
std::unique_ptr<Search> a_star(LevelContext& run);
std::unique_ptr<Search> ida_star(LevelContext& run);
std::unique_ptr<StateSpace> state_space(Walker& walker, const std::vector<Direction>& keys,
                                        const StateSpace::Request& request, Control& control);

}  // namespace unpuzzle::script
