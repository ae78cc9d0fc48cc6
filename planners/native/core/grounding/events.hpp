// Facts about operators for the search for mutex groups: which ones add a fact, may balance it, or delete it.
#pragma once

#include <algorithm>
#include <limits>

#include "grounding/pruning.hpp"

namespace unpuzzle::ground {

using EventId = std::uint32_t;

// An add effect: `fact` becomes true if its requirements are true: the precondition and the effect's condition.
struct Event {
    AtomId fact;
    std::uint32_t op, effect;
    std::uint32_t balancer_count;
    std::size_t balancers;  // facts that are certainly true before and false after
};

class Events {
  public:
    Events(const GroundTask& task, Control& control)
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

    std::size_t count() const { return events_.size(); }
    const Event& operator[](EventId event) const { return events_[event]; }
    std::span<const EventId> adding(AtomId fact) const { return by_fact_[static_cast<std::size_t>(fact)]; }
    std::span<const AtomId> balancers(const Event& event) const {
        return {balancers_.data() + event.balancers, event.balancer_count};
    }
    std::span<const Literal32> precondition(const Event& event) const {
        return task_.precondition(task_.operators[event.op]);
    }
    // Of an event, or of a delete.
    std::span<const Literal32> condition(const auto& event) const {
        return task_.condition(task_.effects[event.effect]);
    }
    bool requires_(const Event& event, Literal32 literal) const {
        return contains(precondition(event), literal) || contains(condition(event), literal);
    }

    // The delete effects on a fact, and the facts of the events that certainly fire with one of them, in order.
    std::span<const std::uint32_t> deleting(AtomId fact) const {
        return deletes_by_fact_[static_cast<std::size_t>(fact)];
    }
    template <class Visit>  // bool visit(AtomId): true to stop
    bool partners(std::uint32_t deletion, Visit&& visit) const {
        const auto sure = sure_[deletions_[deletion].op], extra = extra_[deletion];
        for (auto one = sure.begin(), other = extra.begin(); one != sure.end() || other != extra.end();) {
            const bool first = other == extra.end() || (one != sure.end() && *one < *other);
            if (visit(events_[first ? *one++ : *other++].fact)) return true;
        }
        return false;
    }

  private:
    static constexpr Literal32 NONE = std::numeric_limits<Literal32>::max();
    struct Deletion {
        AtomId fact;
        std::uint32_t op, effect;
    };
    struct Kept {
        std::uint32_t item, next;
    };

    static bool contains(std::span<const Literal32> literals, Literal32 literal) {
        return std::ranges::find(literals, literal) != literals.end();
    }
    // Marked is what the operator at hand requires.
    bool marked(Literal32 literal) const { return marks_[Possible::at(literal)] == stamp_; }
    // The first literal of a list that is not marked, or NONE.
    Literal32 missing(std::span<const Literal32> literals) const {
        const auto found = std::ranges::find_if(literals, [&](Literal32 literal) { return !marked(literal); });
        return found == literals.end() ? NONE : *found;
    }

    // Items that wait for a literal are kept in lists by it.
    void keep(Literal32 key, std::size_t item) {
        std::uint32_t& head = heads_[Possible::at(key)];
        if (head == 0) keys_.push_back(key);
        kept_.push_back({static_cast<std::uint32_t>(item), head});
        head = static_cast<std::uint32_t>(kept_.size());
    }
    template <class Visit>
    void each_kept(Literal32 key, Visit&& visit) const {
        for (std::uint32_t at = heads_[Possible::at(key)]; at != 0; at = kept_[at - 1].next) visit(kept_[at - 1].item);
    }
    void forget() {
        for (const Literal32 key : keys_) heads_[Possible::at(key)] = 0;
        keys_.clear();
        kept_.clear();
    }

    void read(std::uint32_t op) {
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
        for (const Literal32 literal : task_.precondition(of)) marks_[Possible::at(literal)] = stamp_;
        find_balancers(first_event, first_deletion);
        find_partners(first_event, first_deletion);
    }

