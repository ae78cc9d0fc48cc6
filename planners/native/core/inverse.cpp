#include "inverse.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "heuristic.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_COMPLETIONS = 4096, MOST_STEPS = std::size_t{1} << 20, MOST_CASES = 4096;
constexpr std::size_t MORE_OPERATORS = 16, FEW_OPERATORS = 65536;
constexpr const char* WE = "Searches from both ends";

using Values = std::vector<std::uint32_t>;

// What an operator does to one variable.
struct Change {
    std::uint32_t variable = 0;
    std::optional<std::uint32_t> base;  // written unless an open effect fires; none: the value stays
    std::vector<std::pair<std::vector<Fact>, std::uint32_t>> open;  // the last that holds counts
    Values permutation;                                             // by value before: value after; or empty
};

class Inverter {
  public:
    Inverter(const Task& task, Buffers& out) : task_(task), out_(out), known_(task.variables.size(), NONE) {}

    void invert(const Operator& op) {
        for (const Fact& fact : task_.facts(op.precondition)) know(fact);
        changes(op);
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

    void changes(const Operator& op) {
        std::map<std::uint32_t, Change> by_variable;
        for (const Effect& effect : task_.effects(op)) {
            std::vector<Fact> conditions;
            bool possible = true;
            for (const Fact& fact : task_.facts(effect.conditions)) {
                if (!known(fact.variable)) conditions.push_back(fact);
                possible = possible && (!known(fact.variable) || known_[fact.variable] == fact.value);
            }
            if (!possible || task_.variables[effect.sets.variable].domain == 1) continue;
            Change& change = by_variable[effect.sets.variable];
            change.variable = effect.sets.variable;
            if (conditions.empty()) {
                change.open.clear();
                change.base = effect.sets.value;
            } else {
                change.open.emplace_back(std::move(conditions), effect.sets.value);
            }
        }
        changes_.clear();
        for (auto& [variable, change] : by_variable) changes_.push_back(std::move(change));
    }

    void find_permutations() {
        for (Change& change : changes_) {
            const auto own = [&](const auto& open) {
                return open.first.size() == 1 && open.first.front().variable == change.variable;
            };
            if (known(change.variable) || change.open.empty() ||
                !std::all_of(change.open.begin(), change.open.end(), own))
                continue;
            Values after;
            for (std::uint32_t value = 0; value < task_.variables[change.variable].domain; ++value)
                after.push_back(change.base.value_or(value));
            for (const auto& [conditions, value] : change.open) after[conditions.front().value] = value;
            Values sorted = after;
            std::sort(sorted.begin(), sorted.end());
            if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end())
                change.permutation = std::move(after);
        }
    }

    // The variables whose values before have to be listed.
    void find_cases() {
        cases_.clear();
        for (const Change& change : changes_) {
            if (!change.permutation.empty()) continue;
            if (!known(change.variable)) cases_.push_back(change.variable);
            for (const auto& [conditions, value] : change.open) {
                for (const Fact& fact : conditions) cases_.push_back(fact.variable);
            }
        }
        std::sort(cases_.begin(), cases_.end());
        cases_.erase(std::unique(cases_.begin(), cases_.end()), cases_.end());
        std::size_t number = 1;
        for (const std::uint32_t variable : cases_) {
            number *= task_.variables[variable].domain;
            if (number <= MOST_CASES) continue;
            throw UnsupportedTask("operators that do not tell what was before them", WE);
        }
    }

    void each_case(const Operator& op) {
        for (const std::uint32_t variable : cases_) know({variable, 0});
        for (std::size_t i = 0; i < cases_.size() || cases_.empty();) {
            emit(op);
            if (cases_.empty()) return;
            for (i = 0; i < cases_.size(); ++i) {  // count up
                std::uint32_t& value = known_[cases_[i]];
                if (++value < task_.variables[cases_[i]].domain) break;
                value = 0;
            }
        }
    }

    std::uint32_t after(const Change& change) const {
        std::uint32_t value = change.base.value_or(known_[change.variable]);
        for (const auto& [conditions, sets] : change.open) {
            const bool holds = std::all_of(conditions.begin(), conditions.end(), [&](const Fact& fact) {
                return known_[fact.variable] == fact.value;
            });
            if (holds) value = sets;
        }
        return value;
    }

