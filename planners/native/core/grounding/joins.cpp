#include "grounding/joins.hpp"

#include <algorithm>

namespace unpuzzle::ground {

namespace {

constexpr std::uint64_t FAILED = std::uint64_t{1} << 63;
constexpr Slot LAST_BIT = 62;  // stands for all slots from 62 on
constexpr std::size_t MOST_STEPS = 1000;
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

// Bodies for joins: what must at least be true for a condition to hold.
//
// A disjunction gives several bodies, an existential quantifier gives slots. A body may be weaker than the
// condition (negated fluents and `forall` are left out), never stronger: the ground condition is tested in
// full later.
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

Join::Join(const Input& input, Relations& relations, const Query& query, int trigger, const std::vector<Slot>& given,
           Control& control)
    : input_(input), relations_(relations), query_(query), trigger_(trigger), control_(control) {
    plan(given);
}

// Plans

void Join::plan(const std::vector<Slot>& given) {
    std::vector<bool> bound(query_.scope->domains.size());
    for (const Slot slot : given) bound[static_cast<std::size_t>(slot)] = true;
    const Body& body = query_.body;
    for (const Literal& filter : body.filters) pending_.push_back({&filter, relation(filter)});
    for (std::size_t i = 0; i < body.atoms.size(); ++i) {
        if (static_cast<int>(i) == trigger_) continue;
        if (body.atoms[i].terms.empty()) {
            pending_.push_back({&body.atoms[i], relation(body.atoms[i]), true, earlier(i)});
        } else {
            atoms_.push_back(i);
        }
    }
    std::size_t widest = 2;
    for (const Literal& atom : body.atoms) widest = std::max(widest, atom.terms.size());
    for (const Literal& filter : body.filters) widest = std::max(widest, filter.terms.size());
    key_.resize(widest);
    if (trigger_ >= 0) {
        add(static_cast<std::size_t>(trigger_), bound);
    } else {
        finish({}, bound);  // checks without slots, or on slots that were given
    }
    while (!atoms_.empty()) {
        const auto best = std::min_element(atoms_.begin(), atoms_.end(), [&](std::size_t one, std::size_t other) {
            return branching(body.atoms[one], bound) < branching(body.atoms[other], bound);
        });
        const std::size_t atom = *best;
        atoms_.erase(best);
        add(atom, bound);
    }
    for (const Slot slot : query_.bind) {
        if (!bound[static_cast<std::size_t>(slot)]) add_domain(slot, bound);
    }
    if (steps_.size() > MOST_STEPS) throw BadTask("a condition with more than 1000 variables");
}

// How many rows extend an environment, as if values were spread evenly and independently.
double Join::branching(const Literal& atom, const std::vector<bool>& bound) const {
    const Relation& relation = relations_[static_cast<std::size_t>(atom.predicate)];
    double estimate = relation.visible() > 0 ? relation.visible() : !relation.size() ? 0.5 : 1;
    for (std::uint32_t i = 0; i < atom.terms.size(); ++i) {
        const Term term = atom.terms[i];
        if (term < 0 || bound[static_cast<std::size_t>(term)]) estimate /= std::max(1.0, relation.distinct(i));
    }
    return estimate;
}

void Join::add(std::size_t atom, std::vector<bool>& bound) {
    const Literal& literal = query_.body.atoms[atom];
    Step step;
    step.relation = relation(literal);
    step.earlier = earlier(atom);
    step.cut = all_bound(query_.needed, bound);
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 0; i < literal.terms.size(); ++i) {
        const Term term = literal.terms[i];
        const auto same =
            std::find_if(step.binds.begin(), step.binds.end(), [&](const Bind& bind) { return bind.slot == term; });
        if (term < 0 || bound[static_cast<std::size_t>(term)]) {
            positions.push_back(i);
            step.key.push_back(term);
        } else if (same != step.binds.end()) {
            step.repeats.emplace_back(same->position, i);
        } else {
            step.binds.push_back({i, term, domain(term).bits.empty() ? nullptr : &domain(term)});
        }
    }
    if (static_cast<int>(atom) == trigger_) {
        // The key is compared, not looked up.
        for (std::size_t i = 0; i < positions.size(); ++i) step.repeats.emplace_back(positions[i], ~0u);
    } else if (!positions.empty()) {
        step.index = &step.relation->index(positions);
    }
    step.depends = mask(step.key);
    finish(std::move(step), bound);
}

void Join::add_domain(Slot slot, std::vector<bool>& bound) {
    Step step;
    step.domain = &domain(slot);
    step.cut = all_bound(query_.needed, bound);
    step.binds.push_back({0, slot, nullptr});
    finish(std::move(step), bound);
}

// Gives the step all checks that can be made by now, among them the atoms that have no free slot left.
void Join::finish(Step step, std::vector<bool>& bound) {
    for (const Bind& bind : step.binds) {
        bound[static_cast<std::size_t>(bind.slot)] = true;
        step.bound |= mask({bind.slot});
    }
    std::erase_if(pending_, [&](const Check& check) {
        if (!all_bound(check.literal->terms, bound)) return false;
        step.checks.push_back(check);
        return true;
    });
    std::erase_if(atoms_, [&](std::size_t i) {
        const Literal& atom = query_.body.atoms[i];
        if (!all_bound(atom.terms, bound)) return false;
        step.checks.push_back({&atom, relation(atom), true, earlier(i)});
        return true;
    });
    for (const Check& check : step.checks) step.depends |= mask(check.literal->terms);
    step.depends &= ~step.bound;
    steps_.push_back(std::move(step));
}

bool Join::all_bound(const std::vector<Term>& terms, const std::vector<bool>& bound) const {
    return std::all_of(terms.begin(), terms.end(),
                       [&](Term term) { return term < 0 || bound[static_cast<std::size_t>(term)]; });
}

Join::Mask Join::mask(const std::vector<Term>& terms) const {
    Mask mask = 0;
    for (const Term term : terms) {
        if (term >= 0) mask |= Mask{1} << std::min(term, LAST_BIT);
    }
    return mask;
}

// Whether the trigger is a later atom of the same predicate.
bool Join::earlier(std::size_t atom) const {
    const auto& atoms = query_.body.atoms;
    return static_cast<int>(atom) < trigger_ &&
           atoms[static_cast<std::size_t>(trigger_)].predicate == atoms[atom].predicate;
}

const Domain& Join::domain(Slot slot) const {
    return input_.domains[static_cast<std::size_t>(query_.scope->domains[static_cast<std::size_t>(slot)])];
}

Relation* Join::relation(const Literal& literal) const {
    return literal.predicate == EQUALITY ? nullptr : &relations_[static_cast<std::size_t>(literal.predicate)];
}

// Runs

void Join::run(Object* environment, Sink& sink) {
    environment_ = environment;
    sink_ = &sink;
    trigger_row_ = NO_ROW;
    if (passes(steps_[0].checks)) extend(1);
}

void Join::run(Object* environment, Sink& sink, Row trigger) {
    environment_ = environment;
    sink_ = &sink;
    trigger_row_ = trigger;
    const Step& first = steps_[0];
    const Object* row = first.relation->row(trigger);
    std::size_t key = 0;
    for (const auto& [one, other] : first.repeats) {
        if (other == ~0u ? row[one] != value(first.key[key++]) : row[one] != row[other]) return;
    }
    for (const Bind& bind : first.binds) {
        if (bind.domain && !bind.domain->contains(row[bind.position])) return;
        environment_[bind.slot] = row[bind.position];
    }
    if (passes(first.checks)) extend(1);
}

// Returns 0 if something was found, otherwise FAILED and the slots that this was due to.
Join::Mask Join::extend(std::size_t depth) {
    if (depth == steps_.size()) {
        sink_->emit(environment_);
        return 0;
    }
    const Step& step = steps_[depth];
    Mask failure = FAILED | step.depends;
    bool found = false;
    const auto done = [&] {
        if (!passes(step.checks)) return false;
        const Mask below = extend(depth + 1);
        if (below == 0) {
            found = true;
            return step.cut;
        }
        if (!(below & step.bound)) {
            failure = below;
            return true;
        }
        failure |= below & ~step.bound;
        return false;
    };
    if (step.domain) {
        for (const Object object : step.domain->members) {
            control_.tick();
            environment_[step.binds[0].slot] = object;
            if (done()) break;
        }
    } else if (step.index) {
        for (std::size_t i = 0; i < step.key.size(); ++i) key_[i] = value(step.key[i]);
        Row row = step.index->first(*step.relation, key_.data());
        for (; row != NO_ROW; row = step.index->next(row)) {
            control_.tick();
            if (match(step, row) && done()) break;
        }
    } else {
        for (Row row = 0, end = step.relation->visible(); row < end; ++row) {
            control_.tick();
            if (match(step, row) && done()) break;
        }
    }
    return found ? 0 : failure;
}

bool Join::match(const Step& step, Row row) {
    if (step.earlier && row == trigger_row_) return false;
    const Object* values = step.relation->row(row);
    for (const auto& [one, other] : step.repeats) {
        if (values[one] != values[other]) return false;
    }
    for (const Bind& bind : step.binds) {
        if (bind.domain && !bind.domain->contains(values[bind.position])) return false;
        environment_[bind.slot] = values[bind.position];
    }
    return true;
}

bool Join::passes(const std::vector<Check>& checks) {
    for (const Check& check : checks) {
        const auto& terms = check.literal->terms;
        bool holds;
        if (!check.relation) {
            holds = value(terms[0]) == value(terms[1]);
        } else {
            for (std::size_t i = 0; i < terms.size(); ++i) key_[i] = value(terms[i]);
            const Row row = check.relation->find(key_.data());
            holds = row != NO_ROW && (!check.visible || row < check.relation->visible()) &&
                    !(check.earlier && row == trigger_row_);
        }
        if (holds != check.literal->wanted) return false;
    }
    return true;
}

}  // namespace unpuzzle::ground
