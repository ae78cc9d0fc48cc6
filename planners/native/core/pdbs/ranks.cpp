#include "pdbs/ranks.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t LANES = 4;  // rows are padded to whole vectors

}  // namespace

PatternRanks::PatternRanks(const CompiledTask& compiled, const Vector<RankParts>& patterns, Control& control,
                           Budget& budget)
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

}  // namespace unpuzzle
