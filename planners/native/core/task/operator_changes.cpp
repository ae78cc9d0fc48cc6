#include "task/operator_changes.hpp"

#include <algorithm>

namespace unpuzzle {

std::optional<std::uint32_t> value_in(std::span<const Fact> facts, std::uint32_t variable) {
    const auto found = std::lower_bound(facts.begin(), facts.end(), Fact{variable, 0});
    if (found == facts.end() || found->variable != variable) return {};
    return found->value;
}

std::span<const Change> OperatorChanges::of(const Operator& op) {
    const auto later = [](const Effect* left, const Effect* right) {
        return left->sets.variable < right->sets.variable;
    };
    precondition_ = task_.facts(op.precondition);
    count_ = 0;
    effects_.clear();
    conditions_.clear();
    std::size_t conditions = 0;
    for (const Effect& effect : task_.effects(op)) {
        if (task_.variables[effect.sets.variable].domain <= 1) continue;
        effects_.push_back(&effect);
        conditions += effect.conditions.end - effect.conditions.begin;
    }
    conditions_.reserve(conditions);  // what is in it stays where it is
    if (!std::is_sorted(effects_.begin(), effects_.end(), later))
        std::stable_sort(effects_.begin(), effects_.end(), later);
    for (const Effect* effect : effects_) add(*effect);
    return {changes_.data(), count_};
}

void OperatorChanges::add(const Effect& effect) {
    const std::size_t first = conditions_.size();
    for (const Fact& fact : task_.facts(effect.conditions)) {
        const auto promised = value_in(precondition_, fact.variable);
        if (!promised)
            conditions_.push_back(fact);
        else if (*promised != fact.value)
            return;
    }
    const auto [variable, value] = effect.sets;
    Change& change = count_ > 0 && changes_[count_ - 1].variable == variable ? changes_[count_ - 1] : begin(variable);
    if (first == conditions_.size()) {
        change.open.clear();
        change.base = value;
    } else {
        change.open.push_back({std::span<const Fact>(conditions_).subspan(first), value});
    }
}

Change& OperatorChanges::begin(std::uint32_t variable) {
    if (count_ == changes_.size()) changes_.emplace_back();
    Change& fresh = changes_[count_++];
    fresh.variable = variable;
    fresh.base.reset();
    fresh.open.clear();
    return fresh;
}

}  // namespace unpuzzle
