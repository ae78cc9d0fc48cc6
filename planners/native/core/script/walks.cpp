#include "script/walks.hpp"

namespace unpuzzle::script {

namespace {

// The key that most often takes one back.
Direction opposite(Direction key) {
    switch (key) {
        case UP:
            return DOWN;
        case DOWN:
            return UP;
        case LEFT:
            return RIGHT;
        case RIGHT:
            return LEFT;
        default:
            return key;
    }
}

}  // namespace

Walks::Walks(const Game& game, const Shape& shape, const std::vector<Direction>& keys, const Packer& packer)
    : game_(game), keys_(keys), packer_(packer), rest_(packer.words()), made_(packer.words()), cells_(shape.words) {}

void Walks::load(const Play& play, const Word* state) {
    state_ = state;
    player_ = has_player(play);
    if (player_) packer_.pack_rest(play, rest_.data());
}

bool Walks::is_walk(Play& play, OperatorId key) {
    if (!player_ || !has_player(play)) return false;
    packer_.pack_rest(play, made_.data());
    if (made_ != rest_) return false;
    const Direction first = opposite(keys_[key]);
    if (std::find(keys_.begin(), keys_.end(), first) != keys_.end() && leads_back(play, first)) return true;
    return std::any_of(keys_.begin(), keys_.end(), [&](Direction other) {
        if (other == first) return false;
        play.go_back();
        play.press(keys_[key]);
        return leads_back(play, other);
    });
}

bool Walks::has_player(const Play& play) {
    play.board().cells_with(game_.player, game_.player_is_aggregate, cells_);
    return !none(cells_);
}

bool Walks::leads_back(Play& play, Direction key) {
    play.press(key);
    if (play.capped) return false;
    packer_.pack(play, made_.data());
    return equal<0>(made_.data(), state_, made_.size());
}

}  // namespace unpuzzle::script
