// The Python module: names, arguments and defaults of what it offers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "heuristics/registry.hpp"
#include "python/task.hpp"

namespace nb = nanobind;

namespace unpuzzle {

namespace {

nb::object plan_of(const SearchResult& outcome) {
    if (!outcome.plan) return nb::none();
    nb::list plan;
    for (const OperatorId op : *outcome.plan) plan.append(op);
    return plan;
}

nb::object cost_of(const SearchResult& outcome) {
    return outcome.plan ? nb::object(nb::int_(outcome.cost)) : nb::none();
}

nb::dict heuristics_by_name() {
    nb::dict all;
    for (const HeuristicEntry& entry : heuristics()) all[entry.name.data()] = entry.admissible;
    return all;
}

}  // namespace

const CompiledTask& compiled_of(nb::handle task) { return nb::cast<const PyTask&>(task).compiled(); }
nb::object make_task(Buffers&& buffers, Control& control, std::size_t bytes) {
    return nb::cast(new PyTask(std::move(buffers), control, bytes), nb::rv_policy::take_ownership);
}

}  // namespace unpuzzle

NB_MODULE(_core, m) {
    using namespace unpuzzle;
    // What a module of tests or a notebook keeps until the end, such as a game, is no leak to be told of.
    nb::set_leak_warnings(false);
    m.doc() = "Search core of the native planner.";
    nb::exception<UnsupportedTask>(m, "UnsupportedTask");
    m.def("heuristics", heuristics_by_name, "By the name of each heuristic, whether it is admissible.");
    nb::class_<SearchResult>(m, "SearchResult")
        .def_prop_ro("status", [](const SearchResult& outcome) { return name_of(outcome.status); })
        .def_prop_ro("plan", plan_of)
        .def_prop_ro("cost", cost_of)
        .def_prop_ro("expanded", [](const SearchResult& outcome) { return outcome.counters.expanded; })
        .def_prop_ro("evaluated", [](const SearchResult& outcome) { return outcome.counters.evaluated; })
        .def_prop_ro("generated", [](const SearchResult& outcome) { return outcome.counters.generated; })
        .def_prop_ro("reopened", [](const SearchResult& outcome) { return outcome.counters.reopened; })
        .def_ro("states", &SearchResult::states)
        .def_ro("bytes", &SearchResult::bytes)
        .def_ro("seconds", &SearchResult::seconds);
    nb::class_<TaskFeatures>(m, "TaskFeatures")
        .def_ro("axioms", &TaskFeatures::axioms)
        .def_ro("derived_goal", &TaskFeatures::derived_goal)
        .def_ro("conditional_effects", &TaskFeatures::conditional_effects)
        .def_ro("undoable", &TaskFeatures::undoable)
        .def_ro("least_cost", &TaskFeatures::least_cost)
        .def_ro("dearest_cost", &TaskFeatures::dearest_cost)
        .def_ro("same_costs", &TaskFeatures::same_costs)
        .def_ro("most_changed", &TaskFeatures::most_changed);
    nb::class_<PyTask>(m, "Task")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle,
                      std::optional<double>, std::optional<std::int64_t>>(),
             nb::arg("domains"), nb::arg("layers"), nb::arg("initial"), nb::arg("goal"), nb::arg("costs"),
             nb::arg("operators"), nb::arg("axioms"), nb::arg("mutexes") = nb::none(),
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             "A checked and compiled copy of the arrays of FDRTask.buffers(); ValueError says where they are "
             "wrong. MemoryError, TimeoutError: the limits do not suffice.")
        .def("search", &PyTask::search, nb::arg("algorithm"), nb::arg("heuristic") = "blind",
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             nb::arg("max_expanded") = nb::none(), nb::arg("progress") = nb::none(), nb::arg("weight") = 1,
             nb::arg("symmetries_after") = nb::none(), nb::arg("symmetric_start") = false,
             nb::arg("bound") = nb::none(), nb::arg("clock") = nb::none(), nb::arg("pruning") = "",
             "Runs one search; the GIL is released. See _core.pyi.")
        .def("improve", &PyTask::improve, nb::arg("plan"), nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none(), nb::arg("max_expanded") = 1'000'000,
             "A plan that costs no more, by windows. See _core.pyi.")
        .def("eliminated", &PyTask::eliminated, nb::arg("plan"), "A plan without what can be left out.")
        .def("landmarks", &PyTask::landmarks, "Facts that every plan makes true at some time.")
        .def("pruned", &PyTask::pruned, nb::arg("most_work"), nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none(),
             "The task without what no plan contains, and whether that is all. See _core.pyi.")
        .def_prop_ro("initial", &PyTask::initial, "The initial state; derived variables are 0.")
        .def_prop_ro("operators", &PyTask::operators, "How many there are.")
        .def_prop_ro("features", &PyTask::features, nb::rv_policy::reference_internal, "What the task has.")
        .def("cancel", &PyTask::cancel, "Ends searches of this task that run in other threads, with 'gave_up'.")
        .def("successors", &PyTask::successors, nb::arg("state"),
             "The applicable operators, ascending, each with the state it leads to; states are lists of "
             "values.")
        .def("estimates", &PyTask::estimates, nb::arg("heuristic"), nb::arg("states"), nb::arg("improvements") = 0,
             nb::arg("reached") = nb::none(), "What a heuristic says of states: a cost, or None for a dead end.")
        .def("asymmetric_at_a_glance", &PyTask::asymmetric_at_a_glance,
             "True if it is quickly seen that there are no symmetries.")
        .def("symmetries", &PyTask::symmetries,
             "Generators of the symmetries: for each variable that one moves, what becomes of it.")
        .def("pattern_sums", &PyTask::pattern_sums, nb::arg("improvements") = 0, nb::arg("memory_limit") = nb::none(),
             "The patterns that `pdb` chooses.")
        .def("saturated", &PyTask::saturated, nb::arg("patterns"), nb::arg("samples"), nb::arg("states"),
             "What saturated cost partitioning over patterns, with orders for some states, says of states.")
        .def_prop_ro("variables", &PyTask::variables, "How many there are, derived ones included.")
        .def_prop_ro("bits_per_state", &PyTask::bits_per_state, "Bits of a packed state that mean something.")
        .def_prop_ro("bytes_per_state", &PyTask::bytes_per_state, "Bytes of a packed state.");
    bind_family(m);
    bind_state_space(m);
    bind_grounding(m);
    bind_script(m);
}
