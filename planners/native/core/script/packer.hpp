// Packed states: what can change on the boards of a level, as bits one after the other.
//
//     │ plane of N cells │ plane │ ... │ won │ rest of the word │ planes of the restart target │ numbers drawn │
//                                                                 if that can change             if any are
//
// Of a layer with n objects that can change each cell has a number 0..n (0: none of them), and plane i has
// bit i of that number for all cells. So writing a plane is an OR of columns, and reading one an AND,
// whatever the number of objects; and Sokoban's crates and player, on a board of 100 cells, take 201 bits.
#pragma once

#include "script/changes.hpp"
#include "script/play.hpp"

namespace unpuzzle::script {

class Packer {
  public:
    // `start` and `target` as `Changes` takes them; `draws`: numbers are drawn from a seed.
    Packer(const Game& game, const Shape& shape, const Bits& start, const Bits* target, bool draws);

    std::size_t words() const { return words_; }
    void pack(const Play& play, Word* state) const { pack(play, state, true); }
    // The same without the player's objects.
    void pack_rest(const Play& play, Word* state) const { pack(play, state, false); }
    // Sets the play to a state; `seeds` for its draws.
    void unpack(const Word* state, Play& play, DrawsAt& seeds) const;
    bool won(const Word* state) const { return has({state, words_}, won_at_); }

  private:
    struct Layer {
        std::vector<std::uint32_t> objects;
        std::size_t planes, first_bit;
    };
    void plan();
    void pack(const Play& play, Word* state, bool players) const;
    void write(const Board& board, Word* state, bool players = true) const;
    void read(const Word* state, Board& board) const;
    void write_plane(const Word* plane, std::size_t at, Word* state) const;
    void read_plane(const Word* state, std::size_t at, Word* plane) const;

    const Game& game_;
    const Shape& shape_;
    Changes changes_;
    Board fixed_;  // what does not change
    Bits first_target_;
    bool targets_, draws_;
    std::vector<Layer> layers_;
    std::size_t bits_ = 0, won_at_ = 0, target_word_ = 0, drawn_word_ = 0, words_ = 0;
    mutable Bits planes_, column_;
    mutable Board scratch_;  // for targets
};

}  // namespace unpuzzle::script
