// The landmark cuts of one state (Helmert and Domshlak 2009): the inner loop of LM-cut.
//
// Round by round: compute h^max with the remaining costs; choose for each rule its most expensive precondition, the
// *supporter*; the arcs supporter ─► effect then form the justification graph. The *zone* consists of the propositions
// from which the goal costs nothing more there; the rules that lead into the zone from propositions that can be reached
// without entering it are the cut, and every relaxed plan uses one of them. Take the least cost in the cut off all of
// its operators, count it, and go on until the goal costs nothing.
//
//      state ─► ·· before the zone ·· ──cut──► ·· zone ·· ─0─► GOAL
//
// A group of rules (the conditional effects of one operator) pays as one: if one of its rules is in the cut,
// all of them get cheaper, so the sum stays admissible.
//
// Two short cuts. If the goal can be reached at cost 0 the exploration stops there, since nothing is left to cut. And a
// proposition that is cheaper than the goal is before the zone, because nothing in the zone is cheaper. For others the
// origin of their value usually decides; only if that path touches the zone or a rule of the cut, the graph is
// searched, and backwards, since few propositions are behind the zone.
//
// Half of the time goes into `explore`, and most of that into unpredictable branches.
#pragma once

#include "base/bucket_queue.hpp"
#include "base/marks.hpp"
#include "heuristics/relaxed_task.hpp"

namespace unpuzzle {

// `Value` is large enough for the cost of any path without a repeated rule.
template <class Value>
class LandmarkCuts {
  public:
    static constexpr Value INFINITE = ~Value{0};

