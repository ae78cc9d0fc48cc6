#include "search/trace.hpp"

#include "search/compiled_system.hpp"

namespace unpuzzle {

std::vector<OperatorId> trace(const CompiledTask& compiled, const std::vector<const Word*>& states) {
    CompiledTransitions<0> system(compiled);
    return trace(system, states);
}

}  // namespace unpuzzle
