// The landmark cuts of one state (Helmert and Domshlak 2009): the inner loop of LM-cut.
//
// Round by round: compute h^max under what is left of the costs; choose for each rule its dearest
// precondition, the *supporter*; the arcs supporter ─► effect then form the justification graph. The *zone*
// are the propositions from which the goal costs nothing more there; the rules that lead into the zone from
// propositions that can be reached without entering it are the cut, and every relaxed plan uses one of them.
// Take the least cost in the cut off all of its operators, count it, and go on until the goal costs nothing.
//
//      state ─► ·· before the zone ·· ──cut──► ·· zone ·· ─0─► GOAL
//
// A group of rules (the conditional effects of one operator) pays as one: if one of its rules is in the cut,
// all of them get cheaper, so the sum stays admissible.
//
// Short cuts. If the goal can be reached at cost 0 the exploration stops there, since nothing is left to cut.
// And that a proposition is before the zone is mostly seen at a glance, because whatever is cheaper than the
// goal is (nothing in the zone can be), or from where its value came from; only if that path touches the zone
// or a rule of the cut is the graph searched, backwards, since few propositions lie behind the zone.
#pragma once

#include "bucket_queue.hpp"
#include "relaxed.hpp"

namespace unpuzzle {

// `Value` holds the cost of any path without a repeated rule.
template <class Value>
class LandmarkCuts {
  public:
    static constexpr Value INFINITE = ~Value{0};

    LandmarkCuts(const Relaxed& relaxed, Control& control)
        : relaxed_(relaxed),
          control_(control),
          wants_(relaxed.rules()),
          rules_(relaxed.rules()),
          propositions_(relaxed.propositions()),
          zone_(relaxed.propositions(), 0),
          before_(relaxed.propositions(), 0),
          behind_(relaxed.propositions(), 0),
          entering_(relaxed.rules(), 0),
          taken_(relaxed.groups(), 0) {
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            wants_[i] = static_cast<std::uint32_t>(relaxed.preconditions[i].size());
            rules_[i].cost = relaxed.costs[i];
        }
    }

    // What is left of a group's cost.
    std::uint32_t cost(std::uint32_t group) const { return rules_[relaxed_.group_begin[group]].cost; }
    void add_cost(std::uint32_t group, std::uint32_t more) {
        for (std::uint32_t i = relaxed_.group_begin[group]; i < relaxed_.group_begin[group + 1]; ++i)
            rules_[i].cost += more;
    }

    // The sum of the cuts, which lowers the costs by them; `found(cost, groups)` is told each. INFINITE: the
    // relaxed goal is out of reach (then nothing is lowered).
    template <class Found>
    Value run(const Word* state, Found&& found) {
        Value sum = 0;
        explore(state);
        while (propositions_[Relaxed::GOAL].value != 0) {
            if (propositions_[Relaxed::GOAL].value == INFINITE) return INFINITE;
            control_.tick();
            mark_zone();
            const std::uint32_t least = choose_cut();
            for (const std::uint32_t group : cut_) add_cost(group, ~least + 1);
            sum += least;
            found(least, std::span<const std::uint32_t>(cut_));
            cheaper();
        }
        return sum;
    }
    // h^max under the present costs.
    Value h_max(const Word* state) {
        explore(state);
        return propositions_[Relaxed::GOAL].value;
    }

  private:
    struct Rule {
        std::uint32_t waiting = 0;  // for so many preconditions; above 0 in the end: out of reach
        std::uint32_t cost = 0;
        std::uint32_t supporter = 0;
        Value value = 0;  // the supporter's
    };
    struct Proposition {
        Value value;
        std::uint32_t achiever;  // the rule that gave it this value; NONE: true in the state
    };

    void improve(std::uint32_t proposition, Value value, std::uint32_t achiever) {
        Proposition& about = propositions_[proposition];
        if (value >= about.value) return;
        about = {value, achiever};
        queue_.push(value, proposition);
    }
    void fire(std::uint32_t rule) {
        const Value value = rules_[rule].value + rules_[rule].cost;
        for (const std::uint32_t effect : relaxed_.effects[rule]) improve(effect, value, rule);
    }

    void explore(const Word* state) {
        for (std::size_t i = 0; i < rules_.size(); ++i) rules_[i].waiting = wants_[i];
        std::fill(propositions_.begin(), propositions_.end(), Proposition{INFINITE, Relaxed::NONE});
        queue_.clear();
        relaxed_.visit(state, [&](std::uint32_t proposition) { improve(proposition, 0, Relaxed::NONE); });
        typename BucketQueue<Value>::Entry entry;
        while (propositions_[Relaxed::GOAL].value != 0 && queue_.pop(entry)) {
            const auto [value, proposition] = entry;
            if (value > propositions_[proposition].value) continue;
            for (const std::uint32_t rule : relaxed_.needed_by[proposition]) {
                if (--rules_[rule].waiting > 0) continue;
                rules_[rule].supporter = proposition;
                rules_[rule].value = value;
                fire(rule);
            }
        }
    }

