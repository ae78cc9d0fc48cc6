// States to judge heuristics by: where random walks from the initial state end.
#pragma once

#include <functional>

#include "state/compiled_task.hpp"

namespace unpuzzle {

// The first is the initial state; the others are equally far from it, or nearer, up to `longest` steps. The same
// walks on every machine.
Vector<Vector<Word>> random_walks(const CompiledTask& compiled, std::size_t number, std::size_t longest,
                                  const std::function<Cost(const Word*)>& estimate, Control& control);

}  // namespace unpuzzle
