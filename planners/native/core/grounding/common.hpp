// The question of families and state spaces to a grounding: is it correct for another start or goal, too?
//
// It was made for several starts and goals and knows its assumptions (`Basis`), so it can decide:
//
//     a start   no fact that was assumed impossible, every fact that was assumed certain, no mutex group
//               violated: a packer of starts checks `start_facts` and `groups`
//     a goal    literals of facts that have a place in a state, or are certain, or impossible
//
// For later goals it keeps the reached facts, and the data for grounding conditions.
#pragma once

#include <memory>

#include "grounding/encoding.hpp"
#include "grounding/instantiate.hpp"

namespace unpuzzle::ground {

// Intermediate results that a grounding needs until the end.
struct Making {
    Making(const Arrays& arrays, Control& control) : input(arrays, control) {}

    Input input;
    std::unique_ptr<Reachability> reached;
    GroundTask task;
    std::unique_ptr<Instantiation> instantiation;
};

class Common {
  public:
    // `sizes` are the domains of the variables. The control must live on: it watches over goals, too.
    Common(std::unique_ptr<Making> making, Basis basis, const Vector<std::int32_t>& sizes, Control& control);

    struct Goal {
        bool known = true;     // false: it has no place here
        bool possible = true;  // false: it is never true
        std::vector<Fact> facts;
    };
    Goal goal(const Vector<std::int32_t>& domains, const Vector<std::int32_t>& goal);

    std::size_t starts() const { return making_->task.starts.count(); }
    // The values of the variables in one of the starts.
    std::vector<std::int32_t> initial(std::size_t start) const { return basis_.initial(making_->task.starts, start); }

    // The fluents that a start may contain, counted from 0.
    struct StartFact {
        std::vector<std::int32_t> name;  // predicate and objects
        std::int32_t variable;           // -1: no variable tells of it
        std::uint32_t value;
        bool certain;  // every start contains it
    };
    std::vector<StartFact> start_facts() const;
    // A group of these: a start contains at most one or, if the group is exact, exactly one.
    struct Group {
        std::vector<std::uint32_t> facts;
        bool exact;
    };
    std::vector<Group> groups() const;
    // Variables with the value that they have where no fact gives them one; 0 for the rest.
    std::vector<Fact> otherwise() const;

  private:
    bool is_start_fact(std::size_t fact) const;
    std::vector<std::int32_t> name(const GroundFact& fact) const;

    std::unique_ptr<Making> making_;
    Basis basis_;
    Vector<std::int32_t> sizes_;
    std::size_t known_;  // facts; later goals may add derived ones, which have no place
    Control& control_;
};

}  // namespace unpuzzle::ground
