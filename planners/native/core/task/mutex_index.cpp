#include "task/mutex_index.hpp"

namespace unpuzzle {

Mutexes::Mutexes(const Task& task, Control& control) : task_(task), numbers_(task) {
    groups_ = Rows<std::uint32_t>::by_row(numbers_.count(), [&](auto&& put) {
        for (std::uint32_t i = 0; i < task.mutexes.size(); ++i) {
            control.tick();
            for (const Fact& fact : task.facts(task.mutexes[i])) put(numbers_[fact], i);
        }
    });
}

std::span<const Fact> Mutexes::of_variable(std::uint32_t group, std::uint32_t variable) const {
    const auto facts = task_.facts(task_.mutexes[group]);
    const auto before = [](const Fact& fact, std::uint32_t wanted) { return fact.variable < wanted; };
    const auto begin = std::lower_bound(facts.begin(), facts.end(), variable, before);
    auto end = begin;
    while (end != facts.end() && end->variable == variable) ++end;
    return facts.subspan(static_cast<std::size_t>(begin - facts.begin()), static_cast<std::size_t>(end - begin));
}

}  // namespace unpuzzle
