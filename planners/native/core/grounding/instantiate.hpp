// From reached facts and instances to ground operators and axioms.
//
// Facts are numbered by predicate and then by their objects, instances taken by schema and then by their objects, so
// the result does not depend on the order in which joins find things. Conditions are made ground in full, quantifiers
// becoming conjunctions and disjunctions over objects; objects that leave a quantified part true (or false) at once,
// because an atom in it was never reached, are not even visited: its positive atoms are joined instead. The rest of a
// disjunction splits an operator if that gives few copies; otherwise it becomes a derived fact.
#pragma once

#include <unordered_map>

#include "grounding/formula.hpp"
#include "grounding/reach.hpp"

namespace unpuzzle::ground {

// Costs that do not fit.
struct LargeCost {
    std::size_t action;
};

// An action that may be applied, one of whose cost terms has no value; the first such instance.
struct MissingCost {
    std::size_t action, term;  // the term's place among the action's costs
    std::vector<Object> arguments;
};

class Instantiation {
  public:
    Instantiation(const Input& input, Reachability& reached, GroundTask& task, Control& control);
    void run(Progress& progress);
    // A goal as literals, its disjunctions being derived facts; false if nothing can make it true.
    bool goal(const LiftedGoal& goal, Conjunction& literals);
    // Forgets the derived facts that were made since there were so many facts.
    void forget(std::size_t facts);
    // Of each action, whether it has operators.
    const std::vector<bool>& applicable() const { return applicable_; }
    // One for each cost term that lacks a value somewhere. Instances without a cost have no operators.
    const std::vector<MissingCost>& missing_costs() const { return missing_costs_; }

  private:
    static constexpr std::size_t MOST_COPIES = 8;  // an operator is split into at most this many by its disjunctions

    struct Quantified {  // how to find the objects of a quantifier
        Quantified(Query made, Object objects, Control& control)
            : query(std::move(made)), found(query.needed, objects, control) {}
        Query query;
        std::unique_ptr<Join> join;
        std::vector<Object> environment;
        Collected found;
    };

    Starts read_starts() const;
    void number_facts();
    void read_values();
    void ground_axiom(const Axiom& axiom);
    void ground_action(std::size_t number);
    void ground_effect(const LiftedEffect& effect, std::size_t which);
    void add_effect(Literal32 sets, const Conjunction& condition);
    void write_operator(std::size_t action, Row instance, const Conjunction& precondition, std::int64_t cost);
    // NO_COST where the problem gives a term no value; `missing` is then the first such term.
    static constexpr std::int64_t NO_COST = -1;
    std::int64_t cost(const std::vector<CostTerm>& terms, std::size_t& missing);
    void miss_cost(std::size_t action, std::size_t term, const Object* arguments);

    Formula literal(Int predicate, std::span<const Term> terms, bool positive);
    Formula formula(Int node);
    Formula quantifier(Int number);
    bool assemble(Parts& parts, const Node& node);  // false: the absorbing constant
    void conjunctions_of(Int node, std::size_t most, Vector<Conjunction>& found);
    void conjunctions(Formula formula, std::size_t most, Vector<Conjunction>& found);
    Formula without_disjunctions(Formula formula);
    AtomId auxiliary(Formula formula);
    std::int32_t layer(Literal32 literal) const;

    // Calls `bool visit()` for all values that the slots of a quantifier can have, until it says false.
    template <class Visit>
    bool each_binding(Quantified& part, Visit&& visit) {
        const std::size_t outer = given_.size();
        given_.insert(given_.end(), part.query.bind.begin(), part.query.bind.end());
        part.found.clear();
        part.environment = environment_;
        part.join->run(part.environment.data(), part.found);
        part.found.sort();
        bool more = true;
        for (Row row = 0; more && row < part.found.count(); ++row) {
            control_.tick();
            part.found.load(row, environment_);
            more = visit();
        }
        given_.resize(outer);
        return more;
    }
    bool load(const Scope& scope, const Object* objects);
    Quantified& quantified(std::size_t key, Int condition, bool universal, const std::vector<Slot>& slots);
    void guards(Int condition, bool universal, Body& body) const;
    Object value(Term term) const { return term >= 0 ? environment_[static_cast<std::size_t>(term)] : ~term; }
    const Object* tuple(std::span<const Term> terms) {
        for (std::size_t i = 0; i < terms.size(); ++i) tuple_[i] = value(terms[i]);
        return tuple_.data();
    }
    void begin(const Scope& scope);

    const Input& input_;
    Reachability& reached_;
    GroundTask& task_;
    Control& control_;
    Formulas formulas_;
    std::vector<Vector<AtomId>> numbers_;  // predicate, row → fact, or -1 if it is true for ever
    std::vector<bool> applicable_;
    std::vector<MissingCost> missing_costs_;
    Relations tables_;  // of the cost functions
    std::vector<std::vector<std::int64_t>> values_;
    std::unordered_map<Formula, AtomId> auxiliary_;
    std::unordered_map<std::size_t, std::unique_ptr<Quantified>> quantified_;
    const Scope* scope_ = nullptr;
    std::vector<Object> environment_, tuple_;
    std::vector<Slot> given_;  // slots with values

    struct Pending {  // an effect of the operator being made
        Literal32 sets;
        std::uint32_t begin, size;
    };
    Vector<Pending> effects_;
    Vector<Literal32> conditions_;
};

}  // namespace unpuzzle::ground
