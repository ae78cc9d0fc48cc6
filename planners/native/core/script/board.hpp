// A board in play, seen from both sides.
//
//     row(cell)    the objects and movements on a cell: a row of bits (see game.hpp)
//     set(bit)     the cells whose row has a bit: a set of cells, a *column*
//
//     cells     0   1   2   3 ...          column of one object: │0110..│
//     row of 2  ▼                          so a pattern is found on all cells at once, by an AND of columns,
//              │o│                         and a row of patterns by shifting such sets; a cell that changes
//              │o│                         flips the bits that differ, in its row and in their columns
//
// Cells are numbered column by column: `x * height + y`. `seen` has at least the bits that are anywhere on the board:
// rules that need others are skipped at once. `touched` has at least the cells that differ from the board that this one
// was made equal to, so two boards are kept equal at the cost of what changed.
#pragma once

#include "script/game.hpp"

namespace unpuzzle::script {

// Width and height, and figures derived from them.
class Shape {
  public:
    Shape(std::size_t width, std::size_t height);

    std::size_t width, height, cells, words;  // words: of a set of cells
    std::vector<std::uint32_t> by_rows;       // by cell, its place if cells were numbered row by row
    Bits everywhere;                          // all cells

    std::ptrdiff_t step(Direction direction) const;
    // How many cells lie on the board from one on, itself included.
    std::size_t room(std::size_t cell, Direction direction) const;
    // The cells from which so many lie on the board.
    Bits anchors(Direction direction, std::size_t length) const;
};

class Board {
  public:
    Board(const Game& game, const Shape& shape);

    std::span<const Word> row(std::size_t cell) const { return {rows_.data() + cell * width_, width_}; }
    const Word* set(std::size_t bit) const { return sets_.data() + bit * words_; }
    const Bits& seen() const { return seen_; }
    const Bits& active() const { return active_; }
    Bits& touched() { return touched_; }

    // Flips bits of a word of a cell's row.
    void flip(std::size_t cell, std::size_t word, Word bits) {
        rows_[cell * width_ + word] ^= bits;
        const Word here = bit(cell);
        const std::size_t at = cell / WORD_BITS;
        touched_[at] |= here;
        if (bits & moves_[word]) active_[at] |= here;
        seen_[word] |= bits;
        for (Word* const column = sets_.data() + word * WORD_BITS * words_ + at; bits; bits &= bits - 1) {
            column[static_cast<std::size_t>(std::countr_zero(bits)) * words_] ^= here;
        }
    }
    // Whether the row differs from before.
    bool put(std::size_t cell, std::span<const Word> row) {
        bool changed = false;
        for (std::size_t w = 0; w < width_; ++w) {
            if (const Word bits = rows_[cell * width_ + w] ^ row[w]) {
                flip(cell, w, bits);
                changed = true;
            }
        }
        return changed;
    }
    // All movement is over: nothing is active any more.
    void rest();
    // Copies the touched cells of a board to which this one was equal; then neither is touched.
    void follow(Board& other);
    // The other is the same from now on, what is touched as well.
    void assign(const Board& other);
    // Objects given cell by cell; no cell is touched.
    void fill(const Word* cells, std::size_t object_words);
    void copy_objects(Bits& cells) const;
    // An object that was nowhere is on some cells; they are not touched.
    void place(std::size_t object, const Bits& cells);
    // Goes back to rows that were copied, in the cells of a set; they are not touched.
    void go_back(const Bits& rows, const Bits& cells);
    const Bits& rows() const { return rows_; }
    bool same_objects(const Board& other, std::size_t cell) const;
    // The cells with one of some objects, or with all; an aggregate of nothing is everywhere.
    void cells_with(const std::vector<std::uint32_t>& objects, bool all, Bits& cells) const;

    const Game& game;
    const Shape& shape;

  private:
    std::size_t width_, words_;  // words of a row, of a set of cells
    const Word* moves_;          // the row bits that are movements
    Bits rows_, sets_, seen_, active_, touched_;
};

}  // namespace unpuzzle::script
