#include "task/h2_pruning.hpp"

#include "task/h2_pairs.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

namespace {

class Writer {
  public:
    Writer(const Task& task, const FactNumbers& numbers, const H2Pairs& plan, Control& control)
        : task_(task), numbers_(numbers), plan_(plan), control_(control) {
        for (std::uint32_t variable = 0; variable < task.variables.size(); ++variable) {
            std::int32_t left = 0;
            for (FactId fact = numbers.begin(variable); fact < numbers.end(variable); ++fact)
                values_.push_back(plan.possible(fact) ? left++ : GONE);
            out_.buffers.domains.push_back(left);
            smaller_ |= left < static_cast<std::int32_t>(task.variables[variable].domain);
        }
    }

    std::optional<H2PrunedTask> write() {
        Buffers& to = out_.buffers;
        to.layers.assign(task_.variables.size(), -1);
        for (std::uint32_t i = 0; i < task_.variables.size(); ++i) to.initial.push_back(value({i, task_.initial[i]}));
        for (const Fact& fact : task_.goal) {
            if (tested(fact)) write(fact, to.goal);
        }
        for (OperatorId op = 0; op < task_.operators.size(); ++op) {
            control_.tick();
            if (plan_.usable(op)) write(op);
        }
        for (const Range& group : task_.mutexes) write_group(task_.facts(group));
        if (!smaller_ && out_.numbers.size() == task_.operators.size()) return {};
        return std::move(out_);
    }

  private:
    static constexpr std::int32_t GONE = -1;

    std::int32_t value(const Fact& fact) const { return values_[numbers_[fact]]; }
    bool tested(const Fact& fact) const { return out_.buffers.domains[fact.variable] > 1; }
    void write(const Fact& fact, Vector<std::int32_t>& to) const {
        to.push_back(static_cast<std::int32_t>(fact.variable));
        to.push_back(value(fact));
    }
    void write(OperatorId number) {
        const Operator& op = task_.operators[number];
        auto& to = out_.buffers.operators;
        std::size_t at = to.size();
        to.push_back(0);
        for (const Fact& fact : task_.facts(op.precondition)) {
            if (!tested(fact)) continue;
            ++to[at];
            write(fact, to);
        }
        at = to.size();
        to.push_back(0);
        // Without conditions each change is the last effect on its variable. What one before it sets never holds, so that
        // this value may be gone.
        for (const Change& change : changes_.of(op)) {
            const Fact sets{change.variable, *change.base};
            if (!tested(sets)) continue;
            ++to[at];
            to.push_back(0);
            write(sets, to);
        }
        out_.buffers.costs.push_back(op.cost);
        out_.numbers.push_back(number);
    }
    void write_group(std::span<const Fact> facts) {
        Vector<Fact> left;
        for (const Fact& fact : facts) {
            if (value(fact) != GONE && tested(fact)) left.push_back(fact);
        }
        if (left.empty() || left.front().variable == left.back().variable) return;
        out_.buffers.mutexes.push_back(static_cast<std::int32_t>(left.size()));
        for (const Fact& fact : left) write(fact, out_.buffers.mutexes);
    }

    const Task& task_;
    const FactNumbers& numbers_;
    const H2Pairs& plan_;
    Control& control_;
    OperatorChanges changes_{task_};
    Vector<std::int32_t> values_;  // by fact: the new value, or GONE
    bool smaller_ = false;         // some value is gone
    H2PrunedTask out_;
};

constexpr Feature UNSUPPORTED = Feature::axioms | Feature::conditional_effects;

// A goal that wants two values of one variable.
H2PrunedTask unsolvable() {
    H2PrunedTask task;
    task.buffers.domains = {2};
    task.buffers.layers = {-1};
    task.buffers.initial = {0};
    task.buffers.goal = {0, 0, 0, 1};
    return task;
}

}  // namespace

H2Pruning pruned(const Task& task, const TaskFeatures& features, Control& control, std::uint64_t most_work) {
    if (!task.goal_possible || features.has(UNSUPPORTED)) return {{}, true};
    const FactNumbers numbers(task);
    const std::uint64_t facts = numbers.count();
    if (facts > most_work || (facts / 64 + 1) * (facts + task.operators.size()) > most_work) return {{}, false};
    const H2Pairs plan(task, numbers, control, most_work);
    if (!plan.solvable()) return {unsolvable(), true};
    return {Writer(task, numbers, plan, control).write(), plan.complete()};
}

}  // namespace unpuzzle
