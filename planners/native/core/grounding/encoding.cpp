#include "grounding/encoding.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace unpuzzle::ground {

namespace {

class Encoder {
  public:
    Encoder(const GroundTask& task, Reachability& names, Basis& basis, Grounded& result, Control& control)
        : task_(task),
          names_(names),
          to_(result),
          control_(control),
          place_(basis.place),
          none_(basis.none),
          used_(task.facts.size()),
          tested_false_(task.facts.size()),
          table_(control) {
        place_.assign(task.facts.size(), Fact{UNPLACED, 0});
    }

    // Variables are groups of mutually exclusive facts, the largest first, then what is left, one by one.
    void choose_variables(const std::vector<MutexGroup>& groups) {
        look();
        choose(groups);
        elsewhere_ = Rows<std::uint32_t>::by_row(task_.facts.size(), [&](auto&& put) {
            for (const auto& [fact, variable] : links_) put(fact, variable);
        });
        for (std::size_t fact = 0; fact < task_.facts.size(); ++fact) {
            if (used_[fact] && place_[fact].variable == UNPLACED) add_fact(static_cast<AtomId>(fact));
        }
    }

    void encode(const std::vector<MutexGroup>& groups) {
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
        places(task_.goal, scratch_);
        for (const Fact& fact : scratch_) write(fact, to_.goal);
        for (const MutexGroup& group : groups) add_mutex(group);
        for (const GroundOperator* op : kept_) {
            const Relation& instances = names_.instances(op->action);
            name(static_cast<std::int32_t>(op->action), instances, op->instance, to_.action_names);
        }
    }

  private:
    static constexpr std::uint32_t UNPLACED = Basis::UNPLACED, NO_LINK = ~0u;
    static constexpr std::int64_t NO_NONE = Basis::NO_NONE;
    static std::size_t at(AtomId fact) { return static_cast<std::size_t>(fact); }

    // What is used at all, and what is tested for falsehood.
    void look() {
        const auto read = [&](std::span<const Literal32> literals) {
            for (const Literal32 literal : literals) {
                control_.tick();
                used_[at(fact_of(literal))] = 1;
                if (literal < 0) tested_false_[at(~literal)] = 1;
            }
        };
        read(task_.goal);
        read(task_.kept);
        read(task_.literals);
        read(task_.bodies);
        for (const GroundEffect& effect : task_.effects) used_[at(effect.fact())] = 1;
        for (const GroundAxiom& axiom : task_.axioms) used_[at(axiom.head)] = 1;
    }

    // A group with the facts that it can still cover. The one that covers most comes first, then groups of one
    // predicate, then the one found first. Covering only shrinks the others, so they are checked again when it is their
    // turn.
    struct Candidate {
        std::size_t size;
        bool uniform;
        std::size_t group;
        bool operator<(const Candidate& other) const {
            return std::tuple(size, uniform, other.group) < std::tuple(other.size, other.uniform, group);
        }
    };

    bool open(AtomId fact) const {
        return used_[at(fact)] && !tested_false_[at(fact)] && task_.layers[at(fact)] < 0 &&
               place_[at(fact)].variable == UNPLACED;
    }

    Candidate candidate(const std::vector<MutexGroup>& groups, std::size_t number) const {
        Candidate candidate{0, true, number};
        std::int32_t predicate = -1;
        for (const AtomId fact : groups[number].facts) {
            if (!open(fact)) continue;
            const std::int32_t of_fact = task_.facts[at(fact)].predicate;
            candidate.uniform &= candidate.size++ == 0 || of_fact == predicate;
            predicate = of_fact;
        }
        return candidate;
    }

    void choose(const std::vector<MutexGroup>& groups) {
        std::priority_queue<Candidate, Vector<Candidate>> queue;
        for (std::size_t i = 0; i < groups.size(); ++i) queue.push(candidate(groups, i));
        while (!queue.empty() && queue.top().size > 1) {
            control_.tick();
            const Candidate best = queue.top();
            queue.pop();
            const Candidate now = candidate(groups, best.group);
            if (now.size == best.size) {
                add_group(groups[now.group]);
            } else {
                queue.push(now);
            }
        }
    }

    void add_group(const MutexGroup& group) {
        const auto number = static_cast<std::uint32_t>(none_.size());
        std::uint32_t values = 0;
        Vector<AtomId> others;
        for (const AtomId fact : group.facts) {
            if (open(fact)) {
                place_[at(fact)] = {number, values++};
                name(fact);
            } else {
                others.push_back(fact);
            }
        }
        std::int64_t none = NO_NONE;
        if (!group.exact || !others.empty()) {
            for (const AtomId fact : others) links_.emplace_back(at(fact), number);
            none = values++;
            to_.value_names.close();
        }
        add_variable(values, none, false, -1);
    }

    void add_fact(AtomId fact) {
        place_[at(fact)] = {static_cast<std::uint32_t>(none_.size()), 1};
        to_.value_names.close();
        name(fact);
        add_variable(2, NO_NONE, true, task_.layers[at(fact)]);
    }

    void add_variable(std::uint32_t values, std::int64_t none, bool boolean, std::int32_t layer) {
        to_.domains.push_back(static_cast<std::int32_t>(values));
        none_.push_back(none);
        boolean_.push_back(boolean);
        to_.layers.push_back(layer);
    }

