// Strong stubborn sets (Valmari 1989; for planning: Wehrle and Helmert, Efficient Stubborn Sets: Generalized Algorithms
// and Selection Strategies, 2014). If operators are independent, plans contain them in any order, and one order is
// enough.
//
// A set T of operators is built for the expanded state s; applicable operators that are not in T are skipped.
//
//     a fact of the goal that does not hold   all operators that may make it true are in T
//     o in T is not applicable in s           all operators that may make true one of its preconditions that does not hold
//     o in T is applicable in s               all operators that interfere with it
//
// Two operators interfere if in some state both are applicable and one makes the other inapplicable, or their order
// makes a difference. Here: unless their preconditions exclude each other, where
//   - one sets a variable to a value other than the one that the other wants, or sets;
//   - one sets a variable on which hangs what the other does, or whether it is applicable, in another way: it is in the
//     condition of an effect, or what axioms make of it is in a condition or precondition.
// An effect with conditions counts wherever an effect may count. What makes true a derived fact changes one of the
// variables that its axioms read, those of other derived variables in their bodies included.
//
// Why that is enough. Among the plans from s take one of the least cost and, among these, with the fewest operators:
// o1 ... on. It contains an operator of T, as it makes the chosen fact of the goal true. Let ok be the first. It is
// applicable in s: if not, one of o1 ... ok-1 would make true its missing precondition, so would be in T. Then o1 does
// not interfere with ok (or it would be in T), both are applicable in s, so ok is applicable after o1, and o1 after ok
// with the same outcome; and so on for o2 ... ok-1. So ok o1 ... ok-1 ok+1 ... on is a plan of the same cost and length,
// and what follows ok is again a cheapest plan with the fewest operators, one operator shorter. Following such operators
// from state to state leads to the goal, and never round in a circle of operators that cost nothing. Nothing in this asks
// how another state was pruned, or whether it was; see state/pruning.hpp for the searches.
//
// Which fact is chosen: one whose achievers are in T already, or else the one that has the fewest (static small).
// Interference is computed when an operator is first needed, and stored while there is room. If it has pruned almost
// nothing in the first states of a task, it is given up.
#include "base/marks.hpp"
#include "base/rows.hpp"
#include "search/search.hpp"
#include "task/fact_numbers.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

namespace {

// The variables that operators read and write, and the operators by variable.
struct Dependencies {
    explicit Dependencies(const Task& task, Control& control);

    FactNumbers numbers;
    Rows<Fact> sets;                        // by operator, with conditions or without
    Rows<std::uint32_t> conditions;         // by operator: variables in the conditions of its effects
    Rows<OperatorId> achievers, consumers;  // by fact: who may make it true, who has it as precondition
    Rows<OperatorId> listeners;             // by variable: who has it in the condition of an effect
    Rows<std::uint32_t> read_by_axioms;     // by derived variable: variables in the bodies of its axioms
    Rows<std::uint32_t> derived_from;       // by variable: derived ones that have it there
};

class StubbornSets : public Pruning {
  public:
    StubbornSets(const CompiledTask& compiled, Control& control)
        : compiled_(compiled),
          task_(compiled.task),
          control_(control),
          all_(task_, control),
          applicable_(task_.operators.size()),
          chosen_(task_.operators.size()),
          found_(task_.operators.size()),
          needed_(all_.numbers.count()),
          below_(task_.variables.size()),
          above_(task_.variables.size()),
          asked_(task_.variables.size()),
          kept_(task_.operators.size(), UNKNOWN) {}

    void prune(const Word* state, ApplicableOperators& applicable) override {
        if (given_up_) return;
        state_ = state;
        const Fact* open = easiest_open(task_.goal);
        if (!open) return;
        begin(applicable);
        achieve(*open);
        while (!waiting_.empty() && left_ > 0) {
            if (!worth_it()) return;
            const OperatorId op = take_last(waiting_);
            if (const Fact* missing = easiest_open(task_.facts(task_.operators[op].precondition)))
                achieve(*missing);
            else
                choose(interfering(op));
        }
        pruned_ += left_;
        if (left_ > 0) applicable.keep_if([&](OperatorId op) { return chosen_.has(op); });
    }

    bool pays() const override { return pruned_ * 100 >= seen_ * PAYING_PERCENT; }

  private:
    static constexpr std::uint64_t STATES_ON_TRIAL = 1000, STEPS_ON_TRIAL = std::uint64_t{1} << 28, LEAST_PERCENT = 1;
    static constexpr std::uint64_t PAYING_PERCENT = 20;
    static constexpr std::size_t MOST_KEPT = std::size_t{1} << 21;  // operators, in lists of who interferes
    static constexpr Range UNKNOWN{1, 0};

