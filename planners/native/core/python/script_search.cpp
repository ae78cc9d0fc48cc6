// Searches on PuzzleScript levels, and their state spaces, seen from Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <new>

#include "python/script.hpp"
#include "python/state_spaces.hpp"
#include "script/level.hpp"

namespace unpuzzle::script {

namespace {

Estimate::Kind kind_of(const std::string& name) {
    if (name == "blind") return Estimate::BLIND;
    if (name == "unmet") return Estimate::UNMET;
    if (name == "distance") return Estimate::DISTANCE;
    if (name == "sum") return Estimate::SUM;
    throw nb::value_error(("there is no heuristic " + name).c_str());
}

struct PyOutcome {
    Status status = Status::gave_up;
    std::vector<OperatorId> plan;
    Counters counters;
    std::size_t states = 0, bytes = 0;
    double seconds = 0;
    std::vector<std::uint32_t> endless;
};

struct PyLevelSpace : PySpace {
    std::vector<std::uint32_t> endless;
};

// Tells which groups were cut off (see `Rules`), also where a limit ends the work.
class NotesEndless {
  public:
    NotesEndless(Walker& walker, std::vector<std::uint32_t>& into) : walker_(walker), into_(into) {}
    ~NotesEndless() {
        try {
            into_.assign(walker_.endless().begin(), walker_.endless().end());
        } catch (const std::bad_alloc&) {
            into_.clear();
        }
    }
    NotesEndless(const NotesEndless&) = delete;
    NotesEndless& operator=(const NotesEndless&) = delete;

  private:
    Walker& walker_;
    std::vector<std::uint32_t>& into_;
};

// A level to be searched, with the keys that may be pressed.
class PyLevel {
  public:
    PyLevel(nb::object game, std::int64_t width, std::int64_t height, const nb::bytes& cells,
            const std::optional<nb::bytes>& target, bool won, const std::optional<nb::bytes>& seed, std::int64_t drawn,
            const std::string& keys)
        : held_(std::move(game)),
          game_(nb::cast<const PyGame&>(held_).game),
          shape_(shape_of(width, height)),
          cells_(cells_of(game_, shape_, cells)),
          won_(won),
          has_seed_(seed),
          drawn_(drawn_of(drawn)) {
        if (target) target_ = cells_of(game_, shape_, *target);
        if (seed) seed_.assign(bytes_of(*seed).begin(), bytes_of(*seed).end());
        for (const char key : keys) keys_.push_back(direction_of(key));
    }

    PyOutcome search(const std::string& algorithm, const std::string& heuristic, bool admissible,
                     const std::vector<std::uint32_t>& shortened, std::int64_t weight, std::optional<double> seconds,
                     std::optional<std::int64_t> memory, std::optional<std::int64_t> most_expanded,
                     nb::handle progress) const {
        if (weight < 1 || weight > MOST_WEIGHT) throw nb::value_error("the weight is not in 1..1000");
        const PythonLimits limits{seconds, memory};
        limits.check();
        const bool greedy = algorithm == "gbfs";
        const auto make = algorithm == "bfs"       ? breadth_first
                          : algorithm == "idastar" ? ida_star
                          : algorithm == "astar" || greedy
                              ? a_star
                              : throw nb::value_error(("there is no search " + algorithm).c_str());
        const Estimate::Kind kind = kind_of(heuristic);
        Budget budget(limits.most_bytes());
        PythonObserver observer(progress);
        Control control(observer, seconds);
        PyOutcome outcome;
        outcome.status = guarded([&] {
            const Metered metered(budget);
            Walker walker = walked(control);
            const NotesEndless notes(walker, outcome.endless);
            budget.take(walker.bytes());
            Estimate estimate(kind, game_, shape_, shortened);
            LevelContext run{walker, keys_, estimate, admissible, control, budget, most_of(most_expanded)};
            run.weight = static_cast<Cost>(weight);
            run.g_weight = greedy ? 0 : 1;
            const std::unique_ptr<Search> search = make(run);
            const Status status = search->run();
            if (status == Status::solved || status == Status::solved_optimally) outcome.plan = search->plan();
            outcome.states = search->states();
            return status;
        });
        outcome.counters = control.counters;
        outcome.bytes = budget.peak();
        outcome.seconds = control.seconds();
        return outcome;
    }

    std::uint64_t estimate(const std::string& heuristic, const std::vector<std::uint32_t>& shortened) const {
        Board board(game_, shape_);
        board.fill(cells_.data(), game_.object_words);
        return Estimate(kind_of(heuristic), game_, shape_, shortened).of(board, won_);
    }

    PyLevelSpace space(std::optional<double> seconds, std::optional<std::int64_t> memory,
                       std::optional<std::int64_t> most_states, nb::handle progress) const {
        const PythonLimits limits{seconds, memory};
        limits.check();
        PythonObserver observer(progress);
        Control control(observer, seconds);
        PyLevelSpace found;
        found.fill(control, [&] {
            Walker walker = walked(control);
            const NotesEndless notes(walker, found.endless);
            return state_space(walker, keys_, {limits.most_bytes(), most_of(most_states), false}, control);
        });
        return found;
    }

  private:
    Walker walked(Control& control) const {
        return Walker(game_, shape_, control, cells_, target_.empty() ? nullptr : &target_, won_, seed_,
                      has_seed_ ? std::optional(drawn_) : std::nullopt);
    }
    // The status that the work ends with, while Python may do something else.
    template <class Work>
    static Status guarded(Work&& work) {
        Status status;
        {
            nb::gil_scoped_release release;
            try {
                status = work();
            } catch (const Stop& stop) {
                status = stop.status;
            } catch (const std::bad_alloc&) {
                status = Status::memout;
            }
        }
        if (status == Status::interrupted) raise_interrupt();
        return status;
    }

    nb::object held_;
    const Game& game_;
    Shape shape_;
    Bits cells_, target_;
    bool won_, has_seed_;
    std::uint64_t drawn_;
    std::vector<unsigned char> seed_;
    std::vector<Direction> keys_;
};

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<PyOutcome>(module, "ScriptOutcome")
        .def_prop_ro("status", [](const PyOutcome& outcome) { return name_of(outcome.status); })
        .def_prop_ro("plan", [](const PyOutcome& outcome) { return outcome.plan; })
        .def_prop_ro("expanded", [](const PyOutcome& outcome) { return outcome.counters.expanded; })
        .def_prop_ro("evaluated", [](const PyOutcome& outcome) { return outcome.counters.evaluated; })
        .def_prop_ro("generated", [](const PyOutcome& outcome) { return outcome.counters.generated; })
        .def_ro("states", &PyOutcome::states)
        .def_ro("bytes", &PyOutcome::bytes)
        .def_ro("seconds", &PyOutcome::seconds)
        .def_ro("endless", &PyOutcome::endless);
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