    // After the rules of the cut got cheaper, the values follow.
    void cheaper() {
        for (const std::uint32_t group : cut_) {
            for (std::uint32_t i = relaxed_.group_begin[group]; i < relaxed_.group_begin[group + 1]; ++i) {
                if (rules_[i].waiting == 0) fire(i);
            }
        }
        typename BucketQueue<Value>::Entry entry;
        while (propositions_[Relaxed::GOAL].value != 0 && queue_.pop(entry)) {
            const auto [value, proposition] = entry;
            if (value > propositions_[proposition].value) continue;
            for (const std::uint32_t rule : relaxed_.needed_by[proposition]) {
                if (rules_[rule].supporter == proposition && rules_[rule].value > value &&
                    rules_[rule].waiting == 0) {
                    support(rule);
                }
            }
        }
        queue_.clear();
    }
    void support(std::uint32_t number) {
        Rule& rule = rules_[number];
        const Value old = rule.value;
        rule.value = propositions_[rule.supporter].value;
        for (const std::uint32_t precondition : relaxed_.preconditions[number]) {
            if (propositions_[precondition].value > rule.value) {
                rule.value = propositions_[precondition].value;
                rule.supporter = precondition;
            }
        }
        if (rule.value != old) fire(number);
    }

    // Backwards from the goal along rules of cost 0; the others that lead there are candidates for the cut.
    void mark_zone() {
        if (++round_ == 0) forget_rounds();
        candidates_.clear();
        stack_.assign(1, Relaxed::GOAL);
        zone_[Relaxed::GOAL] = round_;
        while (!stack_.empty()) {
            const std::uint32_t proposition = stack_.back();
            stack_.pop_back();
            for (const std::uint32_t rule : relaxed_.achieved_by[proposition]) {
                const Rule& about = rules_[rule];
                if (about.waiting > 0) continue;
                if (about.cost > 0) {
                    if (entering_[rule] != round_) candidates_.push_back(rule);
                    entering_[rule] = round_;
                } else if (zone_[about.supporter] != round_) {
                    zone_[about.supporter] = round_;
                    stack_.push_back(about.supporter);
                }
            }
        }
    }

    void forget_rounds() {
        for (auto* marks : {&zone_, &before_, &behind_, &entering_, &taken_})
            std::fill(marks->begin(), marks->end(), 0);
        round_ = 1;
    }

    // Fills cut_; the least cost in it.
    std::uint32_t choose_cut() {
        std::uint32_t least = ~0u;
        cut_.clear();
        for (const std::uint32_t rule : candidates_) {
            if (zone_[rules_[rule].supporter] == round_ || !before_zone(rules_[rule].supporter)) continue;
            const std::uint32_t group = relaxed_.group[rule];
            if (taken_[group] == round_) continue;
            taken_[group] = round_;
            cut_.push_back(group);
            least = std::min(least, rules_[rule].cost);
        }
        return least;
    }
    // Can it be reached from the state without entering the zone? Whatever is cheaper than the goal can, since
    // nothing in the zone is. Else where its value came from mostly tells.
    bool before_zone(std::uint32_t proposition) {
        const Value goal = propositions_[Relaxed::GOAL].value;
        for (std::uint32_t at = proposition; propositions_[at].value >= goal && before_[at] != round_;) {
            const std::uint32_t achiever = propositions_[at].achiever;
            at = rules_[achiever].supporter;
            if (behind_[at] == round_ || zone_[at] == round_ || entering_[achiever] == round_)
                return search_before(proposition);
        }
        for (std::uint32_t at = proposition; propositions_[at].value >= goal && before_[at] != round_;) {
            before_[at] = round_;
            at = rules_[propositions_[at].achiever].supporter;
        }
        return true;
    }
    // Backwards from a proposition along supporters, but not out of the zone and not along rules that enter it.
    // If that leads nowhere, then from none of those that were seen.
    bool search_before(std::uint32_t wanted) {
        if (behind_[wanted] == round_) return false;
        const Value goal = propositions_[Relaxed::GOAL].value;
        stack_.assign(1, wanted);
        behind_[wanted] = round_;
        for (std::size_t next = 0; next < stack_.size(); ++next) {
            for (const std::uint32_t rule : relaxed_.achieved_by[stack_[next]]) {
                const Rule& about = rules_[rule];
                const std::uint32_t supporter = about.supporter;
                if (about.waiting > 0 || entering_[rule] == round_ || zone_[supporter] == round_) continue;
                if (propositions_[supporter].value < goal || before_[supporter] == round_) {
                    for (const std::uint32_t proposition : stack_) behind_[proposition] = 0;
                    before_[wanted] = round_;
                    return true;
                }
                if (behind_[supporter] == round_) continue;
                behind_[supporter] = round_;
                stack_.push_back(supporter);
            }
        }
        return false;
    }

    const Relaxed& relaxed_;
    Control& control_;
    Vector<std::uint32_t> wants_;  // by rule, how many preconditions
    Vector<Rule> rules_;
    Vector<Proposition> propositions_;
    BucketQueue<Value> queue_;
    std::uint32_t round_ = 0;
    Vector<std::uint32_t> zone_, before_, behind_, entering_, taken_;  // marked where equal to round_
    Vector<std::uint32_t> stack_, candidates_, cut_;
};

}  // namespace unpuzzle
