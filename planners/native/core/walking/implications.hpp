// What follows from where the walker is: "while the walker is at a, that fact holds", by induction.
//
// Implications are asked for first, then all that an operator might break are dropped, until none is: the greatest set
// that is its own proof. An operator that puts the walker at a must leave the fact true, and one that makes the
// fact false must find the walker elsewhere. What holds before an operator is told by its precondition, by
// mutex groups, and by the implications themselves.
#pragma once

#include <tuple>

#include "task/mutex_index.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

class Implications {
  public:
    Implications(const Task& task, const Mutexes& mutexes, std::uint32_t walker, Control& control)
        : task_(task), mutexes_(mutexes), walker_(walker), control_(control) {}

    // Before `prove`; facts that do not hold initially, while the walker is there, are left out.
    void ask(std::uint32_t place, const Fact& fact) { all_.push_back({place, fact}); }
    void prove();
    bool proved(std::uint32_t place, const Fact& fact) const;

    // Whether facts that hold exclude all other values of the fact's variable.
    bool told_by(std::span<const Fact> facts, const Fact& fact) const;

  private:
    struct Implication {
        std::uint32_t place;
        Fact fact;
        bool holds = true;
        auto operator<=>(const Implication& other) const {
            return std::tie(place, fact) <=> std::tie(other.place, other.fact);
        }
        bool operator==(const Implication& other) const { return place == other.place && fact == other.fact; }
    };

    bool drop_some();
    bool drop(const Operator& op, std::span<const Change> changes);
    bool keeps(const Operator& op, std::span<const Change> changes, const Implication& it) const;
    bool true_after(const Operator& op, std::span<const Change> changes, const Implication& it) const;
    bool elsewhere(std::span<const Fact> precondition, const Implication& it) const;

    const Task& task_;
    const Mutexes& mutexes_;
    std::uint32_t walker_;
    Control& control_;
    Vector<Implication> all_;  // sorted
    Rows<std::uint32_t> by_place_, by_variable_;
    mutable Vector<bool> excluded_;  // by value
};

}  // namespace unpuzzle
