// The pairs of facts that can be true together in a state of a plan, and the operators of plans: h^2, forwards and
// backwards (Haslum and Geffner, Admissible heuristics for optimal planning, 2000; Alcazar and Torralba, A reminder
// about the importance of computing and exploiting invariants in planning, 2015).
//
// Forwards: a pair of facts can hold if both hold at the start, or some operator whose preconditions can hold by twos
// makes it so. Backwards the same from the goal, with operators turned round. A pair that one of the two lacks is
// either unreachable or a dead end, so no plan passes through it; each direction looks only at the pairs that the other
// one has left, and they take turns until nothing changes. Operators that no plan can contain are dropped.
//
//     start ──► pairs reached ──► operators left ──► pairs that lead to the goal ──► ... ──► a fixpoint
//
// *Disambiguation* makes it stronger: every variable has some value, so if the facts that an operator names leave a
// variable only one value, that fact is named, too; if they leave none, the operator is dropped.
//
// An interrupted computation is still correct: `most_work` bounds the work, counted in words of rows, and the results
// so far are kept. Supports costs of 0. Tasks with axioms or conditional effects are not supported.
#pragma once

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "task/fact_numbers.hpp"

namespace unpuzzle {

class H2Pairs {
  public:
    H2Pairs(const Task& task, const FactNumbers& numbers, Control& control, std::uint64_t most_work)
        : task_(task),
          control_(control),
          numbers_(numbers),
          allowed_(numbers.count(), numbers.count(), control),
          reached_(numbers.count(), numbers.count(), control),
          most_work_(most_work) {
        for (const Operator& op : task.operators) usable_.push_back(op.possible);
        allow();
        try {
            spend(numbers_.count() * allowed_.words());
            take_turns();
            complete_ = true;
        } catch (const WorkIsDone&) {
        }
    }

    // False if there is certainly no plan.
    bool solvable() const { return solvable_; }
    bool usable(OperatorId op) const { return usable_[op] != 0; }
    bool possible(FactId fact) const { return allowed_.has(fact, fact); }
    bool complete() const { return complete_; }  // false: the work was used up

  private:
    // An operator in one direction: from a state with the facts `from`, it changes some variables, some of them to the
    // facts `to`, the `open` ones to any fitting value.
    struct Step {
        Vector<Fact> from, to;
        Vector<std::uint32_t> changed, open;
    };
    struct WorkIsDone {};

    // One pass, forwards or backwards, to its fixpoint.
    class Pass {
      public:
        Pass(H2Pairs& out, const Vector<Step>& steps)
            : out_(out),
              numbers_(out.numbers_),
              reached_(out.reached_),
              allowed_(out.allowed_),
              steps_(steps),
              words_(allowed_.words()),
              seen_(steps.size()),
              applies_(steps.size()),
              changed_(numbers_.count()),
              before_(words_),
              after_(words_),
              named_(out.task_.variables.size()) {
            reached_.clear();
        }

        // What holds at the start: the facts that are known, and of other variables whatever fits. False if that cannot be.
        bool start(const Vector<Fact>& known) {
            before_.assign(words_, 0);
            for (FactId fact = 0; fact < numbers_.count(); ++fact) {
                if (allowed_.has(fact, fact)) add(before_, fact);
            }
            for (const Fact& fact : known) keep(before_, allowed_[numbers_[fact]]);
            if (!has_all(before_, known)) return false;
            each(before_, [&](FactId fact) {
                out_.look();
                insert(fact, before_);
            });
            return true;
        }

        void run() {
            // A round looks at steps whose facts have new pairs. What a step does may also hang on facts that
            // follow from those it names, so when such rounds find nothing, all steps are looked at once more.
            bool all = true;
            while (true) {
                const std::uint64_t before = clock_;
                for (OperatorId op = 0; op < steps_.size(); ++op) {
                    if (out_.usable_[op] && (all || stale(op))) look_at(op);
                }
                if (clock_ == before && all) return;
                all = clock_ == before;
            }
        }

        // Drops operators that never applied; true if there were any.
        bool drop() {
            bool any = false;
            for (OperatorId op = 0; op < steps_.size(); ++op) {
                if (!out_.usable_[op] || applies_[op]) continue;
                out_.usable_[op] = 0;
                any = true;
            }
            return any;
        }

      private:
        struct Found {
            std::uint32_t count;  // 0, 1, or 2 for more
            FactId first;
        };

        void keep(BitSet& set, std::span<const Word> row) {
            for (std::size_t i = 0; i < words_; ++i) set[i] &= row[i];
            out_.spend(words_);
        }

