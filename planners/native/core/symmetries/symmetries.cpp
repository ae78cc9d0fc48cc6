#include "symmetries/orbits.hpp"
#include "symmetries/partition.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_VALUES_IN_ALL = std::size_t{1} << 21, MOST_KINDS = 3;

using Vertex = TaskGraph::Vertex;

// Generators of the automorphism group of a task's graph (after McKay 1981, and Darga, Sakallah and Markov
// 2008 for sparse ones).
//
//     left     v1 ── v2 ── v3 ── all cells are single      One path of choices down to a discrete partition.
//                     ╲      ╲                             Then, from its end upwards, for each other vertex
//     right            u ──   u ── ...                     u that could have been chosen: is there an
//                                                          automorphism that keeps the choices before and
//                                                          maps this one to u?
//
// If a refinement on the right leaves another trace than the left one did, there is none. If the cells of more than one
// vertex are the same sets on both sides, the map that keeps their vertices is tried at once: most symmetries of
// puzzles move little. Vertices in u's orbit under the generators found so far are not tried again. Every generator is
// checked edge by edge, so whatever the search leaves out (it has a limit, counted in touched edges and not in
// seconds), its results are symmetries.
class Automorphisms {
  public:
    using Image = std::span<const Vertex>;  // by vertex

    Automorphisms(const TaskGraph& graph, Control& control)
        : graph_(graph),
          effort_(control, EFFORT + EFFORT_AT_FIRST * (graph.size() + graph.edges())),
          partition_(graph, effort_),
          image_(graph.size()),
          orbit_(graph.size()),
          stamp_(graph.size(), 0) {
        std::iota(orbit_.begin(), orbit_.end(), 0);
    }

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
    static constexpr std::size_t MOST_LEVELS = 2000, MOST_TRIES = 100;
    // What may be spent: so much, so often the size of the graph, and again with each generator. (A limit without the last
    // found 47 of the 60 generators for 60 things that are all alike, which leaves far too many states.)
    static constexpr std::uint64_t EFFORT = 20'000, EFFORT_AT_FIRST = 200, EFFORT_FOR_ONE = 64;

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

