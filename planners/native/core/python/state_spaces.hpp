// State spaces of tasks and of levels in Python. Each array is passed on as `bytes`, to be read through a memoryview;
// the core then drops it, so that there are never two copies of all of them.
#pragma once

#include <set>

#include "python/python.hpp"

namespace unpuzzle {

struct PySpace : ExploredSpace {
    std::uint64_t expanded = 0;

    // Explores, while Python may do something else.
    template <class Explore>
    void fill(const Control& control, Explore&& explore) {
        static_cast<ExploredSpace&>(*this) = released(explore);
        expanded = control.counters.expanded;
    }
    StateSpace& complete() const {
        if (!space) throw nb::value_error("the state space is not complete");
        return *space;
    }
    template <auto Array>
    nb::bytes array() {
        auto& array = complete().*Array;
        if (!handed_over.insert(&array).second) throw nb::value_error("the array was handed over already");
        nb::bytes bytes(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(array[0]));
        release(array);
        return bytes;
    }
    std::set<const void*> handed_over;
};

template <class Space>
nb::class_<Space> bind_arrays(nb::module_& module, const char* name) {
    return nb::class_<Space>(module, name)
        .def_prop_ro("status", [](const Space& it) { return it.space ? "complete" : name_of(it.status); })
        .def_prop_ro("expanded", [](const Space& it) { return it.expanded; })
        .def_prop_ro("bytes", [](const Space& it) { return it.budget ? it.budget->used() : 0; })
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
