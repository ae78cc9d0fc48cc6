// Tasks that are boards, solved as Sokoban programs do: a search for some solution, then better and better ones.
#pragma once

#include "boxes/board.hpp"

namespace unpuzzle::boxes {

struct Options : Limits {
    std::uint64_t most_expanded = UINT64_MAX;  // positions of the search
    std::uint64_t most_improving = 0;          // and of the searches that make its plan better
    bool pushes_first = true;                  // fewer pushes are better at any cost; otherwise they break ties
    std::optional<Steps> plan;                 // one that is known: it is made better, and nothing is searched
};

struct Outcome {
    Status status = Status::gave_up;  // solved, unsolvable if that is proved, or what ended the search
    std::optional<Steps> plan;        // also where a limit ended what came after the search, or a cancel did
    Cost cost = 0;
    Counters counters;
    std::uint64_t changes = 0;  // pushes of the plan
};

// Nothing, if the task is no board. No plan gets worse by being made better.
std::optional<Outcome> solve(const CompiledTask& compiled, const Options& options, Observer& observer,
                             const std::atomic<std::uint32_t>* cancels = nullptr);

// The pushes of a plan with the walker's way to each of them, the shortest.
Steps with_walks(const Board& board, std::span<const Push> pushes, Control& control);

}  // namespace unpuzzle::boxes
