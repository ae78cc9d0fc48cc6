// The whole state space of a PuzzleScript level, in the arrays that state_space.hpp describes; moves cost 1.
#pragma once

#include <memory>

#include "script/walker.hpp"
#include "search/state_space.hpp"

namespace unpuzzle::script {

class Space {
  public:
    // Throws `Stop`; std::bad_alloc is a memout, too. The walker may count against the same budget.
    Space(Walker& walker, const std::vector<Direction>& keys, std::shared_ptr<Budget> budget, std::uint64_t most_states,
          Control& control);

    std::size_t size() const { return depth.size(); }

  private:
    void explore(Walker& walker, const std::vector<Direction>& keys, std::uint64_t most_states, Control& control);
    void reverse(Control& control);
    void goal_distances(Control& control);
    void count_plans(Control& control);

    std::shared_ptr<Budget> budget_held_;
    Budget& budget_;

  public:
    Counted<std::uint32_t> depth;
    Counted<std::uint64_t> offsets;
    Counted<std::uint32_t> targets, operators;  // operators: places of keys
    Counted<std::uint8_t> goals;
    Counted<std::int64_t> distance, goal_distance;
    Counted<std::uint64_t> plans;

  private:
    Counted<std::uint64_t> back_offsets_;  // transitions by target, while they are needed
    Counted<std::uint32_t> sources_, order_;
};

}  // namespace unpuzzle::script
