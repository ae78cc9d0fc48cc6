// One turn: the player is pushed, rules, movement, late rules; and again without the groups whose rigid
// bodies broke. The twin of puzzlescript/engine/turns.py.
#pragma once

#include <memory>

#include "script/rules.hpp"

namespace unpuzzle::script {

class Turner {
  public:
    Turner(const Game& game, const Shape& shape, Control& control, std::set<std::uint32_t>& endless);

    // Changes the board; `pushed` says afterwards where players were that were pushed.
    void run(Board& board, Direction direction, Draws& draws, Queue& queue);
    // Whether players were pushed, and all their cells have players still.
    bool stood_still(const Board& board) const;

  private:
    void push(Board& board, Direction direction);
    bool run_rigid(Board& board, Draws& draws, Queue& queue);
    void move(Board& board);
    bool move_from(Board& board, std::size_t cell);
    bool step(Board& board, std::size_t cell, std::size_t layer, Word direction);
    void stop(Board& board);
    void note_broken(std::size_t cell, std::span<const Word> row);
    Word movement(std::span<const Word> row, std::size_t layer) const;

    const Game& game_;
    const Shape& shape_;
    Control& control_;
    Rules rules_;
    Bits pushed_, moving_, row_;
    std::vector<char> none_, banned_;
    std::vector<std::uint8_t> rigid_;
    std::vector<std::uint32_t> broken_;  // numbers of rigid groups
    std::unique_ptr<Board> start_;       // for rigid bodies: the board once the player is pushed
};

}  // namespace unpuzzle::script