        bool has_all(const BitSet& set, const Vector<Fact>& facts) const {
            return std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) { return has(set, numbers_[fact]); });
        }
        // The values of a variable that are in the set.
        Found values(const BitSet& set, std::size_t variable) const {
            Found found{0, 0};
            each_word(numbers_.begin(variable), numbers_.end(variable), [&](std::size_t i, Word mask) {
                const Word word = set[i] & mask;
                if (word == 0) return;
                found.count += (word & (word - 1)) == 0 ? 1 : 2;
                found.first = static_cast<FactId>(i * 64) + static_cast<FactId>(std::countr_zero(word));
            });
            return found;
        }

        bool stale(OperatorId op) const {
            const auto& from = steps_[op].from;
            return std::any_of(from.begin(), from.end(),
                               [&](const Fact& fact) { return changed_[numbers_[fact]] > seen_[op]; });
        }

        void look_at(OperatorId op) {
            out_.look();
            seen_[op] = clock_;
            const Step& step = steps_[op];
            applies_[op] = read(step) && disambiguate() && leads_on(step);
            if (!applies_[op]) return;
            for (const Fact& fact : step.to) insert(numbers_[fact], after_);
            for (const std::uint32_t variable : step.open) {
                for (FactId fact = numbers_.begin(variable); fact < numbers_.end(variable); ++fact) {
                    if (has(after_, fact)) insert(fact, after_);
                }
            }
        }

        // `before_`: what can hold before the step; `after_`: what fits the facts that it leads to.
        bool read(const Step& step) {
            if (step.from.empty()) {
                before_.assign(words_, 0);
                for (FactId fact = 0; fact < numbers_.count(); ++fact) {
                    if (reached_.has(fact, fact)) add(before_, fact);
                }
            } else {
                before_.assign(words_, ~Word{0});
            }
            after_.assign(words_, ~Word{0});
            for (const Fact& fact : step.from) keep(before_, reached_[numbers_[fact]]);
            if (!has_all(before_, step.from)) return false;
            for (const Fact& fact : step.to) keep(after_, allowed_[numbers_[fact]]);
            if (!has_all(after_, step.to)) return false;
            mark(step);
            unite();
            return has_all(before_, step.from);
        }
        void mark(const Step& step) {
            std::fill(named_.begin(), named_.end(), 0);
            moving_.assign(words_, 0);
            for (const std::uint32_t variable : step.changed) {
                named_[variable] = CHANGED;
                each_word(numbers_.begin(variable), numbers_.end(variable),
                          [&](std::size_t i, Word mask) { moving_[i] |= mask; });
            }
            for (const Fact& fact : step.from) {
                if (!step.open.empty() && named_[fact.variable] == 0) keep(after_, allowed_[numbers_[fact]]);
                named_[fact.variable] |= NAMED;
            }
        }
        // What the step does not change is the same before and after.
        void unite() {
            for (std::size_t i = 0; i < words_; ++i) {
                before_[i] &= after_[i] | moving_[i];
                after_[i] &= before_[i] | moving_[i];
            }
            out_.spend(words_);
        }
        // Every variable has a value before; where only one is left, what excludes it is out.
        bool disambiguate() {
            for (bool more = true; more;) {
                more = false;
                out_.spend(named_.size() / 4 + 1);
                for (std::size_t variable = 0; variable < named_.size(); ++variable) {
                    const Found found = values(before_, variable);
                    if (found.count == 0) return false;
                    if (found.count > 1 || (named_[variable] & NAMED) != 0) continue;
                    more = true;
                    keep(before_, reached_[found.first]);
                    if (named_[variable] == 0) keep(after_, allowed_[found.first]);
                    named_[variable] |= NAMED;
                }
                if (more) unite();
            }
            return true;
        }
        bool leads_on(const Step& step) const {
            return has_all(after_, step.to) &&
                   std::all_of(step.open.begin(), step.open.end(),
                               [&](std::uint32_t variable) { return values(after_, variable).count > 0; });
        }

        // The fact can hold together with each of these, where that is allowed.
        void insert(FactId fact, const BitSet& others) {
            const std::span<Word> row = reached_[fact];
            const std::span<const Word> allowed = allowed_[fact];
            out_.spend(words_);
            for (std::size_t i = 0; i < words_; ++i) {
                Word fresh = others[i] & allowed[i] & ~row[i];
                if (fresh == 0) continue;
                row[i] |= fresh;
                out_.unseen_ += static_cast<std::size_t>(std::popcount(fresh));
                ++clock_;
                changed_[fact] = clock_;
                for (; fresh != 0; fresh &= fresh - 1) {
                    const FactId other = static_cast<FactId>(i * 64) + static_cast<FactId>(std::countr_zero(fresh));
                    reached_.add(other, fact);
                    changed_[other] = clock_;
                }
            }
        }

