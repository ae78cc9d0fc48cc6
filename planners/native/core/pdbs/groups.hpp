// Which units share a pattern: groups are grown from the best pair, then improved by exchanges.
#pragma once

#include <algorithm>
#include <utility>

#include "pdbs/projection.hpp"

namespace unpuzzle {

constexpr double LEAST_PATTERN_GAIN = 1e-9;

using Groups = Vector<Vector<std::size_t>>;  // of units, by number

// The variables of a group, ascending.
inline Vector<std::uint32_t> united(const Vector<Vector<std::uint32_t>>& units, const Vector<std::size_t>& group) {
    Vector<std::uint32_t> all;
    for (const std::size_t unit : group) all.insert(all.end(), units[unit].begin(), units[unit].end());
    sort_and_unique(all);
    return all;
}

class UnitGroups {
  public:
    // `gains`: of putting two units into one pattern, a square matrix; empty: each unit stays alone.
    UnitGroups(const Task& task, const Vector<Vector<std::uint32_t>>& units, const Vector<double>& gains,
               Control& control)
        : task_(task), units_(units), gains_(gains), control_(control) {}

    // No group of several units has more abstract states than `most`.
    Groups partition(std::size_t most) const {
        if (gains_.empty()) {
            Groups alone;
            for (std::size_t unit = 0; unit < units_.size(); ++unit) alone.push_back({unit});
            return alone;
        }
        Groups groups = grow(most);
        const std::size_t rounds = units_.size() <= MOST_EXCHANGED ? MOST_ROUNDS : 0;
        for (std::size_t round = 0; round < rounds && exchange(groups, most); ++round) {
        }
        for (auto& group : groups) std::ranges::sort(group);
        std::size_t all = 0;
        for (const auto& group : groups)
            all += Pattern::abstract_states(task_, united(units_, group), SIZE_MAX).value_or(most);
        const bool too_many = all / MOST_PATTERNS_OF_FULL_SIZE > most && most > 1;
        return too_many && groups.size() < units_.size() ? partition(most / 4) : groups;
    }

  private:
    static constexpr std::size_t MOST_EXCHANGED = 64;  // units, for their groups to be improved
    static constexpr std::size_t MOST_ROUNDS = 20;
    static constexpr std::size_t MOST_PATTERNS_OF_FULL_SIZE = 16;  // in one sum

    bool fits(const Vector<std::size_t>& group, std::size_t most) const {
        return Pattern::abstract_states(task_, united(units_, group), most).has_value();
    }
    // What one unit gains from a group; `apart` is not counted, though it may be in it.
    double gain_in(const Vector<std::size_t>& group, std::size_t unit, std::size_t apart) const {
        double sum = 0;
        for (const std::size_t other : group) {
            if (other != unit && other != apart) sum += gains_[unit * units_.size() + other];
        }
        return sum;
    }

    Groups grow(std::size_t most) const {
        const std::size_t count = units_.size();
        Vector<std::size_t> left(count);
        for (std::size_t unit = 0; unit < count; ++unit) left[unit] = unit;
        Groups groups;
        while (!left.empty()) {
            control_.tick();
            Vector<std::size_t> group;
            double best = LEAST_PATTERN_GAIN;
            for (const std::size_t one : left) {
                for (const std::size_t two : left) {
                    if (one < two && gains_[one * count + two] > best && fits({one, two}, most)) {
                        best = gains_[one * count + two];
                        group = {one, two};
                    }
                }
            }
            if (group.empty()) {
                for (const std::size_t unit : left) groups.push_back({unit});
                return groups;
            }
            while (true) {
                std::size_t next = count;
                best = LEAST_PATTERN_GAIN;
                for (const std::size_t unit : left) {
                    if (std::ranges::find(group, unit) != group.end()) continue;
                    const double value = gain_in(group, unit, count);
                    if (value <= best) continue;
                    group.push_back(unit);
                    if (fits(group, most)) best = value, next = unit;
                    group.pop_back();
                }
                if (next == count) break;
                group.push_back(next);
            }
            std::erase_if(left, [&](std::size_t unit) { return std::ranges::find(group, unit) != group.end(); });
            groups.push_back(std::move(group));
        }
        return groups;
    }

    // One round of exchanging two units of different groups where that is better. False if there was none.
    bool exchange(Groups& groups, std::size_t most) const {
        const std::size_t count = units_.size();
        bool any = false;
        for (std::size_t a = 0; a < groups.size(); ++a) {
            for (std::size_t b = a + 1; b < groups.size(); ++b) {
                for (std::size_t i = 0; i < groups[a].size(); ++i) {
                    for (std::size_t j = 0; j < groups[b].size(); ++j) {
                        control_.tick();
                        std::size_t &one = groups[a][i], &two = groups[b][j];
                        const double now = gain_in(groups[a], one, count) + gain_in(groups[b], two, count);
                        const double then = gain_in(groups[a], two, one) + gain_in(groups[b], one, two);
                        if (then <= now + LEAST_PATTERN_GAIN) continue;
                        std::swap(one, two);
                        if (fits(groups[a], most) && fits(groups[b], most)) {
                            any = true;
                        } else {
                            std::swap(one, two);
                        }
                    }
                }
            }
        }
        return any;
    }

    const Task& task_;
    const Vector<Vector<std::uint32_t>>& units_;
    const Vector<double>& gains_;
    Control& control_;
};

}  // namespace unpuzzle
