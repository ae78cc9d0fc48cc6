#include "grounding/reach.hpp"

#include <algorithm>

namespace unpuzzle::ground {

namespace {
constexpr std::size_t NO_ACTION = SIZE_MAX;
}

// A query and what to add for each answer: an atom, or an instance of an action with its unconditional adds.
class Rule : public Sink {
  public:
    struct Add {
        Int predicate;
        std::vector<Term> terms;
    };

    Rule(Reachability& reachability, Query query) : query(std::move(query)), reachability_(reachability) {
        environment_.resize(this->query.scope->domains.size());
    }

    void emit(const Object* environment) override {
        if (instances && !instance(environment)) return;
        for (const Add& add : adds) {
            fill(add.terms, environment);
            reachability_.add(add.predicate, tuple_.data());
        }
    }
    Object* environment() { return environment_.data(); }

    Query query;
    std::vector<Add> adds;
    Relation* instances = nullptr;  // of the action
    Int as_facts = -1;              // the instances' predicate, where rules ask for them
    bool once = true;               // each instance is found once

  private:
    void fill(const std::vector<Term>& terms, const Object* environment) {
        tuple_.resize(terms.size() + 1);
        for (std::size_t i = 0; i < terms.size(); ++i) {
            tuple_[i] = terms[i] >= 0 ? environment[terms[i]] : ~terms[i];
        }
    }
    bool instance(const Object* environment) {
        fill(query.scope->arguments, environment);
        if (as_facts >= 0) return reachability_.add(as_facts, tuple_.data());
        if (!once) return instances->insert(tuple_.data());
        instances->append(tuple_.data());
        return true;
    }

    Reachability& reachability_;
    std::vector<Object> environment_, tuple_;
};

Reachability::Reachability(const Input& input, Control& control)
    : input_(input), control_(control), triggers_(input.predicates.size() + input.actions.size()) {
    relations_.reserve(triggers_.size());
    for (const Predicate& predicate : input.predicates)
        relations_.emplace_back(predicate.arity, input.objects, control);
    for (const Action& action : input.actions) {
        relations_.emplace_back(static_cast<std::uint32_t>(action.scope.arguments.size()), input.objects, control);
    }
    for (std::size_t i = 0; i < input.initial.size(); ++i) {
        const Int* fact = input.initial[i].data();
        if (input.is_static(*fact)) {
            Relation& relation = of(*fact);
            if (relation.insert(fact + 1)) relation.show(relation.size() - 1);
        } else {
            add(*fact, fact + 1);
        }
        control.tick();
    }
    for (const Axiom& axiom : input.axioms) {
        const std::vector<Slot>& head = axiom.scope.arguments;
        add_rules(axiom.scope, axiom.body, {}, axiom.scope.parameters, head, axiom.head, head, NO_ACTION);
    }
    for (std::size_t i = 0; i < input.actions.size(); ++i) action_rules(i);
}

Reachability::~Reachability() = default;

bool Reachability::add(Int predicate, const Object* tuple) {
    Relation& relation = of(predicate);
    if (!relation.insert(tuple)) return false;
    queue_.emplace_back(predicate, relation.size() - 1);
    return true;
}

void Reachability::action_rules(std::size_t number) {
    const Action& action = input_.actions[number];
    const Scope& scope = action.scope;
    add_rules(scope, action.precondition, {}, scope.parameters, scope.parameters, -1, {}, number);
    const auto fired = static_cast<Int>(input_.predicates.size() + number);
    for (const LiftedEffect& effect : action.effects) {
        if (!effect.add || effect.simple) continue;
        const auto terms = input_.terms(effect.terms);
        std::vector<Slot> slots = scope.parameters, needed;
        slots.insert(slots.end(), effect.own.begin(), effect.own.end());
        std::copy_if(terms.begin(), terms.end(), std::back_inserter(needed), [](Term term) { return term >= 0; });
        add_rules(scope, effect.condition, {{fired, scope.arguments}}, slots, needed, effect.predicate,
                  {terms.begin(), terms.end()}, NO_ACTION);
    }
}

void Reachability::add_rules(const Scope& scope, Int condition, const std::vector<Literal>& atoms,
                             const std::vector<Slot>& slots, const std::vector<Slot>& needed, Int predicate,
                             const std::vector<Term>& terms, std::size_t action) {
    std::vector<Body> bodies = alternatives(input_, condition);
    const bool several = bodies.size() > 1;
    for (Body& body : bodies) {
        body.atoms.insert(body.atoms.begin(), atoms.begin(), atoms.end());
        Query query{&scope, std::move(body), slots, needed};
        query.bind.insert(query.bind.end(), query.body.slots.begin(), query.body.slots.end());
        const bool projects = !query.body.slots.empty();
        rules_.push_back(std::make_unique<Rule>(*this, std::move(query)));
        Rule& rule = *rules_.back();
        if (action == NO_ACTION) {
            rule.adds.push_back({predicate, terms});
        } else {
            const Action& schema = input_.actions[action];
            rule.instances = &instances(action);
            rule.once = !several && !projects;
            for (const LiftedEffect& effect : schema.effects) {
                if (!effect.add) continue;
                if (!effect.simple) {  // a rule asks for the instances
                    rule.as_facts = static_cast<Int>(input_.predicates.size() + action);
                    continue;
                }
                const auto of_effect = input_.terms(effect.terms);
                rule.adds.push_back({effect.predicate, {of_effect.begin(), of_effect.end()}});
            }
        }
        const std::vector<Literal>& all = rule.query.body.atoms;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto of_atom = static_cast<std::size_t>(all[i].predicate);
            if (of_atom < input_.predicates.size() && input_.is_static(all[i].predicate)) continue;
            triggers_[of_atom].push_back({&rule, static_cast<int>(i), nullptr});
        }
    }
}

Join& Reachability::planned(Trigger& trigger) {
    if (!trigger.join || popped_ > 2 * trigger.planned + 16) {
        trigger.join = std::make_unique<Join>(input_, relations_, trigger.rule->query, trigger.atom,
                                              std::vector<Slot>{}, control_);
        trigger.planned = popped_;
    }
    return *trigger.join;
}

void Reachability::run() {
    for (const auto& rule : rules_) {
        const auto fluent = [&](const Literal& atom) {
            return static_cast<std::size_t>(atom.predicate) >= input_.predicates.size() ||
                   !input_.is_static(atom.predicate);
        };
        if (std::none_of(rule->query.body.atoms.begin(), rule->query.body.atoms.end(), fluent)) {
            Join(input_, relations_, rule->query, -1, {}, control_).run(rule->environment(), *rule);
        }
    }
    while (popped_ < queue_.size()) {
        control_.tick();
        const auto [predicate, row] = queue_[popped_++];
        of(predicate).show(row);
        for (Trigger& trigger : triggers_[static_cast<std::size_t>(predicate)]) {
            planned(trigger).run(trigger.rule->environment(), *trigger.rule, row);
        }
    }
}

void Reachability::sort() {
    rules_.clear();
    triggers_.clear();
    release(queue_);
    for (Relation& relation : relations_) {
        relation.sort();
        relation.rehash();
        control_.tick();
    }
}

}  // namespace unpuzzle::ground
