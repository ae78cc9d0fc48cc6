// Relaxed reachability: which facts can become true at all, and with which arguments each action applies.
//
// Datalog, evaluated semi-naively: facts leave a queue one after the other; a fact that leaves it becomes visible and
// is joined, in each place of a rule's body that it fits, with what is visible. Static facts are visible from the start
// and trigger nothing. An action whose instances other rules need (for its conditional effects) has them as facts too.
#pragma once

#include <memory>

#include "grounding/joins.hpp"

namespace unpuzzle::ground {

class Rule;

// The current work of grounding, for messages about limits.
enum class Phase { reading, reaching, actions, axioms, goal, encoding };
struct Progress {
    Phase phase = Phase::reading;
    std::size_t schema = 0;  // of actions or axioms
};

class Reachability {
  public:
    Reachability(const Input& input, Control& control);
    ~Reachability();

    void run();
    // Rows sorted, tables right again; every relation is visible as a whole.
    void sort();

    Relation& of(Int predicate) { return relations_[static_cast<std::size_t>(predicate)]; }
    Relation& instances(std::size_t action) { return relations_[input_.predicates.size() + action]; }
    Relations& relations() { return relations_; }
    bool add(Int predicate, const Object* tuple);

  private:
    friend class Rule;
    struct Trigger {
        Rule* rule;
        int atom;
        std::unique_ptr<Join> join;
        std::size_t planned = 0;  // facts visible when the plan was made
    };

    void add_rules(const Scope& scope, Int condition, const std::vector<Literal>& atoms, const std::vector<Slot>& slots,
                   const std::vector<Slot>& needed, Int predicate, const std::vector<Term>& terms, std::size_t action);
    void action_rules(std::size_t number);
    Join& planned(Trigger& trigger);

    const Input& input_;
    Control& control_;
    Relations relations_;
    std::vector<std::unique_ptr<Rule>> rules_;
    std::vector<std::vector<Trigger>> triggers_;  // by predicate
    Vector<std::pair<Int, Row>> queue_;
    std::size_t popped_ = 0;
};

}  // namespace unpuzzle::ground
