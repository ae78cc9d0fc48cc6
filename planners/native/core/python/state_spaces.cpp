#include "python/state_spaces.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

namespace unpuzzle {

namespace {

class PyStateSpace : public PySpace {
  public:
    PyStateSpace(nb::object task, const std::vector<std::uint32_t>& actions, bool goal_possible,
                 std::optional<double> seconds, std::optional<std::int64_t> memory,
                 std::optional<std::int64_t> most_states, nb::object progress)
        : task_(std::move(task)), compiled_(compiled_of(task_)) {
        if (actions.size() != compiled_.operators.count()) throw nb::value_error("one action an operator");
        const PythonLimits limits{seconds, memory};
        limits.check();
        PythonObserver observer{progress};
        Control control(observer, seconds);
        const StateSpace::Request request{limits.most_bytes(), most_of(most_states)};
        fill(control, [&] { return state_space(compiled_, actions, goal_possible, request, control); });
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

void bind_state_space(nb::module_& module) {
    bind_arrays<PyStateSpace>(module, "StateSpace")
        .def(nb::init<nb::object, const std::vector<std::uint32_t>&, bool, std::optional<double>,
                      std::optional<std::int64_t>, std::optional<std::int64_t>, nb::object>(),
             nb::arg("task"), nb::arg("actions"), nb::arg("goal_possible") = true, nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none(), nb::arg("max_states") = nb::none(), nb::arg("progress") = nb::none())
        .def("values", &PyStateSpace::values, nb::arg("state"));
}

}  // namespace unpuzzle
