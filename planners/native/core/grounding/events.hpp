// What a search for mutex groups asks about operators: what adds a fact, what may balance it, what takes it
// away.
#pragma once

#include "grounding/pruning.hpp"
#include "grounding/task.hpp"

namespace unpuzzle::ground {

using EventId = std::uint32_t;

// An add effect: `fact` becomes true where what it requires holds: the precondition and the effect's
// condition.
struct Event {
    AtomId fact;
    std::uint32_t op, effect;
    std::uint32_t balancer_count;
    std::size_t balancers;  // facts that are certainly true before and false after
};

class Events {
  public:
    Events(const GroundTask& task, Control& control);

    std::size_t count() const { return events_.size(); }
    const Event& operator[](EventId event) const { return events_[event]; }
    std::span<const EventId> adding(AtomId fact) const { return by_fact_[static_cast<std::size_t>(fact)]; }
    std::span<const AtomId> balancers(const Event& event) const {
        return {balancers_.data() + event.balancers, event.balancer_count};
    }
    std::span<const Literal32> precondition(const Event& event) const {
        return task_.precondition(task_.operators[event.op]);
    }
    std::span<const Literal32> condition(const Event& event) const {
        return task_.condition(task_.effects[event.effect]);
    }
    bool requires_(const Event& event, Literal32 literal) const;

    // The delete effects on a fact, and the facts of the events that certainly fire with one of them, in
    // order.
    std::span<const std::uint32_t> deleting(AtomId fact) const {
        return deletes_by_fact_[static_cast<std::size_t>(fact)];
    }
    template <class Visit>  // bool visit(AtomId): true to stop
    bool partners(std::uint32_t deletion, Visit&& visit) const {
        const Deletion& found = deletions_[deletion];
        const auto sure = sure_[found.op], extra = extra_[deletion];
        for (auto one = sure.begin(), other = extra.begin(); one != sure.end() || other != extra.end();) {
            const bool first = other == extra.end() || (one != sure.end() && *one < *other);
            if (visit(events_[first ? *one++ : *other++].fact)) return true;
        }
        return false;
    }

  private:
    struct Deletion {
        AtomId fact;
        std::uint32_t op, effect;
    };
    void read(std::uint32_t op);
    void find_balancers(std::size_t first_event, std::size_t first_deletion);
    void find_partners(std::size_t first_event, std::size_t first_deletion);
    bool marked(Literal32 literal) const { return marks_[Possible::at(literal)] == stamp_; }
    void mark(Literal32 literal) { marks_[Possible::at(literal)] = stamp_; }
    // The first literal of a list that is not marked, or NONE.
    Literal32 missing(std::span<const Literal32> literals) const;
    void keep(Literal32 key, std::uint32_t item);
    void forget();

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
    struct Kept {
        std::uint32_t item, next;
    };
    Vector<Kept> kept_;
    Vector<Literal32> keys_;
    Vector<std::uint32_t> items_;
};

}  // namespace unpuzzle::ground
