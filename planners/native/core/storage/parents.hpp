// The parents of states that are numbered in the order of a breadth-first search: at most two bits a state.
//
//     state     s0  s1  s2  s3  s4  s5
//     parent    s0  s0  s0  s1  s3  s3        each state is a 0; before it there is a 1 for each number that
//     bits      0   0   0   10  110 0         its parent is further than the parent of the state before
//
// States are numbered as they are found, and expanded by number, so parents' numbers never decrease, and a state's
// parent is the number of 1s before its 0 (the code is Elias's, 1974). The search reads them from the beginning, one
// after the other; a plan is traced from the end.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/growing_array.hpp"
#include "base/words.hpp"

namespace unpuzzle {

class Parents {
  public:
    explicit Parents(Budget& budget) : words_(budget) { words_.extend(1); }

    // Of the state after the last one; no less than any before.
    UNPUZZLE_INLINE void append(StateId parent) {
        for (; last_ < parent; ++last_) {
            *words_[end_ / BITS] |= Word{1} << end_ % BITS;
            advance();
        }
        advance();
    }
    // Of state 0, then of state 1, and so on; those must be there.
    StateId next() {
        while (true) {
            const std::size_t ones = static_cast<std::size_t>(std::countr_one(*words_[at_ / BITS] >> at_ % BITS));
            at_ += ones;
            current_ += static_cast<StateId>(ones);
            if ((ones == 0) | (at_ % BITS != 0)) break;  // else the run may go on in the next word
        }
        ++at_;
        return current_;
    }
    // The states from number 0 to this one.
    std::vector<StateId> way(StateId id) const {
        std::vector<StateId> ids{id};
        std::size_t at = end_, zeros = end_ - last_;  // before `at`
        while (id != 0) {
            while (zeros > id) {
                const std::size_t skipped = at % BITS == 0 ? zeros_in(at / BITS - 1) : 0;
                if (skipped != 0 && zeros - skipped > id) {
                    at -= BITS;
                    zeros -= skipped;
                } else {
                    --at;
                    zeros -= (*words_[at / BITS] >> at % BITS & 1) == 0;
                }
            }
            id = static_cast<StateId>(at - zeros);
            ids.push_back(id);
        }
        std::ranges::reverse(ids);
        return ids;
    }

  private:
    static constexpr std::size_t BITS = 64;

    UNPUZZLE_INLINE void advance() {
        if (++end_ % BITS == 0) words_.extend(end_ / BITS + 1);
    }
    std::size_t zeros_in(std::size_t word) const {
        return BITS - static_cast<std::size_t>(std::popcount(*words_[word]));
    }

    GrowingArray<Word, 1> words_;
    std::size_t end_ = 0, at_ = 0;
    StateId last_ = 0, current_ = 0;
};

}  // namespace unpuzzle
