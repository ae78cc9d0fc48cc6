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
// Two short cuts. If the goal can be reached at cost 0 the exploration stops there, since nothing is left to
// cut; after landmarks inherited from the parent that is the usual case. And whether a proposition is
// before the zone is mostly seen from where its value came from: only if that path touches the zone or a rule
// of the cut is the graph explored forwards from the state.
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
        for (auto* marks : {&zone_, &before_, &entering_, &taken_})
            std::fill(marks->begin(), marks->end(), 0);
        round_ = 1;
    }

    // Fills cut_; the least cost in it.
    std::uint32_t choose_cut() {
        std::uint32_t least = ~0u;
        cut_.clear();
        exploring_ = false;
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
    bool before_zone(std::uint32_t proposition) {
        if (exploring_) return explore_before(proposition);
        for (std::uint32_t at = proposition; before_[at] != round_;) {
            const std::uint32_t achiever = propositions_[at].achiever;
            if (achiever == Relaxed::NONE) break;
            at = rules_[achiever].supporter;
            if (zone_[at] != round_ && entering_[achiever] != round_) continue;
            start_exploring();
            return explore_before(proposition);
        }
        for (std::uint32_t at = proposition; before_[at] != round_;) {
            before_[at] = round_;
            const std::uint32_t achiever = propositions_[at].achiever;
            if (achiever != Relaxed::NONE) at = rules_[achiever].supporter;
        }
        return true;
    }
    void start_exploring() {
        exploring_ = true;
        stack_.clear();
        for (std::uint32_t proposition = 0; proposition < propositions_.size(); ++proposition) {
            if (before_[proposition] != round_ && propositions_[proposition].achiever != Relaxed::NONE)
                continue;
            if (propositions_[proposition].value == INFINITE) continue;
            before_[proposition] = round_;
            stack_.push_back(proposition);
        }
    }
    // Forwards from the state along supporters, but not into the zone and not along rules that enter it: on
    // from where it was left, until this proposition is found.
    bool explore_before(std::uint32_t wanted) {
        while (before_[wanted] != round_ && !stack_.empty()) {
            const std::uint32_t proposition = stack_.back();
            stack_.pop_back();
            for (const std::uint32_t rule : relaxed_.needed_by[proposition]) {
                const Rule& about = rules_[rule];
                if (about.supporter != proposition || about.waiting > 0 || entering_[rule] == round_)
                    continue;
                for (const std::uint32_t effect : relaxed_.effects[rule]) {
                    if (before_[effect] == round_ || zone_[effect] == round_) continue;
                    before_[effect] = round_;
                    stack_.push_back(effect);
                }
            }
        }
        return before_[wanted] == round_;
    }

    const Relaxed& relaxed_;
    Control& control_;
    Vector<std::uint32_t> wants_;  // by rule, how many preconditions
    Vector<Rule> rules_;
    Vector<Proposition> propositions_;
    BucketQueue<Value> queue_;
    std::uint32_t round_ = 0;
    Vector<std::uint32_t> zone_, before_, entering_, taken_;  // marked where equal to round_
    Vector<std::uint32_t> stack_, candidates_, cut_;
    bool exploring_ = false;
};

}  // namespace unpuzzle
