#include "script/board.hpp"

#include <algorithm>

namespace unpuzzle::script {

Shape::Shape(std::size_t across, std::size_t down)
    : width(across), height(down), cells(across * down), words(words_for(cells)), by_rows(cells) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
        by_rows[cell] = static_cast<std::uint32_t>(cell % height * width + cell / height);
    }
}

std::ptrdiff_t Shape::step(Direction direction) const {
    const auto column = static_cast<std::ptrdiff_t>(height);
    const std::ptrdiff_t steps[] = {-1, 1, -column, column};
    return steps[direction];
}

std::size_t Shape::room(std::size_t cell, Direction direction) const {
    const std::size_t x = cell / height, y = cell % height;
    const std::size_t rooms[] = {y + 1, height - y, x + 1, width - x};
    return rooms[direction];
}

Bits Shape::anchors(Direction direction, std::size_t length) const {
    Bits found(words);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (room(cell, direction) >= length) add(found, cell);
    }
    return found;
}

Board::Board(const Game& of, const Shape& on)
    : game(of),
      shape(on),
      width_(of.row_words),
      words_(on.words),
      moves_(of.move_row.data()),
      rows_(on.cells * width_),
      sets_(width_ * WORD_BITS * words_),
      seen_(width_),
      active_(words_),
      touched_(words_) {}

void Board::rest() {
    script::clear(active_);
    for (std::size_t w = 0; w < width_; ++w) seen_[w] &= ~moves_[w];
}

void Board::follow(Board& other) {
    members(other.touched_, [&](std::size_t cell) { put(cell, other.row(cell)); });
    seen_ |= other.seen_;
    script::clear(touched_);
    script::clear(other.touched_);
}

void Board::assign(const Board& other) {
    rows_ = other.rows_;
    sets_ = other.sets_;
    seen_ = other.seen_;
    active_ = other.active_;
    touched_ = other.touched_;
}

void Board::clear() {
    for (Bits* all : {&rows_, &sets_, &seen_, &active_, &touched_}) script::clear(*all);
}

void Board::fill(const Word* cells, std::size_t object_words) {
    clear();
    for (std::size_t cell = 0; cell < shape.cells; ++cell) {
        for (std::size_t w = 0; w < object_words; ++w) {
            if (const Word bits = cells[cell * object_words + w]) flip(cell, w, bits);
        }
    }
    script::clear(touched_);
}

bool Board::same_objects(const Board& other, std::size_t cell) const {
    for (std::size_t w = 0; w < width_; ++w) {
        if ((row(cell)[w] ^ other.row(cell)[w]) & ~moves_[w]) return false;
    }
    return true;
}

void Board::copy_objects(Bits& cells) const {
    const std::size_t words = game.object_words;
    for (std::size_t cell = 0; cell < shape.cells; ++cell) {
        for (std::size_t w = 0; w < words; ++w) cells[cell * words + w] = row(cell)[w] & game.object_row[w];
    }
}

void Board::place(std::size_t object, const Word* cells) {
    const std::size_t word = object / WORD_BITS;
    std::copy(cells, cells + words_, sets_.begin() + static_cast<std::ptrdiff_t>(object * words_));
    seen_[word] |= bit(object);
    members(cells, words_, [&](std::size_t cell) { rows_[cell * width_ + word] |= bit(object); });
}

void Board::go_back(const Bits& rows, const Bits& cells) {
    members(cells, [&](std::size_t cell) { put(cell, &rows[cell * width_]); });
    script::clear(touched_);
}

void Board::cells_with(const std::vector<std::uint32_t>& objects, bool all, const Bits& everywhere, Bits& cells) const {
    if (all) {
        cells = everywhere;
    } else {
        std::fill(cells.begin(), cells.end(), Word{0});
    }
    for (const std::uint32_t object : objects) {
        const Word* there = set(object);
        for (std::size_t w = 0; w < words_; ++w) cells[w] = all ? cells[w] & there[w] : cells[w] | there[w];
    }
}

}  // namespace unpuzzle::script
