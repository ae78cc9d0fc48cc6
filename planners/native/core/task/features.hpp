// The features of a task, found once and used by all searches.
//
// Not every heuristic, search or way of pruning can deal with every task. Each declares what it does not
// support, as a set of `Feature`s beside its name, and `check_support` refuses a task that has one of them.
#pragma once

#include "task/task.hpp"

namespace unpuzzle {

enum class Feature : unsigned { none = 0, different_costs = 1, axioms = 2, conditional_effects = 4 };

constexpr Feature operator|(Feature one, Feature other) {
    return static_cast<Feature>(static_cast<unsigned>(one) | static_cast<unsigned>(other));
}
constexpr Feature operator&(Feature one, Feature other) {
    return static_cast<Feature>(static_cast<unsigned>(one) & static_cast<unsigned>(other));
}

struct TaskFeatures {
    TaskFeatures(const Task& task, Control& control);

    // All that it has, as a set.
    Feature all() const;
    bool has(Feature some) const { return (all() & some) != Feature::none; }

    bool axioms = false;  // some variable is derived
    bool derived_goal = false;
    std::size_t conditional_effects = 0;  // how many, over all operators
    // Every operator tells the state before it: it has no conditional effects, and its precondition names each
    // variable that it sets. So a search may remember which of them led to a state, in a byte or two, instead of the
    // parent's number in four.
    bool undoable = true;
    std::uint32_t least_cost = 0, dearest_cost = 0;  // of an operator; 0 without any
    bool same_costs = true;
    // The greatest part of the operators that set, on no condition, one same variable; 1 without operators.
    double most_changed = 1;
};

// Throws UnsupportedTask if the task has one of the features that `by` does not support; `by` is plural: "pattern
// databases".
void check_support(const TaskFeatures& features, Feature unsupported, const char* by);

}  // namespace unpuzzle
