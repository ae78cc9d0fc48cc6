#include "task/task.hpp"

#include <algorithm>

#include "base/array_reader.hpp"

namespace unpuzzle {

namespace {

constexpr std::int64_t MOST_COST = std::int64_t{1} << 31;

using TaskReader = ArrayReader<std::int32_t>;

}  // namespace

class Task::Parser {
  public:
    Parser(Task& task, const Buffers& buffers, Control& control) : task_(task), in_(buffers), control_(control) {}

    void parse() {
        variables();
        initial();
        goal();
        operators();
        axioms();
        mutexes();
    }

  private:
    static void sizes(const char* array, std::size_t found, std::size_t expected) {
        if (found == expected) return;
        throw BadTask(std::string(array) + ": " + std::to_string(found) + " numbers for " + std::to_string(expected) +
                      " variables");
    }

    void variables() {
        sizes("layers", in_.layers.size(), in_.domains.size());
        task_.variables.reserve(in_.domains.size());
        TaskReader domains("domains", in_.domains), layers("layers", in_.layers);
        while (!domains.done()) {
            const std::int32_t domain = domains.next(""), layer = layers.next("");
            if (domain < 1) domains.fail("a variable of " + std::to_string(domain) + " values");
            if (layer < -1) layers.fail("layer " + std::to_string(layer) + ", less than -1");
            if (layer >= 0 && domain != 2)
                domains.fail("a derived variable of " + std::to_string(domain) + " values instead of 2");
            task_.variables.push_back({static_cast<std::uint32_t>(domain), layer});
        }
    }

    void initial() {
        sizes("initial", in_.initial.size(), in_.domains.size());
        TaskReader cursor("initial", in_.initial);
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable) {
            const std::uint32_t value = value_of(cursor, variable);
            task_.initial.push_back(task_.variables[variable].derived() ? 0 : value);
        }
    }

    void goal() {
        if (in_.goal.size() % 2 != 0) throw BadTask("goal: an odd number of numbers instead of pairs");
        TaskReader cursor("goal", in_.goal);
        const Range range = list(cursor, in_.goal.size() / 2, task_.goal_possible);
        const auto facts = task_.facts(range);
        task_.goal.assign(facts.begin(), facts.end());
    }

    void operators() {
        TaskReader cursor("operators", in_.operators);
        const std::size_t count = in_.costs.size();
        if (count > in_.operators.size() / 2) {
            throw BadTask("costs: " + std::to_string(count) + " operators cannot be in " +
                          std::to_string(in_.operators.size()) + " numbers");
        }
        task_.operators.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            control_.tick();
            cursor.item("operator", i);
            task_.operators.push_back(one_operator(cursor, cost(i)));
        }
        if (!cursor.done()) {
            throw BadTask("operators: " + std::to_string(cursor.left()) + " numbers are left over after " +
                          std::to_string(count) + " operators, one for each cost");
        }
    }

    std::uint32_t cost(std::size_t i) const {
        const std::int64_t cost = in_.costs[i];
        if (cost >= 0 && cost <= MOST_COST) return static_cast<std::uint32_t>(cost);
        throw BadTask("costs[" + std::to_string(i) + "]: " + std::to_string(cost) + " is not in 0..2^31");
    }

    Operator one_operator(TaskReader& cursor, std::uint32_t cost) {
        Operator op;
        op.cost = cost;
        op.precondition = list(cursor, cursor.count("the number of preconditions", 2), op.possible);
        op.effects.begin = task_.effects_.size();
        for (std::uint32_t left = cursor.count("the number of effects", 3); left > 0; --left) effect(cursor);
        op.effects.end = task_.effects_.size();
        return op;
    }

    void effect(TaskReader& cursor) {
        bool possible = true;
        Effect effect;
        effect.conditions = list(cursor, cursor.count("the number of conditions", 2), possible);
        effect.sets = fact(cursor);
        if (task_.variables[effect.sets.variable].derived())
            cursor.fail("sets the derived variable " + std::to_string(effect.sets.variable), 2);
        if (possible) task_.effects_.push_back(effect);
    }

    void axioms() {
        TaskReader cursor("axioms", in_.axioms);
        for (std::size_t i = 0; !cursor.done(); ++i) {
            control_.tick();
            cursor.item("axiom", i);
            const std::uint32_t head = variable(cursor);
            if (!task_.variables[head].derived()) cursor.fail("variable " + std::to_string(head) + " is not derived");
            bool possible = true;
            const Range body = list(cursor, cursor.count("the number of facts of the body", 2), possible);
            for (const Fact& fact : task_.facts(body)) stratified(cursor, head, fact);
            if (possible) task_.axioms.push_back({head, body});
        }
    }

    void mutexes() {
        TaskReader cursor("mutexes", in_.mutexes);
        for (std::size_t i = 0; !cursor.done(); ++i) {
            control_.tick();
            cursor.item("group", i);
            bool of_different_variables = true;
            const std::size_t size = cursor.count("the number of facts of the group", 2);
            task_.mutexes.push_back(list(cursor, size, of_different_variables));
        }
    }

    void stratified(const TaskReader& cursor, std::uint32_t head, const Fact& fact) const {
        const std::int32_t layer = task_.variables[fact.variable].layer, own = task_.variables[head].layer;
        if (layer < own || (layer == own && fact.value == 1)) return;
        cursor.fail("an axiom of layer " + std::to_string(own) + " tests variable " + std::to_string(fact.variable) +
                    " of layer " + std::to_string(layer) + " for " + std::to_string(fact.value));
    }

    std::uint32_t variable(TaskReader& cursor) const {
        const std::int32_t number = cursor.next("a variable");
        if (number >= 0 && static_cast<std::size_t>(number) < task_.variables.size()) {
            return static_cast<std::uint32_t>(number);
        }
        cursor.fail("variable " + std::to_string(number) + ", but there are " + std::to_string(task_.variables.size()));
    }

    std::uint32_t value_of(TaskReader& cursor, std::uint32_t variable) const {
        const std::int32_t value = cursor.next("a value");
        const std::uint32_t domain = task_.variables[variable].domain;
        if (value >= 0 && static_cast<std::uint32_t>(value) < domain) return static_cast<std::uint32_t>(value);
        cursor.fail("value " + std::to_string(value) + " of variable " + std::to_string(variable) + ", which has " +
                    std::to_string(domain));
    }

    Fact fact(TaskReader& cursor) const {
        const std::uint32_t number = variable(cursor);
        return {number, value_of(cursor, number)};
    }

    Range list(TaskReader& cursor, std::size_t count, bool& possible) {
        auto& facts = task_.facts_;
        const std::size_t begin = facts.size();
        for (std::size_t i = 0; i < count; ++i) facts.push_back(fact(cursor));
        const auto first = facts.begin() + static_cast<std::ptrdiff_t>(begin);
        std::sort(first, facts.end());
        facts.erase(std::unique(first, facts.end()), facts.end());
        for (std::size_t i = begin + 1; i < facts.size(); ++i) {
            if (facts[i - 1].variable == facts[i].variable) possible = false;
        }
        return {begin, facts.size()};
    }

    Task& task_;
    const Buffers& in_;
    Control& control_;
};

Task::Task(const Buffers& buffers, Control& control) {
    Parser(*this, buffers, control).parse();
    facts_.shrink_to_fit();
    effects_.shrink_to_fit();
}

}  // namespace unpuzzle
