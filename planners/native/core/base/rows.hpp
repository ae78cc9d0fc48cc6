// Rows of different lengths in one array (compressed rows): row i is values[begin[i] .. begin[i + 1]].
//
//     begin   0     2 2   3         rows come one after the other (`push` values, then `close` the row), or from
//     values  a  b  │ │ c │         pairs of row and value in any order, which are counted first (`by_row`)
#pragma once

#include <span>
#include <stdexcept>

#include "base/metered.hpp"
#include "base/words.hpp"

namespace unpuzzle {

template <class T>
class Rows {
  public:
    // `each(put)` calls `put(row, value)` for all pairs, and is called twice. Values of a row keep their order.
    template <class Each>
    static Rows by_row(std::size_t rows, Each&& each) {
        Rows made;
        std::size_t count = 0;
        made.begin_.resize(rows + 2);
        each([&](std::size_t row, const T&) {
            ++made.begin_[row + 2];
            ++count;
        });
        check(count);
        for (std::size_t i = 2; i < made.begin_.size(); ++i) made.begin_[i] += made.begin_[i - 1];
        made.values_.resize(count);
        each([&](std::size_t row, const T& value) { made.values_[made.begin_[row + 1]++] = value; });
        made.begin_.pop_back();
        return made;
    }
    void push(const T& value) { values_.push_back(value); }
    template <class Iterator>
    void push(Iterator first, Iterator last) {
        values_.insert(values_.end(), first, last);
    }
    void close() {
        check(values_.size());
        begin_.push_back(static_cast<std::uint32_t>(values_.size()));
    }

    std::size_t size() const { return begin_.size() - 1; }
    UNPUZZLE_INLINE std::span<const T> operator[](std::size_t row) const {
        return {values_.data() + begin_[row], values_.data() + begin_[row + 1]};
    }
    std::span<const T> values() const { return values_; }

  private:
    static void check(std::size_t count) {
        if (count > UINT32_MAX) throw std::length_error("more than 2^32 values in rows");
    }

    Vector<std::uint32_t> begin_{0};
    Vector<T> values_;
};

// By number, the rows in which it occurs.
inline Rows<std::uint32_t> inverse(const Rows<std::uint32_t>& rows, std::size_t numbers, Control& control) {
    return Rows<std::uint32_t>::by_row(numbers, [&](auto&& put) {
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            control.tick();
            for (const std::uint32_t number : rows[row]) put(number, row);
        }
    });
}

}  // namespace unpuzzle
