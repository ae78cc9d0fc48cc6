#include <algorithm>
#include <utility>

#include "grounding/mutexes.hpp"
#include "grounding/variables.hpp"

namespace unpuzzle::ground {

namespace {

class Encoder : Variables {
  public:
    Encoder(const GroundTask& task, Reachability& names, Basis& basis, Grounded& result, Control& control)
        : Variables(task, names, basis, result, control) {}

    void encode(const std::vector<MutexGroup>& groups) {
        choose_all(groups);
        chains_.assign(none_.size(), NO_LINK);
        for (const GroundOperator& op : task_.operators) {
            control_.tick();
            add_operator(op);
        }
        for (const GroundAxiom& axiom : task_.axioms) {
            control_.tick();
            places(task_.body(axiom), scratch_);
            to_.axioms.push_back(static_cast<std::int32_t>(place_[at(axiom.head)].variable));
            write(scratch_, to_.axioms);
        }
        places({task_.goal.data(), task_.goal.data() + task_.goal.size()}, scratch_);
        for (const FdrFact& fact : scratch_) write(fact, to_.goal);
        for (const MutexGroup& group : groups) add_mutex(group);
    }

  private:
    struct EffectEntry {
        std::uint32_t begin, size;  // conditions, in `conditions_`
        FdrFact sets;
        std::uint32_t next;  // of the same variable
        bool alive;
    };

    FdrFact place(Literal32 literal) const {
        const FdrFact place = place_[at(fact_of(literal))];
        return literal >= 0 ? place : FdrFact{place.variable, 1 - place.value};
    }

    void places(View<const Literal32> literals, Vector<FdrFact>& sorted) const {
        sorted.clear();
        for (const Literal32 literal : literals) sorted.push_back(place(literal));
        std::sort(sorted.begin(), sorted.end());
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    }

    static void write(const FdrFact& fact, Vector<std::int32_t>& to) {
        to.push_back(static_cast<std::int32_t>(fact.variable));
        to.push_back(static_cast<std::int32_t>(fact.value));
    }
    template <class Facts>
    static void write(const Facts& facts, Vector<std::int32_t>& to) {
        to.push_back(static_cast<std::int32_t>(facts.size()));
        for (const FdrFact& fact : facts) write(fact, to);
    }

    void add_operator(const GroundOperator& op) {
        places(task_.precondition(op), precondition_);
        effects_.clear();
        conditions_.clear();
        // Deletes before adds: the later one wins.
        for (const GroundEffect& effect : task_.effects_of(op)) {
            if (!effect.add()) remove(effect);
        }
        for (const GroundEffect& effect : task_.effects_of(op)) {
            if (effect.add()) add(effect);
        }
        const std::size_t begin = to_.operators.size();
        write(precondition_, to_.operators);
        const std::size_t count = to_.operators.size();
        to_.operators.push_back(0);
        for (const EffectEntry& effect : effects_) {
            if (!effect.alive || idle(effect)) continue;
            ++to_.operators[count];
            write(of(effect), to_.operators);
            write(effect.sets, to_.operators);
        }
        for (const EffectEntry& effect : effects_) chains_[effect.sets.variable] = NO_LINK;
        if (task_.faithful) {
            to_.costs.push_back(op.cost);
            kept_.push_back(&op);
        } else if (to_.operators[count] == 0) {
            to_.operators.resize(begin);
        } else {
            merge(op, begin);
        }
    }

    View<const FdrFact> of(const EffectEntry& effect) const {
        return {conditions_.data() + effect.begin, conditions_.data() + effect.begin + effect.size};
    }

    void remove(const GroundEffect& effect) {
        const FdrFact was = place_[at(effect.fact())];
        places(task_.condition(effect), scratch_);
        if (none_[was.variable] == NO_NONE) {
            // In a variable of an exact group, what is added instead says the new value.
            if (boolean_[was.variable]) append(scratch_, {was.variable, 0}, false);
            return;
        }
        if (!std::binary_search(precondition_.begin(), precondition_.end(), was)) {
            const auto where = std::lower_bound(scratch_.begin(), scratch_.end(), was);
            if (where == scratch_.end() || *where != was) scratch_.insert(where, was);
        }
        append(scratch_, {was.variable, static_cast<std::uint32_t>(none_[was.variable])}, false);
    }

    void add(const GroundEffect& effect) {
        places(task_.condition(effect), scratch_);
        append(scratch_, place_[at(effect.fact())], true);
        for_elsewhere(elsewhere_begin_[at(effect.fact())], [&](std::uint32_t variable) {
            append(scratch_, {variable, static_cast<std::uint32_t>(none_[variable])}, true);
        });
    }

    template <class Visit>  // oldest first
    void for_elsewhere(std::uint32_t link, Visit&& visit) {
        links_.clear();
        for (; link != NO_LINK; link = elsewhere_[link].next) links_.push_back(elsewhere_[link].variable);
        for (std::size_t i = links_.size(); i-- > 0;) visit(links_[i]);
    }

    // An add goes to the end; without conditions it overwrites earlier effects on the variable.
    void append(const Vector<FdrFact>& conditions, FdrFact sets, bool add) {
        for (std::uint32_t i = chains_[sets.variable]; i != NO_LINK; i = effects_[i].next) {
            EffectEntry& other = effects_[i];
            const auto own = of(other);
            const bool same =
                other.sets == sets && std::equal(own.begin(), own.end(), conditions.begin(), conditions.end());
            if (same && other.alive && !add) return;
            if (add && (same || conditions.empty())) other.alive = false;
        }
        effects_.push_back({static_cast<std::uint32_t>(conditions_.size()),
                            static_cast<std::uint32_t>(conditions.size()), sets, chains_[sets.variable], true});
        chains_[sets.variable] = static_cast<std::uint32_t>(effects_.size() - 1);
        conditions_.insert(conditions_.end(), conditions.begin(), conditions.end());
    }

