#include "grounding/instantiate.hpp"

#include <algorithm>

namespace unpuzzle::ground {

Instantiation::Instantiation(const Input& input, Reachability& reached, GroundTask& task, Control& control)
    : input_(input), reached_(reached), task_(task), control_(control), applicable_(input.actions.size()) {
    std::size_t widest = 2;
    for (const Predicate& predicate : input.predicates) widest = std::max<std::size_t>(widest, predicate.arity);
    for (const std::uint32_t arity : input.functions) widest = std::max<std::size_t>(widest, arity);
    tuple_.resize(widest);
}

void Instantiation::run(Progress& progress) {
    number_facts();
    read_values();
    progress.phase = Phase::axioms;
    for (std::size_t i = 0; i < input_.axioms.size(); ++i) {
        progress.schema = i;
        ground_axiom(input_.axioms[i]);
    }
    progress.phase = Phase::actions;
    for (std::size_t i = 0; i < input_.actions.size(); ++i) {
        progress.schema = i;
        ground_action(i);
    }
    progress.phase = Phase::goal;
}

bool Instantiation::goal(const LiftedGoal& goal, Conjunction& literals) {
    begin(goal.scope);
    quantified_.clear();  // a goal that was looked at before may have had the same numbers
    Vector<Conjunction> found;
    conjunctions_of(goal.condition, 1, found);
    if (found.empty()) return false;
    literals = std::move(found[0]);
    return true;
}

void Instantiation::forget(std::size_t facts) {
    std::erase_if(auxiliary_, [&](const auto& known) { return static_cast<std::size_t>(known.second) >= facts; });
    task_.facts.resize(facts);
    task_.layers.resize(facts);
    task_.starts.resize(facts);
    task_.axioms.clear();
    task_.bodies.clear();
}

// Facts

// In which starts the facts of the input are true.
Starts Instantiation::read_starts() const {
    Starts starts(input_.start_count);
    starts.resize(input_.initial.size());
    for (std::size_t i = 0; input_.starts.empty() && i < input_.initial.size(); ++i) unpuzzle::add(starts[i], 0);
    std::size_t start = 0;
    for (std::size_t at = 0; at < input_.starts.size(); ++start) {
        const std::size_t end = at + 1 + input_.starts[at];
        for (++at; at < end; ++at) unpuzzle::add(starts[input_.starts[at]], start);
        control_.tick();
    }
    return starts;
}

void Instantiation::number_facts() {
    Starts given = read_starts();
    task_.starts = Starts(given.count());
    std::vector<Vector<std::size_t>> given_as(input_.predicates.size());  // predicate, row → its place + 1
    for (std::size_t i = 0; i < input_.initial.size(); ++i) {
        control_.tick();
        const Int* fact = input_.initial[i].data();
        if (input_.is_static(*fact)) continue;
        Relation& relation = reached_.of(*fact);
        auto& places = given_as[static_cast<std::size_t>(*fact)];
        places.resize(static_cast<std::size_t>(relation.size()));
        std::size_t& place = places[static_cast<std::size_t>(relation.find(fact + 1))];
        if (place == 0) place = i + 1;
        if (place != i + 1) unite(given[place - 1], given[i]);
    }
    numbers_.resize(input_.predicates.size());
    for (std::size_t i = 0; i < input_.predicates.size(); ++i) {
        const Predicate& predicate = input_.predicates[i];
        if (!predicate.fluent) continue;
        const Row rows = reached_.of(static_cast<Int>(i)).size();
        auto& places = given_as[i];
        places.resize(static_cast<std::size_t>(rows));
        numbers_[i].assign(static_cast<std::size_t>(rows), -1);
        for (Row row = 0; row < rows; ++row) {
            control_.tick();
            const std::size_t place = places[static_cast<std::size_t>(row)];
            const bool always = place != 0 && given.everywhere(place - 1);
            if (always && !predicate.deleted && predicate.layer < 0) {
                task_.constant.push_back({static_cast<std::int32_t>(i), row});
                continue;
            }
            if (task_.facts.size() >= static_cast<std::size_t>(MOST_ROWS)) throw Stop{Status::memout};
            numbers_[i][static_cast<std::size_t>(row)] = static_cast<AtomId>(task_.facts.size());
            task_.facts.push_back({static_cast<std::int32_t>(i), row});
            task_.layers.push_back(predicate.layer);
            task_.starts.add_fact();
            if (place != 0 && predicate.layer < 0) unite(task_.starts[task_.facts.size() - 1], given[place - 1]);
        }
    }
}

void Instantiation::read_values() {
    for (const std::uint32_t arity : input_.functions) tables_.emplace_back(arity, input_.objects, control_);
    values_.resize(input_.functions.size());
    for (std::size_t at = 0; at < input_.values.size();) {
        control_.tick();
        const auto function = static_cast<std::size_t>(input_.values[at++]);
        const std::uint32_t arity = input_.functions[function];
        for (std::uint32_t i = 0; i < arity; ++i) tuple_[i] = static_cast<Object>(input_.values[at++]);
        Relation& table = tables_[function];
        if (table.insert(tuple_.data())) values_[function].push_back(0);
        values_[function][static_cast<std::size_t>(table.find(tuple_.data()))] = input_.values[at++];
    }
}

// Formulas

void Instantiation::begin(const Scope& scope) {
    scope_ = &scope;
    environment_.assign(scope.domains.size(), 0);
    given_ = scope.parameters;
}

Formula Instantiation::literal(Int predicate, std::span<const Term> terms, bool positive) {
    const Row row = reached_.of(predicate).find(tuple(terms));
    if (row == NO_ROW) return positive ? FALSE : TRUE;
    const auto& numbers = numbers_[static_cast<std::size_t>(predicate)];
    const AtomId number = numbers.empty() ? -1 : numbers[static_cast<std::size_t>(row)];
    if (number < 0) return positive ? TRUE : FALSE;
    return positive ? number : ~number;
}

Formula Instantiation::formula(Int number) {
    const Node& node = input_.node(number);
    const auto terms = input_.terms(node.terms);
    switch (node.kind) {
        case Kind::atom:
        case Kind::not_atom:
            return literal(node.predicate, terms, node.kind == Kind::atom);
        case Kind::equal:
        case Kind::not_equal:
            return (value(terms[0]) == value(terms[1])) == (node.kind == Kind::equal) ? TRUE : FALSE;
        case Kind::conjunction:
        case Kind::disjunction: {
            Parts parts(node.kind == Kind::conjunction);
            return assemble(parts, node) ? formulas_.make(parts) : parts.absorbing();
        }
        default:
            return quantifier(number);
    }
}

bool Instantiation::assemble(Parts& parts, const Node& node) {
    for (const Int child : input_.children(node)) {
        if (!formulas_.add(parts, formula(child))) return false;
    }
    return true;
}

Formula Instantiation::quantifier(Int number) {
    const Node& node = input_.node(number);
    const auto terms = input_.terms(node.terms);
    const bool universal = node.kind == Kind::forall;
    const Int inner = input_.children(node)[0];
    Quantified& objects = quantified(static_cast<std::size_t>(number), inner, universal, {terms.begin(), terms.end()});
    Parts parts(universal);
    const bool open = each_binding(objects, [&] { return formulas_.add(parts, formula(inner)); });
    return open ? formulas_.make(parts) : parts.absorbing();
}

// Keys below the number of nodes are quantifiers, those above are effects.
Instantiation::Quantified& Instantiation::quantified(std::size_t key, Int condition, bool universal,
                                                     const std::vector<Slot>& slots) {
    auto& found = quantified_[key];
    if (!found) {
        found = std::make_unique<Quantified>(Query{scope_, {}, slots, slots}, input_.objects, control_);
        guards(condition, universal, found->query.body);
        found->join = std::make_unique<Join>(input_, reached_.relations(), found->query, -1, given_, control_);
    }
    return *found;
}

// What must hold for the part to matter: for a conjunction under `exists` its atoms; under `forall`, where a
// disjunction that is true at once does not matter, the atoms that stand negated in it.
void Instantiation::guards(Int condition, bool universal, Body& body) const {
    const Node& node = input_.node(condition);
    const auto terms = input_.terms(node.terms);
    const bool positive = node.kind == Kind::atom || node.kind == Kind::equal;
    switch (node.kind) {
        case Kind::atom:
        case Kind::not_atom:
            if (positive != universal) {
                body.atoms.push_back({node.predicate, {terms.begin(), terms.end()}, true});
            } else if (input_.is_static(node.predicate)) {
                body.filters.push_back({node.predicate, {terms.begin(), terms.end()}, false});
            }
            break;
        case Kind::equal:
        case Kind::not_equal:
            body.filters.push_back({EQUALITY, {terms.begin(), terms.end()}, positive != universal});
            break;
        case Kind::conjunction:
        case Kind::disjunction:
            if ((node.kind == Kind::disjunction) != universal && node.children.size != 1) break;
            for (const Int child : input_.children(node)) guards(child, universal, body);
            break;
        default:
            break;
    }
}

void Instantiation::conjunctions_of(Int number, std::size_t most, Vector<Conjunction>& found) {
    const Node& node = input_.node(number);
    if (node.kind != Kind::conjunction) return conjunctions(formula(number), most, found);
    found.clear();
    Parts parts(true);
    if (!assemble(parts, node)) return;
    const auto& kept = parts.parts();
    if (!std::all_of(kept.begin(), kept.end(), is_literal)) return conjunctions(formulas_.make(parts), most, found);
    found.emplace_back();
    for (const Formula part : kept) found.back().push_back(static_cast<Literal32>(part));
}

// A disjunction of conjunctions that is equivalent; disjunctions beyond `most` copies become derived facts.
void Instantiation::conjunctions(Formula formula, std::size_t most, Vector<Conjunction>& found) {
    if (formulas_.disjuncts(formula, most, found)) return;
    if (!formulas_.disjuncts(without_disjunctions(formula), most, found)) found.clear();
}

Formula Instantiation::without_disjunctions(Formula formula) {
    if (formula < COMPOUND) return formula;
    if (!formulas_.is_conjunction(formula)) return auxiliary(formula);
    Parts parts(true);
    for (std::size_t i = 0; i < formulas_.parts(formula).size(); ++i) {
        if (!formulas_.add(parts, without_disjunctions(formulas_.parts(formula)[i]))) return FALSE;
    }
    return formulas_.make(parts);
}

// The derived fact that stands for a disjunction: one rule a disjunct.
AtomId Instantiation::auxiliary(Formula formula) {
    const auto known = auxiliary_.find(formula);
    if (known != auxiliary_.end()) return known->second;
    control_.tick();
    Vector<Conjunction> bodies, found;
    for (std::size_t i = 0; i < formulas_.parts(formula).size(); ++i) {
        conjunctions(formulas_.parts(formula)[i], MOST_COPIES, found);
        std::move(found.begin(), found.end(), std::back_inserter(bodies));
    }
    const auto number = static_cast<AtomId>(task_.facts.size());
    auxiliary_[formula] = number;
    std::int32_t highest = 0;
    for (const Conjunction& body : bodies) {
        for (const Literal32 literal : body) highest = std::max(highest, layer(literal));
        task_.axioms.push_back({number, static_cast<std::uint32_t>(body.size()), task_.bodies.size()});
        task_.bodies.insert(task_.bodies.end(), body.begin(), body.end());
    }
    task_.facts.push_back({-1, number});
    task_.layers.push_back(highest);
    task_.starts.add_fact();
    return number;
}

}  // namespace unpuzzle::ground
