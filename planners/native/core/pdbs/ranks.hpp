// The ranks of a state in many patterns at once.
//
// The rank of an abstract state is linear in the bits of the state, so each byte of the state has a table by its
// value, with a row of what that adds to the rank in each pattern; the ranks of all patterns together are then
// a few vector additions a byte, wherever the variables lie.
//
//     state │ byte 0 │ byte 1 │ ...        ranks = row(0, byte 0) + row(1, byte 1) + ...
//                        └──► row: │ pattern 0 │ pattern 1 │ ... │
#pragma once

#include "pdbs/projection.hpp"
#include "state/state_view.hpp"

namespace unpuzzle {

class PatternRanks {
  public:
    PatternRanks() = default;
    PatternRanks(const CompiledTask& compiled, const Vector<RankParts>& patterns, Control& control, Budget& budget)
        : width_((patterns.size() + LANES - 1) / LANES * LANES), ranks_(width_, 0) {
        Vector<Word> fields(compiled.words());
        for (const RankParts& parts : patterns) {
            for (const RankPart& part : parts) {
                fields[compiled.layout[part.variable].word] |= compiled.layout[part.variable].field();
            }
        }
        for (std::uint32_t byte = 0; byte < compiled.words() * 8; ++byte) {
            if (byte_of(fields.data(), byte) != 0) bytes_.push_back(byte);
        }
        rows_ = Block(budget, bytes_.size() * 256 * width_ * sizeof(std::uint32_t));
        auto* rows = static_cast<std::uint32_t*>(rows_.data());
        for (const std::uint32_t byte : bytes_) {
            for (std::uint32_t content = 0; content < 256; ++content, rows += width_) {
                control.tick();
                fields.assign(fields.size(), 0);
                fields[byte / 8] = Word{content} << byte % 8 * 8;
                for (std::size_t i = 0; i < patterns.size(); ++i)
                    rows[i] = rank_of(patterns[i], StateView(compiled, fields.data()));
            }
        }
    }

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
    static constexpr std::size_t LANES = 4;  // rows are padded to whole vectors

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
