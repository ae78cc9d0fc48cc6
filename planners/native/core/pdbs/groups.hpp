// Which units share a pattern: groups are grown from the best pair, then improved by exchanges.
#pragma once

#include <algorithm>

#include "pdbs/projection.hpp"

namespace unpuzzle {

constexpr double LEAST_PATTERN_GAIN = 1e-9;

using Groups = Vector<Vector<std::size_t>>;  // of units, by number

template <class Numbers>
void sort_and_unique(Numbers& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// The variables of a group, ascending.
Vector<std::uint32_t> united(const Vector<Vector<std::uint32_t>>& units, const Vector<std::size_t>& group);

class UnitGroups {
  public:
    // `gains`: of putting two units into one pattern, a square matrix; empty: each unit stays alone.
    UnitGroups(const Task& task, const Vector<Vector<std::uint32_t>>& units, const Vector<double>& gains,
               Control& control)
        : task_(task), units_(units), gains_(gains), control_(control) {}

    // No group of several units has more abstract states than `most`.
    Groups partition(std::size_t most) const;

  private:
    bool fits(const Vector<std::size_t>& group, std::size_t most) const;
    double gain_in(const Vector<std::size_t>& group, std::size_t unit, std::size_t apart) const;
    Groups grown(std::size_t most) const;
    bool exchange(Groups& groups, std::size_t most) const;

    const Task& task_;
    const Vector<Vector<std::uint32_t>>& units_;
    const Vector<double>& gains_;
    Control& control_;
};

}  // namespace unpuzzle
