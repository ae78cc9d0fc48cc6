#include "script/turn.hpp"

#include <algorithm>

namespace unpuzzle::script {

namespace {
constexpr int MOST_RIGID_TRIALS = 50;
constexpr Word ALL_MOVES = 0b11111, ACTION_MOVE = 0b10000;
}  // namespace

Turner::Turner(const Game& game, const Shape& shape, Control& control)
    : game_(game),
      shape_(shape),
      control_(control),
      rules_(game, shape, control),
      pushed_(shape.words),
      moving_(shape.words),
      row_(game.row_words) {
    if (game.rigid_groups.empty()) return;
    banned_.resize(game.early.size());
    rigid_.resize(shape.cells * game.layers);
    start_ = std::make_unique<Board>(game, shape);
}

void Turner::run(Board& board, Direction direction, Draws& draws, Queue& queue) {
    clear(pushed_);
    if (direction != NO_DIRECTION) push(board, direction);
    if (game_.rigid_groups.empty()) {
        Scene scene{board, nullptr, draws, queue};
        rules_.run(game_.early, scene, none_);
        move(board);
    } else if (!run_rigid(board, draws, queue)) {
        return;
    }
    Scene scene{board, rigid_.data(), draws, queue};
    rules_.run(game_.late, scene, none_);
}

// Rules and movement, until no rigid group is left whose objects could not all move.
bool Turner::run_rigid(Board& board, Draws& draws, Queue& queue) {
    std::fill(banned_.begin(), banned_.end(), 0);
    start_->assign(board);
    for (int trial = 0; trial < MOST_RIGID_TRIALS; ++trial) {
        if (trial > 0) board.assign(*start_);
        std::fill(rigid_.begin(), rigid_.end(), 0);
        queue = Queue();
        Scene scene{board, rigid_.data(), draws, queue};
        rules_.run(game_.early, scene, banned_);
        move(board);
        if (broken_.empty()) return true;
        for (const std::uint32_t number : broken_) {
            const std::uint32_t group = game_.rigid_groups[number - 1];
            if (group < banned_.size()) banned_[group] = 1;
        }
    }
    board.assign(*start_);
    queue = Queue();
    return false;
}

void Turner::push(Board& board, Direction direction) {
    if (game_.player.empty()) return;
    if (game_.player_is_aggregate) std::fill(pushed_.begin(), pushed_.end(), ~Word{0});
    for (const std::uint32_t object : game_.player) {
        const Word* there = board.set(object);
        for (std::size_t w = 0; w < shape_.words; ++w) {
            pushed_[w] = game_.player_is_aggregate ? pushed_[w] & there[w] : pushed_[w] | there[w];
        }
    }
    members(pushed_, [&](std::size_t cell) {
        std::copy(board.row(cell), board.row(cell) + game_.row_words, row_.begin());
        for (const std::uint32_t object : game_.player) {
            if (has(row_, object)) add(row_, game_.moves_from[game_.layer_of[object]] + direction);
        }
        board.put(cell, row_.data());
    });
}

bool Turner::stood_still(const Board& board) const {
    bool still = !empty(pushed_);
    members(pushed_,
            [&](std::size_t cell) { still &= !disjoint(board.row(cell), game_.player_row.data(), game_.row_words); });
    return still;
}

Word Turner::movement(const Word* row, std::size_t layer) const {
    const std::size_t first = game_.moves_from[layer];
    return row[first / WORD_BITS] >> first % WORD_BITS & ALL_MOVES;
}

// Moves what can move, until nothing does, and stops the rest.
void Turner::move(Board& board) {
    for (bool moved = true; moved;) {
        moved = false;
        control_.tick();
        std::copy(board.active(), board.active() + shape_.words, moving_.begin());
        members(moving_, [&](std::size_t cell) { moved |= move_from(board, cell); });
    }
    stop(board);
}

bool Turner::move_from(Board& board, std::size_t cell) {
    if (disjoint(board.row(cell), game_.move_row.data(), game_.row_words)) return false;
    bool moved = false;
    for (std::size_t layer = 0; layer < game_.layers; ++layer) {
        const Word direction = movement(board.row(cell), layer);
        if (direction == 0 || !step(board, cell, layer, direction)) continue;
        const std::size_t first = game_.moves_from[layer];
        board.flip(cell, first / WORD_BITS, direction << first % WORD_BITS);
        moved = true;
    }
    return moved;
}

// What is on a layer of a cell steps, if it can; action is always over.
bool Turner::step(Board& board, std::size_t cell, std::size_t layer, Word direction) {
    if (direction == ACTION_MOVE) return true;
    if (!std::has_single_bit(direction)) return false;
    const auto to = static_cast<Direction>(std::countr_zero(direction));
    if (shape_.room(cell, to) == 1) return false;
    const auto target = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + shape_.step(to));
    const Word* mask = game_.layer_rows[layer].data();
    if (!disjoint(board.row(target), mask, game_.row_words)) return false;
    for (std::size_t w = 0; w < game_.row_words; ++w) {
        if (const Word going = board.row(cell)[w] & mask[w]) {
            board.flip(cell, w, going);
            board.flip(target, w, going);
        }
    }
    return true;
}

void Turner::stop(Board& board) {
    broken_.clear();
    members(board.active(), shape_.words, [&](std::size_t cell) {
        const Word* row = board.row(cell);
        if (disjoint(row, game_.move_row.data(), game_.row_words)) return;
        if (!rigid_.empty()) note_broken(cell, row);
        for (std::size_t w = 0; w < game_.row_words; ++w) {
            if (const Word moves = row[w] & game_.move_row[w]) board.flip(cell, w, moves);
        }
    });
    board.rest();
}

// The rigid group of the lowest layer that should have moved and did not.
void Turner::note_broken(std::size_t cell, const Word* row) {
    for (std::size_t layer = 0; layer < game_.layers; ++layer) {
        const std::uint32_t group = rigid_[cell * game_.layers + layer];
        if (group == 0 || movement(row, layer) == 0) continue;
        broken_.push_back(group);
        return;
    }
}

}  // namespace unpuzzle::script
