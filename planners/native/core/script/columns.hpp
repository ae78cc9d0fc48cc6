// The sets of cells that match rows of patterns: ANDs of columns, shifted so that each pattern's cells are mapped to
// the anchor, the row's first cell.
//
//     [ > player | crate ]  down:    anchors & moving_down & player & (crate >> 1)
//
// K is the number of words of a column: 1..4 are compiled separately, 0 takes it at run time.
#pragma once

#include "script/board.hpp"

namespace unpuzzle::script {

// `anchors` &= `cells` moved by -offset; false if nothing is left.
template <int K>
inline bool and_shifted(Word* anchors, const Word* cells, std::ptrdiff_t offset, std::size_t words) {
    const auto size = static_cast<std::ptrdiff_t>(unpuzzle::width<K>(words));
    const bool up = offset >= 0;
    const std::ptrdiff_t by = up ? offset : -offset;
    const std::ptrdiff_t whole = by / 64, part = by % 64;
    const auto at = [&](std::ptrdiff_t i) { return i >= 0 && i < size ? cells[i] : Word{0}; };
    Word left = 0;
    for (std::ptrdiff_t i = 0; i < size; ++i) {
        if (anchors[i] == 0) continue;
        Word moved;
        if (up) {
            moved = at(i + whole) >> part;
            if (part) moved |= at(i + whole + 1) << (64 - part);
        } else {
            moved = at(i - whole) << part;
            if (part) moved |= at(i - whole - 1) >> (64 - part);
        }
        left |= anchors[i] &= moved;
    }
    return left != 0;
}

template <int K>
inline bool and_with(Word* cells, const Word* column, std::size_t words) {
    Word left = 0;
    for (std::size_t i = 0; i < unpuzzle::width<K>(words); ++i) left |= cells[i] &= column[i];
    return left != 0;
}

// The cells that match a pattern; false if there are none. Beyond the board the set may hold anything.
template <int K>
inline bool matching(const Pattern& pattern, const Board& board, Word* cells, std::size_t words) {
    const std::size_t size = unpuzzle::width<K>(words);
    std::size_t i = 0;
    if (pattern.present.empty()) {
        for (; i < size; ++i) cells[i] = ~Word{0};
    } else {
        std::memcpy(cells, board.set(pattern.present[0]), size * sizeof(Word));
    }
    for (i = 1; i < pattern.present.size(); ++i) {
        if (!and_with<K>(cells, board.set(pattern.present[i]), words)) return false;
    }
    for (const auto& group : pattern.any) {
        Word left = 0;
        for (std::size_t w = 0; w < size; ++w) {
            Word some = 0;
            for (const std::uint32_t member : group) some |= board.set(member)[w];
            left |= cells[w] &= some;
        }
        if (left == 0) return false;
    }
    for (const std::uint32_t member : pattern.missing) {
        const Word* column = board.set(member);
        for (std::size_t w = 0; w < size; ++w) cells[w] &= ~column[w];
    }
    return !none({cells, size});
}

// `anchors` come in as the cells from which there is room, and go out as those at which the patterns match.
template <int K>
inline bool starts(const Part& part, const Game& game, const Board& board, std::ptrdiff_t step, Word* anchors,
                   Word* scratch, std::size_t words) {
    for (const std::uint32_t i : part.order) {
        if (!matching<K>(game.patterns[part.cells[i]], board, scratch, words)) return false;
        if (!and_shifted<K>(anchors, scratch, static_cast<std::ptrdiff_t>(i) * step, words)) return false;
    }
    return true;
}

}  // namespace unpuzzle::script