    void begin(const ApplicableOperators& applicable) {
        applicable_.forget();
        chosen_.forget();
        needed_.forget();
        asked_.forget();
        waiting_.clear();
        for (const OperatorId op : applicable) applicable_.mark(op);
        left_ = applicable.size();
        seen_ += left_;
        ++states_;
    }
    // Says no once, and then for good, where the trial is over and too little was pruned in it.
    bool worth_it() {
        if (on_trial_ && (states_ > STATES_ON_TRIAL || steps_ > STEPS_ON_TRIAL)) {
            on_trial_ = false;
            given_up_ = pruned_ * 100 < seen_ * LEAST_PERCENT;
        }
        return !given_up_;
    }
    void spend(std::size_t steps) {
        steps_ += steps;
        control_.work(steps);
    }

    bool derived(std::uint32_t variable) const { return task_.variables[variable].derived(); }
    std::uint32_t value(std::uint32_t variable) const { return compiled_.layout[variable].value(state_); }
    // Calls `emit(number)` for all facts of a variable but one.
    template <class Emit>
    void others(const Fact& fact, Emit&& emit) const {
        for (FactId other = all_.numbers.begin(fact.variable); other < all_.numbers.end(fact.variable); ++other) {
            if (all_.numbers.fact(other) != fact) emit(other);
        }
    }
    // Calls `emit(variable)` for all to which the lists lead from one, each once, itself left out.
    template <class Emit>
    void follow(const Rows<std::uint32_t>& lists, std::uint32_t from, Marks& marks, Emit&& emit) {
        way_.assign(1, from);
        while (!way_.empty()) {
            const std::uint32_t variable = take_last(way_);
            spend(lists[variable].size());
            for (const std::uint32_t next : lists[variable]) {
                if (!marks.mark(next)) continue;
                emit(next);
                way_.push_back(next);
            }
        }
    }

    // Of some facts one that does not hold, if there is one. Derived ones come last: whatever is below them counts.
    const Fact* easiest_open(std::span<const Fact> facts) {
        const Fact* best = nullptr;
        std::size_t fewest = SIZE_MAX;
        for (const Fact& fact : facts) {
            if (value(fact.variable) == fact.value) continue;
            const std::uint32_t number = all_.numbers[fact];
            if (derived(fact.variable) ? asked_.has(fact.variable) : needed_.has(number)) return &fact;
            const std::size_t size = derived(fact.variable) ? SIZE_MAX - 1 : all_.achievers[number].size();
            if (size < fewest) best = &fact, fewest = size;
        }
        return best;
    }
    void achieve(const Fact& fact) {
        if (!derived(fact.variable)) return choose_achievers(all_.numbers[fact]);
        if (!asked_.mark(fact.variable)) return;
        follow(all_.read_by_axioms, fact.variable, asked_, [&](std::uint32_t variable) {
            if (derived(variable)) return;
            others({variable, value(variable)}, [&](std::uint32_t other) { choose_achievers(other); });
        });
    }
    void choose_achievers(std::uint32_t fact) {
        if (needed_.mark(fact)) choose(all_.achievers[fact]);
    }
    void choose(std::span<const OperatorId> operators) {
        spend(operators.size());
        for (const OperatorId op : operators) {
            if (!chosen_.mark(op)) continue;
            waiting_.push_back(op);
            left_ -= applicable_.has(op);
        }
    }

