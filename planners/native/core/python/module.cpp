// The Python module. Its classes and functions are documented in _core.pyi.
#include "python/python.hpp"

namespace {

// By name, whether it is admissible.
nanobind::dict heuristics_by_name() {
    nanobind::dict all;
    for (const unpuzzle::HeuristicEntry& entry : unpuzzle::heuristics()) all[entry.name.data()] = entry.admissible;
    return all;
}

}  // namespace

NB_MODULE(_core, m) {
    using namespace unpuzzle;
    // What a module of tests or a notebook keeps until the end, such as a game, is no leak to be told of.
    nb::set_leak_warnings(false);
    m.doc() = "Search core of the native planner.";
    nb::exception<UnsupportedTask>(m, "UnsupportedTask");
    nb::register_exception_translator(translate_stop);
    bind_task(m);
    m.def("heuristics", heuristics_by_name);
    bind_family(m);
    bind_grounding(m);
    bind_script(m);
}
