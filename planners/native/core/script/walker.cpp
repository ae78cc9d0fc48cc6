#include "script/walker.hpp"

namespace unpuzzle::script {

Walker::Walker(const Game& game, const Shape& shape, Control& control, const Bits& start, const Bits* target, bool won,
               std::span<const unsigned char> seed, std::optional<std::uint64_t> drawn)
    : packer_(game, shape, start, target, drawn.has_value()),
      play_(game, shape, control),
      seeds_(seed),
      start_(packer_.words()),
      bytes_((game.row_words * (shape.cells + WORD_BITS * shape.words) * 6) * sizeof(Word)) {
    play_.begin().fill(start.data(), game.object_words);
    const Draws draws = seeds_.at(drawn.value_or(0));
    play_.begun(target ? target->data() : start.data(), &draws);
    play_.won = won;
    packer_.pack(play_, start_.data());
}

void Walker::load(const Word* state) {
    packer_.unpack(state, play_, seeds_);
    play_.mark();
    play_.won = packer_.won(state);
    moved_ = false;
}

bool Walker::after(Direction key, Word* state) {
    if (moved_) play_.go_back();
    moved_ = true;
    play_.press(key);
    if (play_.capped) return false;
    packer_.pack(play_, state);
    return true;
}

}  // namespace unpuzzle::script
