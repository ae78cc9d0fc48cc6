// A task as a coloured graph whose automorphisms are the task's symmetries (the problem description graph of
// Pochter, Zohar and Rosenschein 2011, with conditional effects and axioms as Shleyfman, Katz, Helmert,
// Sievers and Wehrle 2015 and Sievers, Roeger, Wehrle and Katz 2019 draw them).
//
//     v0 ──┬── v0=0 ──── precondition ──── operator ──── effect, given ──── condition ── v1=2 ──┬── v1
//          └── v0=1 ════ sets ════════════════╛             ╚══════ sets ═══════════════ v1=0 ──┘
//
// One vertex each for variables, facts, operators, conditional effects and axioms; edges of two kinds. The
// colours keep apart what no symmetry may exchange: kinds of vertices, costs, goal facts and others, true and
// false, layers. So a symmetry keeps costs and the goal; it may move the initial state.
//
// Only facts that the task mentions have a vertex: nothing tells the others of a variable apart. The effects
// of one operator on one variable are cleared of what cannot count; where the order of the rest decides
// (different values, conditions that may hold together), their rank in it is part of the colour.
#pragma once

#include <array>
#include <span>

#include "task/task.hpp"

namespace unpuzzle {

class TaskGraph {
  public:
    using Vertex = std::uint32_t;
    static constexpr std::size_t KINDS = 2;                // of edges: tests, sets
    static constexpr std::uint32_t MOST_VALUES = 1 << 16;  // a variable of more is never moved

    TaskGraph(const Task& task, Control& control);

    std::size_t size() const { return colours.size(); }
    std::span<const Vertex> neighbours(std::size_t kind, Vertex vertex) const {
        const Edges& edges = edges_[kind];
        return {edges.to.data() + edges.begin[vertex], edges.to.data() + edges.begin[vertex + 1]};
    }
    std::size_t edges() const { return edges_[0].to.size() + edges_[1].to.size(); }
    // Of variable v: vertex v; its mentioned values, ascending, have the vertices from facts_begin[v].
    std::size_t variables() const { return facts_begin.size() - 1; }
    std::size_t variables_and_facts() const { return variables() + mentioned.size(); }

    Vector<std::uint64_t> colours;      // by vertex; variables have the least, then facts
    Vector<std::uint32_t> facts_begin;  // in `mentioned`, by variable
    Vector<Fact> mentioned;             // vertex variables() + i is fact mentioned[i]

  private:
    class Builder;
    struct Edges {
        Vector<std::uint32_t> begin;
        Vector<Vertex> to;
    };
    std::array<Edges, KINDS> edges_;
};

}  // namespace unpuzzle