    // Whether an effect sets what the precondition has already, and no other effect interferes.
    bool idle(const EffectEntry& effect) const {
        if (!std::binary_search(precondition_.begin(), precondition_.end(), effect.sets)) return false;
        for (std::uint32_t i = chains_[effect.sets.variable]; i != NO_LINK; i = effects_[i].next) {
            if (effects_[i].alive && effects_[i].sets.value != effect.sets.value) return false;
        }
        return true;
    }

    // Of operators that do the same, the cheapest stays, where the first of them stood.
    void merge(const GroundOperator& op, std::size_t begin) {
        if (2 * starts_.size() >= table_.size()) grow(begin);
        starts_.push_back(begin);
        const std::size_t slot = find(begin, to_.operators.size());
        if (table_[slot] == 0) {
            table_[slot] = static_cast<std::uint32_t>(starts_.size());
            to_.costs.push_back(op.cost);
            kept_.push_back(&op);
            return;
        }
        starts_.pop_back();
        to_.operators.resize(begin);
        const std::size_t other = table_[slot] - 1;
        if (op.cost >= to_.costs[other]) return;
        to_.costs[other] = op.cost;
        kept_[other] = &op;
    }

    // Groups that say more than that a variable has one value.
    void add_mutex(const MutexGroup& group) {
        scratch_.clear();
        for (const AtomId fact : group.facts) {
            if (place_[at(fact)].variable != UNPLACED) scratch_.push_back(place_[at(fact)]);
        }
        std::sort(scratch_.begin(), scratch_.end());
        if (!scratch_.empty() && scratch_.front().variable != scratch_.back().variable) write(scratch_, to_.mutexes);
    }

    std::size_t find(std::size_t begin, std::size_t end) const {
        std::uint64_t hash = 0;
        for (std::size_t i = begin; i < end; ++i) hash = mixed(hash, static_cast<std::uint64_t>(to_.operators[i]));
        for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at] == 0) return at;
            const std::size_t other = starts_[table_[at] - 1];
            const auto first = to_.operators.begin();
            if (std::equal(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end),
                           first + static_cast<std::ptrdiff_t>(other))) {
                return at;
            }
        }
    }

    void grow(std::size_t end_of_last) {
        table_.assign(std::max<std::size_t>(16, 2 * table_.size()), 0);
        for (std::size_t i = 0; i < starts_.size(); ++i) {
            control_.tick();
            const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] : end_of_last;
            table_[find(starts_[i], end)] = static_cast<std::uint32_t>(i + 1);
        }
    }

  public:
    void name_operators() {
        for (const GroundOperator* op : kept_) {
            to_.action_begin.push_back(to_.action_names.size());
            to_.action_names.push_back(static_cast<std::int32_t>(op->action));
            const Relation& instances = names_.instances(op->action);
            const Object* arguments = instances.row(op->instance);
            to_.action_names.insert(to_.action_names.end(), arguments, arguments + instances.arity());
        }
        to_.action_begin.push_back(to_.action_names.size());
        to_.value_begin.push_back(to_.value_names.size());
    }

  private:
    // The operator being made.
    Vector<std::uint32_t> links_;
    Vector<FdrFact> precondition_, scratch_, conditions_;
    Vector<EffectEntry> effects_;
    Vector<std::uint32_t> chains_;  // variable → its newest effect
    // All operators.
    Vector<std::uint32_t> table_;
    Vector<std::size_t> starts_;
    Vector<const GroundOperator*> kept_;
};

// Reduces a task to what can happen and matters; false if the goal is certainly out of reach.
bool prune(GroundTask& task, Reachability& names, Basis& basis, Control& control) {
    basis.possible = simplify(task, control);
    if (!task.goal_possible) return false;
    const Vector<std::uint8_t> relevant = prune_irrelevant(task, control);
    control.begin_phase();
    basis.groups = find_groups(task, names, control);
    control.begin_phase();
    if (reduce_by(basis.groups, task, control)) {
        // Which knows nothing any more of facts that were irrelevant before.
        basis.possible.update(simplify(task, control), relevant);
    }
    if (!task.goal_possible) return false;
    prune_irrelevant(task, control);
    for (MutexGroup& group : basis.groups) {
        std::erase_if(group.facts, [&](AtomId fact) { return !basis.possible(fact); });
    }
    return true;
}

void unsolvable(Grounded& result) {
    result.goal_possible = false;
    result.domains.push_back(2);
    result.layers.push_back(-1);
    result.initial.push_back(0);
    result.goal = {0, 1};
    result.value_begin = {0, 0, 0};
    result.action_begin = {0};
}

}  // namespace

Basis encode(GroundTask& task, Reachability& names, Grounded& result, Control& control) {
    Basis basis;
    if (!prune(task, names, basis, control)) {
        unsolvable(result);
        return basis;
    }
    control.begin_phase();
    Encoder encoder(task, names, basis, result, control);
    encoder.encode(basis.groups);
    encoder.name_operators();
    return basis;
}

Buffers Grounded::release_buffers() {
    return {domains,
            layers,
            initial,
            goal,
            std::exchange(operators, {}),
            std::exchange(axioms, {}),
            std::exchange(mutexes, {}),
            costs};
}

}  // namespace unpuzzle::ground
