// Bodies for joins: what must at least be true for a condition to hold.
//
// A disjunction gives several bodies, an existential quantifier gives slots. A body may be weaker than the
// condition (negated fluents and `forall` are left out), never stronger: the ground condition is tested in
// full later.
#pragma once

#include <vector>

#include "grounding/input.hpp"

namespace unpuzzle::ground {

constexpr Int EQUALITY = -1;

struct Literal {
    Int predicate;  // or EQUALITY
    std::vector<Term> terms;
    bool wanted = true;
};

struct Body {
    std::vector<Literal> atoms;    // true
    std::vector<Literal> filters;  // static or equality; true or false
    std::vector<Slot> slots;       // of quantifiers, as far as the body mentions them
};

// Bodies of which at least one is true where all the conditions are.
std::vector<Body> alternatives(const Input& input, const std::vector<Int>& conditions);

}  // namespace unpuzzle::ground
