#include "grounding/input.hpp"

#include <algorithm>
#include <limits>

#include "base/array_reader.hpp"

namespace unpuzzle::ground {

namespace {

constexpr int DEEPEST = 2000;  // formulas nest in Python to 200; each level is a few nodes here

using Numbers = ArrayReader<std::int32_t>;

}  // namespace

class Input::Reader {
  public:
    Reader(Input& input, const Arrays& arrays, Control& control) : to_(input), from_(arrays), control_(control) {}

    void read() {
        if (from_.objects < 0 || from_.objects > std::numeric_limits<std::int32_t>::max() / 2) {
            throw BadTask("objects: " + std::to_string(from_.objects) + " is not a number of objects");
        }
        to_.objects = static_cast<Object>(from_.objects);
        domains();
        predicates();
        functions();
        initial();
        starts();
        values();
        Numbers actions("actions", from_.actions);
        while (!actions.done()) action(actions);
        Numbers axioms("axioms", from_.axioms);
        while (!axioms.done()) axiom(axioms);
        Numbers goals("goals", from_.goals);
        while (!goals.done()) to_.goals.push_back(goal(goals, 0));
    }

    LiftedGoal only_goal() {
        const std::size_t known = to_.domains.size();
        domains();
        Numbers in("goal", from_.goals);
        LiftedGoal goal = this->goal(in, known);
        if (!in.done()) in.fail("numbers are left over");
        return goal;
    }

  private:
    template <class Items, class Read>
    static void list(Numbers& in, const char* what, Items& items, Read&& read) {
        for (std::uint32_t left = in.count(what); left > 0; --left) items.push_back(read());
    }
    Object object(Numbers& in) { return in.next("an object", 0, to_.objects); }
    Int predicate(Numbers& in) { return in.next("a predicate", 0, static_cast<std::int64_t>(to_.predicates.size())); }

    void domains() {
        Numbers in("domains", from_.domains);
        while (!in.done()) {
            control_.tick();
            Domain domain;
            list(in, "a number of objects", domain.members, [&] { return object(in); });
            sort_and_unique(domain.members);
            if (domain.members.size() < static_cast<std::size_t>(to_.objects)) {
                domain.bits.resize(words_for(static_cast<std::size_t>(to_.objects)));
                for (const Object object : domain.members) add(domain.bits, static_cast<std::size_t>(object));
            }
            to_.domains.push_back(std::move(domain));
        }
    }

    void predicates() {
        Numbers in("predicates", from_.predicates);
        while (!in.done()) {
            const auto arity = static_cast<std::uint32_t>(in.next("an arity", 0, 1 << 16));
            const Int layer = in.next("a layer", -1, std::numeric_limits<std::int32_t>::max());
            const bool varies = in.next("0 or 1", 0, 2) == 1;
            to_.predicates.push_back({arity, layer, layer >= 0 || varies, false});
        }
    }

    void functions() {
        Numbers in("functions", from_.functions);
        while (!in.done()) to_.functions.push_back(static_cast<std::uint32_t>(in.next("an arity", 0, 1 << 16)));
    }

    void initial() {
        Numbers in("initial", from_.initial);
        while (!in.done()) {
            control_.tick();
            const Int number = predicate(in);
            const Predicate& predicate = to_.predicates[static_cast<std::size_t>(number)];
            if (predicate.layer >= 0) in.fail("a derived predicate");
            to_.initial.push(number);
            for (std::uint32_t i = 0; i < predicate.arity; ++i) to_.initial.push(object(in));
            to_.initial.close();
        }
    }

    void starts() {
        Numbers in("starts", from_.starts);
        std::size_t count = 0;
        for (; !in.done(); ++count) {
            to_.starts.push_back(in.count("a number of facts"));
            for (std::uint32_t left = to_.starts.back(); left > 0; --left) {
                control_.tick();
                const auto facts = static_cast<std::int64_t>(to_.initial.size());
                to_.starts.push_back(static_cast<std::uint32_t>(in.next("a fact", 0, facts)));
            }
        }
        if (count > 0) to_.start_count = count;
    }

    void values() {
        ArrayReader<std::int64_t> in("values", from_.values);
        while (!in.done()) {
            control_.tick();
            to_.values.push_back(in.next("a function", 0, static_cast<std::int64_t>(to_.functions.size())));
            const std::uint32_t arity = to_.functions[static_cast<std::size_t>(to_.values.back())];
            for (std::uint32_t i = 0; i < arity; ++i) to_.values.push_back(in.next("an object", 0, to_.objects));
            to_.values.push_back(in.next("a number", 0, std::int64_t{1} << 31));
        }
    }

    // Domains are counted from `first`.
    Scope scope(Numbers& in, std::size_t first = 0) {
        Scope scope;
        const auto domains = static_cast<std::int64_t>(to_.domains.size() - first);
        list(in, "a number of slots", scope.domains,
             [&] { return static_cast<Int>(first) + in.next("a domain", 0, domains); });
        scope.parameters = slots_of(in, scope);
        for (std::size_t i = 0; i < scope.parameters.size(); ++i) {
            if (scope.parameters[i] != static_cast<Slot>(i)) in.fail("parameters must have the first slots");
        }
        const auto parameters = static_cast<std::int64_t>(scope.parameters.size());
        list(in, "a number of arguments", scope.arguments, [&] { return in.next("a parameter", 0, parameters); });
        bound_.assign(scope.domains.size(), false);
        std::fill_n(bound_.begin(), scope.parameters.size(), true);
        return scope;
    }

    std::vector<Slot> slots_of(Numbers& in, const Scope& scope) {
        const auto most = static_cast<std::int64_t>(scope.domains.size());
        std::vector<Slot> slots;
        list(in, "a number of slots", slots, [&] { return in.next("a slot", 0, most); });
        return slots;
    }

