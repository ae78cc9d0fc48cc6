#include "symmetries/task_graph.hpp"

#include <algorithm>
#include <tuple>

#include "task/operator_changes.hpp"

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
    Builder(TaskGraph& out, const Task& task, const FactNumbers& numbers, Control& control)
        : out_(out),
          task_(task),
          numbers_(numbers),
          control_(control),
          changes_(task),
          vertices_(numbers.count(), NONE) {}

    void build() {
        mention();
        for (std::uint32_t v = 0; v < task_.variables.size(); ++v) out_.colours.push_back(colour_of_variable(v));
        for (const Fact& fact : out_.mentioned.values()) {
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
        for (std::size_t kind = 0; kind < KINDS; ++kind) {
            out_.edges_[kind] = Rows<Vertex>::by_row(out_.size(), [&](auto&& put) {
                for (const Pair& pair : pairs_[kind]) put(pair.from, pair.to);
            });
        }
    }

  private:
    static constexpr std::uint32_t NONE = ~0u;
    struct Given {  // a conditional effect
        Vector<Fact> conditions;
        Fact sets;
        std::uint64_t rank;
        auto operator<=>(const Given&) const = default;
    };
    // Only one of several equal operators has a vertex: otherwise it would be unclear which effects of the one belong
    // to the image of the other. (Without conditional effects it does not matter.)
    using Meaning = std::tuple<std::uint32_t, Vector<Fact>, Vector<Fact>, Vector<Given>>;
    struct Pair {
        Vertex from, to;
    };

    void mention() {
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
        Vertex next = static_cast<Vertex>(task_.variables.size());
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable) {
            for (FactId fact = numbers_.begin(variable); fact < numbers_.end(variable); ++fact) {
                if (vertices_[fact] == NONE) continue;
                vertices_[fact] = next++;
                out_.mentioned.push(numbers_.fact(fact));
            }
            out_.mentioned.close();
        }
    }
    void mention(std::span<const Fact> facts) {
        for (const Fact& fact : facts) vertices_[numbers_[fact]] = 0;
    }
    Vertex vertex_of(const Fact& fact) const { return vertices_[numbers_[fact]]; }
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
        always_.clear();
        given_.clear();
        for (const Change& change : changes_.of(op)) {
            if (change.base && change.base != value_in(precondition, change.variable))
                always_.push_back({change.variable, *change.base});
            const std::size_t first = given_.size();
            for (const auto& [conditions, value] : change.open)
                given_.push_back({{conditions.begin(), conditions.end()}, {change.variable, value}, 0});
            rank({given_.data() + first, given_.size() - first});
        }
        if (given_.empty() ? always_.empty() : known(op)) return;
        const Vertex vertex = fresh(colour(OPERATOR, op.cost));
        for (const Fact& fact : precondition) join(TESTS, vertex, vertex_of(fact));
        for (const Fact& fact : always_) join(SETS, vertex, vertex_of(fact));
        for (const Given& given : given_) add(given, vertex);
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

    TaskGraph& out_;
    const Task& task_;
    const FactNumbers& numbers_;
    Control& control_;
    OperatorChanges changes_;
    Vector<Vertex> vertices_;  // by fact; NONE, where it is not mentioned
    Vector<Fact> always_;
    Vector<Given> given_;
    Set<Meaning> known_;
    std::array<Vector<Pair>, KINDS> pairs_;
};

TaskGraph::TaskGraph(const Task& task, const FactNumbers& numbers, Control& control) {
    Builder(*this, task, numbers, control).build();
}

}  // namespace unpuzzle
