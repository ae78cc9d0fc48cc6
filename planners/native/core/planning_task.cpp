// The functions of compiled tasks, state spaces and families. If a limit ends the work, the result says so.
#include "api.hpp"
#include "state/expander.hpp"
#include "task/h2_pruning.hpp"

namespace unpuzzle {

PlanningTask::PlanningTask(Buffers&& buffers, Control& control, std::size_t bytes, Steps numbers)
    : budget_(bytes), numbers_(std::move(numbers)) {
    const Metered metered(budget_);
    const Buffers own = std::move(buffers);  // not longer than it is needed
    compiled_ = std::make_unique<CompiledTask>(own, control);
}

SearchResult PlanningTask::search(const SearchOptions& options, Observer& observer) {
    Control control(observer, options.seconds, &cancels_);
    SearchOptions own = options;
    own.walks = request(options.walks).among;
    SearchResult result = unpuzzle::search(*compiled_, own, control, &orbits_);
    if (result.plan) result.plan = told(std::move(*result.plan));
    return result;
}

// What may be a walk, by the numbers that operators have here.
WalkerRequest PlanningTask::request(const std::optional<Steps>& among) const {
    if (!among) return {};
    Steps own;
    for (const OperatorId number : *among) {
        const auto op = operator_of(number);
        if (!op) throw BadTask("there is no operator " + std::to_string(number));
        own.push_back(*op);
    }
    return {std::move(own)};
}

std::optional<OperatorId> PlanningTask::operator_of(OperatorId number) const {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
    const OperatorId op = numbers_.empty() ? number : static_cast<OperatorId>(at);
    if (op >= compiled_->operators.count() || this->number(op) != number) return {};
    return op;
}

std::optional<Walker> PlanningTask::walker(const std::optional<Steps>& among, const Limits& limits,
                                           Observer& observer) const {
    const WalkerRequest wanted = request(among);
    Control control(observer, limits.seconds, &cancels_);
    Budget budget(limits.bytes);
    const Metered metered(budget);
    std::optional<Walker> walker = find_walker(compiled_->task, compiled_->features, wanted, control);
    if (!walker) return {};
    const Unmetered kept;  // it outlives the budget
    Walker told{walker->variable, {walker->walks.begin(), walker->walks.end()}, {}};
    for (Walk& walk : told.walks) walk.op = number(walk.op);
    return told;
}

bool PlanningTask::has_boxes(const Limits& limits, Observer& observer) const {
    Control control(observer, limits.seconds, &cancels_);
    Budget budget(limits.bytes);
    const Metered metered(budget);
    return boxes::recognise(*compiled_, control).has_value();
}

PrunedTask PlanningTask::pruned(std::uint64_t most_work, const Limits& limits, Observer& observer) const {
    PrunedTask result;
    Control control(observer, limits.seconds, &cancels_);
    Budget budget(limits.bytes);
    result.status = within_limits([&] {
        const Metered metered(budget);
        H2Pruning found = unpuzzle::pruned(compiled_->task, compiled_->features, control, most_work);
        if (found.task) {
            const std::size_t left = budget.left();
            result.task = std::make_unique<PlanningTask>(std::move(found.task->buffers), control, left,
                                                         told(std::move(found.task->numbers)));
        }
        result.complete = found.complete;
        return Status::solved;
    });
    return result;
}

ImprovedPlan PlanningTask::improved(const Steps& plan, std::uint64_t most_expanded, const Limits& limits,
                                    Observer& observer) const {
    ImprovedPlan better;
    better.plan = own(plan);
    Control control(observer, limits.seconds, &cancels_);
    Budget budget(limits.bytes);
    better.status = within_limits([&] {
        const Metered metered(budget);
        static_cast<Improved&>(better) = improve_by_windows(*compiled_, better.plan, control, budget, most_expanded);
        return Status::solved;
    });
    finish(better);
    return better;
}

ImprovedPlan PlanningTask::eliminated(const Steps& plan, Observer& observer) const {
    ImprovedPlan better;
    better.plan = own(plan);
    Control control(observer);
    better.status = within_limits([&] {
        better.plan = eliminate(*compiled_, better.plan, control, UINT64_MAX);
        return Status::solved;
    });
    finish(better);
    return better;
}

// A plan by the numbers that its operators have here.
Steps PlanningTask::own(const Steps& plan) const {
    PlanRunner runner(*compiled_);
    runner.start();
    Steps own;
    for (const OperatorId number : plan) {
        const auto op = operator_of(number);
        if (!op || !runner.applicable(*op))
            throw BadTask("operator " + std::to_string(number) + " cannot be applied there");
        runner.take(*op);
        own.push_back(*op);
    }
    if (!runner.at_goal()) throw BadTask("the steps do not lead to the goal");
    return own;
}

void PlanningTask::finish(ImprovedPlan& better) const {
    better.cost = PlanRunner(*compiled_).cost(better.plan);
    better.plan = told(std::move(better.plan));
}

Steps PlanningTask::told(Steps plan) const {
    for (OperatorId& op : plan) op = number(op);
    return plan;
}

std::vector<std::pair<OperatorId, PlanningTask::Values>> PlanningTask::successors(const Values& state) const {
    std::vector<std::pair<OperatorId, Values>> all;
    Expander<0> expander(*compiled_), next(*compiled_);
    expander.load(compiled_->packed(state).data());
    const auto& found = expander.applicable();
    std::vector<OperatorId> applicable(found.begin(), found.end());
    std::sort(applicable.begin(), applicable.end());
    std::vector<Word> child(compiled_->words());
    for (const OperatorId op : applicable) {
        expander.apply(op, child.data());
        next.load(child.data());
        all.emplace_back(number(op), compiled_->values(next.state()));
    }
    return all;
}

std::vector<std::optional<Cost>> PlanningTask::estimates(std::string_view name, std::span<const Values> states,
                                                         std::size_t refinements, std::span<const Reached> reached,
                                                         Control& control) const {
    if (!reached.empty() && reached.size() != states.size())
        throw BadTask(std::to_string(reached.size()) + " parents for " + std::to_string(states.size()) + " states");
    Budget budget;
    const Metered metered(budget);
    const auto heuristic = make_heuristic(name, {*compiled_, control, budget});
    for (; refinements > 0 && heuristic->states_before_refining() != UINT64_MAX; --refinements) heuristic->refine();
    std::vector<std::vector<Word>> packed;
    for (const Values& state : states) packed.push_back(compiled_->packed(state));
    std::vector<std::optional<Cost>> all;
    for (StateId id = 0; id < packed.size(); ++id) {
        Heuristic::EvaluationContext context{{*compiled_, packed[id].data()}, id, NO_STATE, 0};
        if (!reached.empty() && id > 0) {
            const auto [parent, number] = reached[id];
            const auto op = operator_of(number);
            if (parent >= id || !op) throw BadTask("no such parent, or operator");
            context.parent = parent;
            context.op = *op;
            context.parent_state = {*compiled_, packed[parent].data()};
        }
        const Cost h = heuristic->estimate(context);
        all.push_back(h == Heuristic::DEAD_END ? std::nullopt : std::optional(h));
    }
    return all;
}

SearchedTask PlanningTask::searched() {
    return {compiled_.get(), &orbits_, [this](Steps plan) { return told(std::move(plan)); },
            [this](const std::optional<Steps>& walks) {
                std::optional<Steps> own;
                if (walks) own.emplace();
                for (const OperatorId number : walks.value_or(Steps{})) {
                    if (const auto op = operator_of(number)) own->push_back(*op);  // else it was left out
                }
                return own;
            }};
}

Schedule::Schedule(PlanningTask& task, ScheduleOptions options)
    : task_(&task), scheduler_(task.searched(), std::move(options), relay_, &task.cancels_) {}

void Schedule::add(PlanningTask& task) {
    if (task_) throw BadTask("the schedule has a task");
    scheduler_.add(task.searched(), &task.cancels_);
    task_ = &task;
}

bool Schedule::Relay::look(const Counters& counters, double seconds) {
    return !to || to->look(all ? all->counters(counters) : counters, seconds);
}

SearchResult Schedule::run(const ScheduleLimits& limits, Observer& observer) {
    relay_.to = &observer;
    relay_.all = &scheduler_;
    const double begin = relay_.now();
    SearchResult result;
    result.status = scheduler_.run(limits, [&](std::uint64_t work) { return prune(work, limits, begin); });
    if (result.status == Status::memout) give_back_to_system();
    result.plan = scheduler_.plan();
    result.cost = scheduler_.cost();
    result.counters = scheduler_.counters({});
    result.states = scheduler_.states();
    result.bytes = scheduler_.peak();
    result.seconds = relay_.now() - begin;
    relay_.to = nullptr;
    return result;
}

Scheduler::Pruned Schedule::prune(std::uint64_t work, const Limits& limits, double begin) {
    const Unmetered own;  // the task has a budget of its own
    PlanningTask& last = pruned_.empty() ? *task_ : *pruned_.back();
    const auto seconds = limits.seconds ? std::optional(*limits.seconds - (relay_.now() - begin)) : std::nullopt;
    PrunedTask found = last.pruned(work, {seconds, limits.bytes}, relay_);
    if (found.status == Status::interrupted) throw Stop{found.status};
    Scheduler::Pruned pruned{.task = {}, .complete = found.complete};
    if (found.task) {
        pruned_.push_back(std::move(found.task));
        pruned.task = pruned_.back()->searched();
    }
    return pruned;
}

ExploredSpace explore(const CompiledTask& compiled, const std::vector<std::uint32_t>& actions, bool goal_possible,
                      std::size_t bytes, std::uint64_t most_states, Control& control) {
    if (actions.size() != compiled.operators.count()) throw BadTask("one action an operator");
    for (const std::uint32_t action : actions) {
        if (action >= actions.size())
            throw BadTask("action " + std::to_string(action) + " of " + std::to_string(actions.size()) + " operators");
    }
    return explored(bytes, most_states, [&](const StateSpace::Request& request) {
        return state_space(compiled, actions, goal_possible, request, control);
    });
}

Packer packer_of(const CompiledTask& compiled, const ground::Common& common) {
    std::vector<FamilyFact> facts;
    for (const auto& fact : common.start_facts()) facts.push_back({fact.variable, fact.value, fact.certain, {}});
    std::vector<bool> exact;
    for (const auto& group : common.groups()) {
        for (const std::uint32_t fact : group.facts)
            facts[fact].groups.push_back(static_cast<std::uint32_t>(exact.size()));
        exact.push_back(group.exact);
    }
    facts.emplace_back();
    return Packer(compiled, std::move(facts), std::move(exact), common.otherwise());
}

}  // namespace unpuzzle
