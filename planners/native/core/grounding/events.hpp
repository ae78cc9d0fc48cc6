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
    Lists<EventId>::List adding(AtomId fact) const { return by_fact_[static_cast<std::size_t>(fact)]; }
    View<const AtomId> balancers(const Event& event) const {
        const AtomId* first = balancers_.data() + event.balancers;
        return {first, first + event.balancer_count};
    }
    View<const Literal32> precondition(const Event& event) const {
        return task_.precondition(task_.operators[event.op]);
    }
    View<const Literal32> condition(const Event& event) const { return task_.condition(task_.effects[event.effect]); }
    bool requires_(const Event& event, Literal32 literal) const;

    // The delete effects on a fact, and the facts of the events that certainly fire with one of them, in
    // order.
    Lists<std::uint32_t>::List deleting(AtomId fact) const { return deletes_by_fact_[static_cast<std::size_t>(fact)]; }
    template <class Visit>  // bool visit(AtomId): true to stop
    bool partners(std::uint32_t deletion, Visit&& visit) const {
        const Deletion& found = deletions_[deletion];
        auto one = sure_.begin() + static_cast<std::ptrdiff_t>(sure_begin_[found.op]);
        const auto one_end = sure_.begin() + static_cast<std::ptrdiff_t>(sure_begin_[found.op + 1]);
        auto other = extra_.begin() + static_cast<std::ptrdiff_t>(found.extra);
        const auto other_end = other + found.extra_count;
        while (one != one_end || other != other_end) {
            const bool first = other == other_end || (one != one_end && *one < *other);
            if (visit(events_[first ? *one++ : *other++].fact)) return true;
        }
        return false;
    }

  private:
    struct Deletion {
        AtomId fact;
        std::uint32_t op, effect, extra_count;
        std::size_t extra;
    };
    void read(std::uint32_t op);
    void find_balancers(std::uint32_t op, std::size_t first_event, std::size_t first_deletion);
    void find_partners(std::uint32_t op, std::size_t first_event, std::size_t first_deletion);
    bool marked(Literal32 literal) const { return marks_[Possible::at(literal)] == stamp_; }
    void mark(Literal32 literal) { marks_[Possible::at(literal)] = stamp_; }
    // The first literal of a list that is not marked, or NONE.
    Literal32 missing(View<const Literal32> literals) const;
    void keep(Literal32 key, std::uint32_t item);
    void forget();

    const GroundTask& task_;
    Vector<Event> events_;
    Vector<AtomId> balancers_;
    Vector<Deletion> deletions_;
    Vector<EventId> sure_, extra_;  // events that fire with their operator; partners beyond those
    Vector<std::size_t> sure_begin_;
    Lists<EventId> by_fact_;
    Lists<std::uint32_t> deletes_by_fact_;
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
