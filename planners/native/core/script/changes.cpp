#include "script/changes.hpp"

#include <algorithm>

namespace unpuzzle::script {

namespace {

template <class Each>
void patterns_of(const Game& game, const Rule& rule, Each&& each) {
    for (const Row& row : rule.rows) {
        for (const std::uint32_t cell : row.cells) each(game.patterns[cell]);
    }
}

}  // namespace

Changes::Changes(const Game& game, const Bits& start, const Bits* target)
    : possible(game.row_words), changing(game.row_words), game_(game) {
    look(start);
    if (target) look(*target);
    spread();
    for (const std::uint32_t object : game.player) add(changing.data(), object);
    if (target && *target != start) changing = game.object_row;
    std::vector<char> noted(game.patterns.size());
    for (const Rule& rule : game.rules) {
        if (!rule.has_right || !can_match(rule)) continue;
        for (const Row& row : rule.rows) {
            for (const std::uint32_t cell : row.cells) {
                if (game.patterns[cell].replaces && !noted[cell]) note(game.patterns[cell]);
                noted[cell] = 1;
            }
        }
    }
    if (!one_a_layer) changing = game.object_row;
    for (std::size_t w = 0; w < game.row_words; ++w) changing[w] &= possible[w];
}

void Changes::look(const Bits& cells) {
    const std::size_t words = game_.object_words;
    for (std::size_t at = 0; at < cells.size(); at += words) {
        std::vector<std::uint32_t> seen;
        members(&cells[at], words, [&](std::size_t object) {
            seen.push_back(game_.layer_of[object]);
            add(possible.data(), object);
        });
        std::sort(seen.begin(), seen.end());
        if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) one_a_layer = false;
    }
}

bool Changes::can_match(const Rule& rule) const {
    bool can = true;
    patterns_of(game_, rule, [&](const Pattern& pattern) {
        for (std::size_t w = 0; w < game_.row_words; ++w) {
            can &= !(pattern.must[w] & game_.object_row[w] & ~possible[w]);
        }
        for (const Bits& some : pattern.some) can &= !disjoint(some.data(), possible.data(), game_.row_words);
    });
    return can;
}

// What rules put becomes possible, until nothing new does.
void Changes::spread() {
    for (bool more = true; more;) {
        const Bits before = possible;
        for (const Rule& rule : game_.rules) {
            if (!rule.has_right || !can_match(rule)) continue;
            patterns_of(game_, rule, [&](const Pattern& pattern) {
                for (std::size_t w = 0; w < game_.row_words; ++w) possible[w] |= pattern.set[w] & game_.object_row[w];
                for (const std::uint32_t object : pattern.random_objects) add(possible.data(), object);
            });
        }
        more = possible != before;
    }
}

void Changes::note(const Pattern& pattern) {
    const std::size_t words = game_.row_words;
    Bits put = pattern.set, gone = pattern.clear, layers(words);
    for (std::size_t w = 0; w < words; ++w) {
        put[w] &= game_.object_row[w];
        gone[w] &= game_.object_row[w] & ~put[w];
        changing[w] |= put[w] & ~pattern.must[w];
    }
    members(gone.data(), words, [&](std::size_t object) {
        if (!excluded(pattern, object)) add(changing.data(), object);
    });
    members(put.data(), words, [&](std::size_t object) {
        const Bits& layer = game_.layer_rows[game_.layer_of[object]];
        one_a_layer &= disjoint(layers.data(), layer.data(), words);
        for (std::size_t w = 0; w < words; ++w) {
            layers[w] |= layer[w];
            one_a_layer &= !(layer[w] & ~pattern.clear[w]);
        }
    });
    // One that is drawn clears its layer.
    for (const std::uint32_t drawn : pattern.random_objects) {
        const Bits& layer = game_.layer_rows[game_.layer_of[drawn]];
        one_a_layer &= disjoint(layers.data(), layer.data(), words);
        for (std::size_t w = 0; w < words; ++w) changing[w] |= layer[w];
    }
    note_moves(pattern);
}

// What moves on a layer that is given a movement: what is put there, else what is wanted there.
void Changes::note_moves(const Pattern& pattern) {
    for (std::uint32_t layer = 0; layer < game_.layers; ++layer) {
        bool moves =
            std::find(pattern.random_layers.begin(), pattern.random_layers.end(), layer) != pattern.random_layers.end();
        for (std::size_t move = UP; move <= RIGHT; ++move) {
            moves |= has(pattern.set.data(), game_.moves_from[layer] + move);
        }
        if (!moves) continue;
        const Bits& row = game_.layer_rows[layer];
        const bool put = !disjoint(pattern.set.data(), row.data(), game_.row_words);
        members(row.data(), game_.row_words, [&](std::size_t object) {
            if (put ? has(pattern.set.data(), object) : !excluded(pattern, object)) add(changing.data(), object);
        });
    }
}

// Whether the left side says that an object is not there: itself, or by another one of its layer.
bool Changes::excluded(const Pattern& pattern, std::size_t object) const {
    if (has(pattern.must_not.data(), object)) return true;
    if (has(pattern.must.data(), object)) return false;
    const std::uint32_t layer = game_.layer_of[object];
    if (layer == NO_LAYER) return true;
    const Bits& row = game_.layer_rows[layer];
    if (!disjoint(pattern.must.data(), row.data(), game_.row_words)) return true;
    return std::any_of(pattern.some.begin(), pattern.some.end(), [&](const Bits& some) {
        return within(some.data(), row.data(), game_.row_words) && !has(some.data(), object);
    });
}

}  // namespace unpuzzle::script
