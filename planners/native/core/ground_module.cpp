// The Python face of the grounding: arrays in, a task for the search out, names on demand.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ground.hpp"
#include "python.hpp"

namespace unpuzzle {

namespace {

// Python code may run while the observer looks; its memory is none of the grounding's.
class Unmetered : public PythonObserver {
  public:
    using PythonObserver::PythonObserver;
    bool look(const Counters& counters, double seconds) override {
        Budget* budget = std::exchange(ground::Metered::current, nullptr);
        const bool go_on = PythonObserver::look(counters, seconds);
        ground::Metered::current = budget;
        return go_on;
    }
};

class PyGrounding {
  public:
    explicit PyGrounding(ground::Report report) : report_(std::move(report)) {}

    const char* status() const {
        if (report_.large_cost) return "large_cost";
        return report_.grounded ? "ground" : report_.status == Status::timeout ? "timeout" : "memout";
    }
    // Where a limit struck: phase, schema, then the action with the most instances and their number.
    nb::tuple progress() const {
        constexpr const char* NAMES[] = {"reading", "reaching", "actions", "axioms", "goal", "encoding"};
        return nb::make_tuple(NAMES[static_cast<int>(report_.progress.phase)], report_.progress.schema,
                              report_.largest, report_.instances, report_.facts);
    }
    std::size_t large_cost() const { return report_.large_cost ? report_.large_cost->action : 0; }

    std::size_t operators() const { return found().costs.size(); }
    std::size_t variables() const { return found().domains.size(); }
    bool has_axioms() const {
        const auto& layers = found().layers;
        return std::any_of(layers.begin(), layers.end(), [](std::int32_t layer) { return layer >= 0; });
    }
    double most_changed() const { return found().most_changed; }
    std::size_t conditional_effects() const { return found().conditional_effects; }
    // The task has its own copy of the large arrays; those here are dropped.
    nb::object task() {
        nb::object task = make_task(found().buffers());
        found().operators = {};
        found().axioms = {};
        found().mutexes = {};
        return task;
    }
    nb::list action(std::int64_t number) const {
        return item(found().action_names, found().action_begin, number);
    }
    nb::list value(std::int64_t number) const {
        return item(found().value_names, found().value_begin, number);
    }
    nb::dict buffers() const {
        nb::dict all;
        const auto& from = found();
        const auto add = [&](const char* name, const auto& numbers) {
            all[name] =
                nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
        };
        add("domains", from.domains);
        add("layers", from.layers);
        add("initial", from.initial);
        add("goal", from.goal);
        add("costs", from.costs);
        add("operators", from.operators);
        add("axioms", from.axioms);
        add("mutexes", from.mutexes);
        return all;
    }

  private:
    ground::Grounded& found() const {
        if (!report_.grounded) throw nb::value_error("the grounding did not end");
        return *report_.grounded;
    }
    static nb::list item(const ground::Vector<std::int32_t>& names, const ground::Vector<std::size_t>& begin,
                         std::int64_t number) {
        if (number < 0 || static_cast<std::size_t>(number) + 1 >= begin.size()) throw nb::index_error();
        nb::list list;
        const auto i = static_cast<std::size_t>(number);
        for (std::size_t at = begin[i]; at < begin[i + 1]; ++at) list.append(names[at]);
        return list;
    }

    ground::Report report_;
};

PyGrounding* ground_arrays(std::int64_t objects, nb::handle domains, nb::handle predicates,
                           nb::handle functions, nb::handle initial, nb::handle values, nb::handle actions,
                           nb::handle axioms, nb::handle goal, std::optional<double> time_limit,
                           std::optional<std::int64_t> memory_limit) {
    if (time_limit && std::isnan(*time_limit)) throw nb::value_error("time_limit is not a number");
    const ground::Arrays arrays{objects,
                                View("domains", domains).numbers<std::int32_t>(),
                                View("predicates", predicates).numbers<std::int32_t>(),
                                View("functions", functions).numbers<std::int32_t>(),
                                View("initial", initial).numbers<std::int32_t>(),
                                View("actions", actions).numbers<std::int32_t>(),
                                View("axioms", axioms).numbers<std::int32_t>(),
                                View("goal", goal).numbers<std::int32_t>(),
                                View("values", values).numbers<std::int64_t>()};
    const std::size_t bytes =
        memory_limit ? static_cast<std::size_t>(std::max<std::int64_t>(0, *memory_limit)) : SIZE_MAX;
    Unmetered observer{nb::none()};
    ground::Report report;
    {
        nb::gil_scoped_release release;
        Control control(observer, time_limit);
        report = ground::ground(arrays, bytes, control);
    }
    if (report.status == Status::interrupted) raise_interrupt();
    return new PyGrounding(std::move(report));
}

}  // namespace

void bind_grounding(nb::module_& module) {
    nb::class_<PyGrounding>(module, "Grounding")
        .def_prop_ro("status", &PyGrounding::status)
        .def_prop_ro("progress", &PyGrounding::progress)
        .def_prop_ro("large_cost", &PyGrounding::large_cost)
        .def_prop_ro("operators", &PyGrounding::operators)
        .def_prop_ro("variables", &PyGrounding::variables)
        .def_prop_ro("has_axioms", &PyGrounding::has_axioms)
        .def_prop_ro("most_changed", &PyGrounding::most_changed)
        .def_prop_ro("conditional_effects", &PyGrounding::conditional_effects)
        .def("task", &PyGrounding::task)
        .def("action", &PyGrounding::action, nb::arg("number"))
        .def("value", &PyGrounding::value, nb::arg("number"))
        .def("buffers", &PyGrounding::buffers);
    module.def("ground", &ground_arrays, nb::arg("objects"), nb::arg("domains"), nb::arg("predicates"),
               nb::arg("functions"), nb::arg("initial"), nb::arg("values"), nb::arg("actions"),
               nb::arg("axioms"), nb::arg("goal"), nb::arg("time_limit") = nb::none(),
               nb::arg("memory_limit") = nb::none(), nb::rv_policy::take_ownership);
}

}  // namespace unpuzzle
