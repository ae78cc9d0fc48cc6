// What the Python faces of PuzzleScript games share.
#pragma once

#include "python/python.hpp"
#include "script/play.hpp"

namespace unpuzzle::script {

constexpr std::int64_t MOST_DRAWN = std::int64_t{1} << 24;

struct PyGame {
    explicit PyGame(const nb::bytes& data);
    const Game game;
};

void bind_search(nb::module_& module);

std::span<const unsigned char> bytes_of(const nb::bytes& bytes);
nb::bytes bytes_from(const Bits& cells);
Direction direction_of(char key);
// Checked: whoever gets a board may use it.
Bits cells_of(const Game& game, const Shape& shape, const nb::bytes& bytes);
Shape shape_of(std::int64_t width, std::int64_t height);
std::uint64_t drawn_of(std::int64_t drawn);

}  // namespace unpuzzle::script
