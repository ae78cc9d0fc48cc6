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
            projection.unrank(rank_of[node], [&](std::size_t slot, std::uint32_t value) { values[slot] = value; });
            for (std::size_t slot = 0; slot < values.size(); ++slot)
                follow(projection, projection.first[slot] + values[slot], node, values);
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
    void follow(const Projection& projection, std::size_t key, Node after, const Vector<std::uint32_t>& values) {
        for (std::size_t i = projection.place[key]; i < projection.place[key + 1]; ++i) {
            const Projection::Move& move = projection.moves[i];
            if (projection.passes(move.checks_begin, move.checks_end, values.data()))
                links.push_back({number(rank_of[after] + move.delta), after, move.cost});
        }
    }
};

// By node: whether it can be reached from `start`.
Vector<bool> reached_from(Node start, std::size_t nodes, const Vector<Link>& links, Control& control) {
    const auto after = Rows<Node>::by_row(nodes, [&](auto&& put) {
        for (const Link& link : links) put(link.before, link.after);
    });
    Vector<bool> reached(nodes, false);
    Vector<Node> queue{start};
    reached[start] = true;
    while (!queue.empty()) {
        control.tick();
        const Node node = take_last(queue);
        for (const Node next : after[node]) {
            if (reached[next]) continue;
            reached[next] = true;
            queue.push_back(next);
        }
    }
    return reached;
}

}  // namespace

PatternGraph::PatternGraph(const Task& task, const Mutexes& mutexes, const Vector<std::uint32_t>& of,
                           std::size_t most_steps, Control& control)
    : variables(of) {
    const Projection projection(task, mutexes, Pattern{of, Pattern::NO_VARIABLE, {}}, control,
                                Projection::Labels::operators);
    abstract_states = projection.abstract_states;
    work = abstract_states + projection.work;
    rank_parts = projection.rank_parts();
    Backwards found(projection, most_steps, control);
    work += found.links.size();
    const Node start = found.node_of[unpuzzle::rank_of(rank_parts, task.initial)];
    Vector<bool> kept(found.rank_of.size(), false);
    if (start != NOWHERE) kept = reached_from(start, found.rank_of.size(), found.links, control);
    Vector<Node> renumbered(found.rank_of.size(), NOWHERE);
    for (Node node = 0; node < found.rank_of.size(); ++node) {
        if (!kept[node]) continue;
        renumbered[node] = static_cast<Node>(rank_of.size());
        rank_of.push_back(found.rank_of[node]);
        goals += node < found.goals;
    }
    // A link from a kept node leads to one.
    std::erase_if(found.links, [&](const Link& link) { return !kept[link.before]; });
    for (const Link& link : found.links) operators.push_back(link.op);
    sort_and_unique(operators);
    steps = Rows<Step>::by_row(nodes(), [&](auto&& put) {
        for (const Link& link : found.links) {
            const auto by = std::ranges::lower_bound(operators, link.op) - operators.begin();
            put(renumbered[link.after], {renumbered[link.before], static_cast<std::uint32_t>(by)});
        }
    });
    for (const OperatorId op : operators) loops.push_back(projection.loops[op]);
}

}  // namespace unpuzzle
