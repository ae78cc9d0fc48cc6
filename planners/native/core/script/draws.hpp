// Chance in PuzzleScript: RC4 keyed with the bytes of a seed, seven bytes a draw. The twin of puzzlescript/engine/states.py.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace unpuzzle::script {

class Draws {
  public:
    explicit Draws(std::span<const unsigned char> key);

    // 0 .. count - 1; count is a whole number.
    std::uint64_t below(double count);
    std::uint64_t drawn() const { return drawn_; }

  private:
    unsigned byte();

    std::array<unsigned char, 256> boxes_;
    unsigned char i_ = 0, j_ = 0;
    std::uint64_t drawn_ = 0;
};

// The draws of one seed, starting at any number; some states on the way are cached.
class DrawsAt {
  public:
    explicit DrawsAt(std::span<const unsigned char> key) : known_{Draws(key)} {}
    Draws at(std::uint64_t drawn);

  private:
    static constexpr std::uint64_t GAP = 64;
    std::vector<Draws> known_;  // at multiples of GAP
};

}  // namespace unpuzzle::script