    std::span<const OperatorId> interfering(OperatorId op) {
        Range& range = kept_[op];
        if (range.begin > range.end) {
            last_.clear();
            find_interfering(op);
            if (lists_.size() + last_.size() > MOST_KEPT) return last_;
            lists_.insert(lists_.end(), last_.begin(), last_.end());
            range = {lists_.size() - last_.size(), lists_.size()};
        }
        return std::span<const OperatorId>(lists_).subspan(range.begin, range.end - range.begin);
    }
    // Puts into last_ who interferes.
    void find_interfering(OperatorId op) {
        found_.forget();
        below_.forget();
        above_.forget();
        found_.mark(asker_ = op);
        for (const Fact& fact : task_.facts(task_.operators[op].precondition)) {
            if (derived(fact.variable))
                add_writers(fact.variable);
            else
                others(fact, [&](std::uint32_t other) { add(all_.achievers[other]); });
        }
        for (const std::uint32_t variable : all_.conditions[op]) add_writers(variable);
        for (const Fact& fact : all_.sets[op]) {
            others(fact, [&](std::uint32_t other) {
                add(all_.achievers[other]);
                add(all_.consumers[other]);
            });
            add(all_.listeners[fact.variable]);
            follow(all_.derived_from, fact.variable, above_, [&](std::uint32_t variable) {
                for (FactId number = all_.numbers.begin(variable); number < all_.numbers.end(variable); ++number)
                    add(all_.consumers[number]);
                add(all_.listeners[variable]);
            });
        }
    }
    void add_writers(std::uint32_t variable) {
        const auto add_these = [&](std::uint32_t it) {
            for (FactId fact = all_.numbers.begin(it); !derived(it) && fact < all_.numbers.end(it); ++fact)
                add(all_.achievers[fact]);
        };
        if (!below_.mark(variable)) return;
        add_these(variable);
        follow(all_.read_by_axioms, variable, below_, add_these);
    }
    void add(std::span<const OperatorId> operators) {
        spend(operators.size());
        for (const OperatorId op : operators) {
            if (found_.mark(op) && !exclude(asker_, op)) last_.push_back(op);
        }
    }
    // Whether the preconditions want different values of a variable. (Mutex groups changed nothing on any task.)
    bool exclude(OperatorId left, OperatorId right) const {
        const auto wanted = task_.facts(task_.operators[left].precondition);
        for (const Fact& fact : task_.facts(task_.operators[right].precondition)) {
            const auto other = value_in(wanted, fact.variable);
            if (other && *other != fact.value) return true;
        }
        return false;
    }

    const CompiledTask& compiled_;
    const Task& task_;
    Control& control_;
    Dependencies all_;
    const Word* state_ = nullptr;
    std::size_t left_ = 0;               // applicable operators that are not in the set
    Vector<OperatorId> waiting_;         // in the set, but not what follows from them
    Marks applicable_, chosen_, found_;  // operators
    Marks needed_;                       // facts
    Marks below_, above_, asked_;        // variables
    Vector<std::uint32_t> way_;          // of follow()
    Vector<Range> kept_;                 // by operator: who interferes, in lists_
    Vector<OperatorId> lists_, last_;
    OperatorId asker_ = 0;
    std::uint64_t states_ = 0, steps_ = 0, seen_ = 0, pruned_ = 0;
    bool on_trial_ = true, given_up_ = false;
};

Dependencies::Dependencies(const Task& task, Control& control) : numbers(task) {
    const std::size_t facts = numbers.count(), variables = task.variables.size();
    const auto operators = static_cast<OperatorId>(task.operators.size());
    OperatorChanges changes(task);
    const auto each_change = [&](auto&& emit) {
        for (OperatorId op = 0; op < operators; ++op) {
            control.tick();
            if (!task.operators[op].possible) continue;
            for (const Change& change : changes.of(task.operators[op])) emit(op, change);
        }
    };
    sets = Rows<Fact>::by_row(operators, [&](auto&& put) {
        each_change([&](OperatorId op, const Change& change) {
            if (change.base) put(op, Fact{change.variable, *change.base});
            for (const OpenEffect& open : change.open) put(op, Fact{change.variable, open.value});
        });
    });
    conditions = Rows<std::uint32_t>::by_row(operators, [&](auto&& put) {
        each_change([&](OperatorId op, const Change& change) {
            for (const OpenEffect& open : change.open) {
                for (const Fact& fact : open.conditions) put(op, fact.variable);
            }
        });
    });
    achievers = Rows<OperatorId>::by_row(facts, [&](auto&& put) {
        for (OperatorId op = 0; op < operators; ++op) {
            for (const Fact& fact : sets[op]) put(numbers[fact], op);
        }
    });
    listeners = inverse(conditions, variables, control);
    consumers = Rows<OperatorId>::by_row(facts, [&](auto&& put) {
        for (OperatorId op = 0; op < operators; ++op) {
            control.tick();
            if (!task.operators[op].possible) continue;
            for (const Fact& fact : task.facts(task.operators[op].precondition)) put(numbers[fact], op);
        }
    });
    read_by_axioms = Rows<std::uint32_t>::by_row(variables, [&](auto&& put) {
        for (const Axiom& axiom : task.axioms) {
            control.tick();
            for (const Fact& fact : task.facts(axiom.body)) put(axiom.head, fact.variable);
        }
    });
    derived_from = inverse(read_by_axioms, variables, control);
}

}  // namespace

std::unique_ptr<Pruning> stubborn_sets(const CompiledTask& compiled, Control& control) {
    return std::make_unique<StubbornSets>(compiled, control);
}

}  // namespace unpuzzle
