#include "symmetries/task_graph.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace unpuzzle {

namespace {

enum Type : std::uint64_t { VARIABLE, FACT, OPERATOR, EFFECT, AXIOM };
constexpr int TYPE_SHIFT = 56;
constexpr std::uint64_t DERIVED = std::uint64_t{1} << 40, IMMOVABLE = std::uint64_t{1} << 41;
enum Kind : std::size_t { TESTS, SETS };

std::uint64_t colour(Type type, std::uint64_t of) { return type << TYPE_SHIFT | of; }

bool compatible(const Vector<Fact>& left, const Vector<Fact>& right) {
    for (auto a = left.begin(), b = right.begin(); a != left.end() && b != right.end();) {
        if (a->variable == b->variable && a->value != b->value) return false;
        const bool a_first = a->variable < b->variable;
        (a_first ? a : b) += 1;
    }
    return true;
}

}  // namespace

class TaskGraph::Builder {
  public:
    Builder(TaskGraph& out, const Task& task, Control& control)
        : out_(out), task_(task), control_(control), required_(task.variables.size(), NONE) {}

    void build() {
        mention();
        for (std::uint32_t v = 0; v < task_.variables.size(); ++v) out_.colours.push_back(colour_of_variable(v));
        for (const Fact& fact : out_.mentioned) {
            const bool derived = task_.variables[fact.variable].derived();
            const bool wanted = std::binary_search(task_.goal.begin(), task_.goal.end(), fact);
            out_.colours.push_back(colour(FACT, (derived ? 2 + 2 * fact.value : 0) + (wanted ? 1 : 0)));
            join(TESTS, fact.variable, static_cast<Vertex>(out_.colours.size() - 1));
        }
        for (const Operator& op : task_.operators) {
            control_.tick();
            if (op.possible) add(op);
        }
        for (const Axiom& axiom : task_.axioms) {
            control_.tick();
            const Vertex vertex = fresh(colour(AXIOM, 0));
            for (const Fact& fact : task_.facts(axiom.body)) join(TESTS, vertex, vertex_of(fact));
            join(SETS, vertex, vertex_of({axiom.head, 1}));
        }
        for (std::size_t kind = 0; kind < KINDS; ++kind) index(out_.edges_[kind], pairs_[kind]);
    }

  private:
    static constexpr std::uint32_t NONE = ~0u;
    struct Given {  // a conditional effect
        Vector<Fact> conditions;
        Fact sets;
        std::uint64_t rank;
        auto operator<=>(const Given&) const = default;
    };
    // Of operators that are the same one has a vertex: otherwise it would not be clear which effects of the
    // one belong to the image of the other. (Without conditional effects it does not matter.)
    using Meaning = std::tuple<std::uint32_t, Vector<Fact>, Vector<Fact>, Vector<Given>>;
    struct Pair {
        Vertex from, to;
    };