    // A delete balances an event if its fact and its conditions are among what the event requires. Those that the
    // precondition alone provides balance all events of the operator; the others are found by a literal that they miss.
    void find_balancers(std::size_t first_event, std::size_t first_deletion) {
        // A fact that may be added where it is true does not balance: it may stay true, whatever deletes it.
        Vector<AtomId> restored;
        for (std::size_t i = first_event; i < events_.size(); ++i) {
            const AtomId fact = events_[i].fact;
            if (marked(fact) || contains(condition(events_[i]), fact)) restored.push_back(fact);
        }
        std::ranges::sort(restored);
        const std::size_t base = balancers_.size();
        const auto add = [&](std::size_t from, AtomId fact) {
            if (!contains(std::span(balancers_).subspan(from), fact)) balancers_.push_back(fact);
        };
        Vector<std::uint32_t> base_items;
        for (std::size_t i = first_deletion; i < deletions_.size(); ++i) {
            const Deletion& deletion = deletions_[i];
            if (std::ranges::binary_search(restored, deletion.fact)) continue;
            const Literal32 lacks = marked(deletion.fact) ? missing(condition(deletion)) : deletion.fact;
            if (lacks != NONE) {
                keep(lacks, i);
                continue;
            }
            add(base, deletion.fact);
            base_items.push_back(static_cast<std::uint32_t>(i));
        }
        const auto base_count = static_cast<std::uint32_t>(balancers_.size() - base);
        for (std::size_t i = first_event; i < events_.size(); ++i) {
            Event& event = events_[i];
            event.balancers = base;
            event.balancer_count = base_count;
            items_.clear();
            const auto required = [&](Literal32 literal) { return requires_(event, literal); };
            for (const Literal32 literal : condition(event)) {
                if (marked(literal)) continue;
                each_kept(literal, [&](std::uint32_t item) {
                    const Deletion& deletion = deletions_[item];
                    if (required(deletion.fact) && std::ranges::all_of(condition(deletion), required))
                        items_.push_back(item);
                });
            }
            if (items_.empty()) continue;
            items_.insert(items_.end(), base_items.begin(), base_items.end());
            std::ranges::sort(items_);
            event.balancers = balancers_.size();
            for (const std::uint32_t item : items_) add(event.balancers, deletions_[item].fact);
            event.balancer_count = static_cast<std::uint32_t>(balancers_.size() - event.balancers);
        }
        forget();
    }

    // An event fires with a delete if all that it requires is known where the delete happens.
    void find_partners(std::size_t first_event, std::size_t first_deletion) {
        for (std::size_t i = first_event; i < events_.size(); ++i) {
            const Literal32 lacks = missing(condition(events_[i]));
            if (lacks == NONE) {
                sure_.push(static_cast<EventId>(i));
            } else {
                keep(lacks, i);
            }
        }
        sure_.close();
        for (std::size_t i = first_deletion; i < deletions_.size(); ++i) {
            const Deletion& deletion = deletions_[i];
            const auto own = condition(deletion);
            items_.clear();
            const auto known = [&](Literal32 need) {
                return marked(need) || need == deletion.fact || contains(own, need);
            };
            const auto look = [&](std::uint32_t event) {
                if (std::ranges::all_of(condition(events_[event]), known)) items_.push_back(event);
            };
            each_kept(deletion.fact, look);
            for (const Literal32 literal : own) each_kept(literal, look);
            std::ranges::sort(items_);
            extra_.push(items_.begin(), std::unique(items_.begin(), items_.end()));
            extra_.close();
        }
        forget();
    }

    const GroundTask& task_;
    Vector<Event> events_;
    Vector<AtomId> balancers_;
    Vector<Deletion> deletions_;
    Rows<EventId> sure_, extra_;  // events that fire with their operator; partners of a delete beyond those
    Rows<EventId> by_fact_;
    Rows<std::uint32_t> deletes_by_fact_;
    // Scratch: marks on literals, and items of one operator by literal.
    Vector<std::uint32_t> marks_, heads_;
    std::uint32_t stamp_ = 0;
    Vector<Kept> kept_;
    Vector<Literal32> keys_;
    Vector<std::uint32_t> items_;
};

}  // namespace unpuzzle::ground
