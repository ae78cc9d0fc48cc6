// Estimates of the moves to a win, from the win conditions.
//
//     blind       0 if the level is won, else 1
//     unmet       the number of cells on which conditions are false
//     distance    the greatest distance of an object in a condition from its nearest target
//     sum         the same, summed over objects
//
// Distances are Manhattan distances over all cells, and of `distance` each is divided by how much one move
// can shorten it. The caller says whether that is known, and so whether `distance` is admissible: see
// puzzlescript/rules.py, the slow twin.
#pragma once

#include <string_view>

#include "script/board.hpp"

namespace unpuzzle::script {

class Estimate {
  public:
    enum Kind { BLIND, UNMET, DISTANCE, SUM };

    static Kind kind_of(std::string_view name);  // throws UnknownName
    // `shortened`: for each win condition how much one move shortens its distances; 0: they do not count.
    Estimate(Kind kind, const Game& game, const Shape& shape, std::vector<std::uint32_t> shortened);
    std::uint64_t of(const Board& board, bool won);

  private:
    // The distances of all cells to the nearest of some cells, cached as long as these do not change.
    struct Field {
        Bits cells;
        Vector<std::uint32_t> distances;
    };
    std::uint64_t of_condition(const Board& board, std::size_t number);
    std::uint64_t distance(std::size_t number, std::size_t count);
    const Vector<std::uint32_t>& distances(std::size_t number);

    Kind kind_;
    const Game& game_;
    const Shape& shape_;
    std::vector<std::uint32_t> shortened_;
    Vector<Field> fields_;
    Bits first_, second_, wrong_;
};

}  // namespace unpuzzle::script
