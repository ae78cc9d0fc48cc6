#include "task/h2_pairs.hpp"

#include <algorithm>

namespace unpuzzle {

// One pass, forwards or backwards, to its fixpoint.
class H2Pairs::Pass {
  public:
    Pass(H2Pairs& out, const Vector<Step>& steps)
        : out_(out),
          numbers_(out.numbers_),
          reached_(out.reached_),
          allowed_(out.allowed_),
          steps_(steps),
          words_(numbers_.words()),
          seen_(steps.size()),
          applies_(steps.size()),
          changed_(numbers_.count()),
          before_(words_),
          after_(words_),
          named_(numbers_.variables()) {
        reached_.clear();
    }

    // What holds at the start: the facts that are known, and of other variables whatever fits. False if that
    // cannot be.
    bool start(const Vector<Fact>& known) {
        before_.assign(words_, 0);
        for (FactId fact = 0; fact < numbers_.count(); ++fact) {
            if (allowed_.has(fact)) fact_set::add(before_.data(), fact);
        }
        for (const Fact& fact : known) keep(before_, allowed_.row(numbers_(fact)));
        if (!has_all(before_, known)) return false;
        fact_set::each(before_.data(), words_, [&](FactId fact) { insert(fact, before_); });
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
    using Set = Vector<Word>;
    struct Found {
        std::uint32_t count;  // 0, 1, or 2 for more
        FactId first;
    };

    void keep(Set& set, const Word* row) {
        for (std::size_t i = 0; i < words_; ++i) set[i] &= row[i];
        out_.spend(words_);
    }

    bool has_all(const Set& set, const Vector<Fact>& facts) const {
        return std::all_of(facts.begin(), facts.end(),
                           [&](const Fact& fact) { return fact_set::has(set.data(), numbers_(fact)); });
    }
    // The values of a variable that are in the set.
    Found values(const Set& set, std::size_t variable) const {
        Found found{0, 0};
        fact_set::words_of(numbers_.begin(variable), numbers_.end(variable), [&](std::size_t i, Word mask) {
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
                           [&](const Fact& fact) { return changed_[numbers_(fact)] > seen_[op]; });
    }

    void look_at(OperatorId op) {
        out_.control_.tick();
        seen_[op] = clock_;
        const Step& step = steps_[op];
        applies_[op] = read(step) && disambiguate() && leads_on(step);
        if (!applies_[op]) return;
        for (const Fact& fact : step.to) insert(numbers_(fact), after_);
        for (const std::uint32_t variable : step.open) {
            for (FactId fact = numbers_.begin(variable); fact < numbers_.end(variable); ++fact) {
                if (fact_set::has(after_.data(), fact)) insert(fact, after_);
            }
        }
    }

    // `before_`: what can hold before the step; `after_`: what fits the facts that it leads to.
    bool read(const Step& step) {
        if (step.from.empty()) {
            before_.assign(words_, 0);
            for (FactId fact = 0; fact < numbers_.count(); ++fact) {
                if (reached_.has(fact)) fact_set::add(before_.data(), fact);
            }
        } else {
            before_.assign(words_, ~Word{0});
        }
        after_.assign(words_, ~Word{0});
        for (const Fact& fact : step.from) keep(before_, reached_.row(numbers_(fact)));
        if (!has_all(before_, step.from)) return false;
        for (const Fact& fact : step.to) keep(after_, allowed_.row(numbers_(fact)));
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
            fact_set::words_of(numbers_.begin(variable), numbers_.end(variable),
                               [&](std::size_t i, Word mask) { moving_[i] |= mask; });
        }
        for (const Fact& fact : step.from) {
            if (!step.open.empty() && named_[fact.variable] == 0) keep(after_, allowed_.row(numbers_(fact)));
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
                keep(before_, reached_.row(found.first));
                if (named_[variable] == 0) keep(after_, allowed_.row(found.first));
                named_[variable] |= NAMED;
            }
            if (more) unite();
        }
        return true;
    }
    bool leads_on(const Step& step) const {
        return has_all(after_, step.to) && std::all_of(step.open.begin(), step.open.end(), [&](std::uint32_t variable) {
                   return values(after_, variable).count > 0;
               });
    }

