#include "relaxed.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace unpuzzle {

Lists Lists::inverse(std::size_t numbers) const {
    Lists inverse;
    inverse.begin_.assign(numbers + 1, 0);
    for (const std::uint32_t item : items_) ++inverse.begin_[item + 1];
    std::partial_sum(inverse.begin_.begin(), inverse.begin_.end(), inverse.begin_.begin());
    inverse.items_.resize(items_.size());
    std::vector<std::uint32_t> at(inverse.begin_.begin(), inverse.begin_.end() - 1);
    for (std::uint32_t list = 0; list < size(); ++list) {
        for (const std::uint32_t item : (*this)[list]) inverse.items_[at[item]++] = list;
    }
    return inverse;
}

// First all rules over all facts, then those that count, over those facts that count.
class Relaxed::Builder {
  public:
    Builder(Relaxed& out, const Model& model, Control& control)
        : out_(out), task_(model.task), layout_(model.layout), control_(control) {}

    void build() {
        std::uint32_t facts = 2;  // after START and GOAL
        for (const Variable& variable : task_.variables) {
            first_.push_back(facts);
            facts += variable.domain;
        }
        for (OperatorId op = 0; op < task_.operators.size(); ++op) {
            control_.tick();
            if (task_.operators[op].possible) add_operator(op);
        }
        for (const Axiom& axiom : task_.axioms) {
            control_.tick();
            add({task_.facts(axiom.body)}, {number_of({axiom.head, 1})}, 0, NONE);
        }
        add({task_.goal}, {GOAL}, 0, NONE);
        reach(facts);
        matter(facts);
        number(facts);
        emit();
        see();
    }

  private:
    using Numbers = std::vector<std::uint32_t>;

    std::uint32_t number_of(const Fact& fact) const { return first_[fact.variable] + fact.value; }
    bool always(const Fact& fact) const {
        const Variable& variable = task_.variables[fact.variable];
        return variable.domain == 1 || (variable.derived() && fact.value == 0);
    }

    void add_operator(OperatorId id) {
        const Operator& op = task_.operators[id];
        const auto precondition = task_.facts(op.precondition);
        std::map<std::vector<Fact>, Numbers> by_condition;
        for (const Effect& effect : task_.effects(op)) {
            const auto conditions = task_.facts(effect.conditions);
            if (contradicts(precondition, conditions)) continue;
            std::vector<Fact> open;
            std::set_difference(conditions.begin(), conditions.end(), precondition.begin(),
                                precondition.end(), std::back_inserter(open));
            if (!always(effect.sets)) by_condition[std::move(open)].push_back(number_of(effect.sets));
        }
        for (const auto& [conditions, sets] : by_condition) {
            add({precondition, conditions}, sets, op.cost, id);
        }
    }
    static bool contradicts(std::span<const Fact> precondition, std::span<const Fact> conditions) {
        return std::any_of(conditions.begin(), conditions.end(), [&](const Fact& fact) {
            const auto found =
                std::lower_bound(precondition.begin(), precondition.end(), Fact{fact.variable, 0});
            return found != precondition.end() && found->variable == fact.variable &&
                   found->value != fact.value;
        });
    }

    void add(std::initializer_list<std::span<const Fact>> conditions, Numbers sets, std::uint32_t cost,
             OperatorId op) {
        Numbers wants;
        for (const auto& facts : conditions) {
            for (const Fact& fact : facts) {
                if (!always(fact)) wants.push_back(number_of(fact));
            }
        }
        if (wants.empty()) wants.push_back(START);
        std::sort(wants.begin(), wants.end());
        std::sort(sets.begin(), sets.end());
        sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
        for (const std::uint32_t fact : wants) preconditions_.push(fact);
        for (const std::uint32_t fact : sets) {
            if (!std::binary_search(wants.begin(), wants.end(), fact)) effects_.push(fact);
        }
        preconditions_.close();
        effects_.close();
        costs_.push_back(cost);
        operators_.push_back(op);
    }

    void reach(std::uint32_t facts) {
        reached_.assign(facts, false);
        useful_.assign(costs_.size(), false);
        const Lists needed_by = preconditions_.inverse(facts);
        Numbers waiting(costs_.size()), queue{START};
        for (std::size_t rule = 0; rule < waiting.size(); ++rule) {
            waiting[rule] = static_cast<std::uint32_t>(preconditions_[rule].size());
        }
        for (std::uint32_t variable = 0; variable < first_.size(); ++variable) {
            if (!task_.variables[variable].derived())
                queue.push_back(number_of({variable, task_.initial[variable]}));
        }
        for (const std::uint32_t fact : queue) reached_[fact] = true;
        while (!queue.empty()) {
            const std::uint32_t fact = queue.back();
            queue.pop_back();
            control_.tick();
            for (const std::uint32_t rule : needed_by[fact]) {
                if (--waiting[rule] > 0) continue;
                useful_[rule] = true;
                for (const std::uint32_t effect : effects_[rule]) {
                    if (reached_[effect]) continue;
                    reached_[effect] = true;
                    queue.push_back(effect);
                }
            }
        }
        out_.solvable = reached_[GOAL];
    }

