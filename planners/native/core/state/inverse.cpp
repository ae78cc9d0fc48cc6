#include "state/inverse.hpp"

#include <algorithm>

#include "task/operator_changes.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_COMPLETIONS = 4096, MOST_STEPS = std::size_t{1} << 20, MOST_CASES = 4096;
constexpr std::size_t MORE_OPERATORS = 16, FEW_OPERATORS = 65536;
constexpr const char* WE = "Searches from both ends";

using Values = Vector<std::uint32_t>;

// The change of one variable by an operator, and whether it determines the previous value.
struct Undone : Change {
    bool permutes = false;                       // the open effects permute its values
    Map<std::uint32_t, std::uint32_t> permuted;  // value before: value after; of all that may change
};

class Inverter {
  public:
    Inverter(const Task& task, Buffers& out, Control& control)
        : task_(task), out_(out), control_(control), normal_(task), known_(task.variables.size(), NONE) {}

    void invert(const Operator& op) {
        for (const Fact& fact : task_.facts(op.precondition)) know(fact);
        changes_.clear();
        for (const Change& change : normal_.of(op)) changes_.push_back({change, false, {}});
        find_permutations();
        find_cases();
        each_case(op);
        for (const std::uint32_t variable : told_) known_[variable] = NONE;
        told_.clear();
    }

  private:
    static constexpr std::uint32_t NONE = ~0u;

    void know(const Fact& fact) {
        known_[fact.variable] = fact.value;
        told_.push_back(fact.variable);
    }
    bool known(std::uint32_t variable) const { return known_[variable] != NONE; }

    void find_permutations() {
        for (Undone& change : changes_) {
            const auto own = [&](const OpenEffect& open) {
                return open.conditions.size() == 1 && open.conditions.front().variable == change.variable;
            };
            if (known(change.variable) || change.open.empty() || !std::ranges::all_of(change.open, own)) continue;
            for (const auto& [conditions, value] : change.open) change.permuted[conditions.front().value] = value;
            change.permutes = permutes(change);
        }
    }
    // Of the values that no condition names, each stays, or all become the base: then there must be one at
    // most. (Domains may be huge, so they are not listed.)
    bool permutes(Undone& change) const {
        const std::size_t others = task_.variables[change.variable].domain - change.permuted.size();
        if (change.base && others > 1) return false;
        if (change.base && others == 1) {
            std::uint32_t other = 0;
            while (change.permuted.contains(other)) ++other;
            change.permuted[other] = *change.base;
        }
        Values after;
        for (const auto& [before, value] : change.permuted) after.push_back(value);
        std::ranges::sort(after);
        return std::ranges::equal(after, change.permuted, {}, {}, [](const auto& entry) { return entry.first; });
    }

    // The variables whose values before have to be listed.
    void find_cases() {
        cases_.clear();
        for (const Undone& change : changes_) {
            if (change.permutes) continue;
            if (!known(change.variable)) cases_.push_back(change.variable);
            for (const auto& [conditions, value] : change.open) {
                for (const Fact& fact : conditions) cases_.push_back(fact.variable);
            }
        }
        sort_and_unique(cases_);
        std::size_t number = 1;
        for (const std::uint32_t variable : cases_) {
            if (task_.variables[variable].domain > MOST_CASES / number)
                throw UnsupportedTask("operators that cannot be inverted", WE);
            number *= task_.variables[variable].domain;
        }
    }

    void each_case(const Operator& op) {
        for (const std::uint32_t variable : cases_) know({variable, 0});
        std::size_t i;
        do {
            control_.tick();
            emit(op);
            for (i = 0; i < cases_.size() && ++known_[cases_[i]] == task_.variables[cases_[i]].domain; ++i)  // count up
                known_[cases_[i]] = 0;
        } while (i < cases_.size());
    }

    std::uint32_t after(const Undone& change) const {
        std::uint32_t value = change.base.value_or(known_[change.variable]);
        for (const auto& [conditions, sets] : change.open) {
            const bool holds =
                std::ranges::all_of(conditions, [&](const Fact& fact) { return known_[fact.variable] == fact.value; });
            if (holds) value = sets;
        }
        return value;
    }

