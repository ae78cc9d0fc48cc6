// SuccessorGenerator on their way to the table.
//
// Looking up a state is one or two cache misses (the slot, then the row it names), so looking each one up
// when it is made would wait for memory most of the time. Instead up to 32 successors, of several expansions
// if need be, are made first; each one's slot is fetched when its hash is known, then the rows that the slots
// name, and only then are they looked up, in the order in which they were made. (1.5 times as fast at 10^8
// states, no difference while all fits the cache.)
#pragma once

#include <vector>

#include "base/words.hpp"

namespace unpuzzle {

template <int W>
class SuccessorBatch {
  public:
    struct Child {
        std::uint64_t hash;
        Cost g;
        StateId parent;
        OperatorId op;
    };
    static constexpr std::size_t MOST = 32;

    explicit SuccessorBatch(std::size_t words) : words_(words), states_(MOST * width<W>(words)) {}

    std::size_t size() const { return size_; }
    bool full() const { return size_ == MOST; }
    void clear() { size_ = 0; }
    Word* state(std::size_t i) { return states_.data() + i * width<W>(words_); }
    const Child& operator[](std::size_t i) const { return children_[i]; }

    Word* next() { return state(size_); }  // write the state here, then add it
    void add(const Child& child) { children_[size_++] = child; }
    void drop_last(bool drop) { size_ -= drop; }  // without a branch

  private:
    std::size_t words_, size_ = 0;
    std::vector<Word> states_;
    Child children_[MOST];
};

}  // namespace unpuzzle
