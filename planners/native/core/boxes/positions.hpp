// Positions, each once: the cells of the boxes, ascending, then the least cell of the walker's area.
#pragma once

#include <algorithm>

#include "base/number_table.hpp"
#include "boxes/area.hpp"

namespace unpuzzle::boxes {

class Positions {
  public:
    Positions(std::size_t boxes, Control& control) : width_(boxes + 1), table_(control) {}

    std::size_t size() const { return rows_.size() / width_; }
    std::span<const Cell> row(std::uint32_t number) const { return {rows_.data() + number * width_, width_}; }
    std::span<const Cell> boxes(std::uint32_t number) const { return row(number).first(width_ - 1); }
    Cell walker(std::uint32_t number) const { return row(number).back(); }

    // The number of a position, and whether it is new.
    std::pair<std::uint32_t, bool> add(std::span<const Cell> row) {
        std::uint32_t& number = table_.number(hash_of(row), [&](std::uint32_t other) {
            return std::equal(row.begin(), row.end(), this->row(other).begin());
        });
        if (number != NumberTable<>::NONE) return {number, false};
        number = static_cast<std::uint32_t>(size());
        rows_.insert(rows_.end(), row.begin(), row.end());
        return {number, true};
    }
    bool has(std::span<const Cell> row) const {
        const auto same = [&](std::uint32_t other) {
            return std::equal(row.begin(), row.end(), this->row(other).begin());
        };
        return table_.find(hash_of(row), same) != NumberTable<>::NONE;
    }

  private:
    std::size_t width_;
    NumberTable<> table_;
    Vector<Cell> rows_;
};

// Writes `boxes` with the one at a place moved to another cell, in order.
inline void move_box(std::span<const Cell> boxes, std::size_t box, Cell to, Cell* result) {
    std::copy(boxes.begin(), boxes.end(), result);
    for (; box + 1 < boxes.size() && result[box + 1] < to; ++box) result[box] = result[box + 1];
    for (; box > 0 && result[box - 1] > to; --box) result[box] = result[box - 1];
    result[box] = to;
}

}  // namespace unpuzzle::boxes
