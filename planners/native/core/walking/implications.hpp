// Facts that follow from the walker's place: "while the walker is at a, that fact is true", by induction.
//
// Implications are first assumed, then all that an operator might break are dropped, until none is: the greatest set
// that proves itself. An operator that puts the walker at a must leave the fact true, and one that makes the fact false
// must find the walker elsewhere. The facts before an operator follow from its precondition, from mutex groups, and
// from the implications themselves.
#pragma once

#include <algorithm>
#include <compare>
#include <tuple>

#include "task/mutex_index.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

class Implications {
  public:
    // `until`: the work of the control at which nothing more is proved.
    Implications(const Task& task, const Mutexes& mutexes, std::uint32_t walker, std::uint64_t until, Control& control)
        : task_(task), mutexes_(mutexes), walker_(walker), until_(until), control_(control) {}

    // Before `prove`; facts that do not hold initially, while the walker is there, are left out.
    void ask(std::uint32_t place, const Fact& fact) { all_.push_back({place, fact}); }
    void prove() {
        if (all_.empty()) return;
        sort_and_unique(all_);
        std::erase_if(all_, [&](const Implication& it) {
            return task_.initial[walker_] == it.place && task_.initial[it.fact.variable] != it.fact.value;
        });
        const auto rows = [&](std::size_t count, auto&& row) {
            return Rows<std::uint32_t>::by_row(count, [&](auto&& put) {
                for (std::uint32_t i = 0; i < all_.size(); ++i) put(row(all_[i]), i);
            });
        };
        by_place_ = rows(task_.variables[walker_].domain, [](const Implication& it) { return it.place; });
        by_variable_ = rows(task_.variables.size(), [](const Implication& it) { return it.fact.variable; });
        while (drop_some()) {
            if (control_.spent() < until_) continue;
            for (Implication& it : all_) it.holds = false;
        }
    }
    bool proved(std::uint32_t place, const Fact& fact) const {
        const auto found = std::lower_bound(all_.begin(), all_.end(), Implication{place, fact});
        return found != all_.end() && *found == Implication{place, fact} && found->holds;
    }

    // Whether facts that hold exclude all other values of the fact's variable.
    bool told_by(std::span<const Fact> facts, const Fact& fact) const {
        if (std::ranges::find(facts, fact) != facts.end()) return true;
        const std::uint32_t domain = task_.variables[fact.variable].domain;
        if (domain > MOST_VALUES) return false;
        control_.work(domain);
        excluded_.assign(domain, false);
        for (const Fact& it : facts)
            mutexes_.excluded(it, fact.variable, [&](std::uint32_t value) { excluded_[value] = true; });
        excluded_[fact.value] = true;
        return std::ranges::find(excluded_, false) == excluded_.end();
    }

  private:
    static constexpr std::uint32_t MOST_VALUES = 1u << 12;  // of a variable whose values are listed

    static const Change* change_of(std::span<const Change> changes, std::uint32_t variable) {
        const auto found = std::ranges::find(changes, variable, &Change::variable);
        return found == changes.end() ? nullptr : &*found;
    }
    struct Implication {
        std::uint32_t place;
        Fact fact;
        bool holds = true;
        std::strong_ordering operator<=>(const Implication& other) const {
            return std::tie(place, fact) <=> std::tie(other.place, other.fact);
        }
        bool operator==(const Implication& other) const { return place == other.place && fact == other.fact; }
    };

    bool drop_some() {
        OperatorChanges normal(task_);
        bool dropped = false;
        for (const Operator& op : task_.operators) {
            control_.work(op.effects.end - op.effects.begin);
            if (op.possible) dropped |= drop(op, normal.of(op));
        }
        return dropped;
    }
    // Those that the operator might break: of places to which it takes the walker, and of what it changes.
    bool drop(const Operator& op, std::span<const Change> changes) {
        bool dropped = false;
        const auto look_at = [&](std::span<const std::uint32_t> some) {
            for (const std::uint32_t i : some) {
                control_.tick();
                if (!all_[i].holds || keeps(op, changes, all_[i])) continue;
                all_[i].holds = false;
                dropped = true;
            }
        };
        for (const Change& change : changes) {
            look_at(by_variable_[change.variable]);
            if (change.variable != walker_) continue;
            if (change.base) look_at(by_place_[*change.base]);
            for (const OpenEffect& open : change.open) look_at(by_place_[open.value]);
        }
        return dropped;
    }
    bool keeps(const Operator& op, std::span<const Change> changes, const Implication& it) const {
        const Change* moved = change_of(changes, walker_);
        const auto precondition = task_.facts(op.precondition);
        const bool enters =
            moved && (moved->base == it.place ||
                      std::ranges::any_of(moved->open, [&](const auto& open) { return open.value == it.place; }));
        const bool may_stay = !moved || !moved->base;  // where it is
        if (enters && !true_after(op, changes, it)) return false;
        return !may_stay || elsewhere(precondition, it) || true_after(op, changes, it);
    }
    // Whether the fact holds after the operator, if it may have to do with the walker at the place only afterwards.
    bool true_after(const Operator& op, std::span<const Change> changes, const Implication& it) const {
        const auto precondition = task_.facts(op.precondition);
        const Change* change = change_of(changes, it.fact.variable);
        const bool open =
            change && std::ranges::any_of(change->open, [&](const auto& open) { return open.value != it.fact.value; });
        if (open) return false;
        if (change && change->base) return *change->base == it.fact.value;
        if (told_by(precondition, it.fact)) return true;
        const auto from = value_in(precondition, walker_);
        return from && proved(*from, it.fact);
    }
    // Whether the walker cannot be at the place where the operator is applied.
    bool elsewhere(std::span<const Fact> precondition, const Implication& it) const {
        const Fact there{walker_, it.place};
        return std::ranges::any_of(precondition, [&](const Fact& fact) {
            if (mutexes_.exclusive(there, fact)) return true;
            auto other = std::lower_bound(all_.begin(), all_.end(), Implication{it.place, {fact.variable, 0}});
            for (; other != all_.end() && other->place == it.place && other->fact.variable == fact.variable; ++other) {
                control_.tick();
                if (other->holds && other->fact.value != fact.value) return true;
            }
            return false;
        });
    }

    const Task& task_;
    const Mutexes& mutexes_;
    std::uint32_t walker_;
    std::uint64_t until_;
    Control& control_;
    Vector<Implication> all_;  // sorted
    Rows<std::uint32_t> by_place_, by_variable_;
    mutable Vector<bool> excluded_;  // by value
};

}  // namespace unpuzzle
