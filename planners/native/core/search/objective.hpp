// The objective: to minimize moves, pushes, or one of them and then the other; pushes are all steps except walks.
//
//     cost    │      first      │  second, 24 or 40 bits  │        two numbers in one, so that searches add and compare it
//
// The second number must not overflow: it has enough bits for plans of 16 million pushes. If single steps cost too much
// for that, the task is refused.
#pragma once

#include <bit>
#include <string_view>

#include "base/errors.hpp"
#include "base/words.hpp"

namespace unpuzzle {

enum class Objective { moves, pushes, pushes_moves, moves_pushes };

constexpr std::string_view OBJECTIVES[] = {"moves", "pushes", "pushes,moves", "moves,pushes"};

// Throws UnknownName.
inline Objective objective_of(std::string_view name) {
    std::string names;
    for (std::size_t i = 0; i < std::size(OBJECTIVES); ++i) {
        if (name == OBJECTIVES[i]) return static_cast<Objective>(i);
        names += (i == 0 ? "" : " ") + std::string(OBJECTIVES[i]);
    }
    throw UnknownName("unknown objective '" + std::string(name) + "': there are " + names);
}

class ObjectiveCosts {
  public:
    // `farthest`: the most that a walk from place to place costs; `dearest`: that and one push after it.
    ObjectiveCosts(Objective objective, Cost farthest, Cost dearest)
        : objective_(objective), counts_walks_(objective != Objective::pushes && farthest > 0) {
        if (objective_ == Objective::moves_pushes) shift_ = PUSH_BITS;
        if (objective_ == Objective::pushes_moves) shift_ = PUSH_BITS + static_cast<int>(std::bit_width(dearest));
        if (shift_ > 0 && PUSH_BITS + static_cast<int>(std::bit_width(dearest)) > MOST_BITS)
            throw UnsupportedTask("steps with such high costs", "Searches of pushes");
    }

    // Whether it matters where in its component the walker is.
    bool counts_walks() const { return counts_walks_; }
    bool counts_steps() const { return objective_ == Objective::pushes; }  // all of them cost 1
    Cost of(Cost moves, Cost pushes) const {
        if (objective_ == Objective::pushes) return pushes;
        if (objective_ == Objective::moves) return moves;
        return objective_ == Objective::pushes_moves ? pushes << shift_ | moves : moves << shift_ | pushes;
    }
    // Of what an estimate is: of pushes alone, or of the moves' cost.
    bool estimates_pushes() const { return objective_ == Objective::pushes || objective_ == Objective::pushes_moves; }
    Cost of_estimate(Cost h) const { return h << shift_; }

  private:
    static constexpr int PUSH_BITS = 24, MOST_BITS = 40;

    Objective objective_;
    bool counts_walks_;
    int shift_ = 0;
};

}  // namespace unpuzzle