    // Variables and facts come first in the partition, and when they are single all that matters is. The smallest cell is
    // split first: what is open on the right side can then stay more often. (Of 200 things for two hands, with the hands
    // last, no candidate could be seen before all 200 were chosen.)
    void descend() {
        partition_.refine_until_settled();
        while (levels_.size() < MOST_LEVELS) {
            const std::uint32_t cell = smallest_open();
            if (cell == graph_.variables_and_facts()) break;
            const auto members = partition_.cell(cell);
            const Vertex chosen = *std::min_element(members.begin(), members.end());
            levels_.push_back({cell, chosen, partition_.mark(), {}});
            partition_.individualise(chosen);
            partition_.refine(levels_.back().trace);
        }
        left_.assign(partition_.elements().begin(), partition_.elements().end());
        place_.resize(left_.size());
        for (std::uint32_t i = 0; i < left_.size(); ++i) place_[left_[i]] = i;
        others_.level = levels_.size();
    }
    // The first of the smallest cells of several variables or facts; as many as there are if all are single.
    std::uint32_t smallest_open() {
        const auto all = static_cast<std::uint32_t>(graph_.variables_and_facts());
        std::uint32_t best = all;
        std::size_t least = SIZE_MAX;
        for (std::uint32_t cell = 0; cell < all && least > 2;) {
            effort_.spend(1);
            const std::size_t size = partition_.cell(cell).size();
            if (size > 1 && size < least) std::tie(best, least) = std::pair(cell, size);
            cell += static_cast<std::uint32_t>(size);
        }
        return best;
    }
    // Finds the next generator that keeps the choices before the current level and moves the one there.
    bool next() {
        const Level& level = levels_[current_];
        partition_.undo(level.mark);
        if (others_.level != current_) {
            others_ = branch(current_);
            failed_.assign(graph_.size(), false);
        }
        while (others_.tried < others_.options.size()) {
            const Vertex other = others_.options[others_.tried++], root = orbit(other);
            if (root == orbit(level.chosen) || failed_[root]) continue;
            const bool found = reaches(other);
            partition_.undo(level.mark);
            if (!found) {
                failed_[root] = true;
                continue;
            }
            effort_.grant(EFFORT_FOR_ONE * (graph_.size() + graph_.edges()));
            join_orbits();
            return true;
        }
        return false;
    }
    // Depth first over the choices on the right side that could answer those on the left.
    bool reaches(Vertex other) {
        Vector<Branch> branches{{current_, partition_.mark(), {other}}};
        for (std::size_t tries = 0; !branches.empty() && tries < MOST_TRIES; ++tries) {
            Branch& last = branches.back();
            partition_.undo(last.mark);
            if (last.tried == last.options.size()) {
                branches.pop_back();
                continue;
            }
            const std::size_t level = last.level;
            partition_.individualise(last.options[last.tried++]);
            if (!partition_.refine(levels_[level].trace, true)) continue;
            if (candidate(level + 1) && automorphism()) return true;
            if (level + 1 < levels_.size()) branches.push_back(branch(level + 1));
        }
        return false;
    }
    // What may be chosen at a level, in this partition: what was chosen on the left comes first, then by number.
    Branch branch(std::size_t level) const {
        const auto cell = partition_.cell(levels_[level].cell);
        Branch branch{level, partition_.mark(), {cell.begin(), cell.end()}};
        const Vertex chosen = levels_[level].chosen;
        std::sort(branch.options.begin(), branch.options.end(), [&](Vertex left, Vertex right) {
            return std::pair(left != chosen, left) < std::pair(right != chosen, right);
        });
        return branch;
    }
    // The map from the left side to the right side, or false if what is open there cannot simply stay.
    bool candidate(std::size_t level) {
        effort_.spend(left_.size());
        const bool last = level == levels_.size();
        for (std::uint32_t cell = 0; cell < left_.size();) {
            const auto members = partition_.cell(cell);
            const bool single = members.size() == 1 || last;
            for (std::uint32_t i = 0; i < members.size(); ++i) {
                const std::uint32_t place = place_[members[i]];
                if (!single && (place < cell || place >= cell + members.size())) return false;
                image_[single ? left_[cell + i] : members[i]] = members[i];
            }
            cell += static_cast<std::uint32_t>(members.size());
        }
        return true;
    }
    bool automorphism() {
        for (Vertex vertex = 0; vertex < image_.size(); ++vertex) {
            if (image_[vertex] == vertex) continue;
            for (std::size_t kind = 0; kind < TaskGraph::KINDS; ++kind) {
                const auto from = graph_.neighbours(kind, vertex), to = graph_.neighbours(kind, image_[vertex]);
                effort_.spend(from.size() + to.size());
                if (from.size() != to.size()) return false;
                ++stamps_;
                for (const Vertex other : to) stamp_[other] = stamps_;
                for (const Vertex other : from) {
                    if (stamp_[image_[other]] != stamps_) return false;
                }
            }
        }
        return true;
    }
    Vertex orbit(Vertex vertex) {
        while (orbit_[vertex] != vertex) vertex = orbit_[vertex] = orbit_[orbit_[vertex]];
        return vertex;
    }
    void join_orbits() {
        for (Vertex vertex = 0; vertex < image_.size(); ++vertex) {
            const Vertex one = orbit(vertex), other = orbit(image_[vertex]);
            if (one == other) continue;
            orbit_[other] = one;
            failed_[one] = failed_[one] || failed_[other];
        }
    }

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
};