    void emit(const Operator& op) {
        std::map<std::uint32_t, std::uint32_t> wanted;
        for (const std::uint32_t variable : told_) wanted[variable] = known_[variable];
        effects_.clear();
        std::uint32_t count = 0;
        for (const Change& change : changes_) {
            if (known(change.variable)) {
                const std::uint32_t value = after(change);
                wanted[change.variable] = value;
                if (value != known_[change.variable])
                    effect(count, nullptr, {change.variable, known_[change.variable]});
                continue;
            }
            for (std::uint32_t value = 0; value < change.permutation.size(); ++value) {
                const Fact now{change.variable, change.permutation[value]};
                if (now.value != value) effect(count, &now, {change.variable, value});
            }
        }
        if (count == 0) return;
        push(out_.operators, wanted.size());
        for (const auto& [variable, value] : wanted) push(out_.operators, variable, value);
        push(out_.operators, count);
        out_.operators.insert(out_.operators.end(), effects_.begin(), effects_.end());
        out_.costs.push_back(op.cost);
        if (out_.costs.size() > std::max(FEW_OPERATORS, MORE_OPERATORS * task_.operators.size()))
            throw UnsupportedTask("operators that do not tell what was before them", WE);
    }
    void effect(std::uint32_t& count, const Fact* condition, const Fact& sets) {
        ++count;
        push(effects_, condition ? 1u : 0u);
        if (condition) push(effects_, condition->variable, condition->value);
        push(effects_, sets.variable, sets.value);
    }
    template <class... Numbers>
    static void push(std::vector<std::int32_t>& to, Numbers... numbers) {
        (to.push_back(static_cast<std::int32_t>(numbers)), ...);
    }

    const Task& task_;
    Buffers& out_;
    Values known_;  // by variable, the value before, or NONE
    Values told_;   // the variables known
    std::vector<Change> changes_;
    Values cases_;
    std::vector<std::int32_t> effects_;
};

// All states that the goal allows and no mutex group forbids.
class Completions {
  public:
    Completions(const Model& model, Control& control)
        : model_(model),
          task_(model.task),
          control_(control),
          values_(task_.variables.size(), 0),
          groups_of_(task_.variables.size()),
          taken_(task_.mutexes.size(), 0) {}

    std::vector<Word> list() {
        for (std::uint32_t group = 0; group < task_.mutexes.size(); ++group) {
            for (const Fact& fact : task_.facts(task_.mutexes[group]))
                groups_of_[fact.variable].push_back({fact.value, group});
        }
        std::vector<bool> fixed(values_.size(), false);
        for (const Fact& fact : task_.goal) {
            fixed[fact.variable] = true;
            if (!take(fact.variable, fact.value)) return {};
        }
        for (std::uint32_t variable = 0; variable < values_.size(); ++variable) {
            if (!fixed[variable]) free_.push_back(variable);
        }
        std::stable_sort(free_.begin(), free_.end(), [&](std::uint32_t left, std::uint32_t right) {
            return task_.variables[left].domain < task_.variables[right].domain;
        });
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
        if (begin / model_.words() == MOST_COMPLETIONS) too_many();
        states_.resize(begin + model_.extended_words());
        model_.layout.pack(values_, states_.data() + begin);
        states_.resize(begin + model_.words());
    }
    [[noreturn]] static void too_many() { throw UnsupportedTask("goals that leave many states open", WE); }

    const Model& model_;
    const Task& task_;
    Control& control_;
    Values values_, free_;
    std::vector<std::vector<Member>> groups_of_;  // by variable
    Values taken_;                                // by group: how many of its facts hold
    std::vector<Word> states_;
};

}  // namespace

Inverse::Inverse(const Model& forward, Control& control) {
    const Task& task = forward.task;
    const auto derived = [](const Variable& variable) { return variable.derived(); };
    if (std::any_of(task.variables.begin(), task.variables.end(), derived))
        throw UnsupportedTask("axioms", WE);
    goals = Completions(forward, control).list();
    Buffers buffers;
    for (const Variable& variable : task.variables) {
        buffers.domains.push_back(static_cast<std::int32_t>(variable.domain));
        buffers.layers.push_back(-1);
    }
    buffers.initial.assign(task.initial.begin(), task.initial.end());
    Inverter inverter(task, buffers);
    for (const Operator& op : task.operators) {
        control.tick();
        if (op.possible) inverter.invert(op);
    }
    model = std::make_unique<Model>(buffers, control);
}

}  // namespace unpuzzle
