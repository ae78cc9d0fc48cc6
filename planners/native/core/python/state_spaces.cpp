// State spaces seen from Python. Each array is handed over as `bytes`, to be looked at through a memoryview;
// the core then has it no longer, so that there are never two copies of all of them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "python/python.hpp"
#include "search/state_space.hpp"

namespace unpuzzle {

namespace {

class PyStateSpace {
  public:
    PyStateSpace(nb::object task, const std::vector<std::uint32_t>& actions, bool goal_possible,
                 std::optional<double> seconds, std::optional<std::int64_t> memory,
                 std::optional<std::int64_t> most_states, nb::object progress)
        : task_(std::move(task)), compiled_(compiled_of(task_)) {
        StateSpace::Request request;
        request.goal_possible = goal_possible;
        request.bytes = limits_of(seconds, memory).bytes;
        request.states = most_of(most_states);
        PythonObserver observer{progress};
        Control control(observer, seconds);
        auto explored = released([&] { return explore(compiled_, actions, request, control); });
        status_ = explored.status;
        space_ = std::move(explored.space);
        expanded_ = control.counters.expanded;
        if (space_) states_ = space_->size();
    }

    const char* status() const { return space_ ? "complete" : name_of(status_); }
    std::uint64_t expanded() const { return expanded_; }
    template <auto Array>
    nb::bytes array() {
        checked();
        return handed_over((*space_).*Array);
    }
    nb::list values(std::size_t state) const {
        checked();
        if (state >= states_) throw nb::index_error("there is no such state");
        nb::list values;
        for (std::size_t i = 0; i < compiled_.task.variables.size(); ++i) {
            const bool derived = compiled_.task.variables[i].derived();
            values.append(derived ? 0 : compiled_.layout[i].value(space_->state(state)));
        }
        return values;
    }

  private:
    void checked() const {
        if (!space_) throw nb::value_error("the state space is not complete");
    }

    nb::object task_;
    const CompiledTask& compiled_;
    std::unique_ptr<StateSpace> space_;
    Status status_ = Status::gave_up;
    std::uint64_t expanded_ = 0;
    std::size_t states_ = 0;
};

}  // namespace

void bind_state_space(nb::module_& module) {
    nb::class_<PyStateSpace>(module, "StateSpace")
        .def(nb::init<nb::object, const std::vector<std::uint32_t>&, bool, std::optional<double>,
                      std::optional<std::int64_t>, std::optional<std::int64_t>, nb::object>(),
             nb::arg("task"), nb::arg("actions"), nb::arg("goal_possible") = true, nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none(), nb::arg("max_states") = nb::none(), nb::arg("progress") = nb::none())
        .def_prop_ro("status", &PyStateSpace::status)
        .def_prop_ro("expanded", &PyStateSpace::expanded)
        .def("values", &PyStateSpace::values, nb::arg("state"))
        .def("depth", &PyStateSpace::array<&StateSpace::depth>)
        .def("offsets", &PyStateSpace::array<&StateSpace::offsets>)
        .def("targets", &PyStateSpace::array<&StateSpace::targets>)
        .def("operators", &PyStateSpace::array<&StateSpace::operators>)
        .def("goals", &PyStateSpace::array<&StateSpace::goals>)
        .def("distance", &PyStateSpace::array<&StateSpace::distance>)
        .def("goal_distance", &PyStateSpace::array<&StateSpace::goal_distance>)
        .def("plans", &PyStateSpace::array<&StateSpace::plans>);
}

}  // namespace unpuzzle
