// Searches on PuzzleScript levels, and their state spaces, seen from Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/script.hpp"
#include "python/state_spaces.hpp"
#include "script/level.hpp"

namespace unpuzzle::script {

namespace {

struct PyLevelResult : LevelResult {
    Counters counters = {};
    double seconds = 0;
};

struct PyLevelSpace : PySpace {
    std::vector<std::uint32_t> endless;
};

// A level to be searched, with the keys that may be pressed.
class PyLevel {
  public:
    PyLevel(nb::object game, std::int64_t width, std::int64_t height, const nb::bytes& cells,
            const std::optional<nb::bytes>& target, bool won, const std::optional<nb::bytes>& seed, std::int64_t drawn,
            const std::string& keys)
        : held_(std::move(game)), level_{nb::cast<const PyGame&>(held_).game, shape_of(width, height)} {
        level_.cells = cells_of(level_.game, level_.shape, cells);
        if (target) level_.target = cells_of(level_.game, level_.shape, *target);
        level_.won = won;
        if (seed) level_.seed.emplace(bytes_of(*seed).begin(), bytes_of(*seed).end());
        level_.drawn = drawn_of(drawn);
        for (const char key : keys) level_.keys.push_back(direction_of(key));
    }

    PyLevelResult search(const std::string& algorithm, const std::string& heuristic, bool admissible,
                         const std::vector<std::uint32_t>& shortened, std::int64_t weight, Seconds seconds,
                         Number memory, Number most_expanded, nb::handle progress) const {
        if (weight < 1 || weight > MOST_WEIGHT) throw nb::value_error("the weight is not in 1..1000");
        LevelOptions options{algorithm, Estimate::kind_of(heuristic), admissible, shortened};
        options.weight = static_cast<Cost>(weight);
        options.bytes = limits_of(seconds, memory).bytes;
        options.most_expanded = most_of(most_expanded);
        PythonObserver observer(progress);
        Control control(observer, seconds);
        PyLevelResult result{released([&] { return script::search(level_, options, control); })};
        result.counters = control.counters;
        result.seconds = control.seconds();
        return result;
    }

    std::uint64_t estimate(const std::string& heuristic, const std::vector<std::uint32_t>& shortened) const {
        Board board(level_.game, level_.shape);
        board.fill(level_.cells.data(), level_.game.object_words);
        return Estimate(Estimate::kind_of(heuristic), level_.game, level_.shape, shortened).of(board, level_.won);
    }

    PyLevelSpace space(Seconds seconds, Number memory, Number most_states, nb::handle progress) const {
        const std::size_t bytes = limits_of(seconds, memory).bytes;
        PythonObserver observer(progress);
        Control control(observer, seconds);
        PyLevelSpace found;
        found.fill(control, [&] {
            return explored(bytes, most_of(most_states), [&](const StateSpace::Request& request) {
                return state_space(level_, request, control, found.endless);
            });
        });
        return found;
    }

  private:
    nb::object held_;
    Level level_;
};

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<PyLevelResult>(module, "ScriptOutcome")
        .def_prop_ro("status", [](const PyLevelResult& result) { return name_of(result.status); })
        .def_prop_ro("plan", [](const PyLevelResult& result) { return result.plan; })
        .def_prop_ro("expanded", [](const PyLevelResult& result) { return result.counters.expanded; })
        .def_prop_ro("evaluated", [](const PyLevelResult& result) { return result.counters.evaluated; })
        .def_prop_ro("generated", [](const PyLevelResult& result) { return result.counters.generated; })
        .def_ro("states", &PyLevelResult::states)
        .def_ro("bytes", &PyLevelResult::bytes)
        .def_ro("seconds", &PyLevelResult::seconds)
        .def_ro("endless", &PyLevelResult::endless);
    bind_arrays<PyLevelSpace>(module, "ScriptSpace").def_ro("endless", &PyLevelSpace::endless);
    nb::class_<PyLevel>(module, "ScriptLevel")
        .def(nb::init<nb::object, std::int64_t, std::int64_t, const nb::bytes&, const std::optional<nb::bytes>&, bool,
                      const std::optional<nb::bytes>&, std::int64_t, const std::string&>(),
             nb::arg("game"), nb::arg("width"), nb::arg("height"), nb::arg("cells"), nb::arg("target").none(),
             nb::arg("won"), nb::arg("seed").none(), nb::arg("drawn"), nb::arg("keys"))
        .def("search", &PyLevel::search, nb::arg("algorithm"), nb::arg("heuristic") = "blind",
             nb::arg("admissible") = true, nb::arg("shortened") = std::vector<std::uint32_t>(), nb::arg("weight") = 1,
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             nb::arg("max_expanded") = nb::none(), nb::arg("progress") = nb::none())
        .def("estimate", &PyLevel::estimate, nb::arg("heuristic"), nb::arg("shortened"))
        .def("space", &PyLevel::space, nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             nb::arg("max_states") = nb::none(), nb::arg("progress") = nb::none());
}

}  // namespace unpuzzle::script
