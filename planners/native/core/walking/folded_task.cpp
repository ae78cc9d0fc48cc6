#include "walking/folded_task.hpp"

#include <algorithm>

#include "task/operator_changes.hpp"

namespace unpuzzle {

namespace {

void write(const Fact& fact, Vector<std::int32_t>& to) {
    to.push_back(static_cast<std::int32_t>(fact.variable));
    to.push_back(static_cast<std::int32_t>(fact.value));
}

void write(std::span<const Fact> facts, Vector<std::int32_t>& to) {
    to.push_back(static_cast<std::int32_t>(facts.size()));
    for (const Fact& fact : facts) write(fact, to);
}

void write(const Task& task, const Operator& op, std::span<const Fact> precondition, std::int64_t cost, Buffers& to) {
    to.costs.push_back(cost);
    write(precondition, to.operators);
    to.operators.push_back(static_cast<std::int32_t>(op.effects.end - op.effects.begin));
    for (const Effect& effect : task.effects(op)) {
        write(task.facts(effect.conditions), to.operators);
        write(effect.sets, to.operators);
    }
}

// A task of the same variables. `edit(op, precondition)` may change a precondition, and returns the operator's cost.
template <class Edit>
Buffers copied(const Task& task, Control& control, Edit&& edit) {
    Buffers to;
    for (const Variable& variable : task.variables) to.domains.push_back(static_cast<std::int32_t>(variable.domain));
    to.layers.assign(task.variables.size(), -1);
    to.initial.assign(task.initial.begin(), task.initial.end());
    for (const Fact& fact : task.goal) write(fact, to.goal);
    for (OperatorId number = 0; number < task.operators.size(); ++number) {
        const Operator& op = task.operators[number];
        control.work(op.effects.end - op.effects.begin);
        const auto facts = task.facts(op.precondition);
        Vector<Fact> precondition(facts.begin(), facts.end());
        const std::int64_t cost = edit(number, precondition);
        write(task, op, precondition, cost, to);
    }
    for (const Range& group : task.mutexes) write(task.facts(group), to.mutexes);
    return to;
}

}  // namespace

class FoldedTask::Compiler {
  public:
    Compiler(FoldedTask& to, const Walker& walker, Control& control)
        : to_(to),
          task_(to.compiled_.task),
          layout_(to.compiled_.layout),
          walker_(walker),
          control_(control),
          about_walker_(task_.variables.size()),
          matters_(task_.variables.size()) {}

    void compile() {
        about_walker_[walker_.variable] = matters_[walker_.variable] = true;
        for (std::uint32_t place = 0; place < task_.variables[walker_.variable].domain; ++place) masks(place);
        to_.pushes_.resize(task_.operators.size());
        to_.walks_.assign(task_.operators.size(), false);
        for (const Walk& walk : walker_.walks) to_.walks_[walk.op] = walk.always;
        edges();
        goal();
        pushes();
    }

  private:
    void masks(std::uint32_t place) {
        control_.work(3 * to_.words_);
        const std::size_t first = to_.keep_.size();
        for (Vector<Word>* all : {&to_.keep_, &to_.away_, &to_.there_})
            all->resize(first + to_.words_, all == &to_.keep_ ? ~Word{0} : 0);
        const auto set = [&](std::uint32_t variable, std::uint32_t away, std::uint32_t there) {
            const Place& at = layout_[variable];
            to_.keep_[first + at.word] &= ~at.field();
            to_.away_[first + at.word] |= at.put(away);
            to_.there_[first + at.word] |= at.put(there);
        };
        set(walker_.variable, 0, place);
        for (const Shadow& shadow : walker_.shadows[place]) {
            about_walker_[shadow.variable] = matters_[shadow.variable] = true;
            set(shadow.variable, shadow.away, 1 - shadow.away);
        }
    }
    bool decided(std::uint32_t place, const Fact& fact) const {
        return fact.variable == walker_.variable ||
               std::ranges::find(walker_.shadows[place], fact.variable, &Shadow::variable) !=
                   walker_.shadows[place].end();
    }
    // Of a fact that the walker's place decides: whether that is how it is there.
    bool true_there(std::uint32_t place, const Fact& fact) const {
        if (fact.variable == walker_.variable) return fact.value == place;
        return fact.value != std::ranges::find(walker_.shadows[place], fact.variable, &Shadow::variable)->away;
    }