    void emit(const Operator& op) {
        Map<std::uint32_t, std::uint32_t> wanted;
        for (const std::uint32_t variable : told_) wanted[variable] = known_[variable];
        effects_.clear();
        std::uint32_t count = 0;
        for (const Undone& change : changes_) {
            if (known(change.variable)) {
                const std::uint32_t value = after(change);
                wanted[change.variable] = value;
                if (value != known_[change.variable])
                    effect(count, nullptr, {change.variable, known_[change.variable]});
                continue;
            }
            for (const auto& [before, value] : change.permuted) {
                const Fact now{change.variable, value};
                if (value != before) effect(count, &now, {change.variable, before});
            }
        }
        if (count == 0) return;
        push(out_.operators, wanted.size());
        for (const auto& [variable, value] : wanted) push(out_.operators, variable, value);
        push(out_.operators, count);
        out_.operators.insert(out_.operators.end(), effects_.begin(), effects_.end());
        out_.costs.push_back(op.cost);
        if (out_.costs.size() > std::max(FEW_OPERATORS, MORE_OPERATORS * task_.operators.size()))
            throw UnsupportedTask("operators that cannot be inverted", WE);
    }
    void effect(std::uint32_t& count, const Fact* condition, const Fact& sets) {
        ++count;
        push(effects_, condition ? 1u : 0u);
        if (condition) push(effects_, condition->variable, condition->value);
        push(effects_, sets.variable, sets.value);
    }
    template <class... Numbers>
    static void push(Vector<std::int32_t>& to, Numbers... numbers) {
        (to.push_back(static_cast<std::int32_t>(numbers)), ...);
    }

    const Task& task_;
    Buffers& out_;
    Control& control_;
    OperatorChanges normal_;
    Values known_;  // by variable, the value before, or NONE
    Values told_;   // the variables known
    Vector<Undone> changes_;
    Values cases_;
    Vector<std::int32_t> effects_;
};

// All states that the goal allows and no mutex group forbids.
class Completions {
  public:
    Completions(const CompiledTask& compiled, Control& control)
        : compiled_(compiled), task_(compiled.task), control_(control), groups_of_(task_.variables.size()) {}

    Vector<Word> list() {
        for (std::uint32_t group = 0; group < task_.mutexes.size(); ++group) {
            for (const Fact& fact : task_.facts(task_.mutexes[group]))
                groups_of_[fact.variable].push_back({fact.value, group});
        }
        Vector<bool> fixed(values_.size(), false);
        for (const Fact& fact : task_.goal) {
            fixed[fact.variable] = true;
            if (!take(fact.variable, fact.value)) return {};
        }
        for (std::uint32_t variable = 0; variable < values_.size(); ++variable) {
            if (!fixed[variable]) free_.push_back(variable);
        }
        std::ranges::stable_sort(free_, {}, [&](std::uint32_t variable) { return task_.variables[variable].domain; });
        walk();
        return std::move(states_);
    }

  private:
    struct Member {
        std::uint32_t value, group;
    };

    // Depth first over the free variables; next[i] is the value to be tried for the i-th.
    void walk() {
        Values next(free_.size() + 1, 0);
        std::size_t steps = 0, at = 0;
        while (true) {
            control_.tick();
            if (++steps > MOST_STEPS) too_many();
            if (at == free_.size()) {
                emit();
            } else if (next[at] < task_.variables[free_[at]].domain) {
                if (take(free_[at], next[at]++)) next[++at] = 0;
                continue;
            }
            if (at == 0) return;
            --at;
            give_back(free_[at], values_[free_[at]]);
        }
    }
    bool take(std::uint32_t variable, std::uint32_t value) {
        for (const Member& member : groups_of_[variable]) {
            if (member.value == value && taken_[member.group] > 0) return false;
        }
        values_[variable] = value;
        for (const Member& member : groups_of_[variable]) taken_[member.group] += member.value == value;
        return true;
    }
    void give_back(std::uint32_t variable, std::uint32_t value) {
        for (const Member& member : groups_of_[variable]) taken_[member.group] -= member.value == value;
    }
    void emit() {
        const std::size_t begin = states_.size();
        if (begin / compiled_.words() == MOST_COMPLETIONS) too_many();
        control_.work(values_.size());
        states_.resize(begin + compiled_.extended_words());
        compiled_.layout.pack(values_, states_.data() + begin);
        states_.resize(begin + compiled_.words());
    }
    [[noreturn]] static void too_many() { throw UnsupportedTask("goals with many goal states", WE); }

    const CompiledTask& compiled_;
    const Task& task_;
    Control& control_;
    Values values_ = Values(task_.variables.size(), 0), free_;
    Vector<Vector<Member>> groups_of_;                // by variable
    Values taken_ = Values(task_.mutexes.size(), 0);  // by group: how many of its facts hold
    Vector<Word> states_;
};

}  // namespace

Inverse::Inverse(const CompiledTask& forward, Control& control) {
    const Task& task = forward.task;
    goals = Completions(forward, control).list();
    Buffers buffers;
    for (const Variable& variable : task.variables) {
        buffers.domains.push_back(static_cast<std::int32_t>(variable.domain));
        buffers.layers.push_back(-1);
    }
    buffers.initial.assign(task.initial.begin(), task.initial.end());
    Inverter inverter(task, buffers, control);
    for (const Operator& op : task.operators) {
        control.tick();
        if (op.possible) inverter.invert(op);
    }
    compiled = std::make_unique<CompiledTask>(buffers, control);
}

}  // namespace unpuzzle
