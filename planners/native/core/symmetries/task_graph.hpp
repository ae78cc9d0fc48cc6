// A task as a coloured graph whose automorphisms are the task's symmetries (the problem description graph of
// Pochter, Zohar and Rosenschein 2011, with conditional effects and axioms as Shleyfman, Katz, Helmert,
// Sievers and Wehrle 2015 and Sievers, Roeger, Wehrle and Katz 2019 draw them).
//
//     v0 ──┬── v0=0 ──── precondition ──── operator ──── effect, given ──── condition ── v1=2 ──┬── v1
//          └── v0=1 ════ sets ════════════════╛             ╚══════ sets ═══════════════ v1=0 ──┘
//
// One vertex each for variables, facts, operators, conditional effects and axioms; edges of two kinds. The colours
// distinguish vertices that no symmetry may exchange: their kinds, costs, goal facts and others, true and false,
// layers. So a symmetry preserves costs and the goal; it may change the initial state.
//
// Only facts that the task mentions have a vertex: nothing distinguishes the other facts of a variable. Effects of an
// operator on a variable that never count are removed; if the order of the rest decides (different values, conditions
// that may hold together), their rank in it is part of the colour.
#pragma once

#include <array>
#include <span>

#include "base/rows.hpp"
#include "task/fact_numbers.hpp"

namespace unpuzzle {

class TaskGraph {
  public:
    using Vertex = std::uint32_t;
    static constexpr std::size_t KINDS = 2;                // of edges: tests, sets
    static constexpr std::uint32_t MOST_VALUES = 1 << 16;  // a variable of more is never moved

    TaskGraph(const Task& task, const FactNumbers& numbers, Control& control);

    std::size_t size() const { return colours.size(); }
    std::span<const Vertex> neighbours(std::size_t kind, Vertex vertex) const { return edges_[kind][vertex]; }
    std::size_t edges() const { return edges_[0].values().size() + edges_[1].values().size(); }
    // Variable v is vertex v; then come the facts of `mentioned`, one after the other.
    std::size_t variables() const { return mentioned.size(); }
    std::size_t variables_and_facts() const { return variables() + mentioned.values().size(); }

    Vector<std::uint64_t> colours;  // by vertex
    Rows<Fact> mentioned;           // by variable, ascending

  private:
    class Builder;
    std::array<Rows<Vertex>, KINDS> edges_;
};

}  // namespace unpuzzle