    void action(Numbers& in) {
        Action action;
        action.scope = scope(in);
        scope_ = &action.scope;
        action.precondition = formula(in, 0);
        list(in, "a number of effects", action.effects, [&] { return effect(in); });
        list(in, "a number of costs", action.costs, [&] { return cost(in); });
        to_.actions.push_back(std::move(action));
    }

    LiftedEffect effect(Numbers& in) {
        LiftedEffect effect{};
        effect.add = in.next("0 or 1", 0, 2) == 1;
        effect.own = slots_of(in, *scope_);
        bind(in, effect.own);
        effect.condition = formula(in, 0);
        effect.predicate = predicate(in);
        Predicate& changed = to_.predicates[static_cast<std::size_t>(effect.predicate)];
        if (changed.layer >= 0) in.fail("a derived predicate in an effect");
        effect.terms = terms(in, changed.arity);
        changed.fluent = true;
        changed.deleted |= !effect.add;
        const Node& condition = to_.node(effect.condition);
        const bool always = condition.kind == Kind::conjunction && condition.children.size == 0;
        effect.simple = effect.own.empty() && always;
        for (const Slot slot : effect.own) bound_[static_cast<std::size_t>(slot)] = false;
        return effect;
    }

    CostTerm cost(Numbers& in) {
        CostTerm cost;
        if (in.next("0 or 1", 0, 2) == 0) {
            cost.number = in.next("a cost", 0, std::int64_t{1} << 31);
        } else {
            cost.function = in.next("a function", 0, static_cast<std::int64_t>(to_.functions.size()));
            cost.terms = terms(in, to_.functions[static_cast<std::size_t>(cost.function)]);
        }
        return cost;
    }

    void axiom(Numbers& in) {
        Axiom axiom;
        axiom.scope = scope(in);
        scope_ = &axiom.scope;
        axiom.head = predicate(in);
        const Predicate& head = to_.predicates[static_cast<std::size_t>(axiom.head)];
        if (head.layer < 0) in.fail("an axiom for a predicate without a layer");
        if (head.arity != axiom.scope.arguments.size()) in.fail("a head of the wrong arity");
        axiom.body = formula(in, 0);
        to_.axioms.push_back(std::move(axiom));
    }

    LiftedGoal goal(Numbers& in, std::size_t first_domain) {
        LiftedGoal goal;
        goal.scope = scope(in, first_domain);
        scope_ = &goal.scope;
        goal.condition = formula(in, 0);
        return goal;
    }

    // A slot may occur only where its quantifier reaches.
    void bind(Numbers& in, const std::vector<Slot>& slots) {
        for (const Slot slot : slots) {
            if (bound_[static_cast<std::size_t>(slot)]) in.fail("a slot that is taken");
            bound_[static_cast<std::size_t>(slot)] = true;
        }
    }

    Span terms(Numbers& in, std::uint32_t count) {
        const Span span{static_cast<std::uint32_t>(to_.numbers.size()), count};
        for (std::uint32_t i = 0; i < count; ++i) {
            const Term term =
                in.next("a term", -std::int64_t{to_.objects}, static_cast<std::int64_t>(scope_->domains.size()));
            if (term >= 0 && !bound_[static_cast<std::size_t>(term)]) in.fail("a slot outside its quantifier");
            to_.numbers.push_back(term);
        }
        return span;
    }

    Span keep(const std::vector<Int>& numbers) {
        const Span span{static_cast<std::uint32_t>(to_.numbers.size()), static_cast<std::uint32_t>(numbers.size())};
        to_.numbers.insert(to_.numbers.end(), numbers.begin(), numbers.end());
        return span;
    }

    Int formula(Numbers& in, int depth) {
        control_.tick();
        if (depth > DEEPEST) in.fail("formulas are nested too deeply");
        Node node;
        node.kind = static_cast<Kind>(in.next("a kind of formula", 0, 8));
        switch (node.kind) {
            case Kind::atom:
            case Kind::not_atom:
                node.predicate = predicate(in);
                node.terms = terms(in, to_.predicates[static_cast<std::size_t>(node.predicate)].arity);
                break;
            case Kind::equal:
            case Kind::not_equal:
                node.terms = terms(in, 2);
                break;
            case Kind::conjunction:
            case Kind::disjunction: {
                std::vector<Int> children;
                list(in, "a number of parts", children, [&] { return formula(in, depth + 1); });
                node.children = keep(children);
                break;
            }
            case Kind::exists:
            case Kind::forall: {
                const std::vector<Slot> slots = slots_of(in, *scope_);
                bind(in, slots);
                node.terms = keep(slots);
                node.children = keep({formula(in, depth + 1)});
                for (const Slot slot : slots) bound_[static_cast<std::size_t>(slot)] = false;
            }
        }
        to_.nodes.push_back(node);
        return static_cast<Int>(to_.nodes.size() - 1);
    }

    Input& to_;
    const Arrays& from_;
    Control& control_;
    const Scope* scope_ = nullptr;
    std::vector<bool> bound_;
};

Input::Input(const Arrays& arrays, Control& control) { Reader(*this, arrays, control).read(); }

LiftedGoal Input::read_goal(const Vector<std::int32_t>& domains, const Vector<std::int32_t>& goal, Control& control) {
    Arrays arrays{};
    arrays.domains = domains;
    arrays.goals = goal;
    return Reader(*this, arrays, control).only_goal();
}

void Input::forget(const Mark& mark) {
    domains.resize(mark.domains);
    nodes.resize(mark.nodes);
    numbers.resize(mark.numbers);
}

}  // namespace unpuzzle::ground
