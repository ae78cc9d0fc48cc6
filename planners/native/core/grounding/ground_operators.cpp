#include <algorithm>

#include "grounding/instantiate.hpp"

namespace unpuzzle::ground {

namespace {
constexpr std::int64_t MOST_COST = (std::int64_t{1} << 31) - 1;
}  // namespace

// The least layer at which a rule may test a literal.
std::int32_t Instantiation::layer(Literal32 literal) const {
    const std::int32_t layer = task_.layers[static_cast<std::size_t>(fact_of(literal))];
    return layer < 0 ? 0 : literal >= 0 ? layer : layer + 1;
}

// Operators and axioms

// The arguments are these objects from here on; false if that cannot be.
bool Instantiation::load(const Scope& scope, const Object* objects) {
    const auto slot = [&](std::size_t i) { return static_cast<std::size_t>(scope.arguments[i]); };
    for (std::size_t i = 0; i < scope.arguments.size(); ++i) environment_[slot(i)] = objects[i];
    for (std::size_t i = 0; i < scope.arguments.size(); ++i) {
        const Domain& domain = input_.domains[static_cast<std::size_t>(scope.domains[slot(i)])];
        if (environment_[slot(i)] != objects[i] || !domain.contains(objects[i])) return false;
    }
    return true;
}

void Instantiation::ground_axiom(const Axiom& axiom) {
    begin(axiom.scope);
    const Relation& heads = reached_.of(axiom.head);
    Vector<Conjunction> bodies;
    for (Row row = 0; row < heads.size(); ++row) {
        control_.tick();
        if (!load(axiom.scope, heads.row(row))) continue;
        const AtomId head = numbers_[static_cast<std::size_t>(axiom.head)][static_cast<std::size_t>(row)];
        conjunctions_of(axiom.body, MOST_COPIES, bodies);
        for (const Conjunction& body : bodies) {
            if (std::find(body.begin(), body.end(), head) != body.end()) continue;
            task_.axioms.push_back({head, static_cast<std::uint32_t>(body.size()), task_.bodies.size()});
            task_.bodies.insert(task_.bodies.end(), body.begin(), body.end());
        }
    }
}

void Instantiation::ground_action(std::size_t number) {
    const Action& action = input_.actions[number];
    const Relation& instances = reached_.instances(number);
    begin(action.scope);
    Vector<Conjunction> preconditions;
    for (Row row = 0; row < instances.size(); ++row) {
        control_.tick();
        load(action.scope, instances.row(row));
        conjunctions_of(action.precondition, MOST_COPIES, preconditions);
        if (preconditions.empty()) continue;
        std::size_t missing = 0;
        const std::int64_t costs = cost(action.costs, missing);
        if (costs == NO_COST) {
            miss_cost(number, missing, instances.row(row));
            continue;
        }
        if (costs > MOST_COST) throw LargeCost{number};
        effects_.clear();
        conditions_.clear();
        for (std::size_t i = 0; i < action.effects.size(); ++i) {
            // The key tells effects from each other and from quantifiers: each effect has a condition of its
            // own.
            ground_effect(action.effects[i],
                          input_.nodes.size() + static_cast<std::size_t>(action.effects[i].condition));
        }
        for (const Conjunction& precondition : preconditions) write_operator(number, row, precondition, costs);
    }
}

void Instantiation::ground_effect(const LiftedEffect& effect, std::size_t key) {
    const auto one = [&] {
        const Formula fact = literal(effect.predicate, input_.terms(effect.terms), true);
        if (!is_literal(fact)) return;  // a delete of what is never true, or an add of what is true for ever
        const auto sets = static_cast<Literal32>(effect.add ? fact : ~fact);
        if (effect.simple) return add_effect(sets, {});
        Vector<Conjunction> conditions;
        conjunctions_of(effect.condition, MOST_COPIES, conditions);
        for (const Conjunction& condition : conditions) add_effect(sets, condition);
    };
    if (effect.own.empty()) return one();
    Quantified& objects = quantified(key, effect.condition, false, effect.own);
    each_binding(objects, [&] {
        one();
        return true;
    });
}

void Instantiation::add_effect(Literal32 sets, const Conjunction& condition) {
    effects_.push_back(
        {sets, static_cast<std::uint32_t>(conditions_.size()), static_cast<std::uint32_t>(condition.size())});
    conditions_.insert(conditions_.end(), condition.begin(), condition.end());
}

void Instantiation::write_operator(std::size_t action, Row instance, const Conjunction& precondition,
                                   std::int64_t cost) {
    applicable_[action] = true;
    task_.operators.push_back(
        {task_.literals.size(), task_.effects.size(), static_cast<std::uint32_t>(precondition.size()),
         static_cast<std::uint32_t>(effects_.size()), static_cast<std::uint32_t>(action), instance, cost});
    task_.literals.insert(task_.literals.end(), precondition.begin(), precondition.end());
    for (const Pending& effect : effects_) {
        task_.effects.push_back({task_.literals.size(), effect.size, effect.sets});
        const auto first = conditions_.begin() + effect.begin;
        task_.literals.insert(task_.literals.end(), first, first + effect.size);
    }
}

void Instantiation::miss_cost(std::size_t action, std::size_t term, const Object* arguments) {
    for (const MissingCost& known : missing_costs_) {
        if (known.action == action && known.term == term) return;
    }
    const std::size_t arity = input_.actions[action].scope.arguments.size();
    missing_costs_.push_back({action, term, {arguments, arguments + arity}});
}

std::int64_t Instantiation::cost(const std::vector<CostTerm>& terms, std::size_t& missing) {
    std::int64_t sum = 0;
    for (const CostTerm& term : terms) {
        if (term.function < 0) {
            sum += term.number;
            continue;
        }
        const auto function = static_cast<std::size_t>(term.function);
        const Row row = tables_[function].find(tuple(input_.terms(term.terms)));
        if (row == NO_ROW) {
            missing = static_cast<std::size_t>(&term - terms.data());
            return NO_COST;
        }
        sum += values_[function][static_cast<std::size_t>(row)];
    }
    return sum;
}

}  // namespace unpuzzle::ground