Symmetry symmetry_of(const Task& task, const TaskGraph& graph, Automorphisms::Image image) {
    Symmetry symmetry;
    const auto all_facts = graph.mentioned.values();
    const auto fact = [&](Vertex vertex) -> const Fact& { return all_facts[vertex - graph.variables()]; };
    for (std::uint32_t from = 0; from < task.variables.size(); ++from) {
        const std::uint32_t domain = task.variables[from].domain;
        if (task.variables[from].derived() || domain > TaskGraph::MOST_VALUES) continue;
        const auto facts = graph.mentioned[from];
        const auto begin =
            static_cast<Vertex>(graph.variables()) + static_cast<Vertex>(facts.data() - all_facts.data());
        const auto end = begin + static_cast<Vertex>(facts.size());
        bool moves = image[from] != from;
        for (Vertex vertex = begin; vertex < end; ++vertex) moves |= image[vertex] != vertex;
        if (!moves) continue;
        constexpr std::uint32_t OPEN = ~0u;
        Vector<std::uint32_t> values(domain, OPEN);
        Vector<bool> taken(domain, false);
        for (Vertex vertex = begin; vertex < end; ++vertex) {
            values[fact(vertex).value] = fact(image[vertex]).value;
            taken[fact(image[vertex]).value] = true;
        }
        std::uint32_t next = 0;  // values that the task does not mention keep their order
        for (std::uint32_t& value : values) {
            if (value != OPEN) continue;
            while (taken[next]) ++next;
            value = next++;
        }
        symmetry.push_back({from, image[from], {values.begin(), values.end()}});
    }
    return symmetry;
}

}  // namespace

Vector<Symmetry> symmetries(const Task& task, Control& control) {
    Vector<Symmetry> found;
    const FactNumbers numbers(task);
    if (asymmetric_at_a_glance(task, numbers, control)) return found;
    const TaskGraph graph(task, numbers, control);
    std::size_t values = 0;
    Automorphisms(graph, control).each([&](Automorphisms::Image image) {
        Symmetry symmetry = symmetry_of(task, graph, image);
        for (const Moved& moved : symmetry) values += moved.values.size();
        if (!symmetry.empty() && values <= MOST_VALUES_IN_ALL) found.push_back(std::move(symmetry));
    });
    return found;
}

// The kind of a fact is the number of the operators that need it, and their costs and sizes: what is at one place or
// another is of one kind.
Rows<Passing> passing_operators(const Task& task, Control& control) {
    const FactNumbers numbers(task);
    Vector<bool> is_set(numbers.count(), false);
    const auto each = [&](auto&& visit) {
        for (std::uint32_t number = 0; number < task.operators.size(); ++number) {
            control.tick();
            if (task.operators[number].possible) visit(number, task.operators[number]);
        }
    };
    each([&](std::uint32_t, const Operator& op) {
        for (const Effect& effect : task.effects(op)) is_set[numbers[effect.sets]] = true;
    });
    Map<FactId, Vector<std::uint32_t>> needing;
    each([&](std::uint32_t number, const Operator& op) {
        for (const Fact& fact : task.facts(op.precondition)) {
            if (!is_set[numbers[fact]] && !task.variables[fact.variable].derived())
                needing[numbers[fact]].push_back(number);
        }
    });
    using Shape = std::tuple<std::uint32_t, std::size_t, std::size_t>;
    Map<Vector<Shape>, Vector<Passing>> kinds;
    for (const auto& [fact, operators] : needing) {
        Vector<Shape> shapes;
        for (const std::uint32_t number : operators) {
            const Operator& op = task.operators[number];
            shapes.push_back({op.cost, task.facts(op.precondition).size(), task.effects(op).size()});
        }
        std::ranges::sort(shapes);
        for (const std::uint32_t number : operators) kinds[shapes].push_back({number, numbers.fact(fact)});
    }
    Rows<Passing> few;
    for (const auto& [shapes, kind] : kinds) {  // those of facts that few operators need come first
        if (few.size() == MOST_KINDS) break;
        const bool one_fact = kind.front().needs == kind.back().needs;
        if (one_fact || 2 * kind.size() > task.operators.size()) continue;
        few.push(kind.begin(), kind.end());
        few.close();
    }
    return few;
}

Vector<Symmetry> late_symmetries(const Task& task, std::span<const Passing> passing, Control& control) {
    Task without(task);
    for (const Passing& it : passing) without.operators[it.op].possible = false;
    return symmetries(without, control);
}

}  // namespace unpuzzle
