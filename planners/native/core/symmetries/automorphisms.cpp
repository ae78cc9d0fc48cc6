#include "symmetries/automorphisms.hpp"

#include <algorithm>
#include <numeric>

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_LEVELS = 2000, MOST_TRIES = 100;
// What is spent before the first generator, and after it, is so much and so often the size of the graph.
constexpr std::uint64_t EFFORT = 20'000, EFFORT_BEFORE = 20, EFFORT_AFTER = 200;

}  // namespace

Automorphisms::Automorphisms(const TaskGraph& graph, Control& control)
    : graph_(graph),
      effort_(control, EFFORT + EFFORT_BEFORE * (graph.size() + graph.edges())),
      partition_(graph, effort_),
      image_(graph.size()),
      orbit_(graph.size()),
      stamp_(graph.size(), 0) {
    std::iota(orbit_.begin(), orbit_.end(), 0);
}

// Variables and facts come first in the partition, and when they are single all that matters is.
void Automorphisms::descend() {
    partition_.refine_until_settled();
    for (std::uint32_t cell = 0; cell < graph_.variables_and_facts() && levels_.size() < MOST_LEVELS;) {
        const auto members = partition_.cell(cell);
        if (members.size() == 1) {
            ++cell;
            continue;
        }
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

// Finds the next generator that keeps the choices before the current level and moves the one there.
bool Automorphisms::next() {
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
        if (!any_) effort_.grant(EFFORT + (EFFORT_AFTER - EFFORT_BEFORE) * (graph_.size() + graph_.edges()));
        any_ = true;
        join_orbits();
        return true;
    }
    return false;
}

// What may be chosen at a level, in this partition: what was chosen on the left comes first, then by number.
Automorphisms::Branch Automorphisms::branch(std::size_t level) const {
    const auto cell = partition_.cell(levels_[level].cell);
    Branch branch{level, partition_.mark(), {cell.begin(), cell.end()}};
    const Vertex chosen = levels_[level].chosen;
    std::sort(branch.options.begin(), branch.options.end(), [&](Vertex left, Vertex right) {
        return std::pair(left != chosen, left) < std::pair(right != chosen, right);
    });
    return branch;
}

// Depth first over the choices on the right side that could answer those on the left.
bool Automorphisms::reaches(Vertex other) {
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

// The map from the left side to the right side, or false if what is open there cannot simply stay.
bool Automorphisms::candidate(std::size_t level) {
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

bool Automorphisms::automorphism() {
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

Automorphisms::Vertex Automorphisms::orbit(Vertex vertex) {
    while (orbit_[vertex] != vertex) vertex = orbit_[vertex] = orbit_[orbit_[vertex]];
    return vertex;
}

void Automorphisms::join_orbits() {
    for (Vertex vertex = 0; vertex < image_.size(); ++vertex) {
        const Vertex one = orbit(vertex), other = orbit(image_[vertex]);
        if (one == other) continue;
        orbit_[other] = one;
        failed_[one] = failed_[one] || failed_[other];
    }
}

}  // namespace unpuzzle
