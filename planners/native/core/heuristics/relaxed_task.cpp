#include "heuristics/relaxed_task.hpp"

#include <numeric>
#include <stdexcept>

#include "task/fact_numbers.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

// First makes all rules over all facts, then the relevant rules over the relevant facts.
class RelaxedTask::Builder {
  public:
    Builder(RelaxedTask& out, const CompiledTask& compiled, Control& control)
        : out_(out), task_(compiled.task), layout_(compiled.layout), control_(control) {}

    void build() {
        const std::size_t facts = FIRST + numbers_.count();
        if (facts >= NONE) throw std::length_error("more than 2^32 facts");
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
    using Numbers = Vector<std::uint32_t>;
    static constexpr std::uint32_t FIRST = 2;  // after START and GOAL

    std::uint32_t number_of(const Fact& fact) const { return FIRST + numbers_[fact]; }
    bool always(const Fact& fact) const {
        const Variable& variable = task_.variables[fact.variable];
        return variable.domain == 1 || (variable.derived() && fact.value == 0);
    }

    void add_operator(OperatorId id) {
        const Operator& op = task_.operators[id];
        Map<Vector<Fact>, Numbers> by_condition;
        for (const Change& change : changes_.of(op)) {
            if (change.base) by_condition[{}].push_back(number_of({change.variable, *change.base}));
            for (const auto& [conditions, value] : change.open)
                by_condition[{conditions.begin(), conditions.end()}].push_back(number_of({change.variable, value}));
        }
        const auto precondition = task_.facts(op.precondition);
        for (const auto& [conditions, sets] : by_condition) add({precondition, conditions}, sets, op.cost, id);
    }

    void add(std::initializer_list<std::span<const Fact>> conditions, Numbers sets, std::uint32_t cost, OperatorId op) {
        Numbers wants;
        for (const auto& facts : conditions) {
            for (const Fact& fact : facts) {
                if (!always(fact)) wants.push_back(number_of(fact));
            }
        }
        if (wants.empty()) wants.push_back(START);
        std::ranges::sort(wants);
        sort_and_unique(sets);
        for (const std::uint32_t fact : wants) preconditions_.push(fact);
        for (const std::uint32_t fact : sets) {
            if (!std::ranges::binary_search(wants, fact)) effects_.push(fact);
        }
        preconditions_.close();
        effects_.close();
        costs_.push_back(cost);
        operators_.push_back(op);
    }

    void reach(std::size_t facts) {
        reached_.assign(facts, false);
        useful_.assign(costs_.size(), false);
        const Rows<std::uint32_t> needed_by = inverse(preconditions_, facts, control_);
        Numbers waiting(costs_.size()), queue{START};
        for (std::size_t rule = 0; rule < waiting.size(); ++rule)
            waiting[rule] = static_cast<std::uint32_t>(preconditions_[rule].size());
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable) {
            if (!task_.variables[variable].derived()) queue.push_back(number_of({variable, task_.initial[variable]}));
        }
        for (const std::uint32_t fact : queue) reached_[fact] = true;
        while (!queue.empty()) {
            const std::uint32_t fact = take_last(queue);
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
    void matter(std::size_t facts) {
        matters_.assign(facts, false);
        const Rows<std::uint32_t> achieved_by = inverse(effects_, facts, control_);
        Vector<bool> leads(costs_.size(), false);
        matters_[GOAL] = matters_[START] = true;
        for (Numbers stack{GOAL}; !stack.empty();) {
            const std::uint32_t fact = take_last(stack);
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

    void number(std::size_t facts) {
        propositions_.assign(facts, NONE);
        for (std::size_t fact = 0; fact < facts; ++fact) {
            if (matters_[fact]) propositions_[fact] = count_++;
        }
        out_.facts.assign(count_, {NONE, 0});
        for (FactId fact = 0; fact < numbers_.count(); ++fact) {
            control_.tick();
            const std::uint32_t proposition = propositions_[FIRST + fact];
            if (proposition != NONE) out_.facts[proposition] = numbers_.fact(fact);
        }
    }

    void emit() {
        out_.group_of_operator.assign(task_.operators.size(), NONE);
        for (std::size_t rule = 0; rule < costs_.size(); ++rule) {
            control_.tick();
            if (!useful_[rule]) continue;
            for (const std::uint32_t fact : preconditions_[rule]) {
                if (propositions_[fact] != NONE) out_.preconditions.push(propositions_[fact]);
            }
            for (const std::uint32_t fact : effects_[rule]) {
                if (propositions_[fact] != NONE) out_.effects.push(propositions_[fact]);
            }
            out_.preconditions.close();
            out_.effects.close();
            const OperatorId op = operators_[rule];
            std::uint32_t no_group = NONE, &group = op == NONE ? no_group : out_.group_of_operator[op];
            if (group == NONE) {
                group = static_cast<std::uint32_t>(out_.operator_of_group.size());
                out_.operator_of_group.push_back(op);
                out_.group_begin.push_back(static_cast<std::uint32_t>(out_.costs.size()));
            }
            out_.group.push_back(static_cast<std::uint32_t>(out_.operator_of_group.size() - 1));
            out_.costs.push_back(costs_[rule]);
        }
        out_.group_begin.push_back(static_cast<std::uint32_t>(out_.costs.size()));
        out_.needed_by = inverse(out_.preconditions, count_, control_);
        out_.achieved_by = inverse(out_.effects, count_, control_);
    }

    void see() {
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable) {
            control_.tick();
            if (!task_.variables[variable].derived()) see(variable);
        }
    }
    void see(std::uint32_t variable) {
        const std::uint32_t domain = task_.variables[variable].domain;
        Numbers values, numbers;
        for (FactId fact = numbers_.begin(variable); fact < numbers_.end(variable); ++fact) {
            if (propositions_[FIRST + fact] == NONE) continue;
            values.push_back(numbers_.fact(fact).value);
            numbers.push_back(propositions_[FIRST + fact]);
        }
        if (values.empty()) return;
        const std::size_t begin = out_.numbers_.size();
        if (domain / SPARSE <= values.size()) {
            out_.seen_.push_back({layout_[variable], begin, 0, 0});
            out_.numbers_.resize(begin + domain, NONE);
            for (std::size_t i = 0; i < values.size(); ++i) out_.numbers_[begin + values[i]] = numbers[i];
            return;
        }
        const auto count = static_cast<std::uint32_t>(values.size());
        out_.seen_.push_back({layout_[variable], begin, out_.values_.size(), count});
        out_.numbers_.insert(out_.numbers_.end(), numbers.begin(), numbers.end());
        out_.values_.insert(out_.values_.end(), values.begin(), values.end());
    }

    static constexpr std::uint32_t SPARSE = 64;  // so many values for one that has a proposition

    RelaxedTask& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    FactNumbers numbers_{task_};  // without FIRST
    OperatorChanges changes_{task_};
    Rows<std::uint32_t> preconditions_, effects_;  // by rule, the facts
    Numbers costs_;
    Vector<OperatorId> operators_;
    Vector<bool> reached_, matters_, useful_;
    Numbers propositions_;  // by fact
    std::uint32_t count_ = 0;
};

RelaxedTask::RelaxedTask(const CompiledTask& compiled, Control& control) { Builder(*this, compiled, control).build(); }

RelaxedTask RelaxedTask::counting_steps(const HeuristicContext& context) {
    RelaxedTask relaxed(context.compiled, context.control);
    if (context.costs == HeuristicContext::Costs::own) return relaxed;
    const bool one = context.costs == HeuristicContext::Costs::one || context.compiled.features.same_costs;
    for (std::size_t rule = 0; rule < relaxed.rules(); ++rule) {
        std::uint32_t& cost = relaxed.costs[rule];
        const bool acts = relaxed.operator_of_group[relaxed.group[rule]] != NONE;
        if (acts) cost = one ? 1 : cost + 1;
    }
    return relaxed;
}

std::uint64_t RelaxedTask::most_cost() const { return std::accumulate(costs.begin(), costs.end(), std::uint64_t{0}); }

}  // namespace unpuzzle
