// What planners do with a task: converts buffers, releases the GIL, maps statuses. No algorithm lives here.
#include "python/task.hpp"

#include <algorithm>

#include "plans/improvement.hpp"
#include "task/h2_pruning.hpp"

namespace unpuzzle {

namespace {

template <class Work>
void within(Budget& budget, Work&& work) {
    try {
        const Metered metered(budget);
        work();
    } catch (const Stop& stop) {
        raise_stop(stop.status);
    }
}

}  // namespace

PyTask::PyTask(nb::handle domains, nb::handle layers, nb::handle initial, nb::handle goal, nb::handle costs,
               nb::handle operators, nb::handle axioms, nb::handle mutexes, std::optional<double> time_limit,
               std::optional<std::int64_t> memory_limit)
    : budget_(PythonLimits{time_limit, memory_limit}.most_bytes()) {
    PythonLimits{time_limit, memory_limit}.check();
    PythonObserver observer{nb::none()};
    Control control(observer, time_limit);
    within(budget_, [&] {
        const auto numbers = [](const char* name, nb::handle from) {
            return NumberBuffer(name, from).numbers<std::int32_t>();
        };
        compile({numbers("domains", domains), numbers("layers", layers), numbers("initial", initial),
                 numbers("goal", goal), numbers("operators", operators), numbers("axioms", axioms),
                 mutexes.is_none() ? Vector<std::int32_t>() : numbers("mutexes", mutexes),
                 NumberBuffer("costs", costs).numbers<std::int64_t>()},
                control);
    });
}

PyTask::PyTask(Buffers&& buffers, Control& control, std::size_t bytes) : budget_(bytes) {
    within(budget_, [&] { compile(std::move(buffers), control); });
}

PyTask::PyTask(Buffers&& buffers, Control& control, std::size_t bytes, std::vector<OperatorId> numbers)
    : PyTask(std::move(buffers), control, bytes) {
    numbers_ = std::move(numbers);
}

void PyTask::compile(Buffers&& buffers, Control& control) {
    nb::gil_scoped_release release;
    const Buffers own = std::move(buffers);  // not longer than it is needed
    compiled_ = std::make_unique<CompiledTask>(own, control);
}

SearchResult PyTask::search(const std::string& algorithm, const std::string& heuristic,
                            std::optional<double> time_limit, std::optional<std::int64_t> memory_limit,
                            std::optional<std::int64_t> max_expanded, nb::handle progress, std::int64_t weight,
                            std::optional<std::int64_t> symmetries_after, bool symmetric_start,
                            std::optional<std::int64_t> bound, nb::handle clock, const std::string& pruning) {
    if (weight < 1 || weight > MOST_WEIGHT) {
        throw nb::value_error(
            ("weight " + std::to_string(weight) + " is not in 1.." + std::to_string(MOST_WEIGHT)).c_str());
    }
    const PythonLimits limits{time_limit, memory_limit};
    limits.check();
    SearchOptions request;
    request.algorithm = algorithm;
    request.heuristic = heuristic;
    request.seconds = time_limit;
    request.pruning = pruning;
    request.weight = static_cast<Cost>(weight);
    if (symmetries_after) {
        request.orbits = &orbits_;
        request.symmetric_start = symmetric_start;
        request.symmetries_after = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *symmetries_after));
    }
    request.bytes = limits.most_bytes();
    if (max_expanded) request.most_expanded = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *max_expanded));
    if (bound) request.bound = static_cast<Cost>(std::max<std::int64_t>(0, *bound));
    PythonObserver observer(progress, clock);
    SearchResult outcome = run(request, observer);
    if (outcome.status == Status::interrupted) raise_interrupt();
    if (outcome.plan) outcome.plan = told(std::move(*outcome.plan));
    return outcome;
}

SearchResult PyTask::run(const SearchOptions& request, PythonObserver& observer) const {
    nb::gil_scoped_release release;
    Control control(observer, request.seconds, &cancels_);
    return unpuzzle::search(*compiled_, request, control);
}

