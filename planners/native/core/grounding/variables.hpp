// Which variables there are: groups of mutually exclusive facts, the largest first, then what is left, one by one.
#pragma once

#include <queue>

#include "grounding/encoding.hpp"

namespace unpuzzle::ground {

using FdrFact = unpuzzle::Fact;  // variable and value

class Variables {
  protected:
    static constexpr std::uint32_t UNPLACED = Basis::UNPLACED, NO_LINK = ~0u;
    static constexpr std::int64_t NO_NONE = Basis::NO_NONE;

    Variables(const GroundTask& task, Reachability& names, Basis& basis, Grounded& result, Control& control)
        : task_(task),
          names_(names),
          to_(result),
          control_(control),
          place_(basis.place),
          none_(basis.none),
          used_(task.facts.size()),
          tested_false_(task.facts.size()) {
        place_.assign(task.facts.size(), FdrFact{UNPLACED, 0});
    }

    static std::size_t at(AtomId fact) { return static_cast<std::size_t>(fact); }

    void choose_all(const std::vector<MutexGroup>& groups) {
        look();
        choose(groups);
        elsewhere_ = Rows<std::uint32_t>::by_row(task_.facts.size(), [&](auto&& put) {
            for (const auto& [fact, variable] : links_) put(fact, variable);
        });
        for (std::size_t fact = 0; fact < task_.facts.size(); ++fact) {
            if (used_[fact] && place_[fact].variable == UNPLACED) add_fact(static_cast<AtomId>(fact));
        }
        initial();
    }

    const GroundTask& task_;
    Reachability& names_;
    Grounded& to_;
    Control& control_;
    Vector<FdrFact>& place_;
    Vector<std::int64_t>& none_;  // variable → its value "none of these", or NO_NONE
    Vector<std::uint8_t> used_, tested_false_;
    Vector<std::uint8_t> boolean_;   // variable → is of one fact
    Rows<std::uint32_t> elsewhere_;  // fact → variables of its groups in which it is "none of these"

  private:
    // What is used at all, and what is tested for falsehood.
    void look() {
        const auto read = [&](std::span<const Literal32> literals) {
            for (const Literal32 literal : literals) {
                control_.tick();
                used_[at(fact_of(literal))] = 1;
                if (literal < 0) tested_false_[at(~literal)] = 1;
            }
        };
        read(task_.goal);
        read(task_.kept);
        read(task_.literals);
        read(task_.bodies);
        for (const GroundEffect& effect : task_.effects) used_[at(effect.fact())] = 1;
        for (const GroundAxiom& axiom : task_.axioms) used_[at(axiom.head)] = 1;
    }

    // A group with the facts it still could cover. What covers most comes first, then what is of one
    // predicate, then what was found first. Covering only ever shrinks the others, so they are looked at
    // again when they come up.
    struct Candidate {
        std::size_t size;
        bool uniform;
        std::size_t group;
        bool operator<(const Candidate& other) const {
            if (size != other.size) return size < other.size;
            if (uniform != other.uniform) return other.uniform;
            return group > other.group;
        }
    };

    bool open(AtomId fact) const {
        return used_[at(fact)] && !tested_false_[at(fact)] && task_.layers[at(fact)] < 0 &&
               place_[at(fact)].variable == UNPLACED;
    }

    Candidate candidate(const std::vector<MutexGroup>& groups, std::size_t number) const {
        Candidate candidate{0, true, number};
        std::int32_t predicate = -1;
        for (const AtomId fact : groups[number].facts) {
            if (!open(fact)) continue;
            const std::int32_t of_fact = task_.facts[at(fact)].predicate;
            candidate.uniform &= candidate.size++ == 0 || of_fact == predicate;
            predicate = of_fact;
        }
        return candidate;
    }

    void choose(const std::vector<MutexGroup>& groups) {
        std::priority_queue<Candidate, Vector<Candidate>> queue;
        for (std::size_t i = 0; i < groups.size(); ++i) queue.push(candidate(groups, i));
        while (!queue.empty() && queue.top().size > 1) {
            control_.tick();
            const Candidate best = queue.top();
            queue.pop();
            const Candidate now = candidate(groups, best.group);
            if (now.size == best.size) {
                add_group(groups[now.group]);
            } else {
                queue.push(now);
            }
        }
    }

    void add_group(const MutexGroup& group) {
        const auto number = static_cast<std::uint32_t>(none_.size());
        std::uint32_t values = 0;
        Vector<AtomId> others;
        for (const AtomId fact : group.facts) {
            if (open(fact)) {
                place_[at(fact)] = {number, values++};
                name(fact);
            } else {
                others.push_back(fact);
            }
        }
        if (!group.exact || !others.empty()) {
            for (const AtomId fact : others) links_.emplace_back(at(fact), number);
            none_.push_back(values++);
            to_.value_names.close();
        } else {
            none_.push_back(NO_NONE);
        }
        boolean_.push_back(0);
        to_.domains.push_back(static_cast<std::int32_t>(values));
        to_.layers.push_back(-1);
    }

    void add_fact(AtomId fact) {
        place_[at(fact)] = {static_cast<std::uint32_t>(none_.size()), 1};
        none_.push_back(NO_NONE);
        boolean_.push_back(1);
        to_.value_names.close();
        name(fact);
        to_.domains.push_back(2);
        to_.layers.push_back(task_.layers[at(fact)]);
    }

    void name(AtomId number) {
        const GroundFact& fact = task_.facts[at(number)];
        to_.value_names.push(fact.predicate);
        if (fact.predicate < 0) {
            to_.value_names.push(fact.row);
        } else {
            const Relation& relation = names_.of(fact.predicate);
            const Object* objects = relation.row(fact.row);
            to_.value_names.push(objects, objects + relation.arity());
        }
        to_.value_names.close();
    }

    void initial() {
        for (const std::int64_t none : none_)
            to_.initial.push_back(none == NO_NONE ? 0 : static_cast<std::int32_t>(none));
        for (std::size_t fact = 0; fact < task_.facts.size(); ++fact) {
            if (place_[fact].variable == UNPLACED || !task_.starts.at(fact, 0)) continue;
            to_.initial[place_[fact].variable] = static_cast<std::int32_t>(place_[fact].value);
        }
    }

    Vector<std::pair<std::size_t, std::uint32_t>> links_;  // for elsewhere_
};

}  // namespace unpuzzle::ground
