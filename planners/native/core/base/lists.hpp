// Lists of different lengths in one array (compressed rows).
#pragma once

#include "base/metered.hpp"

namespace unpuzzle {

// Lists one after the other in one array: list i is values[begin[i] .. begin[i + 1]].
//
//     counts    count(0) count(0) count(2)      begin  0 2 2 3
//     fill      add(0, a) add(2, c) add(0, b)   values a b c
template <class T>
class Lists {
  public:
    explicit Lists(std::size_t lists) : begin_(lists + 2) {}
    void count(std::size_t list) { ++begin_[list + 2]; }
    void counted() {
        for (std::size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        values_.resize(begin_.back());
    }
    void add(std::size_t list, T value) { values_[begin_[list + 1]++] = value; }
    const T* begin(std::size_t list) const { return values_.data() + begin_[list]; }
    const T* end(std::size_t list) const { return values_.data() + begin_[list + 1]; }

    struct List {
        const T *first, *last;
        const T* begin() const { return first; }
        const T* end() const { return last; }
        std::size_t size() const { return static_cast<std::size_t>(last - first); }
    };
    List operator[](std::size_t list) const { return {begin(list), end(list)}; }

  private:
    Vector<std::size_t> begin_;
    Vector<T> values_;
};

}  // namespace unpuzzle