        static constexpr std::uint8_t NAMED = 1, CHANGED = 2;

        H2Pairs& out_;
        const FactNumbers& numbers_;
        BitRows& reached_;
        const BitRows& allowed_;
        const Vector<Step>& steps_;
        std::size_t words_;
        std::uint64_t clock_ = 1;
        Vector<std::uint64_t> seen_;     // by step: when it was looked at
        Vector<std::uint8_t> applies_;   // by step: whether it did then
        Vector<std::uint64_t> changed_;  // by fact: when it got its newest pair
        BitSet before_, after_;
        BitSet moving_;               // the facts of variables that the step changes
        Vector<std::uint8_t> named_;  // by variable
    };

    // To begin with, all pairs but those of one variable, and of one mutex group.
    void allow() {
        for (std::size_t variable = 0; variable < task_.variables.size(); ++variable) {
            for (FactId fact = numbers_.begin(variable); fact < numbers_.end(variable); ++fact) {
                control_.work(allowed_.words());
                const std::span<Word> row = allowed_[fact];
                each_word(0, numbers_.count(), [&](std::size_t i, Word bits) { row[i] = bits; });
                each_word(numbers_.begin(variable), numbers_.end(variable),
                          [&](std::size_t i, Word bits) { row[i] &= ~bits; });
                add(row, fact);
            }
        }
        for (const Range& group : task_.mutexes) {
            for (const Fact& one : task_.facts(group)) {
                control_.work(task_.facts(group).size());
                for (const Fact& two : task_.facts(group)) {
                    if (one != two) remove(allowed_[numbers_[one]], numbers_[two]);
                }
            }
        }
    }
    void describe(const Operator& op, Step& forwards, Step& backwards) const {
        Vector<Fact> after;
        for (const Effect& effect : task_.effects(op)) {  // the later one counts
            std::erase_if(after, [&](const Fact& fact) { return fact.variable == effect.sets.variable; });
            after.push_back(effect.sets);
        }
        const auto before = task_.facts(op.precondition);
        forwards.from.assign(before.begin(), before.end());
        std::erase_if(after, [&](const Fact& fact) { return std::binary_search(before.begin(), before.end(), fact); });
        forwards.to = after;
        for (const Fact& fact : after) forwards.changed.push_back(fact.variable);
        backwards.changed = backwards.open = forwards.changed;
        backwards.from = after;
        for (const Fact& fact : before) {
            const bool changed = std::erase(backwards.open, fact.variable) > 0;
            (changed ? backwards.to : backwards.from).push_back(fact);
        }
    }
    void take_turns() {
        Vector<Fact> start;
        for (std::uint32_t i = 0; i < task_.variables.size(); ++i) start.push_back({i, task_.initial[i]});
        Vector<Step> steps[2] = {Vector<Step>(usable_.size()), Vector<Step>(usable_.size())};
        for (OperatorId op = 0; op < usable_.size(); ++op) {
            const std::size_t effects = task_.effects(task_.operators[op]).size();
            control_.work((task_.facts(task_.operators[op].precondition).size() + effects) * effects);  // by twos
            describe(task_.operators[op], steps[0][op], steps[1][op]);
        }
        solvable_ = task_.goal_possible;
        control_.begin_phase();
        bool forwards = true;
        for (int quiet = 0; quiet < 2 && solvable_; forwards = !forwards) {
            Pass pass(*this, steps[forwards ? 0 : 1]);
            solvable_ = pass.start(forwards ? start : task_.goal);
            if (!solvable_) return;
            pass.run();
            const bool dropped = pass.drop(), same = reached_ == allowed_;
            std::swap(allowed_, reached_);
            solvable_ = together(forwards ? task_.goal : start);
            quiet = dropped || !same ? 0 : quiet + 1;
        }
    }
    bool together(const Vector<Fact>& facts) const {
        return std::all_of(facts.begin(), facts.end(), [&](const Fact& one) {
            return std::all_of(facts.begin(), facts.end(),
                               [&](const Fact& two) { return allowed_.has(numbers_[one], numbers_[two]); });
        });
    }
    void spend(std::size_t words) {
        unseen_ += words;
        if ((work_ += words) > most_work_) throw WorkIsDone{};
    }
    void look() { control_.work(std::exchange(unseen_, 0)); }

    const Task& task_;
    Control& control_;
    const FactNumbers& numbers_;
    // Pairs: by fact, those that it can hold together with, itself among them if it is possible at all. By the passes
    // before; by this one.
    BitRows allowed_, reached_;
    Vector<std::uint8_t> usable_;
    std::uint64_t work_ = 0, most_work_;
    std::size_t unseen_ = 0;  // work since the last look
    bool solvable_ = true, complete_ = false;
};

}  // namespace unpuzzle
