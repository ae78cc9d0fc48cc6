// The states that a search has seen, in the order in which they were found, each with a few bytes of what the
// search knows about it.
//
//     row    ┌─────────── state ───────────┬── beside ──┐      words of 64 bits, the last one cut to the
//     bytes
//            │ word 0 │ word 1 │ byte byte │ parent, g  │      that variables use; rows begin at any address
//            └────────┴────────┴───────────┴────────────┘
//
// Large searches are ended by memory, and wait for it most of the time: both improve with fewer bytes, and with data in
// one place that are read together.
#pragma once

#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "base/words.hpp"

namespace unpuzzle {

template <int W>
class StateRows {
  public:
    // `beside`: so many bytes beside each state.
    StateRows(Budget& budget, const StateSize& size, std::size_t beside)
        : memory_(budget), last_(size.words - 1), scratch_(size.words) {
        state_bytes_ = last_ * sizeof(Word) + size.bytes_of_last_word;
        row_bytes_ = state_bytes_ + beside;
        mask_ = ~Word{0} >> (sizeof(Word) - size.bytes_of_last_word) * 8;
    }

    std::size_t size() const { return size_; }
    void load(StateId id, Word* to) const {
        const std::uint8_t* row = at(id);
        for_whole_words([&](std::size_t i) { to[i] = word(row, i); });
        to[last()] = word(row, last()) & mask_;
    }
    bool is_state(StateId id, const Word* state) const {
        const std::uint8_t* row = at(id);
        Word different = (word(row, last()) & mask_) ^ state[last()];
        for_whole_words([&](std::size_t i) { different |= word(row, i) ^ state[i]; });
        return different == 0;
    }
    std::uint64_t hash_of(StateId id) {
        load(id, scratch_.data());
        return hash<W>(scratch_.data(), scratch_.size());
    }
    UNPUZZLE_INLINE void fetch(StateId id) const { prefetch(at(id)); }
    // Nothing is read, as nothing is behind the last row: a read of what was written a moment ago would have to
    // wait until it is in the cache.
    UNPUZZLE_INLINE void append(const Word* state, Word beside = 0) {
        if (size_ == capacity_) grow();
        std::uint8_t* row = at(size_++);
        const auto write = [&](std::size_t i) { std::memcpy(row + i * sizeof(Word), state + i, sizeof(Word)); };
        for_whole_words(write);
        write(last());
        std::memcpy(row + state_bytes_, &beside, sizeof(Word));
    }
    // What is beside the state, with whatever follows if less than a word is kept.
    Word beside(StateId id) const {
        Word word;
        std::memcpy(&word, at(id) + state_bytes_, sizeof(Word));
        return word;
    }
    // Its bits that are in the mask.
    void set_beside(StateId id, Word word, Word mask) {
        word |= beside(id) & ~mask;
        std::memcpy(at(id) + state_bytes_, &word, sizeof(Word));
    }

  private:
    static Word word(const std::uint8_t* row, std::size_t i) {
        Word word;
        std::memcpy(&word, row + i * sizeof(Word), sizeof(Word));
        return word;
    }
    // Those before the last one.
    template <class Each>
    UNPUZZLE_INLINE void for_whole_words(Each&& each) const {
        if constexpr (W > 0) {
            [&]<std::size_t... I>(std::index_sequence<I...>) { (each(I), ...); }(std::make_index_sequence<W - 1>());
        } else {
#pragma GCC unroll 4
            for (std::size_t i = 0; i < last_; ++i) each(i);
        }
    }
    std::size_t last() const { return W > 0 ? W - 1 : last_; }
    std::uint8_t* at(std::size_t id) const { return rows_ + id * row_bytes_; }
    void grow() {
        constexpr std::size_t BEHIND = sizeof(Word);  // what ends the last row is read as a whole word
        memory_.grow((size_ + 1) * row_bytes_ + BEHIND);
        rows_ = static_cast<std::uint8_t*>(memory_.data());
        capacity_ = (memory_.bytes() - BEHIND) / row_bytes_;
    }

    Block memory_;
    std::size_t last_, state_bytes_ = 0, row_bytes_ = 0;
    Word mask_ = 0;
    std::vector<Word> scratch_;
    std::size_t size_ = 0, capacity_ = 0;
    std::uint8_t* rows_ = nullptr;
};

}  // namespace unpuzzle
