// Which objects can come, go or move in a level, found from its rules before anything is played.
//
// What a state must hold is only what can change: walls, floors and targets mostly cannot. An object stays as
// it is if no rule that can match puts it where it need not be already, takes it from where it may be, or
// moves it. (A rule can match only what is on the start's board or is put by rules that can match.) The
// argument is by induction over the steps of a play: as long as nothing of these objects has changed, what
// the left side of a rule says of them holds when the right side is made, whatever else the rule did between.
#pragma once

#include "script/game.hpp"

namespace unpuzzle::script {

struct Changes {
    // `start`: cell by cell, and so is `target`, to which restarts lead, or null.
    Changes(const Game& game, const Bits& start, const Bits* target);

    Bits possible;  // objects that may be on a board
    Bits changing;  // those of them that may come, go or move, as a row
    // At most one object a layer is in a cell, and stays so; else no layer says anything of another object.
    bool one_a_layer = true;

  private:
    void look(const Bits& cells);
    bool can_match(const Rule& rule) const;
    void spread();
    void note(const Pattern& pattern);
    void note_moves(const Pattern& pattern);
    bool excluded(const Pattern& pattern, std::size_t object) const;

    const Game& game_;
};

}  // namespace unpuzzle::script
