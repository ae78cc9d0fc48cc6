#include "search/small_search.hpp"

#include <functional>

#include "base/number_table.hpp"
#include "search/search.hpp"
#include "state/expander.hpp"
#include "state/state_view.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t FEW = 256;
constexpr std::size_t MOST_KEPT_BYTES = std::size_t{64} << 20;
constexpr std::uint32_t NOT_EXPANDED = ~0u;

struct Edge {
    StateId target;
    OperatorId op;
};

struct Node {
    std::uint32_t first_edge = NOT_EXPANDED, edges = 0;
    std::uint32_t mark = 0;  // the last search that met it
    StateId parent = 0;
    OperatorId op = 0;
};

class Graph {
  public:
    explicit Graph(const CompiledTask& compiled) : words_(compiled.words()), expander_(compiled), child_(words_) {}

    std::size_t size() const { return nodes_.size(); }
    const Word* state(StateId id) const { return pool_.data() + id * words_; }
    Node& operator[](StateId id) { return nodes_[id]; }
    const Edge& edge(std::size_t i) const { return edges_[i]; }

    StateId number_of(const Word* state) {
        const std::uint64_t code = hash<0>(state, words_);
        StateId& known = table_.number(code, [&](StateId id) { return equal<0>(this->state(id), state, words_); });
        if (known != NO_STATE) return known;
        const auto id = static_cast<StateId>(size());
        if (id == NO_STATE - 1) throw Stop{Status::memout};
        pool_.insert(pool_.end(), state, state + words_);
        nodes_.push_back({});
        return known = id;
    }

    // Its edges are known afterwards; tells whether they were before.
    bool expand(StateId id) {
        if (nodes_[id].first_edge != NOT_EXPANDED) return true;
        if (edges_.size() > NOT_EXPANDED / 2) throw Stop{Status::memout};
        const std::size_t first = edges_.size();
        expander_.load(state(id));
        for (const OperatorId op : expander_.applicable()) {
            expander_.apply(op, child_.data());
            edges_.push_back({number_of(child_.data()), op});
        }
        nodes_[id].first_edge = static_cast<std::uint32_t>(first);
        nodes_[id].edges = static_cast<std::uint32_t>(edges_.size() - first);
        return false;
    }

    std::size_t held() const {
        return pool_.capacity() * sizeof(Word) + nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) +
               table_.bytes();
    }
    // What a graph of this size takes, the copy included while arrays double.
    std::size_t bytes_for(std::size_t states, std::size_t edges) const {
        const std::size_t node = sizeof(Node) + words_ * sizeof(Word) + 2 * sizeof(NumberSlot);
        return (std::bit_ceil(states) * node + std::bit_ceil(edges) * sizeof(Edge)) / 2 * 3;
    }

    void clear() {
        if (held() > MOST_KEPT_BYTES) return reset();
        table_.clear();
        pool_.clear();
        nodes_.clear();
        edges_.clear();
    }

    // Also where something ended in the middle.
    void reset() {
        release(pool_);
        release(nodes_);
        release(edges_);
        table_ = {};
    }

  private:
    std::size_t words_;
    Expander<0> expander_;
    std::vector<Word> child_;
    std::vector<Word> pool_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    NumberTable<std::vector<NumberSlot>> table_;
};

// Decides when to drop the graph: if it is large enough, and less than half of the expansions found their edges there.
// After that the decision comes sooner, until a graph proves useful.
class Usefulness {
  public:
    bool drop(std::size_t states, std::size_t found, std::size_t made) {
        found_ += found;
        made_ += made;
        if (states < judged_at_ || found_ >= made_) return false;
        judged_at_ = ++drops_ % 64 == 0 ? LATE : SOON;
        found_ = made_ = 0;
        return true;
    }

  private:
    static constexpr std::size_t LATE = 1 << 16, SOON = 1 << 11;
    std::size_t judged_at_ = LATE, found_ = 0, made_ = 0, drops_ = 0;
};

// Numbers of states depend on earlier searches, so ties are broken by the order in which this search found the states.
struct Waiting {
    Cost g;
    std::uint32_t order;
    StateId id;
    auto operator<=>(const Waiting&) const = default;
};
struct Reached {
    Cost g = 0;
    std::uint32_t order = 0;
};

class Implementation : public SmallSearch {
  public:
    explicit Implementation(const CompiledTask& compiled) : compiled_(compiled), graph_(compiled), derived_(compiled) {}

    SmallAnswer solve(const Word* start, const SmallGoal& goal, const SmallBounds& bounds, Control& control) override {
        begin(goal, bounds);
        try {
            if (!goal.possible) {
                answer_.status = Status::unsolvable;
            } else {
                start_ = graph_.number_of(start);
                meet(start_, start_, 0);
                compiled_.features.same_costs ? breadth_first(control) : uniform_cost(control);
            }
        } catch (const Stop& stop) {
            answer_.status = stop.status;
        } catch (const std::bad_alloc&) {
            answer_.status = Status::memout;
            graph_.reset();
        }
        end();
        return std::move(answer_);
    }