    // The fact can hold together with each of these, where that is allowed.
    void insert(FactId fact, const Set& others) {
        Word* const row = reached_.row(fact);
        const Word* const allowed = allowed_.row(fact);
        out_.spend(words_);
        for (std::size_t i = 0; i < words_; ++i) {
            Word fresh = others[i] & allowed[i] & ~row[i];
            if (fresh == 0) continue;
            row[i] |= fresh;
            ++clock_;
            changed_[fact] = clock_;
            for (; fresh != 0; fresh &= fresh - 1) {
                const FactId other = static_cast<FactId>(i * 64) + static_cast<FactId>(std::countr_zero(fresh));
                fact_set::add(reached_.row(other), fact);
                changed_[other] = clock_;
            }
        }
    }

    static constexpr std::uint8_t NAMED = 1, CHANGED = 2;

    H2Pairs& out_;
    const FactIds& numbers_;
    FactPairs& reached_;
    const FactPairs& allowed_;
    const Vector<Step>& steps_;
    std::size_t words_;
    std::uint64_t clock_ = 1;
    Vector<std::uint64_t> seen_;     // by step: when it was looked at
    Vector<std::uint8_t> applies_;   // by step: whether it did then
    Vector<std::uint64_t> changed_;  // by fact: when it got its newest pair
    Set before_, after_;
    Set moving_;                  // the facts of variables that the step changes
    Vector<std::uint8_t> named_;  // by variable
};

H2Pairs::H2Pairs(const Task& task, Control& control, Budget& budget, std::uint64_t most_work)
    : task_(task),
      control_(control),
      numbers_(task),
      allowed_(budget, numbers_),
      reached_(budget, numbers_),
      most_work_(most_work) {
    for (const Operator& op : task.operators) usable_.push_back(op.possible);
    allow();
    try {
        spend(numbers_.count() * numbers_.words());
        take_turns();
        complete_ = true;
    } catch (const WorkIsDone&) {
    }
}

// To begin with, all pairs but those of one variable, and of one mutex group.
void H2Pairs::allow() {
    const std::size_t words = numbers_.words();
    for (std::size_t variable = 0; variable < numbers_.variables(); ++variable) {
        for (FactId fact = numbers_.begin(variable); fact < numbers_.end(variable); ++fact) {
            Word* const row = allowed_.row(fact);
            std::fill_n(row, words, ~Word{0});
            if (numbers_.count() % 64 != 0) row[words - 1] = (Word{1} << numbers_.count() % 64) - 1;
            for (FactId other = numbers_.begin(variable); other < numbers_.end(variable); ++other) {
                if (other != fact) fact_set::remove(row, other);
            }
        }
    }
    for (const Range& group : task_.mutexes) {
        const auto facts = task_.facts(group);
        for (std::size_t i = 0; i < facts.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) allowed_.remove(numbers_(facts[i]), numbers_(facts[j]));
        }
    }
}

void H2Pairs::describe(const Operator& op, Step& forwards, Step& backwards) const {
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

void H2Pairs::take_turns() {
    Vector<Fact> start;
    for (std::uint32_t i = 0; i < task_.variables.size(); ++i) start.push_back({i, task_.initial[i]});
    Vector<Step> steps[2] = {Vector<Step>(usable_.size()), Vector<Step>(usable_.size())};
    for (OperatorId op = 0; op < usable_.size(); ++op) {
        control_.tick();
        describe(task_.operators[op], steps[0][op], steps[1][op]);
    }
    solvable_ = task_.goal_possible;
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

bool H2Pairs::together(const Vector<Fact>& facts) const {
    return std::all_of(facts.begin(), facts.end(), [&](const Fact& one) {
        return std::all_of(facts.begin(), facts.end(),
                           [&](const Fact& two) { return allowed_.has(numbers_(one), numbers_(two)); });
    });
}

}  // namespace unpuzzle
