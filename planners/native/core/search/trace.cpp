#include "search/trace.hpp"

#include <stdexcept>
#include <tuple>

#include "state/expander.hpp"

namespace unpuzzle {

std::vector<OperatorId> trace(const CompiledTask& compiled, const std::vector<const Word*>& states) {
    Expander<0> expander(compiled);
    std::vector<Word> made(compiled.words());
    std::vector<OperatorId> plan;
    for (std::size_t i = 1; i < states.size(); ++i) {
        std::tuple<std::uint32_t, OperatorId> best{~0u, ~0u};
        expander.load(states[i - 1]);
        expander.applicable([&](OperatorId op) {
            expander.apply(op, made.data());
            if (equal<0>(made.data(), states[i], compiled.words()))
                best = std::min(best, {compiled.operators.cost(op), op});
        });
        if (std::get<1>(best) == ~0u)
            throw std::logic_error("internal error: no operator leads along the way that a search found");
        plan.push_back(std::get<1>(best));
    }
    return plan;
}

}  // namespace unpuzzle
