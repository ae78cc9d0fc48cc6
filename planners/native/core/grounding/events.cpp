#include "grounding/events.hpp"

#include <algorithm>
#include <limits>

namespace unpuzzle::ground {

namespace {
constexpr Literal32 NONE = std::numeric_limits<Literal32>::max();

bool contains(std::span<const Literal32> literals, Literal32 literal) {
    return std::find(literals.begin(), literals.end(), literal) != literals.end();
}
}  // namespace

Events::Events(const GroundTask& task, Control& control)
    : task_(task), marks_(2 * task.facts.size()), heads_(2 * task.facts.size()) {
    for (std::uint32_t op = 0; op < task.operators.size(); ++op) {
        control.tick();
        read(op);
    }
    const auto by_fact = [&](const auto& items) {
        return Rows<std::uint32_t>::by_row(task.facts.size(), [&](auto&& put) {
            for (std::uint32_t i = 0; i < items.size(); ++i) {
                control.tick();
                put(static_cast<std::size_t>(items[i].fact), i);
            }
        });
    };
    by_fact_ = by_fact(events_);
    deletes_by_fact_ = by_fact(deletions_);
}

bool Events::requires_(const Event& event, Literal32 literal) const {
    return contains(precondition(event), literal) || contains(condition(event), literal);
}

Literal32 Events::missing(std::span<const Literal32> literals) const {
    for (const Literal32 literal : literals) {
        if (!marked(literal)) return literal;
    }
    return NONE;
}

void Events::keep(Literal32 key, std::uint32_t item) {
    std::uint32_t& head = heads_[Possible::at(key)];
    if (head == 0) keys_.push_back(key);
    kept_.push_back({item, head});
    head = static_cast<std::uint32_t>(kept_.size());
}

void Events::forget() {
    for (const Literal32 key : keys_) heads_[Possible::at(key)] = 0;
    keys_.clear();
    kept_.clear();
}

void Events::read(std::uint32_t op) {
    const GroundOperator& of = task_.operators[op];
    const std::size_t first_event = events_.size(), first_deletion = deletions_.size();
    for (std::uint32_t i = 0; i < of.effect_count; ++i) {
        const auto number = static_cast<std::uint32_t>(of.effects + i);
        const GroundEffect& effect = task_.effects[number];
        if (effect.add()) {
            events_.push_back({effect.fact(), op, number, 0, 0});
        } else {
            deletions_.push_back({effect.fact(), op, number});
        }
    }
    ++stamp_;
    for (const Literal32 literal : task_.precondition(of)) mark(literal);
    find_balancers(first_event, first_deletion);
    find_partners(first_event, first_deletion);
}

// A delete balances an event if its fact and its conditions are among what the event requires. Those that the
// precondition alone provides balance all events of the operator; the others are found by a literal that they
// miss.
void Events::find_balancers(std::size_t first_event, std::size_t first_deletion) {
    // A fact that may be added where it is true does not balance: it may stay true, whatever deletes it.
    Vector<AtomId> restored;
    for (std::size_t i = first_event; i < events_.size(); ++i) {
        const AtomId fact = events_[i].fact;
        if (marked(fact) || contains(condition(events_[i]), fact)) restored.push_back(fact);
    }
    std::sort(restored.begin(), restored.end());
    const std::size_t base = balancers_.size();
    const auto add = [&](std::size_t from, AtomId fact) {
        const auto first = balancers_.begin() + static_cast<std::ptrdiff_t>(from);
        if (std::find(first, balancers_.end(), fact) == balancers_.end()) balancers_.push_back(fact);
    };
    Vector<std::uint32_t> base_items;
    for (std::size_t i = first_deletion; i < deletions_.size(); ++i) {
        const Deletion& deletion = deletions_[i];
        if (std::binary_search(restored.begin(), restored.end(), deletion.fact)) continue;
        const Literal32 lacks = missing(task_.condition(task_.effects[deletion.effect]));
        if (marked(deletion.fact) && lacks == NONE) {
            add(base, deletion.fact);
            base_items.push_back(static_cast<std::uint32_t>(i));
        } else {
            keep(marked(deletion.fact) ? lacks : deletion.fact, static_cast<std::uint32_t>(i));
        }
    }
    const auto base_count = static_cast<std::uint32_t>(balancers_.size() - base);
    for (std::size_t i = first_event; i < events_.size(); ++i) {
        Event& event = events_[i];
        event.balancers = base;
        event.balancer_count = base_count;
        items_.clear();
        for (const Literal32 literal : condition(event)) {
            if (marked(literal)) continue;
            for (std::uint32_t at = heads_[Possible::at(literal)]; at != 0; at = kept_[at - 1].next) {
                const Deletion& deletion = deletions_[kept_[at - 1].item];
                const auto needs = task_.condition(task_.effects[deletion.effect]);
                const bool certain =
                    requires_(event, deletion.fact) &&
                    std::all_of(needs.begin(), needs.end(), [&](Literal32 need) { return requires_(event, need); });
                if (certain) items_.push_back(kept_[at - 1].item);
            }
        }
        if (items_.empty()) continue;
        items_.insert(items_.end(), base_items.begin(), base_items.end());
        std::sort(items_.begin(), items_.end());
        event.balancers = balancers_.size();
        for (const std::uint32_t item : items_) add(event.balancers, deletions_[item].fact);
        event.balancer_count = static_cast<std::uint32_t>(balancers_.size() - event.balancers);
    }
    forget();
}

// An event fires with a delete if all that it requires is known where the delete happens.
void Events::find_partners(std::size_t first_event, std::size_t first_deletion) {
    for (std::size_t i = first_event; i < events_.size(); ++i) {
        const Literal32 lacks = missing(condition(events_[i]));
        if (lacks == NONE) {
            sure_.push(static_cast<EventId>(i));
        } else {
            keep(lacks, static_cast<EventId>(i));
        }
    }
    sure_.close();
    for (std::size_t i = first_deletion; i < deletions_.size(); ++i) {
        const Deletion& deletion = deletions_[i];
        const auto own = task_.condition(task_.effects[deletion.effect]);
        items_.clear();
        const auto look = [&](Literal32 literal) {
            for (std::uint32_t at = heads_[Possible::at(literal)]; at != 0; at = kept_[at - 1].next) {
                const auto needs = condition(events_[kept_[at - 1].item]);
                const auto known = [&](Literal32 need) {
                    return marked(need) || need == deletion.fact || contains(own, need);
                };
                if (std::all_of(needs.begin(), needs.end(), known)) items_.push_back(kept_[at - 1].item);
            }
        };
        look(deletion.fact);
        for (const Literal32 literal : own) {
            if (literal != deletion.fact) look(literal);
        }
        std::sort(items_.begin(), items_.end());
        items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
        extra_.push(items_.begin(), items_.end());
        extra_.close();
    }
    forget();
}

}  // namespace unpuzzle::ground
