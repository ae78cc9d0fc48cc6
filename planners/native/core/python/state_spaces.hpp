// State spaces seen from Python, of tasks and of levels. Each array is handed over as `bytes`, to be looked at through a
// memoryview; the core then has it no longer, so that there are never two copies of all of them.
#pragma once

#include <memory>

#include "python/python.hpp"
#include "search/state_space.hpp"

namespace unpuzzle {

// What a caller allows; null: as much as there is.
inline std::uint64_t most_of(std::optional<std::int64_t> number) {
    return number ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, *number)) : UINT64_MAX;
}

struct PySpace {
    std::unique_ptr<StateSpace> space;  // null: a limit was reached
    Status stopped = Status::gave_up;
    std::uint64_t expanded = 0;

    // Explores, while Python may do something else.
    template <class Explore>
    void fill(const Control& control, Explore&& explore) {
        try {
            nb::gil_scoped_release release;
            space = explore();
        } catch (const Stop& stop) {
            stopped = stop.status;
        } catch (const std::bad_alloc&) {
            stopped = Status::memout;
        }
        if (stopped == Status::interrupted) raise_interrupt();
        expanded = control.counters.expanded;
    }
    StateSpace& complete() const {
        if (!space) throw nb::value_error("the state space is not complete");
        return *space;
    }
    template <auto Array>
    nb::bytes array() {
        return handed_over(complete().*Array);
    }
};

template <class Space>
nb::class_<Space> bind_arrays(nb::module_& module, const char* name) {
    return nb::class_<Space>(module, name)
        .def_prop_ro("status", [](const Space& it) { return it.space ? "complete" : name_of(it.stopped); })
        .def_prop_ro("expanded", [](const Space& it) { return it.expanded; })
        .def("depth", &Space::template array<&StateSpace::depth>)
        .def("offsets", &Space::template array<&StateSpace::offsets>)
        .def("targets", &Space::template array<&StateSpace::targets>)
        .def("operators", &Space::template array<&StateSpace::operators>)
        .def("goals", &Space::template array<&StateSpace::goals>)
        .def("distance", &Space::template array<&StateSpace::distance>)
        .def("goal_distance", &Space::template array<&StateSpace::goal_distance>)
        .def("plans", &Space::template array<&StateSpace::plans>);
}

}  // namespace unpuzzle
