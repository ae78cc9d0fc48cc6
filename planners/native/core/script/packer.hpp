// Packed states: everything that can change on the boards of a level, as consecutive bits.
//
//     │ plane of N cells │ plane │ ... │ won │ rest of the word │ planes of the restart target │ numbers drawn │
//                                                                 if that can change             if any are
//
// Of a layer with n objects that can change each cell has a number 0..n (0: none of them), and plane i has
// bit i of that number for all cells. So writing a plane is an OR of columns, and reading one an AND,
// whatever the number of objects; and Sokoban's crates and player, on a board of 100 cells, take 201 bits.
#pragma once

#include "script/changes.hpp"
#include "script/play.hpp"

namespace unpuzzle::script {

class Packer {
  public:
    // `start` and `target` as `Changes` takes them; `draws`: numbers are drawn from a seed.
    Packer(const Game& game, const Shape& shape, const Bits& start, const Bits* target, bool draws)
        : game_(game),
          shape_(shape),
          changes_(game, start, target),
          fixed_(game, shape),
          first_target_(target ? *target : start),
          targets_((game.commands & CHECKPOINT) && (game.commands & RESTART)),
          draws_(draws && game.chance),
          column_(shape.words),
          scratch_(game, shape) {
        Bits rest = start;
        for (std::size_t cell = 0; cell < shape.cells; ++cell) {
            for (std::size_t w = 0; w < game.object_words; ++w)
                rest[cell * game.object_words + w] &= ~(changes_.changing[w] & game.object_row[w]);
        }
        fixed_.fill(rest.data(), game.object_words);
        plan();
    }

    std::size_t words() const { return words_; }
    void pack(const Play& play, Word* state) const { pack(play, state, true); }
    // The same without the player's objects.
    void pack_rest(const Play& play, Word* state) const { pack(play, state, false); }
    // Sets the play to a state; `seeds` for its draws.
    void unpack(const Word* state, Play& play, DrawsAt& seeds) const {
        read(state, play.begin());
        std::optional<Draws> draws;
        if (draws_) draws = seeds.at(state[drawn_word_]);
        const Draws* const drawn = draws ? &*draws : nullptr;
        if (!targets_) return play.begun((game_.commands & RESTART) ? first_target_.data() : nullptr, drawn);
        read(state + target_word_, scratch_);
        Bits target(first_target_.size());
        scratch_.copy_objects(target);
        play.begun(target.data(), drawn);
    }
    bool won(const Word* state) const { return has({state, words_}, won_at_); }

  private:
    struct Layer {
        std::vector<std::uint32_t> objects;
        std::size_t planes, first_bit;
    };
    void plan() {
        std::vector<Layer> by_layer(changes_.one_a_layer ? game_.layers : 0);
        each(changes_.changing, [&](std::size_t object) {
            if (!changes_.one_a_layer) by_layer.emplace_back();
            Layer& layer = changes_.one_a_layer ? by_layer[game_.layer_of[object]] : by_layer.back();
            layer.objects.push_back(static_cast<std::uint32_t>(object));
        });
        std::size_t most = 1;
        for (Layer& layer : by_layer) {
            if (layer.objects.empty()) continue;
            layer.planes = static_cast<std::size_t>(std::bit_width(layer.objects.size()));
            layer.first_bit = bits_;
            bits_ += layer.planes * shape_.cells;
            most = std::max(most, layer.planes);
            layers_.push_back(std::move(layer));
        }
        planes_.resize(most * shape_.words);
        won_at_ = bits_;
        words_ = words_for(bits_ + 1);
        target_word_ = words_;
        if (targets_) words_ += words_for(bits_);
        drawn_word_ = words_;
        if (draws_) ++words_;
    }
    void pack(const Play& play, Word* state, bool players) const {
        std::fill(state, state + words_, 0);
        write(play.board(), state, players);
        if (play.won) add({state, words_}, won_at_);
        if (targets_) {
            scratch_.fill(play.target().data(), game_.object_words);
            write(scratch_, state + target_word_);
        }
        if (draws_) state[drawn_word_] = play.draws().drawn();
    }
    void write(const Board& board, Word* state, bool players = true) const {
        const std::size_t words = shape_.words;
        for (const Layer& layer : layers_) {
            clear(planes_);
            for (std::size_t i = 0; i < layer.objects.size(); ++i) {
                if (!players && has(game_.player_row, layer.objects[i])) continue;
                const Word* column = board.set(layer.objects[i]);
                for (std::size_t plane = 0; plane < layer.planes; ++plane) {
                    if (!((i + 1) >> plane & 1)) continue;
                    for (std::size_t w = 0; w < words; ++w) planes_[plane * words + w] |= column[w];
                }
            }
            for (std::size_t plane = 0; plane < layer.planes; ++plane)
                write_plane(&planes_[plane * words], layer.first_bit + plane * shape_.cells, state);
        }
    }
    void read(const Word* state, Board& board) const {
        const std::size_t words = shape_.words;
        board.assign(fixed_);
        for (const Layer& layer : layers_) {
            for (std::size_t plane = 0; plane < layer.planes; ++plane)
                read_plane(state, layer.first_bit + plane * shape_.cells, &planes_[plane * words]);
            for (std::size_t i = 0; i < layer.objects.size(); ++i) {
                Word any = 0;
                for (std::size_t w = 0; w < words; ++w) {
                    Word cells = shape_.everywhere[w];
                    for (std::size_t plane = 0; plane < layer.planes; ++plane) {
                        const Word bits = planes_[plane * words + w];
                        cells &= ((i + 1) >> plane & 1) ? bits : ~bits;
                    }
                    any |= column_[w] = cells;
                }
                if (any) board.place(layer.objects[i], column_);
            }
        }
    }
    void write_plane(const Word* plane, std::size_t at, Word* state) const {
        const std::size_t part = at % WORD_BITS;
        Word* to = state + at / WORD_BITS;
        for (std::size_t w = 0; w < shape_.words; ++w) {
            to[w] |= plane[w] << part;
            // Nothing is written where nothing is left: that word may not be there.
            if (part && plane[w] >> (WORD_BITS - part)) to[w + 1] |= plane[w] >> (WORD_BITS - part);
        }
    }
    void read_plane(const Word* state, std::size_t at, Word* plane) const {
        const std::size_t part = at % WORD_BITS, last = (at + shape_.cells - 1) / WORD_BITS - at / WORD_BITS;
        const Word* from = state + at / WORD_BITS;
        for (std::size_t w = 0; w < shape_.words; ++w) {
            plane[w] = from[w] >> part;
            if (part && w + 1 <= last) plane[w] |= from[w + 1] << (WORD_BITS - part);
        }
    }

    const Game& game_;
    const Shape& shape_;
    Changes changes_;
    Board fixed_;  // what does not change
    Bits first_target_;
    bool targets_, draws_;
    std::vector<Layer> layers_;
    std::size_t bits_ = 0, won_at_ = 0, target_word_ = 0, drawn_word_ = 0, words_ = 0;
    mutable Bits planes_, column_;
    mutable Board scratch_;  // for targets
};

}  // namespace unpuzzle::script
