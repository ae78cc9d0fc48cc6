// Bodies for joins: what must at least be true for a condition to hold.
//
// A disjunction gives several bodies, an existential quantifier gives slots. A body may be weaker than the
// condition (negated fluents and `forall` are left out), never stronger: the ground condition is tested in
// full later.
#include <algorithm>

#include "grounding/joins.hpp"

namespace unpuzzle::ground {

namespace {

constexpr std::size_t MOST_ALTERNATIVES = 32;  // beyond this a condition keeps only what all alternatives share

Body both(const Body& one, const Body& other) {
    Body body = one;
    body.atoms.insert(body.atoms.end(), other.atoms.begin(), other.atoms.end());
    body.filters.insert(body.filters.end(), other.filters.begin(), other.filters.end());
    body.slots.insert(body.slots.end(), other.slots.begin(), other.slots.end());
    return body;
}

bool mentions(const std::vector<Literal>& literals, Slot slot) {
    return std::any_of(literals.begin(), literals.end(), [&](const Literal& literal) {
        return std::find(literal.terms.begin(), literal.terms.end(), slot) != literal.terms.end();
    });
}

class Maker {
  public:
    explicit Maker(const Input& input) : input_(input) {}

    std::vector<Body> product(std::span<const Int> conditions) const {
        std::vector<Body> result(1);
        for (const Int condition : conditions) {
            const std::vector<Body> part = of(condition);
            if (result.size() * part.size() > MOST_ALTERNATIVES) continue;
            std::vector<Body> larger;
            for (const Body& one : result) {
                for (const Body& other : part) larger.push_back(both(one, other));
            }
            result = std::move(larger);
        }
        return result;
    }

  private:
    std::vector<Body> of(Int formula) const {
        const Node& node = input_.node(formula);
        switch (node.kind) {
            case Kind::atom:
                return {Body{{literal(node, true)}, {}, {}}};
            case Kind::not_atom:
                if (!input_.is_static(node.predicate)) return {Body{}};
                return {Body{{}, {literal(node, false)}, {}}};
            case Kind::equal:
            case Kind::not_equal:
                return {Body{{}, {literal(node, node.kind == Kind::equal)}, {}}};
            case Kind::conjunction:
                return product(input_.children(node));
            case Kind::disjunction:
                return sum(input_.children(node));
            case Kind::exists:
                return used(node);
            default:
                return {Body{}};  // a universal quantifier: tested when ground
        }
    }

    Literal literal(const Node& node, bool wanted) const {
        const auto terms = input_.terms(node.terms);
        const bool equality = node.kind == Kind::equal || node.kind == Kind::not_equal;
        return {equality ? EQUALITY : node.predicate, {terms.begin(), terms.end()}, wanted};
    }

    std::vector<Body> sum(std::span<const Int> conditions) const {
        std::vector<Body> result;
        for (const Int condition : conditions) {
            for (Body& body : of(condition)) result.push_back(std::move(body));
            if (result.size() > MOST_ALTERNATIVES) return {Body{}};
        }
        return result;
    }

    // Slots that a body does not mention would only multiply what is found.
    std::vector<Body> used(const Node& node) const {
        std::vector<Body> bodies = of(input_.children(node)[0]);
        for (Body& body : bodies) {
            for (const Slot slot : input_.terms(node.terms)) {
                if (mentions(body.atoms, slot) || mentions(body.filters, slot)) body.slots.push_back(slot);
            }
        }
        return bodies;
    }

    const Input& input_;
};

}  // namespace

std::vector<Body> alternatives(const Input& input, const std::vector<Int>& conditions) {
    return Maker(input).product(conditions);
}

}  // namespace unpuzzle::ground
