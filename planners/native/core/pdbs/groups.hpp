// Which units share a pattern: groups are grown from the best pair, then improved by exchanges.
#pragma once

#include "pdbs/projection.hpp"

namespace unpuzzle {

constexpr double LEAST_PATTERN_GAIN = 1e-9;

using Groups = Vector<Vector<std::size_t>>;  // of units, by number

// The variables of a group, ascending.
Vector<std::uint32_t> united(const Vector<Vector<std::uint32_t>>& units, const Vector<std::size_t>& group);

// No group of several units has more abstract states than `most`. `gains`: of putting two units into one pattern, a
// square matrix; empty: each unit stays alone.
Groups group_units(const Task& task, const Vector<Vector<std::uint32_t>>& units, const Vector<double>& gains,
                   std::size_t most, Control& control);

}  // namespace unpuzzle
