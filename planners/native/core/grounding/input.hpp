// A lifted task from Python, checked: see flatten.py for the arrays.
//
// A formula is a node of a tree in negation normal form. Nodes are in one array, children and terms in two others, so
// that a formula is a number; schemas have the formulas they need.
#pragma once

#include "base/bits.hpp"
#include "base/rows.hpp"
#include "task/task.hpp"

namespace unpuzzle::ground {

using Object = std::int32_t;
using Term = std::int32_t;  // a slot, or ~object
using Slot = std::int32_t;
using Int = std::int32_t;

enum class Kind : std::uint8_t { atom, not_atom, equal, not_equal, conjunction, disjunction, exists, forall };

struct Span {
    std::uint32_t begin = 0, size = 0;
};

struct Node {
    Kind kind = Kind::conjunction;
    Int predicate = -1;
    Span terms;     // of an atom or equality; slots of a quantifier
    Span children;  // of a connective; the one child of a quantifier
};

struct Predicate {
    std::uint32_t arity;
    Int layer;            // -1: not derived
    bool fluent = false;  // derived, changed by some effect, or varying: each start has its own facts
    bool deleted = false;
};

struct Domain {
    Vector<Object> members;  // ascending
    BitSet bits;             // the same; empty if all objects are members
    bool contains(Object object) const { return bits.empty() || has(bits, static_cast<std::size_t>(object)); }
};

struct Scope {
    std::vector<Int> domains;  // of each slot
    std::vector<Slot> parameters;
    std::vector<Slot> arguments;
};

struct LiftedEffect {
    bool add;
    std::vector<Slot> own;
    Int condition;  // a formula
    Int predicate;
    Span terms;
    bool simple;  // without conditions and slots of its own
};

struct CostTerm {
    Int function = -1;  // -1: a number
    std::int64_t number = 0;
    Span terms;
};

struct Action {
    Scope scope;
    Int precondition;
    std::vector<LiftedEffect> effects;
    std::vector<CostTerm> costs;
};

struct Axiom {
    Scope scope;
    Int head;
    Int body;
};

struct LiftedGoal {
    Scope scope;
    Int condition;
};

struct Arrays {
    std::int64_t objects;
    Vector<std::int32_t> domains, predicates, functions, initial, starts, actions, axioms, goals;
    Vector<std::int64_t> values;
};

struct Input {
    Input(const Arrays& arrays, Control& control);

    const Node& node(Int formula) const { return nodes[static_cast<std::size_t>(formula)]; }
    std::span<const Int> terms(Span span) const { return {numbers.data() + span.begin, span.size}; }
    std::span<const Int> children(const Node& node) const { return terms(node.children); }
    bool is_static(Int predicate) const { return !predicates[static_cast<std::size_t>(predicate)].fluent; }
    // A goal with the domains of its own slots, to be looked at and then forgotten.
    LiftedGoal read_goal(const Vector<std::int32_t>& domains, const Vector<std::int32_t>& goal, Control& control);
    struct Mark {
        std::size_t domains, nodes, numbers;
    };
    Mark mark() const { return {domains.size(), nodes.size(), numbers.size()}; }
    void forget(const Mark& mark);

    Object objects;
    std::vector<Domain> domains;
    std::vector<Predicate> predicates;
    std::vector<std::uint32_t> functions;  // arities
    Rows<Int> initial;                     // by fact: predicate, arguments
    std::vector<std::uint32_t> starts;     // of each, how many facts and which; empty: all, in one start
    std::size_t start_count = 1;
    std::vector<std::int64_t> values;  // function, arguments, number; one after the other
    std::vector<Action> actions;
    std::vector<Axiom> axioms;
    std::vector<LiftedGoal> goals;
    std::vector<Node> nodes;
    std::vector<Int> numbers;  // terms, slots and children

  private:
    class Reader;
};

}  // namespace unpuzzle::ground
