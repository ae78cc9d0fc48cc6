// The ranks of a state in many patterns at once.
//
// The rank of an abstract state is linear in the bits of the state, so each byte of the state has a table by its
// value, with a row of what that adds to the rank in each pattern; the ranks of all patterns together are then
// a few vector additions a byte, wherever the variables lie.
//
//     state │ byte 0 │ byte 1 │ ...        ranks = row(0, byte 0) + row(1, byte 1) + ...
//                        └──► row: │ pattern 0 │ pattern 1 │ ... │
#pragma once

#include "state/compiled_task.hpp"

namespace unpuzzle {

class PatternRanks {
  public:
    struct Part {  // of a rank: `stride` times the variable's value
        std::uint32_t variable, stride;
    };
    using Parts = Vector<Part>;

    PatternRanks() = default;
    PatternRanks(const CompiledTask& compiled, const Vector<Parts>& patterns, Control& control, Budget& budget);

    // The ranks by pattern, until the next call.
    const std::uint32_t* operator()(const Word* state) {
        std::uint32_t* ranks = ranks_.data();
        std::fill(ranks, ranks + width_, 0u);
        const auto* rows = static_cast<const std::uint32_t*>(rows_.data());
        for (const std::uint32_t byte : bytes_) {
            const std::uint32_t* row = rows + byte_of(state, byte) * width_;
            for (std::size_t i = 0; i < width_; ++i) ranks[i] += row[i];
            rows += 256 * width_;
        }
        return ranks;
    }

  private:
    // The byte of the state, in the order of its value and not of the machine's memory.
    static std::uint32_t byte_of(const Word* state, std::uint32_t number) {
        return static_cast<std::uint32_t>(state[number / 8] >> number % 8 * 8) & 0xFF;
    }

    Vector<std::uint32_t> bytes_;  // which bytes of a state matter
    std::size_t width_ = 0;        // of a row
    Block rows_;
    Vector<std::uint32_t> ranks_;
};

}  // namespace unpuzzle
