#include "pdbs/cost_partitioning.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/bucket_queue.hpp"
#include "pdbs/graph.hpp"

namespace unpuzzle {

namespace {

using Node = PatternGraph::Node;
constexpr Node NOWHERE = PatternGraph::NOWHERE;

constexpr std::size_t MOST_ABSTRACT_STATES = std::size_t{1} << 16;  // of a pattern
constexpr std::size_t MOST_STEPS = std::size_t{1} << 22;            // of all graphs together
constexpr std::uint64_t MOST_WORK = std::uint64_t{1} << 25;         // in steps
constexpr std::uint64_t MOST_BUILT = std::uint64_t{1} << 24;        // see PatternGraph::work
constexpr std::size_t MOST_TABLES = 2'000;
constexpr std::size_t MOST_BYTES = std::size_t{1} << 24;
constexpr std::size_t MOST_FAILURES = 12;  // orders in a row that say no more
constexpr std::uint32_t MOST_SAID = 0xFFFF;
constexpr std::uint32_t UNREACHED = ~0u;

using Need = std::int64_t;

}  // namespace

class SaturatedCostPartitionings::Builder {
  public:
    Builder(SaturatedCostPartitionings& out, const CompiledTask& compiled, const Mutexes& mutexes,
            const Patterns& patterns, const Vector<Sample>& samples, Control& control)
        : out_(out), compiled_(compiled), samples_(samples), control_(control) {
        std::uint64_t unit = 0;
        for (const Operator& op : compiled.task.operators) unit = std::gcd(unit, std::uint64_t{op.cost});
        out_.unit_ = std::max<std::uint64_t>(unit, 1);
        for (const Operator& op : compiled.task.operators) costs_.push_back(static_cast<Need>(op.cost / out_.unit_));
        for (const auto& pattern : patterns) add_graph(mutexes, pattern);
    }

    void run(const Vector<Vector<Pattern>>& sums) {
        if (graphs_.empty() || samples_.empty()) return;
        for (const Sample& sample : samples_) known_.push_back(sample.known / out_.unit_);
        look_alone();
        place_samples();
        begin_with(sums);
        std::size_t failures = 0;
        for (std::size_t i = 0; i < samples_.size() && failures < MOST_FAILURES; ++i) {
            if (work_ > MOST_WORK || out_.tables_.size() > MOST_TABLES || out_.entries_.size() > MOST_BYTES) break;
            failures = keep(order(i)) ? 0 : failures + 1;
        }
    }
    // The ranks that tables ask for; patterns that none needs are left out, and the others numbered anew.
    Vector<RankParts> used_patterns() {
        constexpr std::uint32_t UNUSED = ~0u;
        Vector<std::uint32_t> numbers(graphs_.size(), UNUSED);
        Vector<RankParts> parts;
        for (Table& table : out_.tables_) {
            const PatternGraph& graph = graphs_[table.pattern];
            std::uint32_t& number = numbers[table.pattern];
            if (number == UNUSED) {
                number = static_cast<std::uint32_t>(parts.size());
                parts.push_back(graph.rank_parts);
            }
            table.pattern = number;
        }
        return parts;
    }

  private:
    // An unfinished order: the remaining costs, and the estimates for those that are spent.
    struct Order {
        Vector<Need> left;                // by operator
        Vector<Cost> sums;                // by sample
        Vector<Vector<std::uint32_t>> h;  // by graph and node; empty for graphs that say nothing
    };

    void add_graph(const Mutexes& mutexes, const Vector<std::uint32_t>& pattern) {
        if (steps_ >= MOST_STEPS || built_ > MOST_BUILT ||
            !Pattern::abstract_states(compiled_.task, pattern, MOST_ABSTRACT_STATES))
            return;
        try {
            PatternGraph graph(compiled_.task, mutexes, pattern, MOST_STEPS - steps_, control_);
            built_ += graph.work;
            if (graph.goals == 0 || graph.nodes() == graph.goals) return;
            steps_ += graph.steps.values().size();
            graphs_.push_back(std::move(graph));
        } catch (const Projection::TooLarge&) {
            built_ += MOST_BUILT / 16;
        }
    }