  private:
    void begin(const SmallGoal& goal, const SmallBounds& bounds) {
        answer_ = {};
        goal_ = &goal;
        bounds_ = bounds;
        found_ = 0;
        if (graph_.held() > bounds.bytes / 2 || search_ == UINT32_MAX) {
            graph_.reset();  // what is only cleared is held still, and would be cleared before every search
            search_ = 0;
        }
        ++search_;
    }
    void end() {
        if (usefulness_.drop(graph_.size(), found_, answer_.expanded - found_) || graph_.held() > MOST_KEPT_BYTES) {
            graph_.clear();
            search_ = 0;
        }
        queue_.clear();
        heap_.clear();
    }

    // Whether this search meets the state for the first time; then it comes from there.
    bool meet(StateId id, StateId parent, OperatorId op) {
        Node& node = graph_[id];
        if (node.mark == search_) return false;
        node.mark = search_;
        node.parent = parent;
        node.op = op;
        ++answer_.states;
        return true;
    }
    void expand(StateId id, Control& control) {
        ++answer_.expanded;
        found_ += graph_.expand(id);
        control.work(graph_[id].edges * compiled_.words());
        answer_.generated += graph_[id].edges;
        if (answer_.states > FEW && graph_.bytes_for(answer_.states, answer_.generated) > bounds_.bytes)
            throw Stop{Status::memout};
    }

    bool is_goal(StateId id) {
        const auto& [stored, derived] = goal_->tests;
        const StateView state(compiled_, graph_.state(id));
        return all_hold(stored, state.words()) &&
               (derived.empty() || all_hold(derived, derived_.add_to(state).words()));
    }

    void breadth_first(Control& control) {
        if (is_goal(start_)) return solved(start_);
        queue_.push_back(start_);
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            control.work(compiled_.work());
            if (answer_.expanded >= bounds_.most_expanded) return;
            const StateId id = queue_[next];
            expand(id, control);
            if (!goal_->tests.derived.empty()) control.work(graph_[id].edges * compiled_.axioms.work());
            const std::size_t first = graph_[id].first_edge, last = first + graph_[id].edges;
            for (std::size_t i = first; i < last; ++i) {
                const Edge edge = graph_.edge(i);
                if (!meet(edge.target, id, edge.op)) continue;
                if (is_goal(edge.target)) return solved(edge.target);
                queue_.push_back(edge.target);
            }
        }
        answer_.status = Status::unsolvable;
    }

    void uniform_cost(Control& control) {
        push_new(start_, 0);
        while (!heap_.empty()) {
            control.work(compiled_.work());
            const auto [g, order, id] = pop();
            if (g > reached_[id].g) continue;
            if (is_goal(id)) return solved(id);
            if (answer_.expanded >= bounds_.most_expanded) return;
            expand(id, control);
            const std::size_t first = graph_[id].first_edge, last = first + graph_[id].edges;
            for (std::size_t i = first; i < last; ++i) reach(graph_.edge(i), id, g);
        }
        answer_.status = Status::unsolvable;
    }
    void reach(const Edge& edge, StateId id, Cost g) {
        const Cost cost = g + compiled_.operators.cost(edge.op);
        if (meet(edge.target, id, edge.op)) return push_new(edge.target, cost);
        if (cost >= reached_[edge.target].g) return;
        graph_[edge.target].parent = id;
        graph_[edge.target].op = edge.op;
        push(edge.target, cost);
    }
    void push_new(StateId id, Cost g) {
        if (reached_.size() < graph_.size()) reached_.resize(graph_.size());
        reached_[id].order = static_cast<std::uint32_t>(answer_.states);
        push(id, g);
    }
    void push(StateId id, Cost g) {
        reached_[id].g = g;
        heap_.push_back({g, reached_[id].order, id});
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
        if (4 * heap_.size() * sizeof(heap_[0]) > bounds_.bytes && heap_.size() > FEW) throw Stop{Status::memout};
    }
    Waiting pop() {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        return take_last(heap_);
    }

    void solved(StateId id) {
        answer_.status = Status::solved_optimally;
        for (; id != start_; id = graph_[id].parent) {
            answer_.plan.push_back(graph_[id].op);
            answer_.cost += compiled_.operators.cost(graph_[id].op);
        }
        std::reverse(answer_.plan.begin(), answer_.plan.end());
    }

    const CompiledTask& compiled_;
    Graph graph_;
    Usefulness usefulness_;
    DerivedVariables derived_;
    std::vector<StateId> queue_;
    std::vector<Waiting> heap_;
    std::vector<Reached> reached_;  // by state, right where this search has met it

    // Of the current search.
    std::uint32_t search_ = 0;
    StateId start_ = 0;
    const SmallGoal* goal_ = nullptr;
    SmallBounds bounds_;
    std::size_t found_ = 0;
    SmallAnswer answer_;
};

}  // namespace

std::unique_ptr<SmallSearch> make_small_search(const CompiledTask& compiled) {
    return std::make_unique<Implementation>(compiled);
}

}  // namespace unpuzzle
