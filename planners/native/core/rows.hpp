// A growing array of rows that never moves what is large: the pool of states is one, and so is what a search
// knows about each state, under the same number.
//
//     chunk 0          chunk 1          chunk 2
//    ┌──┬──┬──┬─┄─┬──┐┌──┬──┬──┬─┄─┬──┐┌──┬──┬┄┄
//    │s0│s1│s2│   │  ││  │  │  │   │  ││  │  │      row i is chunks[i >> shift] + (i & mask) * width
//    └──┴──┴──┴─┄─┴──┘└──┴──┴──┴─┄─┴──┘└──┴──┴┄┄
//
// Growing by doubling would need three times the memory while it copies; here only chunk 0 doubles, from a
// few rows (a tiny search touches no new page) to its full 4 MB, and after that chunks are added. A row's
// address holds until the next append.
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "memory.hpp"

namespace unpuzzle {

template <class T, int W>
class Rows {
  public:
    explicit Rows(Budget& budget, std::size_t words = W)
        : budget_(budget), words_(words), shift_(std::bit_width(CHUNK_BYTES / row_bytes() | 1) - 1) {}

    std::size_t size() const { return size_; }
    T* operator[](std::size_t i) const {
        return chunks_[i >> shift_] + (i & ((std::size_t{1} << shift_) - 1)) * width<W>(words_);
    }
    T* append() {
        if (size_ == capacity_) grow();
        return (*this)[size_++];
    }
    // A row for every number below `size`; new ones are zero.
    void extend(std::size_t size) {
        while (capacity_ < size) grow();
        size_ = size;
    }

  private:
    static constexpr std::size_t CHUNK_BYTES = std::size_t{4} << 20, FIRST_ROWS = 128;

    std::size_t row_bytes() const { return width<W>(words_) * sizeof(T); }
    void grow() {
        const std::size_t full = std::size_t{1} << shift_;
        if (capacity_ >= full) {
            add(full);
            capacity_ += full;
            return;
        }
        const std::size_t rows = capacity_ == 0 ? (FIRST_ROWS < full ? FIRST_ROWS : full) : 2 * capacity_;
        Block larger(budget_, rows * row_bytes());
        if (capacity_ > 0) std::memcpy(larger.data(), chunks_[0], capacity_ * row_bytes());
        chunks_.assign(1, static_cast<T*>(larger.data()));
        blocks_.clear();
        blocks_.push_back(std::move(larger));
        capacity_ = rows;
    }
    void add(std::size_t rows) {
        blocks_.emplace_back(budget_, rows * row_bytes());
        chunks_.push_back(static_cast<T*>(blocks_.back().data()));
    }

    Budget& budget_;
    std::size_t words_, size_ = 0, capacity_ = 0;
    int shift_;
    std::vector<T*> chunks_;
    std::vector<Block> blocks_;
};

}  // namespace unpuzzle
