#include "task/fact_numbers.hpp"

namespace unpuzzle {

FactNumbers::FactNumbers(const Task& task) {
    std::uint64_t all = 0;
    for (const Variable& variable : task.variables) all += variable.domain;
    all_ = all <= std::max<std::uint64_t>(FEW, task.mentions());
    if (all_) {
        for (std::uint32_t variable = 0; variable < task.variables.size(); ++variable) {
            for (std::uint32_t value = 0; value < task.variables[variable].domain; ++value)
                facts_.push_back({variable, value});
        }
    } else {
        facts_.reserve(task.mentions());
        task.mention([&](const Fact& fact) { facts_.push_back(fact); });
        sort_and_unique(facts_);
    }
    first_.assign(task.variables.size() + 1, 0);
    for (const Fact& fact : facts_) ++first_[fact.variable + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

}  // namespace unpuzzle
