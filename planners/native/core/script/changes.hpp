// Finds the objects that can appear, disappear or move in a level, from its rules alone.
//
// A state must store only objects that can change: walls, floors and targets mostly cannot. An object never changes if
// no rule that can match adds it where it may be missing, removes it where it may be, or moves it. (A rule can match
// only objects that are on the start's board or are added by rules that can match.) The proof is by induction over the
// steps of a play: as long as none of these objects has changed, the conditions of a rule's left side on them are still
// true when the right side is made, whatever else the rule did in between.
#pragma once

#include "script/game.hpp"

namespace unpuzzle::script {

struct Changes {
    // `start`: cell by cell, and so is `target`, to which restarts lead, or null.
    Changes(const Game& game, const Bits& start, const Bits* target)
        : possible(game.row_words), changing(game.row_words), game_(game) {
        look(start);
        if (target) look(*target);
        spread();
        for (const std::uint32_t object : game.player) add(changing, object);
        if (target && *target != start) changing = game.object_row;
        std::vector<char> noted(game.patterns.size());
        for (const Rule& rule : game.rules) {
            if (!rule.has_right || !can_match(rule)) continue;
            patterns_of(game, rule, [&](const Pattern& pattern) {
                char& known = noted[static_cast<std::size_t>(&pattern - game.patterns.data())];
                if (pattern.replaces && !known) note(pattern);
                known = 1;
            });
        }
        if (!one_a_layer) changing = game.object_row;
        changing &= possible;
    }

    Bits possible;  // objects that may be on a board
    Bits changing;  // those of them that may come, go or move, as a row
    // At most one object a layer is in a cell, and stays so; else no layer says anything of another object.
    bool one_a_layer = true;

  private:
    template <class Each>
    static void patterns_of(const Game& game, const Rule& rule, Each&& each) {
        for (const Row& row : rule.rows) {
            for (const std::uint32_t cell : row.cells) each(game.patterns[cell]);
        }
    }
    void look(const Bits& cells) {
        const std::size_t words = game_.object_words;
        for (std::size_t at = 0; at < cells.size(); at += words) {
            std::vector<std::uint32_t> seen;
            each({&cells[at], words}, [&](std::size_t object) {
                seen.push_back(game_.layer_of[object]);
                add(possible, object);
            });
            std::sort(seen.begin(), seen.end());
            if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) one_a_layer = false;
        }
    }
    bool can_match(const Rule& rule) const {
        bool can = true;
        patterns_of(game_, rule, [&](const Pattern& pattern) {
            can &= within(pattern.must & game_.object_row, possible);
            for (const Bits& some : pattern.some) can &= meets(some, possible);
        });
        return can;
    }
    // What rules put becomes possible, until nothing new does.
    void spread() {
        for (bool more = true; more;) {
            const Bits before = possible;
            for (const Rule& rule : game_.rules) {
                if (!rule.has_right || !can_match(rule)) continue;
                patterns_of(game_, rule, [&](const Pattern& pattern) {
                    possible |= pattern.set & game_.object_row;
                    for (const std::uint32_t object : pattern.random_objects) add(possible, object);
                });
            }
            more = possible != before;
        }
    }
    void note(const Pattern& pattern) {
        const Bits put = pattern.set & game_.object_row;
        changing |= put - pattern.must;
        each((pattern.clear & game_.object_row) - put, [&](std::size_t object) {
            if (!excluded(pattern, object)) add(changing, object);
        });
        Bits layers(game_.row_words);
        each(put, [&](std::size_t object) {
            const Bits& layer = game_.layer_rows[game_.layer_of[object]];
            one_a_layer &= !meets(layers, layer) && within(layer, pattern.clear);
            layers |= layer;
        });
        // One that is drawn clears its layer.
        for (const std::uint32_t drawn : pattern.random_objects) {
            const Bits& layer = game_.layer_rows[game_.layer_of[drawn]];
            one_a_layer &= !meets(layers, layer);
            changing |= layer;
        }
        note_moves(pattern);
    }
    // What moves on a layer that is given a movement: what is put there, else what is wanted there.
    void note_moves(const Pattern& pattern) {
        for (std::uint32_t layer = 0; layer < game_.layers; ++layer) {
            bool moves = std::find(pattern.random_layers.begin(), pattern.random_layers.end(), layer) !=
                         pattern.random_layers.end();
            for (std::size_t move = UP; move <= RIGHT; ++move) {
                moves |= has(pattern.set, game_.moves_from[layer] + move);
            }
            if (!moves) continue;
            const Bits& row = game_.layer_rows[layer];
            const bool put = meets(pattern.set, row);
            each(row, [&](std::size_t object) {
                if (put ? has(pattern.set, object) : !excluded(pattern, object)) add(changing, object);
            });
        }
    }
    // Whether the left side says that an object is not there: itself, or by another one of its layer.
    bool excluded(const Pattern& pattern, std::size_t object) const {
        if (has(pattern.must_not, object)) return true;
        if (has(pattern.must, object)) return false;
        const std::uint32_t layer = game_.layer_of[object];
        if (layer == NO_LAYER) return true;
        const Bits& row = game_.layer_rows[layer];
        if (meets(pattern.must, row)) return true;
        return std::any_of(pattern.some.begin(), pattern.some.end(),
                           [&](const Bits& some) { return within(some, row) && !has(some, object); });
    }

    const Game& game_;
};

}  // namespace unpuzzle::script