    // Every graph under all costs: what it would say, and what it would take from the others.
    void look_alone() {
        Vector<Need> wanted(costs_.size(), 0);
        Vector<Vector<Need>> needs;
        for (const PatternGraph& graph : graphs_) {
            solve(graph, costs_, NOWHERE);
            for (std::size_t i = 0; i < graph.operators.size(); ++i) wanted[graph.operators[i]] += needs_[i];
            alone_.push_back(h_);
            needs.push_back(needs_);
        }
        for (std::size_t g = 0; g < graphs_.size(); ++g) stolen_.push_back(stolen(graphs_[g], needs[g], wanted));
    }
    // How much more the others lack together, if this graph takes what it needs.
    double stolen(const PatternGraph& graph, const Vector<Need>& needs, const Vector<Need>& wanted) const {
        Need all = 0;
        for (std::size_t i = 0; i < graph.operators.size(); ++i) {
            const OperatorId op = graph.operators[i];
            const Need others = wanted[op] - needs[i];
            all += std::max<Need>(0, wanted[op] - costs_[op]) - std::max<Need>(0, others - costs_[op]);
        }
        return static_cast<double>(std::max<Need>(all, 1));
    }

    // By graph and sample: the node; NOWHERE, if the state is none of the graph's.
    void place_samples() {
        for (const PatternGraph& graph : graphs_) {
            Vector<Node> node_of(graph.abstract_states, NOWHERE);
            for (Node node = 0; node < graph.nodes(); ++node) node_of[graph.rank_of[node]] = node;
            nodes_.push_back({});
            for (const Sample& sample : samples_) {
                const StateView state(compiled_, sample.state.data());
                nodes_.back().push_back(node_of[rank_of(graph.rank_parts, state)]);
            }
        }
    }
    std::uint32_t said(std::size_t graph, std::size_t sample, const Vector<std::uint32_t>& h) const {
        const Node node = nodes_[graph][sample];
        return node == NOWHERE ? 0 : h[node];
    }

    // What orders begin with: nothing, or the databases of a sum, each with the costs that count there.
    void begin_with(const Vector<Vector<Pattern>>& sums) {
        const Order nothing{costs_, Vector<Cost>(samples_.size(), 0), Vector<Vector<std::uint32_t>>(graphs_.size())};
        begun_.push_back(nothing);
        for (const auto& sum : sums) {
            begun_.push_back(nothing);
            for (const Pattern& pattern : sum) claim(begun_.back(), pattern);
        }
    }
    void claim(Order& order, const Pattern& pattern) {
        const auto found = std::ranges::find(graphs_, pattern.variables, &PatternGraph::variables);
        if (found == graphs_.end()) return;
        Vector<Need> own = order.left;
        for (std::size_t op = 0; op < own.size(); ++op) {
            if (!pattern.cost_mask[op]) own[op] = 0;
        }
        take(order, static_cast<std::size_t>(found - graphs_.begin()), own, NOWHERE);
    }

    // Ways to make an order take turns: what it begins with; whether graphs come by what they say alone or by
    // what they say for what they steal; whether they take at first only what the sample needs.
    Order order(std::size_t sample) {
        const bool modest = sample % 2 == 1, only_needed = sample / 2 % 2 == 1;
        Order made = begun_[sample / 4 % begun_.size()];
        const auto graphs = greedy(sample, modest);
        for (const bool all : {false, true}) {
            if (!all && !only_needed) continue;
            for (const std::size_t g : graphs) take(made, g, made.left, all ? NOWHERE : nodes_[g][sample]);
        }
        return made;
    }
    Vector<std::size_t> greedy(std::size_t sample, bool modest) const {
        Vector<std::pair<double, std::size_t>> scored;
        for (std::size_t g = 0; g < graphs_.size(); ++g) {
            const double h = said(g, sample, alone_[g]);
            scored.push_back({-(modest ? h / stolen_[g] : h), g});
        }
        std::ranges::sort(scored);
        Vector<std::size_t> graphs;
        for (const auto& [score, graph] : scored) graphs.push_back(graph);
        return graphs;
    }

