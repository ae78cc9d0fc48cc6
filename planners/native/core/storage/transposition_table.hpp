// The memory of IDA* besides its path: the states that it entered last.
//
// A path to a state at no smaller cost than another one in the same round need not be followed. The table has a fixed
// size, smaller if there is little memory, and a newer state replaces an older one: forgetting costs time, but never
// changes the answer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory.hpp"
#include "base/words.hpp"

namespace unpuzzle {

template <int W>
class TranspositionTable {
  public:
    TranspositionTable(Budget& budget, std::size_t words) : words_(words) {
        std::size_t count = MOST;
        while (count > 1 && count * (sizeof(Row) + width<W>(words) * sizeof(Word)) > budget.left() / 2) count /= 2;
        const auto take = [&] {
            rows_ = Block(budget, count * sizeof(Row));
            states_ = Block(budget, count * width<W>(words) * sizeof(Word));
        };
        while (count > 1 && !within_memory(take)) {  // the system may have less
            rows_ = {};
            count /= 2;
        }
        if (count == 1) take();
        mask_ = count - 1;
    }
    // Whether the state was entered at this g or less in this round; if not, now it is.
    bool again(const Word* state, Cost g, std::uint64_t round) {
        const std::size_t at = hash<W>(state, words_) >> 32 & mask_;
        Row& row = static_cast<Row*>(rows_.data())[at];
        Word* there = static_cast<Word*>(states_.data()) + at * width<W>(words_);
        if (row.round == round && row.g <= g && equal<W>(there, state, words_)) return true;
        row = {round, g};
        copy<W>(there, state, words_);
        return false;
    }

  private:
    static constexpr std::size_t MOST = std::size_t{1} << 18;
    struct Row {
        std::uint64_t round;
        Cost g;
    };
    std::size_t words_, mask_ = 0;
    Block rows_, states_;  // one place for each value of some bits of the hash
};

}  // namespace unpuzzle
