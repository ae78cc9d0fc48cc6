#include "pdbs/graph.hpp"

#include <algorithm>

namespace unpuzzle {

namespace {

using Node = PatternGraph::Node;

struct Link {
    Node before, after;
    OperatorId op;
};

// All abstract states from which the goal can be reached, numbered as they are found, and all links between them.
struct Backwards {
    Vector<std::uint32_t> rank_of;
    Vector<Node> node_of;  // by rank
    std::size_t goals = 0;
    Vector<Link> links;

    Backwards(const Projection& projection, std::size_t most_steps, Control& control)
        : node_of(projection.abstract_states, PatternGraph::NOWHERE) {
        projection.goals([&](std::uint32_t rank, Mask) { number(rank); });
        goals = rank_of.size();
        Vector<std::uint32_t> values(projection.slots.size());
        for (Node node = 0; node < rank_of.size(); ++node) {
            control.tick();
            read(projection, rank_of[node], values);
            for (std::size_t slot = 0; slot < values.size(); ++slot) {
                follow(projection, projection.first[slot] + values[slot], node, values);
            }
            follow(projection, projection.first[values.size()], node, values);
            if (links.size() > most_steps) throw Projection::TooLarge{};
        }
    }

  private:
    Node number(std::uint32_t rank) {
        if (node_of[rank] == PatternGraph::NOWHERE) {
            node_of[rank] = static_cast<Node>(rank_of.size());
            rank_of.push_back(rank);
        }
        return node_of[rank];
    }
    static void read(const Projection& projection, std::uint32_t rank, Vector<std::uint32_t>& values) {
        std::uint32_t above = 0;
        for (std::size_t slot = 0; slot < values.size(); ++slot) {
            const std::uint32_t upper = projection.slots[slot].upper(rank);
            values[slot] = upper - above * projection.slots[slot].domain;
            above = upper;
        }
    }
    void follow(const Projection& projection, std::size_t key, Node after, const Vector<std::uint32_t>& values) {
        for (std::size_t i = projection.place[key]; i < projection.place[key + 1]; ++i) {
            const Projection::Move& move = projection.moves[i];
            bool passes = true;
            for (std::size_t c = move.checks_begin; c < move.checks_end && passes; ++c) {
                passes = projection.allows(projection.checks[c], values.data());
            }
            if (passes) links.push_back({number(rank_of[after] + move.delta), after, move.cost});
        }
    }
};

// By node: whether it can be reached from `start`.
Vector<bool> reached_from(Node start, std::size_t nodes, const Vector<Link>& links, Control& control) {
    Vector<std::size_t> begin(nodes + 1, 0);
    for (const Link& link : links) ++begin[link.before + 1];
    for (std::size_t i = 1; i <= nodes; ++i) begin[i] += begin[i - 1];
    Vector<Node> to(links.size());
    Vector<std::size_t> next(begin.begin(), begin.end());
    for (const Link& link : links) to[next[link.before]++] = link.after;
    Vector<bool> reached(nodes, false);
    Vector<Node> queue{start};
    reached[start] = true;
    while (!queue.empty()) {
        control.tick();
        const Node node = queue.back();
        queue.pop_back();
        for (std::size_t i = begin[node]; i < begin[node + 1]; ++i) {
            if (reached[to[i]]) continue;
            reached[to[i]] = true;
            queue.push_back(to[i]);
        }
    }
    return reached;
}

std::uint32_t rank_of_initial(const Task& task, const Projection& projection) {
    std::uint32_t rank = 0;
    for (const auto& slot : projection.slots) rank += task.initial[slot.variable] * slot.stride;
    return rank;
}

}  // namespace

PatternGraph::PatternGraph(const Task& task, const Mutexes& mutexes, const Vector<std::uint32_t>& of,
                           std::size_t most_steps, Control& control)
    : variables(of) {
    const Projection projection(task, mutexes, Pattern{of, Pattern::NO_VARIABLE, {}}, control,
                                Projection::Labels::operators);
    abstract_states = projection.abstract_states;
    work = abstract_states + projection.work;
    for (const auto& slot : projection.slots) strides.insert(strides.begin(), slot.stride);
    Backwards found(projection, most_steps, control);
    work += found.links.size();
    const Node start = found.node_of[rank_of_initial(task, projection)];
    Vector<bool> kept(found.rank_of.size(), false);
    if (start != NOWHERE) kept = reached_from(start, found.rank_of.size(), found.links, control);
    Vector<Node> renumbered(found.rank_of.size(), NOWHERE);
    for (Node node = 0; node < found.rank_of.size(); ++node) {
        if (!kept[node]) continue;
        renumbered[node] = static_cast<Node>(rank_of.size());
        rank_of.push_back(found.rank_of[node]);
        goals += node < found.goals;
    }
    // Links come by the node after; what is kept stays in that order. A link from a kept node leads to one.
    std::erase_if(found.links, [&](const Link& link) { return !kept[link.before]; });
    for (const Link& link : found.links) operators.push_back(link.op);
    std::sort(operators.begin(), operators.end());
    operators.erase(std::unique(operators.begin(), operators.end()), operators.end());
    begin.assign(nodes() + 1, 0);
    for (const Link& link : found.links) {
        const auto by = std::lower_bound(operators.begin(), operators.end(), link.op) - operators.begin();
        steps.push_back({renumbered[link.before], static_cast<std::uint32_t>(by)});
        ++begin[renumbered[link.after] + 1];
    }
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const OperatorId op : operators) loops.push_back(projection.loops[op]);
}

}  // namespace unpuzzle
