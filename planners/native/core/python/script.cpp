// The Python face of PuzzleScript games: bytes in and out, the GIL released, hostile data refused.
#include "python/script.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>

namespace unpuzzle::script {

std::span<const unsigned char> bytes_of(const nb::bytes& bytes) {
    return {static_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

Direction direction_of(char key) {
    switch (key) {
        case 'u':
            return UP;
        case 'd':
            return DOWN;
        case 'l':
            return LEFT;
        case 'r':
            return RIGHT;
        case 'x':
            return ACTION;
        case 't':
            return NO_DIRECTION;
        default:
            throw nb::value_error((std::string("there is no key ") + key).c_str());
    }
}

Bits cells_of(const Game& game, const Shape& shape, const nb::bytes& bytes) {
    const std::size_t words = game.object_words;
    if (bytes.size() != shape.cells * words * sizeof(Word))
        throw nb::value_error(("a board of " + std::to_string(shape.cells) + " cells has " +
                               std::to_string(shape.cells * words * sizeof(Word)) + " bytes, not " +
                               std::to_string(bytes.size()))
                                  .c_str());
    Bits cells(shape.cells * words);
    std::memcpy(cells.data(), bytes.data(), bytes.size());
    for (std::size_t cell = 0; cell < shape.cells; ++cell) {
        members(&cells[cell * words], words, [&](std::size_t object) {
            if (object >= game.objects || game.layer_of[object] == NO_LAYER)
                throw nb::value_error(
                    ("cell " + std::to_string(cell) + ": there is no object " + std::to_string(object)).c_str());
        });
    }
    return cells;
}

nb::bytes bytes_from(const Bits& cells) { return nb::bytes(cells.data(), cells.size() * sizeof(Word)); }

Shape shape_of(std::int64_t width, std::int64_t height) {
    constexpr std::int64_t MOST = 1 << 24;
    if (width < 1 || height < 1 || width > MOST || height > MOST || width * height > MOST)
        throw nb::value_error(
            ("there is no board of " + std::to_string(width) + " by " + std::to_string(height) + " cells").c_str());
    return Shape(static_cast<std::size_t>(width), static_cast<std::size_t>(height));
}

std::uint64_t drawn_of(std::int64_t drawn) {
    if (drawn < 0 || drawn > MOST_DRAWN)
        throw nb::value_error(
            ("the numbers drawn are not " + std::to_string(drawn) + ", but 0 to " + std::to_string(MOST_DRAWN))
                .c_str());
    return static_cast<std::uint64_t>(drawn);
}

PyGame::PyGame(const nb::bytes& data) : game(bytes_of(data)) {}

// A level in play, in a place of its own.
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
          play_(game_, shape_, control_),
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
    nb::bytes target() {
        return bytes_from(alone([&] { return play_.target(); }));
    }
    std::uint64_t drawn() {
        return alone([&] { return play_.draws().drawn(); });
    }
    bool won() {
        return alone([&] { return play_.won; });
    }
    bool capped() {
        return alone([&] { return play_.capped; });
    }
    std::vector<std::uint32_t> endless() {
        return alone([&] { return std::vector<std::uint32_t>(play_.endless().begin(), play_.endless().end()); });
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
            play_.endless().clear();
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
    Play play_;
    DrawsAt seeds_;
    std::mutex mutex_;
    bool broken_ = false;
};

}  // namespace unpuzzle::script

namespace unpuzzle {

void bind_script(nb::module_& module) {
    using namespace script;
    nb::class_<PyGame>(module, "ScriptGame").def(nb::init<const nb::bytes&>(), nb::arg("data"));
    nb::class_<PyPlay>(module, "ScriptPlay")
        .def(nb::init<nb::object, std::int64_t, std::int64_t, const nb::bytes&, const std::optional<nb::bytes>&,
                      const nb::bytes&, std::int64_t, bool, bool, nb::object>(),
             nb::arg("game"), nb::arg("width"), nb::arg("height"), nb::arg("cells"), nb::arg("target").none(),
             nb::arg("seed"), nb::arg("drawn"), nb::arg("shows_messages"), nb::arg("keeps_undo"),
             nb::arg("look") = nb::none())
        .def("set", &PyPlay::set, nb::arg("cells"), nb::arg("target").none(), nb::arg("drawn"))
        .def("start", &PyPlay::start)
        .def("press", &PyPlay::press, nb::arg("keys"))
        .def_prop_ro("cells", &PyPlay::cells)
        .def_prop_ro("target", &PyPlay::target)
        .def_prop_ro("drawn", &PyPlay::drawn)
        .def_prop_ro("won", &PyPlay::won)
        .def_prop_ro("capped", &PyPlay::capped)
        .def_prop_ro("endless", &PyPlay::endless);
    bind_search(module);
}

}  // namespace unpuzzle
