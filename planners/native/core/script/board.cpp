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
    switch (direction) {
        case UP:
            return -1;
        case DOWN:
            return 1;
        case LEFT:
            return -column;
        default:
            return column;
    }
}

std::size_t Shape::room(std::size_t cell, Direction direction) const {
    switch (direction) {
        case UP:
            return cell % height + 1;
        case DOWN:
            return height - cell % height;
        case LEFT:
            return cell / height + 1;
        default:
            return width - cell / height;
    }
}

Bits Shape::anchors(Direction direction, std::size_t length) const {
    Bits found(words);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (room(cell, direction) >= length) add(found.data(), cell);
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
    std::fill(active_.begin(), active_.end(), 0);
    for (std::size_t w = 0; w < width_; ++w) seen_[w] &= ~moves_[w];
}

void Board::follow(Board& other) {
    members(other.touched_.data(), words_, [&](std::size_t cell) { put(cell, other.row(cell)); });
    for (std::size_t w = 0; w < width_; ++w) seen_[w] |= other.seen_[w];
    std::fill(touched_.begin(), touched_.end(), 0);
    std::fill(other.touched_.begin(), other.touched_.end(), 0);
}

void Board::assign(const Board& other) {
    std::copy(other.rows_.begin(), other.rows_.end(), rows_.begin());
    std::copy(other.sets_.begin(), other.sets_.end(), sets_.begin());
    std::copy(other.seen_.begin(), other.seen_.end(), seen_.begin());
    std::copy(other.active_.begin(), other.active_.end(), active_.begin());
    std::copy(other.touched_.begin(), other.touched_.end(), touched_.begin());
}

void Board::clear() {
    for (Bits* all : {&rows_, &sets_, &seen_, &active_, &touched_}) std::fill(all->begin(), all->end(), 0);
}

void Board::fill(const Word* cells, std::size_t object_words) {
    clear();
    for (std::size_t cell = 0; cell < shape.cells; ++cell) {
        for (std::size_t w = 0; w < object_words; ++w) {
            if (const Word bits = cells[cell * object_words + w]) flip(cell, w, bits);
        }
    }
    std::fill(touched_.begin(), touched_.end(), 0);
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

void Board::go_back(const Word* rows, const Word* cells) {
    members(cells, words_, [&](std::size_t cell) { put(cell, rows + cell * width_); });
    std::fill(touched_.begin(), touched_.end(), 0);
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
