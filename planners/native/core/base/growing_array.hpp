// A growing array of rows: the pool of states is one, and another has what a search knows about each state, under the
// same number. A row's address is valid until the next append.
#pragma once

#include "base/memory.hpp"
#include "base/words.hpp"

namespace unpuzzle {

template <class T, int W>
class GrowingArray {
  public:
    explicit GrowingArray(Budget& budget, std::size_t words = W) : memory_(budget), words_(words) {}

    std::size_t size() const { return size_; }
    T* operator[](std::size_t i) const { return rows_ + i * width<W>(words_); }
    T* append() {
        if (size_ == capacity_) grow(size_ + 1);
        return (*this)[size_++];
    }
    // A row for every number below `size`; new ones are zero.
    void extend(std::size_t size) {
        if (size > capacity_) grow(size);
        size_ = size;
    }

  private:
    void grow(std::size_t rows) {
        const std::size_t row_bytes = width<W>(words_) * sizeof(T);
        memory_.grow(rows * row_bytes);
        rows_ = static_cast<T*>(memory_.data());
        capacity_ = memory_.bytes() / row_bytes;
    }

    Block memory_;
    std::size_t words_, size_ = 0, capacity_ = 0;
    T* rows_ = nullptr;
};

}  // namespace unpuzzle