nb::tuple PyTask::pruned(std::int64_t most_work, std::optional<double> time_limit,
                         std::optional<std::int64_t> memory_limit) const {
    const PythonLimits limits{time_limit, memory_limit};
    limits.check();
    PythonObserver observer{nb::none()};
    Control control(observer, time_limit, &cancels_);
    Budget budget(limits.most_bytes());
    std::unique_ptr<PyTask> task;
    H2Pruning found{{}, false};
    Status status = Status::solved;
    try {
        const Metered metered(budget);
        {
            nb::gil_scoped_release release;
            const auto work = static_cast<std::uint64_t>(std::max<std::int64_t>(0, most_work));
            found = unpuzzle::pruned(compiled_->task, compiled_->features, control, budget, work);
        }
        if (found.task) {
            auto& numbers = found.task->numbers;
            for (OperatorId& op : numbers) op = numbers_.empty() ? op : numbers_[op];
            task = std::make_unique<PyTask>(std::move(found.task->buffers), control, budget.left(), std::move(numbers));
        }
    } catch (const Stop& stop) {
        status = stop.status;
        found.complete = false;
    } catch (const std::bad_alloc&) {  // as when the budget says so: the task stays as it is
        found.complete = false;
    } catch (const nb::python_error& error) {
        if (!error.matches(PyExc_TimeoutError)) throw;
        found.complete = false;
    }
    if (status == Status::interrupted) raise_interrupt();
    if (!task) return nb::make_tuple(nb::none(), found.complete);
    return nb::make_tuple(nb::cast(task.release(), nb::rv_policy::take_ownership), found.complete);
}

nb::tuple PyTask::improve(const std::vector<OperatorId>& plan, std::optional<double> time_limit,
                          std::optional<std::int64_t> memory_limit, std::int64_t max_expanded) const {
    const PythonLimits limits{time_limit, memory_limit};
    limits.check();
    const Steps own = checked(plan);
    PythonObserver observer{nb::none()};
    Budget budget(limits.most_bytes());
    Improved better;
    try {
        const Metered metered(budget);
        nb::gil_scoped_release release;
        Control control(observer, time_limit, &cancels_);
        better = improve_by_windows(*compiled_, own, control, budget,
                                    static_cast<std::uint64_t>(std::max<std::int64_t>(0, max_expanded)));
    } catch (const Stop&) {
        raise_interrupt();
    }
    const Cost cost = PlanRunner(*compiled_).cost(better.plan);
    return nb::make_tuple(told(std::move(better.plan)), cost, better.settled, better.expanded, better.generated);
}

std::vector<OperatorId> PyTask::eliminated(const std::vector<OperatorId>& plan) const {
    const Steps own = checked(plan);
    PythonObserver observer{nb::none()};
    Control control(observer);
    try {
        return told(eliminate(*compiled_, own, control, UINT64_MAX));
    } catch (const Stop& stop) {
        raise_stop(stop.status);
    }
}

Steps PyTask::checked(const Steps& plan) const {
    PlanRunner runner(*compiled_);
    runner.start();
    Steps own;
    for (const OperatorId number : plan) {
        const OperatorId op = number_here(number);
        if (op >= compiled_->operators.count() || !runner.applicable(op))
            throw nb::value_error(("operator " + std::to_string(number) + " cannot be applied there").c_str());
        runner.take(op);
        own.push_back(op);
    }
    if (!runner.at_goal()) throw nb::value_error("the steps do not lead to the goal");
    return own;
}

OperatorId PyTask::number_here(OperatorId number) const {
    if (numbers_.empty()) return number;
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    const bool there = found != numbers_.end() && *found == number;
    return there ? static_cast<OperatorId>(found - numbers_.begin()) : ~OperatorId{0};
}

Steps PyTask::told(Steps plan) const {
    if (!numbers_.empty()) {
        for (OperatorId& op : plan) op = numbers_[op];
    }
    return plan;
}

}  // namespace unpuzzle