    // Backwards from the goal over rules that can be reached; others are no longer useful.
    void matter(std::uint32_t facts) {
        matters_.assign(facts, false);
        const Lists achieved_by = effects_.inverse(facts);
        std::vector<bool> leads(costs_.size(), false);
        matters_[GOAL] = matters_[START] = true;
        for (Numbers stack{GOAL}; !stack.empty();) {
            const std::uint32_t fact = stack.back();
            stack.pop_back();
            control_.tick();
            for (const std::uint32_t rule : achieved_by[fact]) {
                if (leads[rule] || !useful_[rule]) continue;
                leads[rule] = true;
                for (const std::uint32_t pre : preconditions_[rule]) {
                    if (matters_[pre]) continue;
                    matters_[pre] = true;
                    stack.push_back(pre);
                }
            }
        }
        useful_ = std::move(leads);
        useful_.back() = true;
    }

    void number(std::uint32_t facts) {
        propositions_.assign(facts, NONE);
        std::uint32_t count = 0;
        for (std::uint32_t fact = 0; fact < facts; ++fact) {
            if (matters_[fact]) propositions_[fact] = count++;
        }
        count_ = count;
        out_.facts.assign(count, {NONE, 0});
        for (std::uint32_t variable = 0; variable < first_.size(); ++variable) {
            for (std::uint32_t value = 0; value < task_.variables[variable].domain; ++value) {
                const std::uint32_t proposition = propositions_[number_of({variable, value})];
                if (proposition != NONE) out_.facts[proposition] = {variable, value};
            }
        }
    }

    void emit() {
        out_.group_of_operator.assign(task_.operators.size(), NONE);
        for (std::size_t rule = 0; rule < costs_.size(); ++rule) {
            if (!useful_[rule]) continue;
            for (const std::uint32_t fact : preconditions_[rule]) {
                if (propositions_[fact] != NONE) out_.preconditions.push(propositions_[fact]);
            }
            for (const std::uint32_t fact : effects_[rule]) {
                if (propositions_[fact] != NONE) out_.effects.push(propositions_[fact]);
            }
            out_.preconditions.close();
            out_.effects.close();
            if (operators_[rule] == NONE || out_.group_of_operator[operators_[rule]] == NONE) {
                if (operators_[rule] != NONE) {
                    out_.group_of_operator[operators_[rule]] =
                        static_cast<std::uint32_t>(out_.operator_of_group.size());
                }
                out_.operator_of_group.push_back(operators_[rule]);
                out_.group_begin.push_back(static_cast<std::uint32_t>(out_.costs.size()));
            }
            out_.group.push_back(static_cast<std::uint32_t>(out_.operator_of_group.size() - 1));
            out_.costs.push_back(costs_[rule]);
        }
        out_.group_begin.push_back(static_cast<std::uint32_t>(out_.costs.size()));
        out_.needed_by = out_.preconditions.inverse(count_);
        out_.achieved_by = out_.effects.inverse(count_);
    }

    void see() {
        for (std::uint32_t variable = 0; variable < first_.size(); ++variable) {
            const Variable& about = task_.variables[variable];
            const auto begin = propositions_.begin() + first_[variable], end = begin + about.domain;
            const bool any = std::any_of(begin, end, [](std::uint32_t number) { return number != NONE; });
            if (about.derived() || !any) continue;
            out_.seen_.push_back({layout_[variable], out_.numbers_.size()});
            out_.numbers_.insert(out_.numbers_.end(), begin, end);
        }
    }

    Relaxed& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    Numbers first_;                  // by variable: the number of its value 0
    Lists preconditions_, effects_;  // by rule, the facts
    Numbers costs_;
    std::vector<OperatorId> operators_;
    std::vector<bool> reached_, matters_, useful_;
    Numbers propositions_;  // by fact
    std::uint32_t count_ = 0;
};

Relaxed::Relaxed(const Model& model, Control& control) { Builder(*this, model, control).build(); }

std::uint64_t Relaxed::most_cost() const {
    return std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
}

std::size_t Relaxed::bytes() const {
    return preconditions.bytes() + effects.bytes() + needed_by.bytes() + achieved_by.bytes() +
           (costs.capacity() + group.capacity() + group_begin.capacity() + group_of_operator.capacity() +
            operator_of_group.capacity() + numbers_.capacity()) *
               sizeof(std::uint32_t) +
           seen_.capacity() * sizeof(Seen) + facts.capacity() * sizeof(Fact);
}

}  // namespace unpuzzle
