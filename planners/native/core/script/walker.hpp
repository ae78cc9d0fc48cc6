// The successors of packed states: what searches know of a level.
#pragma once

#include "script/packer.hpp"

namespace unpuzzle::script {

class Walker {
  public:
    // Boards as `Changes` takes them.
    Walker(const Game& game, const Shape& shape, Control& control, const Bits& start, const Bits* target, bool won,
           std::span<const unsigned char> seed, std::optional<std::uint64_t> drawn);

    std::size_t words() const { return packer_.words(); }
    const Word* start() const { return start_.data(); }
    bool won(const Word* state) const { return packer_.won(state); }
    const Changes& changes() const { return packer_.changes(); }
    std::size_t bytes() const { return bytes_; }

    void load(const Word* state);
    // The state after a key, and its board until the next call; false where turns of `again` never end.
    bool after(Direction key, Word* state);
    const Board& board() const { return play_.board(); }
    const Play& play() const { return play_; }
    // The groups that were cut off in all turns so far; see `Rules`.
    const std::set<std::uint32_t>& endless() { return play_.endless(); }

  private:
    Packer packer_;
    Play play_;
    DrawsAt seeds_;
    Bits start_;
    std::size_t bytes_;
    bool moved_ = false;
};

}  // namespace unpuzzle::script
