// The Python interface of tasks: the functions for planners, and state spaces.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/state_spaces.hpp"

namespace unpuzzle {

namespace {

void make(PlanningTask* self, nb::handle domains, nb::handle layers, nb::handle initial, nb::handle goal,
          nb::handle costs, nb::handle operators, nb::handle axioms, nb::handle mutexes, Seconds seconds,
          Number bytes) {
    const Limits limits = limits_of(seconds, bytes);
    PythonObserver observer{nb::none()};
    Control control(observer, limits.seconds);
    Budget budget(limits.bytes);
    const Metered metered(budget);
    const auto numbers = [](const char* name, nb::handle from) {
        return NumberBuffer(name, from).numbers<std::int32_t>();
    };
    Buffers buffers{numbers("domains", domains),
                    numbers("layers", layers),
                    numbers("initial", initial),
                    numbers("goal", goal),
                    numbers("operators", operators),
                    numbers("axioms", axioms),
                    mutexes.is_none() ? Vector<std::int32_t>() : numbers("mutexes", mutexes),
                    NumberBuffer("costs", costs).numbers<std::int64_t>()};
    nb::gil_scoped_release release;
    new (self) PlanningTask(std::move(buffers), control, budget.left());
}

SearchResult run_search(PlanningTask& task, const std::string& algorithm, const std::string& heuristic, Seconds seconds,
                        Number bytes, Number most_expanded, nb::handle progress, std::int64_t weight,
                        Number symmetries_after, bool symmetric_start, Number bound, nb::handle clock,
                        const std::string& pruning, const std::string& objective, bool folded,
                        const std::optional<Steps>& walks) {
    SearchOptions options;
    static_cast<Limits&>(options) = limits_of(seconds, bytes);
    options.algorithm = algorithm;
    options.heuristic = heuristic;
    options.most_expanded = most_of(most_expanded);
    options.weight = weight;
    if (symmetries_after) options.symmetries_after = most_of(symmetries_after);
    options.symmetric_start = symmetric_start;
    if (bound) options.bound = static_cast<Cost>(most_of(bound));
    options.pruning = pruning;
    options.objective = objective;
    options.folded = folded;
    options.walks = walks;
    PythonObserver observer(progress, clock);
    return released([&] { return task.search(options, observer); });
}

nb::object walker_of(const PlanningTask& task, const std::optional<Steps>& among, Seconds seconds, Number bytes) {
    const Limits limits = limits_of(seconds, bytes);
    PythonObserver observer{nb::none()};
    const std::optional<Walker> walker = released([&] { return task.walker(among, limits, observer); });
    if (!walker) return nb::none();
    nb::list walks;
    for (const Walk& walk : walker->walks) walks.append(walk.op);
    return nb::make_tuple(walker->variable, walks);
}

nb::tuple prune(const PlanningTask& task, std::int64_t most_work, Seconds seconds, Number bytes) {
    const Limits limits = limits_of(seconds, bytes);
    PythonObserver observer{nb::none()};
    PrunedTask found = released([&] { return task.pruned(most_of(most_work), limits, observer); });
    nb::object smaller = nb::none();
    if (found.task) smaller = nb::cast(found.task.release(), nb::rv_policy::take_ownership);
    return nb::make_tuple(smaller, found.complete);
}

nb::tuple improve(const PlanningTask& task, const Steps& plan, Seconds seconds, Number bytes,
                  std::int64_t most_expanded) {
    const Limits limits = limits_of(seconds, bytes);
    PythonObserver observer{nb::none()};
    const ImprovedPlan better = released([&] { return task.improved(plan, most_of(most_expanded), limits, observer); });
    return nb::make_tuple(better.plan, better.cost, better.settled, better.expanded, better.generated, better.windows);
}

Steps eliminated(const PlanningTask& task, const Steps& plan) {
    PythonObserver observer{nb::none()};
    return released([&] { return task.eliminated(plan, observer); }).plan;
}

nb::object cost_of(const SearchResult& result) { return result.plan ? nb::object(nb::int_(result.cost)) : nb::none(); }

SearchResult run_schedule(Schedule& schedule, Seconds seconds, Number bytes, Number most_expanded, Number most_effort,
                          Number bound, nb::handle progress, nb::handle clock) {
    ScheduleLimits limits;
    static_cast<Limits&>(limits) = limits_of(seconds, bytes);
    limits.most_expanded = most_of(most_expanded);
    limits.most_effort = most_of(most_effort);
    if (bound) limits.bound = static_cast<Cost>(most_of(bound));
    PythonObserver observer(progress, clock);
    return released([&] { return schedule.run(limits, observer); });
}

nb::object ended_by(const Schedule& schedule) {
    const auto reports = schedule.reports();
    return schedule.ended_by() < reports.size() ? nb::cast(reports[schedule.ended_by()]) : nb::none();
}

class PyStateSpace : public PySpace {
  public:
    PyStateSpace(nb::object task, const std::vector<std::uint32_t>& actions, bool goal_possible, Seconds seconds,
                 Number memory, Number most_states, nb::object progress)
        : task_(std::move(task)), compiled_(compiled_of(task_)) {
        const std::size_t bytes = limits_of(seconds, memory).bytes;
        PythonObserver observer{progress};
        Control control(observer, seconds);
        fill(control, [&] { return explore(compiled_, actions, goal_possible, bytes, most_of(most_states), control); });
        if (space) states_ = space->size();
    }

    nb::list values(std::size_t number) const {
        const StateSpace& all = complete();
        if (number >= states_) throw nb::index_error("there is no such state");
        const Word* state = all.state(number);
        nb::list values;
        for (std::size_t i = 0; i < compiled_.task.variables.size(); ++i) {
            const bool derived = compiled_.task.variables[i].derived();
            values.append(derived ? 0 : compiled_.layout[i].value(state));
        }
        return values;
    }

