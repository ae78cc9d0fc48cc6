// Numbers that are marked for a while. All marks of a round are forgotten at once, in no time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/metered.hpp"

namespace unpuzzle {

class Marks {
  public:
    explicit Marks(std::size_t numbers) : rounds_(numbers) {}

    void forget() {
        if (++round_ != 0) return;
        std::fill(rounds_.begin(), rounds_.end(), 0);
        round_ = 1;
    }
    bool has(std::size_t number) const { return rounds_[number] == round_; }
    // Tells whether the mark is a new one.
    bool mark(std::size_t number) {
        const bool fresh = !has(number);
        rounds_[number] = round_;
        return fresh;
    }

  private:
    std::uint32_t round_ = 1;
    Vector<std::uint32_t> rounds_;  // by number: in which it was marked last
};

}  // namespace unpuzzle
