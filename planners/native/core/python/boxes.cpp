// Boards with boxes, seen from Python.
#include <nanobind/stl/vector.h>

#include "python/python.hpp"

namespace unpuzzle {

namespace {

nb::object solve(const PlanningTask& task, Seconds seconds, Number bytes, Number most_expanded, Number most_improving,
                 bool pushes_first, const std::optional<std::vector<OperatorId>>& plan, nb::handle progress,
                 nb::handle clock) {
    boxes::Options options;
    static_cast<Limits&>(options) = limits_of(seconds, bytes);
    options.most_expanded = most_of(most_expanded);
    options.most_improving = most_of(most_improving);
    options.pushes_first = pushes_first;
    if (plan) options.plan = Steps(plan->begin(), plan->end());
    PythonObserver observer(progress, clock);
    const auto outcome = [&] {
        const nb::gil_scoped_release release;
        return task.push_boxes(options, observer);
    }();
    if (!outcome) return nb::none();
    if (outcome->status == Status::interrupted) throw Stop{Status::interrupted};
    SearchResult result;
    result.status = outcome->status;
    result.plan = outcome->plan;
    result.cost = outcome->cost;
    result.counters = outcome->counters;
    return nb::cast(result);
}

bool has_boxes(const PlanningTask& task, Seconds seconds, Number bytes) {
    const Limits limits = limits_of(seconds, bytes);
    PythonObserver observer{nb::none()};
    return released([&] { return task.has_boxes(limits, observer); });
}

}  // namespace

void bind_boxes(nb::class_<PlanningTask>& task) {
    task.def("has_boxes", has_boxes, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none());
    task.def("push_boxes", solve, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none(),
             "max_expanded"_a = nb::none(), "max_improving"_a = 0, "pushes_first"_a = true, "plan"_a = nb::none(),
             "progress"_a = nb::none(), "clock"_a = nb::none());
}

}  // namespace unpuzzle