    void mention() {
        first_.push_back(0);
        for (const Variable& variable : task_.variables)
            first_.push_back(first_.back() + (variable.domain > MOST_VALUES ? 0 : variable.domain));
        mentions_.resize(first_.back());
        mention(task_.goal);
        for (const Operator& op : task_.operators) {
            control_.tick();
            if (!op.possible) continue;
            mention(task_.facts(op.precondition));
            for (const Effect& effect : task_.effects(op)) {
                mention(task_.facts(effect.conditions));
                mention({&effect.sets, 1});
            }
        }
        for (const Axiom& axiom : task_.axioms) {
            mention(task_.facts(axiom.body));
            const Fact head{axiom.head, 1};
            mention({&head, 1});
        }
        order_mentions();
    }
    // Sorting all of them would take half the time that symmetries take; it is only done for huge domains.
    void mention(std::span<const Fact> facts) {
        for (const Fact& fact : facts) {
            if (task_.variables[fact.variable].domain > MOST_VALUES) {
                out_.mentioned.push_back(fact);
            } else {
                mentions_[first_[fact.variable] + fact.value] = true;
            }
        }
    }
    void order_mentions() {
        auto& facts = out_.mentioned;
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable) {
            for (std::size_t at = first_[variable]; at < first_[variable + 1]; ++at) {
                if (mentions_[at]) facts.push_back({variable, static_cast<std::uint32_t>(at - first_[variable])});
            }
        }
        if (!std::is_sorted(facts.begin(), facts.end())) std::sort(facts.begin(), facts.end());
        facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
        out_.facts_begin.assign(task_.variables.size() + 1, 0);
        for (const Fact& fact : facts) ++out_.facts_begin[fact.variable + 1];
        for (std::size_t v = 0; v < task_.variables.size(); ++v) out_.facts_begin[v + 1] += out_.facts_begin[v];
    }
    Vertex vertex_of(const Fact& fact) const {
        const auto begin = out_.mentioned.begin() + out_.facts_begin[fact.variable];
        const auto end = out_.mentioned.begin() + out_.facts_begin[fact.variable + 1];
        const bool all_before = fact.value < end - begin && begin[fact.value] == fact;
        const auto found = all_before ? begin + fact.value : std::lower_bound(begin, end, fact);
        return static_cast<Vertex>(out_.variables() + static_cast<std::size_t>(found - out_.mentioned.begin()));
    }
    std::uint64_t colour_of_variable(std::uint32_t v) const {
        const Variable& variable = task_.variables[v];
        if (variable.derived()) return colour(VARIABLE, DERIVED | static_cast<std::uint64_t>(variable.layer));
        if (variable.domain > MOST_VALUES) return colour(VARIABLE, IMMOVABLE | v);
        return colour(VARIABLE, variable.domain);
    }

    Vertex fresh(std::uint64_t colour) {
        out_.colours.push_back(colour);
        return static_cast<Vertex>(out_.colours.size() - 1);
    }
    void join(Kind kind, Vertex left, Vertex right) {
        pairs_[kind].push_back({left, right});
        pairs_[kind].push_back({right, left});
    }

    void add(const Operator& op) {
        const auto precondition = task_.facts(op.precondition);
        for (const Fact& fact : precondition) required_[fact.variable] = fact.value;
        settle(op);
        if (!(given_.empty() ? always_.empty() : known(op))) {
            const Vertex vertex = fresh(colour(OPERATOR, op.cost));
            for (const Fact& fact : precondition) join(TESTS, vertex, vertex_of(fact));
            for (const Fact& fact : always_) join(SETS, vertex, vertex_of(fact));
            for (const Given& given : given_) add(given, vertex);
        }
        for (const Fact& fact : precondition) required_[fact.variable] = NONE;
    }
    bool known(const Operator& op) {
        const auto precondition = task_.facts(op.precondition);
        std::sort(given_.begin(), given_.end());
        Meaning meaning{op.cost, {precondition.begin(), precondition.end()}, always_, given_};
        return !known_.insert(std::move(meaning)).second;
    }
    void add(const Given& given, Vertex op) {
        const Vertex vertex = fresh(colour(EFFECT, given.rank));
        join(TESTS, vertex, op);
        for (const Fact& fact : given.conditions) join(TESTS, vertex, vertex_of(fact));
        join(SETS, vertex, vertex_of(given.sets));
    }

    // Splits the effects into what always happens and what happens on a condition that is still open.
    void settle(const Operator& op) {
        always_.clear();
        given_.clear();
        Vector<const Effect*> effects;
        for (const Effect& effect : task_.effects(op)) effects.push_back(&effect);
        const auto by_variable = [](const Effect* left, const Effect* right) {
            return left->sets.variable < right->sets.variable;
        };
        std::stable_sort(effects.begin(), effects.end(), by_variable);
        for (std::size_t begin = 0, end = 0; begin < effects.size(); begin = end) {
            while (end < effects.size() && !by_variable(effects[begin], effects[end])) ++end;
            settle({effects.data() + begin, end - begin});
        }
    }
    void settle(std::span<const Effect* const> effects) {
        const std::uint32_t before = required_[effects.front()->sets.variable];
        const std::size_t first = given_.size();
        std::optional<Fact> base;
        for (const Effect* effect : effects) {
            std::optional<Vector<Fact>> open = conditions(*effect);
            if (!open) continue;
            if (open->empty()) {
                given_.resize(first);
                base = effect->sets;
            } else {
                given_.push_back({std::move(*open), effect->sets, 0});
            }
        }
        if (base && base->value != before) always_.push_back(*base);
        rank({given_.data() + first, given_.size() - first});
    }
    // Those that the precondition does not promise; none if it rules the effect out.
    std::optional<Vector<Fact>> conditions(const Effect& effect) const {
        Vector<Fact> open;
        for (const Fact& fact : task_.facts(effect.conditions)) {
            const std::uint32_t required = required_[fact.variable];
            if (required == NONE) open.push_back(fact);
            if (required != NONE && required != fact.value) return {};
        }
        return open;
    }
    static void rank(std::span<Given> given) {
        constexpr std::size_t MANY = 512;  // too many to compare each with each
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (given.size() > MANY) given[i].rank = i;
            for (std::size_t j = 0; j < i && given.size() <= MANY; ++j) {
                const bool in_order = given[j].rank < given[i].rank || given[i].sets == given[j].sets ||
                                      !compatible(given[i].conditions, given[j].conditions);
                if (!in_order) given[i].rank = given[j].rank + 1;
            }
        }
    }

    void index(Edges& edges, Vector<Pair>& pairs) const {
        edges.begin.assign(out_.colours.size() + 1, 0);
        for (const Pair& pair : pairs) ++edges.begin[pair.from + 1];
        for (std::size_t i = 0; i < out_.colours.size(); ++i) edges.begin[i + 1] += edges.begin[i];
        Vector<std::uint32_t> next(edges.begin.begin(), edges.begin.end() - 1);
        edges.to.resize(pairs.size());
        for (const Pair& pair : pairs) edges.to[next[pair.from]++] = pair.to;
        pairs = Vector<Pair>();
    }

    TaskGraph& out_;
    const Task& task_;
    Control& control_;
    Vector<std::size_t> first_;       // by variable, in mentions_
    Vector<bool> mentions_;           // by fact, but those of huge domains
    Vector<std::uint32_t> required_;  // by variable: by the precondition, or NONE
    Vector<Fact> always_;
    Vector<Given> given_;
    Set<Meaning> known_;
    std::array<Vector<Pair>, KINDS> pairs_;
};

TaskGraph::TaskGraph(const Task& task, Control& control) { Builder(*this, task, control).build(); }

}  // namespace unpuzzle