    void take(Order& order, std::size_t g, const Vector<Need>& costs, Node most) {
        const PatternGraph& graph = graphs_[g];
        const auto& operators = graph.operators;
        if (std::ranges::none_of(operators, [&](OperatorId op) { return costs[op] > 0; })) return;
        solve(graph, costs, most);
        if (std::ranges::all_of(h_, [](std::uint32_t h) { return h == 0; })) return;
        for (std::size_t i = 0; i < operators.size(); ++i) order.left[operators[i]] -= needs_[i];
        for (std::size_t s = 0; s < samples_.size(); ++s) order.sums[s] += said(g, s, h_);
        if (order.h[g].empty()) order.h[g].assign(graph.nodes(), 0);
        for (std::size_t node = 0; node < graph.nodes(); ++node) order.h[g][node] += h_[node];
    }
    // Sets h_ and needs_. Of nodes that are farther from the goal than `most`, only that much is said.
    void solve(const PatternGraph& graph, const Vector<Need>& costs, Node most) {
        find_distances(graph, costs);
        if (most != NOWHERE) {
            const std::uint32_t limit = h_[most];
            for (std::uint32_t& h : h_) h = std::min(h, limit);
        }
        find_needs(graph);
        work_ += 2 * graph.steps.values().size() + graph.nodes();
    }
    void find_distances(const PatternGraph& graph, const Vector<Need>& costs) {
        h_.assign(graph.nodes(), UNREACHED);
        queue_.clear();
        for (Node node = 0; node < graph.goals; ++node) {
            h_[node] = 0;
            queue_.push(0, node);
        }
        std::uint64_t value;
        std::uint32_t node;
        while (queue_.pop(value, node)) {
            if (value > h_[node]) continue;
            control_.tick();
            for (const PatternGraph::Step& step : graph.steps[node]) {
                const auto cost = static_cast<std::uint64_t>(costs[graph.operators[step.by]]);
                const std::uint64_t later = std::min<std::uint64_t>(value + cost, MOST_SAID);
                if (later >= h_[step.before]) continue;
                h_[step.before] = static_cast<std::uint32_t>(later);
                queue_.push(later, step.before);
            }
        }
    }
    // What each operator needs so that the estimates stay; one that changes nothing somewhere, 0 at least.
    void find_needs(const PatternGraph& graph) {
        needs_.clear();
        for (const bool loops : graph.loops) needs_.push_back(loops ? 0 : std::numeric_limits<Need>::min());
        for (Node after = 0; after < graph.nodes(); ++after) {
            for (const PatternGraph::Step& step : graph.steps[after])
                needs_[step.by] = std::max(needs_[step.by], Need{h_[step.before]} - h_[after]);
        }
    }

    // If it says more of any sample. False if not.
    bool keep(const Order& order) {
        Cost gain = 0;
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            if (order.sums[s] <= known_[s]) continue;
            gain += order.sums[s] - known_[s];
            known_[s] = order.sums[s];
        }
        if (gain == 0) return false;
        for (std::size_t g = 0; g < graphs_.size(); ++g) {
            if (!order.h[g].empty()) write(g, order.h[g]);
        }
        out_.gain_ += gain * out_.unit_;
        out_.order_end_.push_back(out_.tables_.size());
        return true;
    }
    void write(std::size_t number, const Vector<std::uint32_t>& h) {
        const PatternGraph& graph = graphs_[number];
        const std::uint32_t greatest = *std::ranges::max_element(h);
        const std::uint32_t width = greatest <= 0xFF ? 1 : greatest <= 0xFFFF ? 2 : 4;
        const std::size_t begin = out_.entries_.size();
        out_.entries_.resize(begin + graph.abstract_states * width, 0);
        for (Node node = 0; node < graph.nodes(); ++node) {
            std::uint8_t* at = &out_.entries_[begin + std::size_t{graph.rank_of[node]} * width];
            for (std::uint32_t i = 0; i < width; ++i) at[i] = static_cast<std::uint8_t>(h[node] >> 8 * i);
        }
        out_.tables_.push_back({static_cast<std::uint32_t>(number), width, begin});
    }

    SaturatedCostPartitionings& out_;
    const CompiledTask& compiled_;
    const Vector<Sample>& samples_;
    Control& control_;
    Vector<Need> costs_;  // by operator, in units
    Vector<PatternGraph> graphs_;
    Vector<Vector<std::uint32_t>> alone_;  // by graph: its estimates under all costs
    Vector<double> stolen_;                // by graph
    Vector<Vector<Node>> nodes_;           // by graph and sample
    Vector<Cost> known_;                   // by sample, in units
    Vector<Order> begun_;
    Vector<std::uint32_t> h_;  // of the graph that was solved last, by node
    Vector<Need> needs_;       // and by place in its operators
    BucketQueue<std::uint64_t> queue_;
    std::size_t steps_ = 0;
    std::uint64_t work_ = 0, built_ = 0;
};

SaturatedCostPartitionings::SaturatedCostPartitionings(const CompiledTask& compiled, const Mutexes& mutexes,
                                                       const Patterns& patterns, const Vector<Vector<Pattern>>& sums,
                                                       const Vector<Sample>& samples, Control& control,
                                                       Budget& budget) {
    Builder builder(*this, compiled, mutexes, patterns, samples, control);
    builder.run(sums);
    ranks_ = PatternRanks(compiled, builder.used_patterns(), control, budget);
}

}  // namespace unpuzzle
