// A level in play: inputs, `again`, commands, winning, undo and restart. The twin of puzzlescript/engine/engine.py.
//
// `now` is the board between turns; a turn is made on `next`, which is equal to it before, and then either kept (`now`
// is updated) or undone (`next` is updated); either takes time for the touched cells only.
//
// A trial turn decides whether `again` continues. Without chance the real turn is the same, so the trial's result is
// used for it.
#pragma once

#include "script/turn.hpp"

namespace unpuzzle::script {

constexpr int MOST_AGAINS = 500;  // turns that follow an input by themselves

class Play {
  public:
    // `endless` takes the groups that are cut off; see `Rules`.
    Play(const Game& game, const Shape& shape, Control& control, std::set<std::uint32_t>& endless);

    // The level stands like this, and nothing has happened yet. `target`: where a restart leads.
    Board& begin();                                      // to be filled in, and then:
    void begun(const Word* target, const Draws* draws);  // null: its own, as they are

    void start();                     // the turn that a level may begin with
    void press(Direction direction);  // an input, or a tick; and the turns that follow it
    void restart_by_key();
    void undo();

    const Board& board() const { return now_; }
    const Bits& target() const { return target_; }
    // The play as it stands, to try several inputs on it, each followed by `go_back`.
    void mark();
    void go_back();
    const Draws& draws() const { return draws_; }
    bool won = false, capped = false;
    bool shows_messages = true;  // the command `message` hides the command `win`, as it does for players
    bool keeps_undo = false;

    // Whether all win conditions hold.
    bool conditions_hold() const;

  private:
    void turn(Direction direction, bool may_win);
    void keep();
    void take_back();
    void run_on();
    void restart();
    void remember();
    bool would_do_something();
    bool changed();
    bool holds(const WinCondition& win) const;
    void load(const Bits& cells);
    Bits objects() const;

    const Game& game_;
    const Shape& shape_;
    Turner turner_;
    Board now_, next_;
    Draws draws_;
    Queue queue_;
    Bits target_;
    Bits marked_rows_, marked_target_, since_;  // since the mark: cells that may differ
    Draws marked_draws_;
    std::vector<Bits> undo_;
    bool again_ = false, restarting_ = false, tried_ = false;
    mutable Bits first_, second_;
};

}  // namespace unpuzzle::script