  private:
    nb::object task_;
    const CompiledTask& compiled_;
    std::size_t states_ = 0;
};

}  // namespace

void bind_task(nb::module_& module) {
    nb::class_<SearchResult>(module, "SearchResult")
        .def_prop_ro("status", [](const SearchResult& result) { return name_of(result.status); })
        .def_ro("plan", &SearchResult::plan)
        .def_prop_ro("cost", cost_of)
        .def_prop_ro("expanded", [](const SearchResult& result) { return result.counters.expanded; })
        .def_prop_ro("evaluated", [](const SearchResult& result) { return result.counters.evaluated; })
        .def_prop_ro("generated", [](const SearchResult& result) { return result.counters.generated; })
        .def_prop_ro("reopened", [](const SearchResult& result) { return result.counters.reopened; })
        .def_ro("states", &SearchResult::states)
        .def_ro("bytes", &SearchResult::bytes)
        .def_ro("seconds", &SearchResult::seconds);
    const auto count = [](auto Counters::* of) { return [of](const PartReport& part) { return part.counters.*of; }; };
    nb::class_<PartReport>(module, "Part")
        .def_prop_ro("name", [](const PartReport& part) { return part.name; })
        .def_prop_ro("algorithm", [](const PartReport& part) { return part.algorithm; })
        .def_prop_ro("heuristic", [](const PartReport& part) { return part.heuristic; })
        .def_prop_ro("state", [](const PartReport& part) { return part.state; })
        .def_prop_ro("expanded", count(&Counters::expanded))
        .def_prop_ro("evaluated", count(&Counters::evaluated))
        .def_prop_ro("generated", count(&Counters::generated))
        .def_prop_ro("f", count(&Counters::f))
        .def_ro("effort", &PartReport::effort)
        .def_ro("bytes", &PartReport::bytes)
        .def_ro("folded", &PartReport::folded)
        .def_ro("symmetric", &PartReport::symmetric);
    nb::class_<TaskFeatures>(module, "TaskFeatures")
        .def_ro("axioms", &TaskFeatures::axioms)
        .def_ro("conditional_effects", &TaskFeatures::conditional_effects)
        .def_ro("least_cost", &TaskFeatures::least_cost)
        .def_ro("most_changed", &TaskFeatures::most_changed);
    nb::class_<PlanningTask> task(module, "Task");
    task.def("__init__", make, "domains"_a, "layers"_a, "initial"_a, "goal"_a, "costs"_a, "operators"_a, "axioms"_a,
             "mutexes"_a = nb::none(), "time_limit"_a = nb::none(), "memory_limit"_a = nb::none())
        .def("search", run_search, "algorithm"_a, "heuristic"_a = "blind", "time_limit"_a = nb::none(),
             "memory_limit"_a = nb::none(), "max_expanded"_a = nb::none(), "progress"_a = nb::none(), "weight"_a = 1,
             "symmetries_after"_a = nb::none(), "symmetric_start"_a = false, "bound"_a = nb::none(),
             "clock"_a = nb::none(), "pruning"_a = "", "objective"_a = "moves", "folded"_a = false,
             "walks"_a = nb::none())
        .def("walker", walker_of, "among"_a = nb::none(), "time_limit"_a = nb::none(), "memory_limit"_a = nb::none())
        .def("improve", improve, "plan"_a, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none(),
             "max_expanded"_a = 1'000'000)
        .def("eliminated", eliminated, "plan"_a)
        .def("pruned", prune, "most_work"_a, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none())
        .def("cancel", &PlanningTask::cancel);
    bind_views(task);
    bind_boxes(task);
    nb::class_<Schedule>(module, "Schedule")
        .def(
            "__init__",
            [](Schedule* self, PlanningTask& task, const std::string& objective, const std::optional<Steps>& walks,
               const std::vector<std::string>& parts, double scale, bool soon, bool plans, bool anytime) {
                new (self) Schedule(task, {OBJECTIVES[static_cast<int>(objective_of(objective))], walks, parts, scale,
                                           soon, plans, anytime});
            },
            "task"_a, "objective"_a = "moves", "walks"_a = nb::none(), "parts"_a = std::vector<std::string>(),
            "scale"_a = 1.0, "soon"_a = false, "plans"_a = false, "anytime"_a = false, nb::keep_alive<1, 2>())
        .def("add", &Schedule::add, "task"_a, nb::keep_alive<1, 2>())
        .def("run", run_schedule, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none(),
             "max_expanded"_a = nb::none(), "max_effort"_a = nb::none(), "bound"_a = nb::none(),
             "progress"_a = nb::none(), "clock"_a = nb::none())
        .def_prop_ro("parts", &Schedule::reports)
        .def_prop_ro("ended_by", ended_by)
        .def_prop_ro("known", &Schedule::known)
        .def_prop_ro("unproved", &Schedule::unproved)
        .def_prop_ro("smaller", &Schedule::smaller)
        .def_prop_ro("empty", &Schedule::empty);
    bind_arrays<PyStateSpace>(module, "StateSpace")
        .def(nb::init<nb::object, const std::vector<std::uint32_t>&, bool, Seconds, Number, Number, nb::object>(),
             "task"_a, "actions"_a, "goal_possible"_a = true, "time_limit"_a = nb::none(),
             "memory_limit"_a = nb::none(), "max_states"_a = nb::none(), "progress"_a = nb::none())
        .def("values", &PyStateSpace::values, "state"_a);
}

}  // namespace unpuzzle
