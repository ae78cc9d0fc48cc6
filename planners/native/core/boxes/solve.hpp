// Tasks that are boards, solved as Sokoban programs do: a search for some solution, then better and better ones.
#pragma once

#include "boxes/routes.hpp"

namespace unpuzzle::boxes {

class FeatureSearch;

// The searches on one board, which can be paused. The task, the control and what it looks at outlive it.
class Solver {
  public:
    Solver(Board board, const CompiledTask& compiled, bool pushes_first, Control& control, Observer& observer);
    ~Solver();

    // Searches on, until the control has counted so many positions; `gave_up` then.
    Status search(std::uint64_t most_expanded);
    // Takes a plan from elsewhere, if it is better. Throws BadTask where it is no plan.
    void take(const Steps& plan);
    // Makes the plan better, with about so many positions; what a limit of time or memory leaves of that is kept.
    Status improve(std::uint64_t most_expanded);

    const std::optional<Steps>& plan() const { return plan_; }
    Cost cost() const { return cost_; }
    std::uint64_t changes() const { return changes_; }  // pushes of the plan

  private:
    bool keep(Steps plan);
    Steps written() const;

    Board board_;
    const CompiledTask& compiled_;
    bool pushes_first_;
    Control& control_;
    Observer& observer_;
    std::vector<std::unique_ptr<FeatureSearch>> searches_;
    std::size_t next_ = 0;  // the search that has its turn
    std::uint64_t turn_;    // how many positions
    std::uint32_t shuffle_ = 0;
    Pushed pushes_;
    std::optional<Steps> plan_;
    Cost cost_ = 0;
    std::uint64_t changes_ = 0;
};

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
