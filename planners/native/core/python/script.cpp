// The Python interface of PuzzleScript games, searches on their levels, and state spaces: bytes in and out, with the
// GIL released and hostile data refused.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <mutex>

#include "python/state_spaces.hpp"
#include "script/level.hpp"
#include "script/play.hpp"

namespace unpuzzle::script {

namespace {

constexpr std::int64_t MOST_DRAWN = std::int64_t{1} << 24;

[[noreturn]] void refuse(const std::string& fault) { throw nb::value_error(fault.c_str()); }

std::span<const unsigned char> bytes_of(const nb::bytes& bytes) {
    return {static_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

Direction direction_of(char key) {
    const std::size_t found = std::string_view("udlrxt").find(key);
    if (found == std::string_view::npos) refuse(std::string("there is no key ") + key);
    return static_cast<Direction>(found);
}

// Checked: whoever gets a board may use it.
Bits cells_of(const Game& game, const Shape& shape, const nb::bytes& bytes) {
    const std::size_t words = game.object_words;
    if (bytes.size() != shape.cells * words * sizeof(Word))
        refuse("a board of " + std::to_string(shape.cells) + " cells has " +
               std::to_string(shape.cells * words * sizeof(Word)) + " bytes, not " + std::to_string(bytes.size()));
    Bits cells(shape.cells * words);
    std::memcpy(cells.data(), bytes.data(), bytes.size());
    for (std::size_t cell = 0; cell < shape.cells; ++cell) {
        each({&cells[cell * words], words}, [&](std::size_t object) {
            if (object >= game.objects || game.layer_of[object] == NO_LAYER)
                refuse("cell " + std::to_string(cell) + ": there is no object " + std::to_string(object));
        });
    }
    return cells;
}

std::vector<std::uint32_t> list_of(const std::set<std::uint32_t>& numbers) { return {numbers.begin(), numbers.end()}; }

nb::bytes bytes_from(const Bits& cells) { return nb::bytes(cells.data(), cells.size() * sizeof(Word)); }

Shape shape_of(std::int64_t width, std::int64_t height) {
    constexpr std::int64_t MOST = 1 << 24;
    if (width < 1 || height < 1 || width > MOST || height > MOST || width * height > MOST)
        refuse("there is no board of " + std::to_string(width) + " by " + std::to_string(height) + " cells");
    return Shape(static_cast<std::size_t>(width), static_cast<std::size_t>(height));
}

std::uint64_t drawn_of(std::int64_t drawn) {
    if (drawn < 0 || drawn > MOST_DRAWN)
        refuse("the numbers drawn are not " + std::to_string(drawn) + ", but 0 to " + std::to_string(MOST_DRAWN));
    return static_cast<std::uint64_t>(drawn);
}

struct PyGame {
    explicit PyGame(const nb::bytes& data) : game(bytes_of(data)) {}
    const Game game;
};

// A level in play, which owns its data.
class PyPlay {
  public:
    PyPlay(nb::object game, std::int64_t width, std::int64_t height, const nb::bytes& cells,
           const std::optional<nb::bytes>& target, const nb::bytes& seed, std::int64_t drawn, bool shows_messages,
           bool keeps_undo, nb::object look)
        : held_(std::move(game)),
          game_(nb::cast<const PyGame&>(held_).game),
          shape_(shape_of(width, height)),
          look_(std::move(look)),
          observer_(look_),
          control_(observer_),
          play_(game_, shape_, control_, endless_),
          seeds_(bytes_of(seed)) {
        play_.shows_messages = shows_messages;
        play_.keeps_undo = keeps_undo;
        set(cells, target, drawn);
    }

    void set(const nb::bytes& cells, const std::optional<nb::bytes>& target, std::int64_t drawn) {
        const Bits board = cells_of(game_, shape_, cells);
        Bits goes_to;
        if (target) goes_to = cells_of(game_, shape_, *target);
        const Draws draws = seeds_.at(drawn_of(drawn));
        alone([&] {
            play_.begin().fill(board.data(), game_.object_words);
            play_.begun(target ? goes_to.data() : nullptr, &draws);
            broken_ = false;
        });
    }
    void start() {
        run([&] { play_.start(); });
    }
    void press(const std::string& keys) {
        for (const char key : keys) {
            if (key == 'z') {
                run([&] { play_.undo(); });
            } else if (key == '!') {
                run([&] { play_.restart_by_key(); });
            } else {
                const Direction direction = direction_of(key);
                run([&] { play_.press(direction); });
            }
        }
    }
    nb::bytes cells() {
        Bits cells(shape_.cells * game_.object_words);
        alone([&] { play_.board().copy_objects(cells); });
        return bytes_from(cells);
    }
    std::vector<std::uint32_t> endless() {
        return alone([&] { return list_of(endless_); });
    }
    // Something of the play as it stands.
    template <class Look>
    auto look_at(Look&& look) {
        return alone([&] { return std::invoke(look, play_); });
    }

  private:
    // Whoever holds the lock may want Python's, so nobody waits for it with that.
    template <class Work>
    std::decay_t<std::invoke_result_t<Work>> alone(Work&& work) {
        nb::gil_scoped_release release;
        const std::lock_guard<std::mutex> lock(mutex_);
        return work();
    }
    template <class Work>
    void run(Work&& work) {
        alone([&] {
            if (broken_) throw nb::value_error("the play was interrupted, and cannot go on");
            endless_.clear();
            try {
                work();
            } catch (...) {
                broken_ = true;
                throw;
            }
        });
    }

    nb::object held_;
    const Game& game_;
    Shape shape_;
    nb::object look_;
    PythonObserver observer_;
    Control control_;
    std::set<std::uint32_t> endless_;
    Play play_;
    DrawsAt seeds_;
    std::mutex mutex_;
    bool broken_ = false;
};

// A search by the rules, as the first part of a schedule.
class PyLevelSchedule : public Schedule {
  public:
    // The arguments are kept alive as long as the search may use them.
    struct Settings {
        std::string algorithm, heuristic;
        LevelOptions options;
        CutOff cut_off = {};
    };

    PyLevelSchedule(const Level& level, const std::shared_ptr<Settings>& settings, std::uint64_t look)
        : Schedule({"rules", settings->algorithm.c_str(), settings->heuristic.c_str(), look,
                    [&level, settings](Control& control, Budget& budget) {
                        return resumable_search(level, settings->options, control, budget, settings->cut_off);
                    }}),
          settings_(settings) {
        settings->options.algorithm = settings->algorithm;
    }

    const CutOff& cut_off() const { return settings_->cut_off; }

  private:
    std::shared_ptr<Settings> settings_;
};

struct PyLevelSpace : PySpace {
    CutOff cut_off;
};

// A level to search, with the keys that may be pressed.
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

    LevelResult search(const std::string& algorithm, const std::string& heuristic, bool admissible,
                       const std::vector<std::uint32_t>& shortened, std::int64_t weight, Seconds seconds, Number memory,
                       Number most_expanded, nb::handle progress, const std::string& objective) const {
        if (weight < 1 || weight > MOST_WEIGHT) throw nb::value_error("the weight is not in 1..1000");
        LevelOptions options{algorithm, Estimate::kind_of(heuristic), admissible, shortened};
        options.weight = static_cast<Cost>(weight);
        options.bytes = limits_of(seconds, memory).bytes;
        options.most_expanded = most_of(most_expanded);
        options.objective = objective_of(objective);
        PythonObserver observer(progress);
        Control control(observer, seconds);
        return released([&] { return script::search(level_, options, control); });
    }

    const Level& level() const { return level_; }

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
                return state_space(level_, request, control, found.cut_off);
            });
        });
        return found;
    }

  private:
    nb::object held_;
    Level level_;
};

}  // namespace

}  // namespace unpuzzle::script

