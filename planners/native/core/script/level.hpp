// Searches on a level, and its state space. All moves cost 1; a state is won or not, see packer.hpp. If pushes are
// minimized, a move costs its share of the objective, and walks (level.cpp) add no push.
//
// The searches are in the folder `search`, on a level as a transition system, whose operators are places of keys. A key
// that does not change the state is not a move, and not counted as generated; neither is one after which turns follow
// each other without end. Such a key is given up, and `CutOff` reports it: play might continue after it.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "script/estimate.hpp"
#include "search/objective.hpp"
#include "search/search.hpp"
#include "search/state_space.hpp"

namespace unpuzzle::script {

// Boards in the form that `Changes` takes.
struct Level {
    const Game& game;
    Shape shape;
    Bits cells = {};
    std::optional<Bits> target = {};  // where a restart leads
    bool won = false;
    std::optional<std::vector<unsigned char>> seed = {};  // none: nothing is drawn
    std::uint64_t drawn = 0;                              // so many numbers, before it begins
    std::vector<Direction> keys = {};                     // that may be pressed
};

// Turns that were not played to their end.
struct CutOff {
    std::set<std::uint32_t> endless;  // groups; see `Rules`
    bool keys = false;                // some key was given up after MOST_AGAINS turns
};

struct LevelOptions {
    std::string_view algorithm;  // bfs, astar, gbfs, idastar
    Estimate::Kind heuristic = Estimate::BLIND;
    bool admissible = true;                // the heuristic
    std::vector<std::uint32_t> shortened;  // see `Estimate`
    Cost weight = 1;                       // of the heuristic, 1..MOST_WEIGHT
    std::size_t bytes = SIZE_MAX;
    std::uint64_t most_expanded = UINT64_MAX;
    Objective objective = Objective::moves;  // others: astar and bfs only, and bfs is blind A*
};

struct LevelResult {
    Status status = Status::gave_up;
    std::vector<OperatorId> plan;
    Counters counters = {};
    std::size_t states = 0, bytes = 0;
    double seconds = 0;
    CutOff cut_off = {};
};

// A search that can be paused; `cut_off`: what was so far. What is given outlives it. Throws UnknownName, Stop and
// std::bad_alloc.
std::unique_ptr<ResumableSearch> resumable_search(const Level& level, const LevelOptions& options, Control& control,
                                                  Budget& budget, CutOff& cut_off);

// Throws UnknownName.
LevelResult search(const Level& level, const LevelOptions& options, Control& control);

// `cut_off`: as that of `LevelResult`, also where it throws.
std::unique_ptr<StateSpace> state_space(const Level& level, const StateSpace::Request& request, Control& control,
                                        CutOff& cut_off);

}  // namespace unpuzzle::script
