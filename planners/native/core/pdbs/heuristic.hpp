// The functions of the heuristic `pdb` for tests; see heuristic.cpp.
#pragma once

#include "heuristics/heuristic.hpp"
#include "pdbs/projection.hpp"

namespace unpuzzle {

// The sums of patterns in use.
const Vector<Vector<Pattern>>& sums_of(const Heuristic& pdb);

}  // namespace unpuzzle