    LandmarkCuts(const RelaxedTask& relaxed, Control& control) : relaxed_(relaxed), control_(control) {
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
    Value run(StateView state, Found&& found) {
        Value sum = 0;
        explore(state, 0);
        while (values_[RelaxedTask::GOAL] != 0) {
            if (values_[RelaxedTask::GOAL] == INFINITE) return INFINITE;
            mark_zone();
            const std::uint32_t least = choose_cut();
            for (const std::uint32_t group : cut_) add_cost(group, ~least + 1);
            sum += least;
            found(least, std::span<const std::uint32_t>(cut_));
            cheaper();
            count_work();
        }
        return sum;
    }
    // h^max under the present costs; where that is at most `enough`, anything from there to `enough`.
    Value h_max(StateView state, Value enough) {
        explore(state, enough);
        return values_[RelaxedTask::GOAL];
    }

  private:
    using Numbers = Vector<std::uint32_t>;
    static constexpr std::size_t LONG = 8;  // a list of rules from this length on
    static constexpr std::size_t DEAR = 2;  // pieces of work that a rule is, for the branches that nobody can foretell

    struct Rule {
        std::uint32_t cost = 0;
        std::uint32_t supporter = 0;
        Value value = 0;  // the supporter's
    };

    UNPUZZLE_INLINE void improve(std::uint32_t proposition, Value value, std::uint32_t achiever) {
        if (value >= values_[proposition]) return;
        values_[proposition] = value;
        achievers_[proposition] = achiever;
        queue_.push(value, proposition);
    }
    // With the value of its supporter.
    UNPUZZLE_INLINE void fire(std::uint32_t rule, Value value) {
        value += rules_[rule].cost;
        for (const std::uint32_t effect : relaxed_.effects[rule]) improve(effect, value, rule);
    }

    // Ends as soon as the goal is known to cost no more than `enough`.
    void explore(StateView state, Value enough) {
        pieces_ += rules_.size() + values_.size();  // which are written anew
        std::copy(wants_.begin(), wants_.end(), waiting_.begin());
        std::ranges::fill(values_, INFINITE);
        queue_.clear();
        relaxed_.visit(state, [&](std::uint32_t proposition) { improve(proposition, 0, RelaxedTask::NONE); });
        Value value;
        std::uint32_t proposition;
        while (values_[RelaxedTask::GOAL] > enough && queue_.pop(value, proposition)) {
            if (value > values_[proposition]) continue;
            const auto rules = relaxed_.needed_by[proposition];
            pieces_ += rules.size();
            if (rules.size() < LONG)
                reach(proposition, value, rules);
            else
                reach_long(proposition, value, rules);
        }
        count_work();
    }
    void count_work() { control_.work(DEAR * std::exchange(pieces_, 0)); }
    UNPUZZLE_INLINE void reach(std::uint32_t proposition, Value value, std::span<const std::uint32_t> rules) {
        for (const std::uint32_t rule : rules) {
            if (--waiting_[rule] == 0) support(rule, proposition, value);
        }
    }
    // The same without a branch for every rule: first those are collected that wait for nothing more.
    UNPUZZLE_INLINE void reach_long(std::uint32_t proposition, Value value, std::span<const std::uint32_t> rules) {
        std::size_t ready = 0;
        for (const std::uint32_t rule : rules) {
            ready_[ready] = rule;
            ready += --waiting_[rule] == 0;
        }
        for (std::size_t i = 0; i < ready; ++i) support(ready_[i], proposition, value);
    }
    void support(std::uint32_t rule, std::uint32_t supporter, Value value) {
        rules_[rule].supporter = supporter;
        rules_[rule].value = value;
        fire(rule, value);
    }

    // After the rules of the cut got cheaper, the values follow.
    void cheaper() {
        for (const std::uint32_t group : cut_) {
            for (std::uint32_t i = relaxed_.group_begin[group]; i < relaxed_.group_begin[group + 1]; ++i) {
                if (waiting_[i] == 0) fire(i, rules_[i].value);
            }
        }
        Value value;
        std::uint32_t proposition;
        while (values_[RelaxedTask::GOAL] != 0 && queue_.pop(value, proposition)) {
            if (value > values_[proposition]) continue;
            const auto rules = relaxed_.needed_by[proposition];
            pieces_ += rules.size();
            for (const std::uint32_t rule : rules) {
                if (rules_[rule].supporter == proposition && rules_[rule].value > value && waiting_[rule] == 0) {
                    choose_supporter(rule);
                }
            }
        }
        queue_.clear();
    }
    void choose_supporter(std::uint32_t number) {
        Rule& rule = rules_[number];
        pieces_ += relaxed_.preconditions[number].size();
        const Value old = rule.value;
        rule.value = values_[rule.supporter];
        for (const std::uint32_t precondition : relaxed_.preconditions[number]) {
            if (values_[precondition] > rule.value) {
                rule.value = values_[precondition];
                rule.supporter = precondition;
            }
        }
        if (rule.value != old) fire(number, rule.value);
    }

    // Backwards from the goal along rules of cost 0; the others that lead there are candidates for the cut.
    void mark_zone() {
        for (Marks* marks : {&zone_, &before_, &behind_, &entering_, &taken_}) marks->forget();
        candidates_.clear();
        stack_.assign(1, RelaxedTask::GOAL);
        zone_.mark(RelaxedTask::GOAL);
        while (!stack_.empty()) {
            const std::uint32_t proposition = take_last(stack_);
            const auto rules = relaxed_.achieved_by[proposition];
            pieces_ += rules.size();
            for (const std::uint32_t rule : rules) {
                const Rule& about = rules_[rule];
                if (waiting_[rule] > 0) continue;
                if (about.cost > 0) {
                    if (entering_.mark(rule)) candidates_.push_back(rule);
                } else if (zone_.mark(about.supporter)) {
                    stack_.push_back(about.supporter);
                }
            }
        }
    }

    // Fills cut_; the least cost in it.
    std::uint32_t choose_cut() {
        std::uint32_t least = ~0u;
        cut_.clear();
        pieces_ += candidates_.size();
        for (const std::uint32_t rule : candidates_) {
            if (zone_.has(rules_[rule].supporter) || !before_zone(rules_[rule].supporter)) continue;
            const std::uint32_t group = relaxed_.group[rule];
            if (!taken_.mark(group)) continue;
            cut_.push_back(group);
            least = std::min(least, rules_[rule].cost);
        }
        return least;
    }
    // Whether it can be reached from the state without entering the zone.
    bool before_zone(std::uint32_t proposition) {
        const Value goal = values_[RelaxedTask::GOAL];
        for (std::uint32_t at = proposition; values_[at] >= goal && !before_.has(at);) {
            const std::uint32_t achiever = achievers_[at];
            at = rules_[achiever].supporter;
            if (behind_.has(at) || zone_.has(at) || entering_.has(achiever)) return search_before(proposition);
        }
        for (std::uint32_t at = proposition; values_[at] >= goal && !before_.has(at);) {
            before_.mark(at);
            at = rules_[achievers_[at]].supporter;
        }
        return true;
    }
    // Backwards along supporters, but not into the zone and not along rules that enter it, to anything that is
    // known to be before it. If there is nothing, all that was seen lies behind the zone; else that stays open.
    bool search_before(std::uint32_t wanted) {
        if (!behind_.mark(wanted)) return false;
        const Value goal = values_[RelaxedTask::GOAL];
        stack_.assign(1, wanted);
        for (std::size_t next = 0; next < stack_.size(); ++next) {
            pieces_ += relaxed_.achieved_by[stack_[next]].size();
            for (const std::uint32_t rule : relaxed_.achieved_by[stack_[next]]) {
                const std::uint32_t from = rules_[rule].supporter;
                if (waiting_[rule] > 0 || entering_.has(rule) || zone_.has(from)) continue;
                if (values_[from] < goal || before_.has(from)) {
                    for (const std::uint32_t seen : stack_) behind_.unmark(seen);
                    before_.mark(wanted);
                    return true;
                }
                if (behind_.mark(from)) stack_.push_back(from);
            }
        }
        return false;
    }

    const RelaxedTask& relaxed_;
    Control& control_;
    Numbers wants_ = Numbers(relaxed_.rules());  // by rule, how many preconditions
    Numbers waiting_ = wants_;                   // by rule, for so many; above 0 in the end: out of reach
    Numbers ready_ = wants_;
    Vector<Rule> rules_ = Vector<Rule>(relaxed_.rules());
    Vector<Value> values_ = Vector<Value>(relaxed_.propositions());
    Numbers achievers_ = Numbers(relaxed_.propositions());  // the rule that gave the value; NONE: the state did
    BucketQueue<Value> queue_;
    Marks zone_{relaxed_.propositions()}, before_{relaxed_.propositions()}, behind_{relaxed_.propositions()};
    Marks entering_{relaxed_.rules()}, taken_{relaxed_.groups()};
    Numbers stack_, candidates_, cut_;
    std::size_t pieces_ = 0;  // of work since the last tick
};

}  // namespace unpuzzle