    void edges() {
        Vector<std::pair<std::uint32_t, Edge>> all;
        Cost dearest = 0;
        for (const Walk& walk : walker_.walks) {
            control_.work(walk.wants.size());
            const Operator& op = task_.operators[walk.op];
            for (const Fact& fact : walk.wants) matters_[fact.variable] = true;
            Edge edge{walk.to, op.cost, walk.op, {0, 0, 0}, added(walk.wants)};
            if (!walk.always) to_.pushes_[walk.op].walk = edge.more;
            if (edge.more.begin < edge.more.end) edge.test = to_.tests_[edge.more.begin++];
            all.push_back({walk.from, edge});
            to_.same_walks_ &= op.cost == task_.operators[walker_.walks.front().op].cost;
            dearest = std::max<Cost>(dearest, op.cost);
        }
        to_.edges_ = Rows<Edge>::by_row(task_.variables[walker_.variable].domain, [&](auto&& put) {
            for (const auto& [from, edge] : all) put(from, edge);
        });
        to_.farthest_ = dearest * (to_.edges_.size() - 1);
    }
    Range added(std::span<const Fact> facts) {
        const std::size_t begin = to_.tests_.size();
        layout_.tests(facts, to_.tests_);
        return {begin, to_.tests_.size()};
    }

    void goal() {
        Vector<Fact> besides;
        for (const Fact& fact : task_.goal) {
            if (about_walker_[fact.variable])
                to_.goal_has_walker_ = true;
            else
                besides.push_back(fact);
        }
        layout_.tests(besides, to_.goal_besides_);
    }

    void pushes() {
        const Buffers buffers = copied(task_, control_, [&](OperatorId op, Vector<Fact>& precondition) {
            if (to_.walks_[op])
                precondition = {{walker_.variable, 0}, {walker_.variable, 1}};  // never
            else
                push(op, precondition);
            return 1;
        });
        const Task others(buffers, control_);
        to_.generator_ = std::make_unique<const SuccessorGenerator>(others, layout_, control_);
    }
    // Leaves in the precondition what is to be seen in the lifted state.
    void push(OperatorId op, Vector<Fact>& precondition) {
        Push& push = to_.pushes_[op];
        if (const auto from = value_in(precondition, walker_.variable)) {
            push.from = *from;
            const bool possible = std::ranges::all_of(
                precondition, [&](const Fact& fact) { return !decided(*from, fact) || true_there(*from, fact); });
            std::erase_if(precondition, [&](const Fact& fact) { return decided(*from, fact); });
            if (!possible) precondition = {{walker_.variable, 0}, {walker_.variable, 1}};
        } else {
            push.apart = apart(task_.operators[op]);
            push.tests = added(precondition);
            std::erase_if(precondition, [&](const Fact& fact) { return about_walker_[fact.variable]; });
        }
    }
    bool apart(const Operator& op) const {
        const auto free = [&](const Fact& fact) { return !about_walker_[fact.variable]; };
        return std::ranges::all_of(task_.facts(op.precondition), free) &&
               std::ranges::all_of(task_.effects(op), [&](const Effect& effect) {
                   return !matters_[effect.sets.variable] && std::ranges::all_of(task_.facts(effect.conditions), free);
               });
    }

    FoldedTask& to_;
    const Task& task_;
    const Layout& layout_;
    const Walker& walker_;
    Control& control_;
    Vector<bool> about_walker_;  // by variable: the walker's, and shadows
    Vector<bool> matters_;       // and what walks want
};

FoldedTask::FoldedTask(const CompiledTask& compiled, const Walker& walker, Control& control)
    : compiled_(compiled), words_(compiled.words()), field_(compiled.layout[walker.variable]) {
    Compiler(*this, walker, control).compile();
}

std::unique_ptr<const CompiledTask> FoldedTask::counting_pushes(const Walker& walker, Control& control) const {
    const Task& task = compiled_.task;
    Buffers buffers = copied(task, control, [&](OperatorId op, const Vector<Fact>&) { return walks_[op] ? 0 : 1; });
    for (const Walk& walk : walker.walks) {
        if (walk.always) continue;
        control.tick();
        const auto facts = task.facts(task.operators[walk.op].precondition);
        Vector<Fact> precondition(facts.begin(), facts.end());
        for (const Fact& fact : walk.wants) precondition.push_back(fact);
        unpuzzle::write(task, task.operators[walk.op], precondition, 0, buffers);
    }
    return std::make_unique<const CompiledTask>(buffers, control);
}

}  // namespace unpuzzle
