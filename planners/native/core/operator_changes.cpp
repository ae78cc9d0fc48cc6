#include "operator_changes.hpp"

#include <algorithm>

namespace unpuzzle {

std::optional<std::uint32_t> value_in(std::span<const Fact> facts, std::uint32_t variable) {
    const auto found = std::lower_bound(facts.begin(), facts.end(), Fact{variable, 0});
    if (found == facts.end() || found->variable != variable) return {};
    return found->value;
}

std::span<const Change> OperatorChanges::of(const Operator& op) {
    precondition_ = task_.facts(op.precondition);
    count_ = 0;
    effects_.clear();
    for (const Effect& effect : task_.effects(op)) {
        if (task_.variables[effect.sets.variable].domain > 1) effects_.push_back(&effect);
    }
    std::stable_sort(effects_.begin(), effects_.end(), [](const Effect* left, const Effect* right) {
        return left->sets.variable < right->sets.variable;
    });
    for (const Effect* effect : effects_) add(*effect);
    return {changes_.data(), count_};
}

void OperatorChanges::add(const Effect& effect) {
    Vector<Fact> open;
    for (const Fact& fact : task_.facts(effect.conditions)) {
        const auto promised = value_in(precondition_, fact.variable);
        if (!promised)
            open.push_back(fact);
        else if (*promised != fact.value)
            return;
    }
    const auto [variable, value] = effect.sets;
    if (count_ == 0 || changes_[count_ - 1].variable != variable) {
        if (count_ == changes_.size()) changes_.emplace_back();
        Change& fresh = changes_[count_++];
        fresh.variable = variable;
        fresh.before = value_in(precondition_, variable);
        fresh.base.reset();
        fresh.open.clear();
    }
    Change& change = changes_[count_ - 1];
    if (open.empty()) {
        change.open.clear();
        change.base = value;
    } else {
        change.open.push_back({std::move(open), value});
    }
}

}  // namespace unpuzzle
