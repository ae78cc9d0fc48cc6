// What groups of mutually exclusive facts tell of operators, axioms and the goal.
//
//     group {at t1 c1, at t1 c2, at t1 c3}      (at t1 c1) and (at t1 c2): never both, so it is dropped
//                                               (at t1 c1) and not (at t1 c3): the second goes without saying
#include <algorithm>

#include "grounding/mutexes.hpp"

namespace unpuzzle::ground {

namespace {

class Reducer {
  public:
    Reducer(const std::vector<MutexGroup>& groups, std::size_t facts)
        : groups_of_(Rows<std::uint32_t>::by_row(facts,
                                                 [&](auto&& put) {
                                                     for (std::uint32_t i = 0; i < groups.size(); ++i) {
                                                         for (const AtomId fact : groups[i].facts)
                                                             put(static_cast<std::size_t>(fact), i);
                                                     }
                                                 })),
          true_(groups.size(), -1) {}

    // Appends the literals that the true ones (and those of `given`) leave open; false if they contradict
    // each other.
    bool reduced(std::span<const Literal32> given, std::span<const Literal32> literals, Vector<Literal32>& left) {
        const bool possible = set(given) && set(literals);
        for (const Literal32 literal : literals) {
            if (possible && (literal >= 0 || !excluded(~literal))) left.push_back(literal);
        }
        for (const std::uint32_t group : set_) true_[group] = -1;
        set_.clear();
        return possible;
    }

  private:
    bool set(std::span<const Literal32> literals) {
        for (const Literal32 literal : literals) {
            if (literal < 0) continue;
            for (const std::uint32_t group : groups_of_[static_cast<std::size_t>(literal)]) {
                if (true_[group] < 0) {
                    true_[group] = literal;
                    set_.push_back(group);
                } else if (true_[group] != literal) {
                    return false;
                }
            }
        }
        return true;
    }
    bool excluded(AtomId fact) const {
        for (const std::uint32_t group : groups_of_[static_cast<std::size_t>(fact)]) {
            if (true_[group] >= 0 && true_[group] != fact) return true;
        }
        return false;
    }

    Rows<std::uint32_t> groups_of_;
    Vector<AtomId> true_;  // of each group
    Vector<std::uint32_t> set_;
};

}  // namespace

bool reduce_by(const std::vector<MutexGroup>& groups, GroundTask& task, Control& control) {
    Reducer reducer(groups, task.facts.size());
    const std::size_t effects = task.effects.size(), axioms = task.axioms.size();
    Vector<Literal32> open;
    rewrite(
        task, control, [](Literal32) { return true; },
        [&](std::span<const Literal32> given, std::span<const Literal32> literals, Vector<Literal32>& left) {
            if (given.empty()) return reducer.reduced({}, literals, left);
            if (literals.empty()) return true;
            open.clear();
            if (!reducer.reduced(given, literals, open)) return false;
            for (const Literal32 literal : open) {
                if (std::find(given.begin(), given.end(), ~literal) != given.end()) return false;
                if (std::find(given.begin(), given.end(), literal) == given.end()) left.push_back(literal);
            }
            return true;
        });
    return task.effects.size() < effects || task.axioms.size() < axioms;
}

}  // namespace unpuzzle::ground