    void name(AtomId number) {
        const GroundFact& fact = task_.facts[at(number)];
        if (fact.predicate >= 0) return name(fact.predicate, names_.of(fact.predicate), fact.row, to_.value_names);
        to_.value_names.push(fact.predicate);
        to_.value_names.push(fact.row);
        to_.value_names.close();
    }
    static void name(std::int32_t symbol, const Relation& relation, Row row, Rows<std::int32_t>& names) {
        const Object* objects = relation.row(row);
        names.push(symbol);
        names.push(objects, objects + relation.arity());
        names.close();
    }

    struct EffectEntry {
        std::uint32_t begin, size;  // conditions, in `conditions_`
        Fact sets;
        std::uint32_t next;  // of the same variable
        bool alive;
    };

    Fact place(Literal32 literal) const {
        const Fact place = place_[at(fact_of(literal))];
        return literal >= 0 ? place : Fact{place.variable, 1 - place.value};
    }

    void places(std::span<const Literal32> literals, Vector<Fact>& sorted) const {
        sorted.clear();
        for (const Literal32 literal : literals) sorted.push_back(place(literal));
        sort_and_unique(sorted);
    }

    static void write(const Fact& fact, Vector<std::int32_t>& to) {
        to.push_back(static_cast<std::int32_t>(fact.variable));
        to.push_back(static_cast<std::int32_t>(fact.value));
    }
    template <class Facts>
    static void write(const Facts& facts, Vector<std::int32_t>& to) {
        to.push_back(static_cast<std::int32_t>(facts.size()));
        for (const Fact& fact : facts) write(fact, to);
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

    std::span<const Fact> of(const EffectEntry& effect) const {
        return {conditions_.data() + effect.begin, effect.size};
    }

    void remove(const GroundEffect& effect) {
        const Fact was = place_[at(effect.fact())];
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
        for (const std::uint32_t variable : elsewhere_[at(effect.fact())])
            append(scratch_, {variable, static_cast<std::uint32_t>(none_[variable])}, true);
    }

    // An add goes to the end; without conditions it overwrites earlier effects on the variable.
    void append(const Vector<Fact>& conditions, Fact sets, bool add) {
        for (std::uint32_t i = chains_[sets.variable]; i != NO_LINK; i = effects_[i].next) {
            control_.tick();
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
        const auto operators = std::span<const std::int32_t>(to_.operators), own = operators.subspan(begin);
        std::uint32_t& other = table_.number(hash_of(own), [&](std::uint32_t i) {
            return std::equal(own.begin(), own.end(), operators.subspan(starts_[i]).begin());
        });
        if (other == NumberTable<>::NONE) {
            other = static_cast<std::uint32_t>(starts_.size());
            starts_.push_back(begin);
            to_.costs.push_back(op.cost);
            kept_.push_back(&op);
            return;
        }
        to_.operators.resize(begin);
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

    const GroundTask& task_;
    Reachability& names_;
    Grounded& to_;
    Control& control_;
    Vector<Fact>& place_;
    Vector<std::int64_t>& none_;  // variable → its value "none of these", or NO_NONE
    Vector<std::uint8_t> used_, tested_false_;
    Vector<std::uint8_t> boolean_;                         // variable → is of one fact
    Vector<std::pair<std::size_t, std::uint32_t>> links_;  // for elsewhere_
    Rows<std::uint32_t> elsewhere_;  // fact → variables of its groups in which it is "none of these"
    // The operator being made.
    Vector<Fact> precondition_, scratch_, conditions_;
    Vector<EffectEntry> effects_;
    Vector<std::uint32_t> chains_;  // variable → its newest effect
    // All operators.
    Vector<std::size_t> starts_;  // in to_.operators
    NumberTable<> table_;         // what an operator does → its number
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

}  // namespace

Basis encode(GroundTask& task, Reachability& names, Grounded& result, Control& control) {
    Basis basis;
    if (!prune(task, names, basis, control)) {
        result.goal_possible = false;
        result.domains = {2};
        result.layers = {-1};
        result.initial = {0};
        result.goal = {0, 1};
        for (int value = 0; value < 2; ++value) result.value_names.close();
        return basis;
    }
    control.begin_phase();
    Encoder encoder(task, names, basis, result, control);
    encoder.choose_variables(basis.groups);
    const auto initial = basis.initial(task.starts, 0);
    result.initial.assign(initial.begin(), initial.end());
    encoder.encode(basis.groups);
    return basis;
}

std::vector<std::int32_t> Basis::initial(const Starts& starts, std::size_t start) const {
    std::vector<std::int32_t> values;
    for (const std::int64_t value : none) values.push_back(value == NO_NONE ? 0 : static_cast<std::int32_t>(value));
    for (std::size_t fact = 0; fact < place.size(); ++fact) {
        if (placed(fact) && starts.at(fact, start))
            values[place[fact].variable] = static_cast<std::int32_t>(place[fact].value);
    }
    return values;
}

Buffers Grounded::release_buffers() {
    return {domains, layers, initial, goal, std::move(operators), std::move(axioms), std::move(mutexes), costs};
}

}  // namespace unpuzzle::ground