namespace unpuzzle {

void bind_script(nb::module_& module) {
    using namespace script;
    nb::class_<PyGame>(module, "ScriptGame").def(nb::init<const nb::bytes&>(), "data"_a);
    nb::class_<PyPlay>(module, "ScriptPlay")
        .def(nb::init<nb::object, std::int64_t, std::int64_t, const nb::bytes&, const std::optional<nb::bytes>&,
                      const nb::bytes&, std::int64_t, bool, bool, nb::object>(),
             "game"_a, "width"_a, "height"_a, "cells"_a, "target"_a.none(), "seed"_a, "drawn"_a, "shows_messages"_a,
             "keeps_undo"_a, "look"_a = nb::none())
        .def("set", &PyPlay::set, "cells"_a, "target"_a.none(), "drawn"_a)
        .def("start", &PyPlay::start)
        .def("press", &PyPlay::press, "keys"_a)
        .def_prop_ro("cells", &PyPlay::cells)
        .def_prop_ro("target", [](PyPlay& it) { return bytes_from(it.look_at(&Play::target)); })
        .def_prop_ro("drawn", [](PyPlay& it) { return it.look_at(&Play::draws).drawn(); })
        .def_prop_ro("won", [](PyPlay& it) { return it.look_at(&Play::won); })
        .def_prop_ro("capped", [](PyPlay& it) { return it.look_at(&Play::capped); })
        .def_prop_ro("endless", &PyPlay::endless);
    nb::class_<LevelResult>(module, "ScriptOutcome")
        .def_prop_ro("status", [](const LevelResult& result) { return name_of(result.status); })
        .def_prop_ro("plan", [](const LevelResult& result) { return result.plan; })
        .def_prop_ro("expanded", [](const LevelResult& result) { return result.counters.expanded; })
        .def_prop_ro("evaluated", [](const LevelResult& result) { return result.counters.evaluated; })
        .def_prop_ro("generated", [](const LevelResult& result) { return result.counters.generated; })
        .def_ro("states", &LevelResult::states)
        .def_ro("bytes", &LevelResult::bytes)
        .def_ro("seconds", &LevelResult::seconds)
        .def_prop_ro("endless", [](const LevelResult& result) { return list_of(result.cut_off.endless); })
        .def_prop_ro("capped", [](const LevelResult& result) { return result.cut_off.keys; });
    bind_arrays<PyLevelSpace>(module, "ScriptSpace")
        .def_prop_ro("endless", [](const PyLevelSpace& space) { return list_of(space.cut_off.endless); })
        .def_prop_ro("capped", [](const PyLevelSpace& space) { return space.cut_off.keys; });
    nb::class_<PyLevelSchedule, Schedule>(module, "ScriptSchedule")
        .def(
            "__init__",
            [](PyLevelSchedule* self, const PyLevel& level, const std::string& algorithm, const std::string& heuristic,
               bool admissible, const std::vector<std::uint32_t>& shortened, const std::string& objective,
               std::int64_t look) {
                LevelOptions options{{}, Estimate::kind_of(heuristic), admissible, shortened};
                options.objective = objective_of(objective);
                const PyLevelSchedule::Settings settings{algorithm, heuristic, options};
                new (self) PyLevelSchedule(level.level(), std::make_shared<PyLevelSchedule::Settings>(settings),
                                           most_of(look));
            },
            "level"_a, "algorithm"_a, "heuristic"_a, "admissible"_a, "shortened"_a, "objective"_a, "look"_a,
            nb::keep_alive<1, 2>())
        .def_prop_ro("endless", [](const PyLevelSchedule& it) { return list_of(it.cut_off().endless); })
        .def_prop_ro("capped", [](const PyLevelSchedule& it) { return it.cut_off().keys; });
    nb::class_<PyLevel>(module, "ScriptLevel")
        .def(nb::init<nb::object, std::int64_t, std::int64_t, const nb::bytes&, const std::optional<nb::bytes>&, bool,
                      const std::optional<nb::bytes>&, std::int64_t, const std::string&>(),
             "game"_a, "width"_a, "height"_a, "cells"_a, "target"_a.none(), "won"_a, "seed"_a.none(), "drawn"_a,
             "keys"_a)
        .def("search", &PyLevel::search, "algorithm"_a, "heuristic"_a = "blind", "admissible"_a = true,
             "shortened"_a = std::vector<std::uint32_t>(), "weight"_a = 1, "time_limit"_a = nb::none(),
             "memory_limit"_a = nb::none(), "max_expanded"_a = nb::none(), "progress"_a = nb::none(),
             "objective"_a = "moves")
        .def("estimate", &PyLevel::estimate, "heuristic"_a, "shortened"_a)
        .def("space", &PyLevel::space, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none(),
             "max_states"_a = nb::none(), "progress"_a = nb::none());
}

}  // namespace unpuzzle
