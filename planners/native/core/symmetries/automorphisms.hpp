// Generators of the automorphism group of a task's graph (after McKay 1981, and Darga, Sakallah and Markov
// 2008 for sparse ones).
//
//     left     v1 ── v2 ── v3 ── all cells are single      One path of choices down to a discrete partition.
//                     ╲      ╲                             Then, from its end upwards, for each other vertex
//     right            u ──   u ── ...                     u that could have been chosen: is there an
//                                                          automorphism that keeps the choices before and
//                                                          maps this one to u?
//
// If a refinement on the right leaves another trace than the left one did, there is none. If the cells of
// more than one vertex are the same sets on both sides, the map that keeps their vertices is tried at once:
// most symmetries of puzzles move little. What u's orbit under the generators found so far has answered is
// not asked again. Every generator is checked edge by edge, so whatever the search leaves out (there is a
// limit to it, counted in touched edges and not in seconds), what it finds are symmetries.
#pragma once

#include "symmetries/partition.hpp"

namespace unpuzzle {

class Automorphisms {
  public:
    using Vertex = TaskGraph::Vertex;
    using Image = std::span<const Vertex>;  // by vertex

    Automorphisms(const TaskGraph& graph, Control& control);

    // Calls `found(image)` for each generator.
    template <class Found>
    void each(Found&& found) {
        try {
            descend();
            for (current_ = levels_.size(); current_-- > 0;) {
                while (next()) found(Image(image_));
            }
        } catch (const Effort::Exhausted&) {
        }
    }

  private:
    struct Level {
        std::uint32_t cell;  // from which the vertex was chosen
        Vertex chosen;
        std::size_t mark;
        Partition::Trace trace;  // of the refinement after that
    };
    struct Branch {  // on the right side
        std::size_t level, mark;
        Vector<Vertex> options;
        std::size_t tried = 0;
    };

    void descend();
    bool next();
    bool reaches(Vertex other);
    Branch branch(std::size_t level) const;
    bool candidate(std::size_t level);
    bool automorphism();
    Vertex orbit(Vertex vertex);
    void join_orbits();

    const TaskGraph& graph_;
    Effort effort_;
    Partition partition_;
    Vector<Level> levels_;
    std::size_t current_ = 0;       // the level at which others are tried
    Branch others_;                 // they
    Vector<Vertex> left_;           // the elements at the end of the left path
    Vector<std::uint32_t> place_;   // in left_, by vertex
    Vector<Vertex> image_, orbit_;  // orbit_: union-find
    Vector<bool> failed_;           // by orbit, at this level
    Vector<std::uint32_t> stamp_;
    std::uint32_t stamps_ = 0;
    bool any_ = false;
};

}  // namespace unpuzzle
