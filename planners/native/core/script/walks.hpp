// Which steps in a level are walks: a step that changes nothing but the player's objects, and that one key takes back
// exactly. All others are pushes. The twin of `planning.walking` in Python, for positions that tell their player.
//
//     loaded state ──key──► where the play stands         the rest of both is the same, both have a player,
//          ▲                        │                     and one of the keys leads back
//          └──── some key? ─────────┘
#pragma once

#include "script/packer.hpp"

namespace unpuzzle::script {

class Walks {
  public:
    Walks(const Game& game, const Shape& shape, const std::vector<Direction>& keys, const Packer& packer);

    // The play has just been marked in a state, which is kept.
    void load(const Play& play, const Word* state);
    // Whether a key led from the marked state to where the play stands, by a walk. The play may stand elsewhere after
    // that: it is to go back.
    bool is_walk(Play& play, OperatorId key);

  private:
    bool has_player(const Play& play);
    bool leads_back(Play& play, Direction key);

    const Game& game_;
    const std::vector<Direction>& keys_;
    const Packer& packer_;
    const Word* state_ = nullptr;
    Bits rest_, made_, cells_;
    bool player_ = false;
};

}  // namespace unpuzzle::script
