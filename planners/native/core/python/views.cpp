// Views for tests and tools: states with their successors and estimates, and the parts of heuristics.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "heuristics/landmark_graph.hpp"
#include "pdbs/cost_partitioning.hpp"
#include "pdbs/heuristic.hpp"
#include "python/python.hpp"

namespace unpuzzle {

namespace {

using Values = PlanningTask::Values;

// For work without limits, which only Ctrl-C ends.
struct Unlimited {
    PythonObserver observer{nb::none()};
    Control control{observer};
    Budget budget;
};

std::vector<Values> states_of(nb::handle states) {
    std::vector<Values> all;
    for (nb::handle state : states) all.push_back(nb::cast<Values>(state));
    return all;
}

std::vector<std::optional<Cost>> estimates(const PlanningTask& task, const std::string& heuristic, nb::handle states,
                                           std::size_t improvements,
                                           const std::optional<std::vector<PlanningTask::Reached>>& reached) {
    const auto parents = reached.value_or(std::vector<PlanningTask::Reached>());
    Unlimited work;
    const std::vector<Values> all = states_of(states);
    return released([&] { return task.estimates(heuristic, all, improvements, parents, work.control); });
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> landmarks(const PlanningTask& task) {
    Unlimited work;
    const RelaxedTask relaxed(task.compiled(), work.control);
    const LandmarkGraph graph(relaxed, task.compiled(), work.control, work.budget);
    std::vector<Fact> all;
    for (const std::uint32_t proposition : graph.propositions) all.push_back(relaxed.facts[proposition]);
    return pairs_of(all);
}

nb::list symmetries_of(const PlanningTask& task) {
    Unlimited work;
    const auto found = released([&] { return symmetries(task.compiled().task, work.control); });
    nb::list all;
    for (const Symmetry& symmetry : found) {
        nb::dict moved;
        for (const Moved& it : symmetry)
            moved[nb::int_(it.from)] =
                nb::make_tuple(it.to, std::vector<std::uint32_t>(it.values.begin(), it.values.end()));
        all.append(moved);
    }
    return all;
}

nb::list pattern_sums(const PlanningTask& task, std::size_t improvements, Number memory_limit) {
    PythonObserver observer{nb::none()};
    Control control(observer);
    Budget budget(limits_of({}, memory_limit).bytes);
    const Metered metered(budget);
    const auto heuristic = make_heuristic("pdb", {task.compiled(), control, budget});
    for (std::size_t i = 0; i < improvements && heuristic->states_before_refining() != UINT64_MAX; ++i)
        heuristic->refine();
    nb::list sums;
    for (const auto& sum : sums_of(*heuristic)) {
        nb::list patterns;
        for (const Pattern& pattern : sum) {
            nb::list variables, cost_mask;
            for (const std::uint32_t variable : pattern.variables) variables.append(variable);
            for (std::size_t op = 0; op < pattern.cost_mask.size(); ++op) {
                if (pattern.cost_mask[op]) cost_mask.append(op);
            }
            nb::object folded = nb::none();
            if (pattern.folded_variable != Pattern::NO_VARIABLE) folded = nb::int_(pattern.folded_variable);
            patterns.append(nb::make_tuple(nb::tuple(variables), folded, nb::tuple(cost_mask)));
        }
        sums.append(patterns);
    }
    return sums;
}

std::vector<Cost> saturated(const PlanningTask& task, const std::vector<std::vector<std::uint32_t>>& patterns,
                            nb::handle states, nb::handle asked) {
    const CompiledTask& compiled = task.compiled();
    Unlimited work;
    Vector<Vector<std::uint32_t>> made;
    for (const auto& pattern : patterns) {
        const auto fault = std::adjacent_find(pattern.begin(), pattern.end(), std::greater_equal<>());
        if (fault != pattern.end() || pattern.empty() || pattern.back() >= compiled.task.variables.size())
            throw nb::value_error("no pattern: variables of the task, ascending");
        made.emplace_back(pattern.begin(), pattern.end());
    }
    Vector<SaturatedCostPartitionings::Sample> samples;
    for (const Values& state : states_of(states)) {
        const auto packed = compiled.packed(state);
        samples.push_back({Vector<Word>(packed.begin(), packed.end()), 0});
    }
    const Mutexes mutexes(compiled.task, work.control);
    SaturatedCostPartitionings orders(compiled, mutexes, made, {}, samples, work.control, work.budget);
    std::vector<Cost> all;
    for (const Values& state : states_of(asked)) all.push_back(orders.estimate(compiled.packed(state).data()));
    return all;
}

}  // namespace

void bind_views(nb::class_<PlanningTask>& task) {
    using Task = const PlanningTask&;
    task.def_prop_ro("initial", [](Task self) { return self.compiled().task.initial; })
        .def_prop_ro("variables", [](Task self) { return self.compiled().task.variables.size(); })
        .def_prop_ro("operators", [](Task self) { return self.compiled().operators.count(); })
        .def_prop_ro(
            "features", [](Task self) -> const TaskFeatures& { return self.compiled().features; },
            nb::rv_policy::reference_internal)
        .def_prop_ro("bits_per_state", [](Task self) { return self.compiled().layout.bits(); })
        .def_prop_ro("bytes_per_state", [](Task self) { return self.compiled().words() * sizeof(Word); })
        .def("successors", &PlanningTask::successors, "state"_a)
        .def("estimates", estimates, "heuristic"_a, "states"_a, "improvements"_a = 0, "reached"_a = nb::none())
        .def("landmarks", landmarks)
        .def("symmetries", symmetries_of)
        .def("asymmetric_at_a_glance",
             [](Task self) {
                 Unlimited work;
                 const auto& task = self.compiled().task;
                 return asymmetric_at_a_glance(task, FactNumbers(task), work.control);
             })
        .def("pattern_sums", pattern_sums, "improvements"_a = 0, "memory_limit"_a = nb::none())
        .def("saturated", saturated, "patterns"_a, "samples"_a, "states"_a);
}

}  // namespace unpuzzle
