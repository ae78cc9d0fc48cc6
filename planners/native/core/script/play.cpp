#include "script/play.hpp"

namespace unpuzzle::script {

Play::Play(const Game& game, const Shape& shape, Control& control, std::set<std::uint32_t>& endless)
    : game_(game),
      shape_(shape),
      turner_(game, shape, control, endless),
      now_(game, shape),
      next_(game, shape),
      draws_({}),
      target_(shape.cells * game.object_words),
      since_(shape.words),
      marked_draws_({}),
      first_(shape.words),
      second_(shape.words) {}

Board& Play::begin() {
    won = capped = again_ = restarting_ = tried_ = false;
    undo_.clear();
    return now_;
}

void Play::begun(const Word* target, const Draws* draws) {
    next_.assign(now_);
    if (draws) draws_ = *draws;
    if (target) {
        target_.assign(target, target + target_.size());
    } else if (keeps_undo || (game_.commands & RESTART)) {
        target_ = objects();
    }
}

void Play::start() {
    if (!game_.run_rules_on_level_start) return;
    turn(NO_DIRECTION, false);
    run_on();
}

void Play::press(Direction direction) {
    won = capped = false;
    if (direction != ACTION || !game_.no_action) turn(direction, true);
    run_on();
}

void Play::restart_by_key() {
    won = capped = false;
    if (!game_.no_restart) {
        remember();
        restart();
    }
    run_on();
}

void Play::undo() {
    won = capped = false;
    if (!game_.no_undo) {
        // What changed nothing, such as a restart at the start, is skipped.
        while (!undo_.empty() && undo_.back() == objects()) undo_.pop_back();
        if (!undo_.empty()) load(take_last(undo_));
    }
    run_on();
}

// The turns that `again` asks for.
void Play::run_on() {
    for (int turns = 0; again_ && !won;) {
        again_ = false;
        if (++turns > MOST_AGAINS) {
            capped = true;
            break;
        }
        turn(NO_DIRECTION, true);
    }
    if (tried_) take_back();
}

void Play::restart() {
    restarting_ = true;
    load(target_);
    if (game_.run_rules_on_level_start) turn(NO_DIRECTION, false);
    restarting_ = false;
}

void Play::remember() {
    if (keeps_undo) undo_.push_back(objects());
}

// ---- one turn

void Play::turn(Direction direction, bool may_win) {
    if (tried_ && direction == NO_DIRECTION) {
        tried_ = false;  // it is made already
    } else {
        if (tried_) take_back();
        queue_ = Queue();
        turner_.run(next_, direction, draws_, queue_);
    }
    if (game_.require_player_movement && direction != NO_DIRECTION && turner_.stood_still(next_)) return take_back();
    const std::uint32_t commands = queue_.commands;
    if (commands & CANCEL) return take_back();
    if ((commands & RESTART) && restarting_) {
        remember();  // in the turn that a restart begins with it does nothing
    } else if (commands & RESTART) {
        take_back();
        remember();
        restart();
        won = may_win && conditions_hold();
        return;
    }
    const bool differs = changed();
    if (differs && direction != NO_DIRECTION) remember();
    keep();
    const bool hidden = shows_messages && (commands & MESSAGE);
    won = may_win && (((commands & WIN) && !hidden) || conditions_hold());
    if (won) return;
    if (commands & CHECKPOINT) target_ = objects();
    if ((commands & AGAIN) && differs) again_ = would_do_something();
}

void Play::keep() {
    since_ |= next_.touched();
    now_.follow(next_);
}

void Play::take_back() {
    tried_ = false;
    // What `follow` copies is what the other touched, so both exchange what they are for a moment.
    std::swap(now_.touched(), next_.touched());
    next_.follow(now_);
}

bool Play::changed() {
    bool differs = false;
    each(next_.touched(), [&](std::size_t cell) { differs |= !now_.same_objects(next_, cell); });
    return differs;
}

// Tries a turn without input.
bool Play::would_do_something() {
    queue_ = Queue();
    turner_.run(next_, NO_DIRECTION, draws_, queue_);
    const bool does =
        (queue_.commands & CANCEL) ? queue_.cancel_has_company : ((queue_.commands & (RESTART | WIN)) || changed());
    if (does && !game_.chance) {
        tried_ = true;
    } else {
        take_back();
    }
    return does;
}

void Play::load(const Bits& cells) {
    if (tried_) take_back();
    now_.fill(cells.data(), game_.object_words);
    next_.assign(now_);
    since_ = shape_.everywhere;
}

Bits Play::objects() const {
    Bits cells(shape_.cells * game_.object_words);
    now_.copy_objects(cells);
    return cells;
}

void Play::mark() {
    marked_rows_ = now_.rows();
    if (game_.commands & CHECKPOINT) marked_target_ = target_;
    if (game_.chance) marked_draws_ = draws_;
    clear(since_);
}

void Play::go_back() {
    for (Board* board : {&now_, &next_}) board->go_back(marked_rows_, since_);
    clear(since_);
    if (game_.commands & CHECKPOINT) target_ = marked_target_;
    if (game_.chance) draws_ = marked_draws_;
    won = capped = again_ = restarting_ = false;
}

// ---- winning

bool Play::conditions_hold() const {
    return !game_.wins.empty() &&
           std::all_of(game_.wins.begin(), game_.wins.end(), [&](const WinCondition& win) { return holds(win); });
}

bool Play::holds(const WinCondition& win) const {
    now_.cells_with(win.first, win.first_is_aggregate, first_);
    now_.cells_with(win.second, win.second_is_aggregate, second_);
    if (win.quantifier > 0) return within(first_, second_);
    return !meets(first_, second_) == (win.quantifier < 0);
}

}  // namespace unpuzzle::script
