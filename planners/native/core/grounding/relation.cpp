#include "grounding/relation.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace unpuzzle::ground {

Index::Index(std::vector<std::uint32_t> positions, Object objects, Control& control)
    : positions_(std::move(positions)), table_(control), key_(positions_.size()) {
    if (direct()) heads_.assign(static_cast<std::size_t>(objects), NO_ROW);
}

auto Index::same(const Relation& relation, const Object* key) const {
    return [this, &relation, key](std::uint32_t number) {
        const Object* row = relation.row(static_cast<Row>(number));
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            if (row[positions_[i]] != key[i]) return false;
        }
        return true;
    };
}

Row Index::first(const Relation& relation, const Object* key) const {
    if (direct()) return heads_[static_cast<std::size_t>(*key)];
    return static_cast<Row>(table_.find(hash_of<Object>({key, positions_.size()}), same(relation, key)));
}

void Index::add(const Relation& relation, Row row) {
    const Object* tuple = relation.row(row);
    for (std::size_t i = 0; i < positions_.size(); ++i) key_[i] = tuple[positions_[i]];
    if (next_.size() <= static_cast<std::size_t>(row)) next_.resize(static_cast<std::size_t>(row) + 1, NO_ROW);
    Row& next = next_[static_cast<std::size_t>(row)];
    if (direct()) {
        next = std::exchange(heads_[static_cast<std::size_t>(key_[0])], row);
    } else {
        std::uint32_t& head = table_.number(hash_of<Object>(key_), same(relation, key_.data()));
        next = static_cast<Row>(std::exchange(head, static_cast<std::uint32_t>(row)));
    }
}

auto Relation::same(const Object* tuple) const {
    return [this, tuple](std::uint32_t number) {
        return std::equal(tuple, tuple + arity_, row(static_cast<Row>(number)));
    };
}

Row Relation::find(const Object* tuple) const {
    return static_cast<Row>(table_.find(hash_of<Object>({tuple, arity_}), same(tuple)));
}

bool Relation::insert(const Object* tuple) {
    std::uint32_t& number = table_.number(hash_of<Object>({tuple, arity_}), same(tuple));
    if (number != NumberTable<>::NONE) return false;
    append(tuple);
    number = static_cast<std::uint32_t>(size_ - 1);
    return true;
}

void Relation::append(const Object* tuple) {
    if (size_ >= MOST_ROWS) throw Stop{Status::memout};
    values_.insert(values_.end(), tuple, tuple + arity_);
    ++size_;
}

void Relation::rehash() {
    if (table_.size() == 0) return;
    table_.clear();
    for (Row i = 0; i < size_; ++i) {
        control_->tick();
        table_.add(hash_of<Object>({row(i), arity_}), static_cast<std::uint32_t>(i));
    }
}

void Relation::show(Row row) {
    visible_ = row + 1;
    const Object* tuple = this->row(row);
    for (std::uint32_t i = 0; i < arity_; ++i) {
        Distinct& distinct = distinct_[i];
        if (distinct.seen.empty()) distinct.seen.resize(static_cast<std::size_t>(objects_) / 64 + 1);
        std::uint64_t& word = distinct.seen[static_cast<std::size_t>(tuple[i]) / 64];
        const std::uint64_t bit = std::uint64_t{1} << (tuple[i] % 64);
        if (!(word & bit)) {
            word |= bit;
            ++distinct.count;
        }
    }
    for (const auto& index : indexes_) index->add(*this, row);
}

const Index& Relation::index(const std::vector<std::uint32_t>& positions) {
    for (const auto& index : indexes_) {
        if (index->has(positions)) return *index;
    }
    auto index = std::make_unique<Index>(positions, objects_, *control_);
    for (Row i = 0; i < visible_; ++i) {
        control_->tick();
        index->add(*this, i);
    }
    indexes_.push_back(std::move(index));  // whole, or not at all: others may ask when a limit has struck
    return *indexes_.back();
}

void Relation::sort() {
    indexes_.clear();
    const auto bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(std::max(objects_, 1))));
    if (arity_ == 0) return;
    if (bits * arity_ <= 64) {
        sort_packed(bits);
    } else {
        sort_rows();
    }
}

// Tuples that fit into one word are sorted as numbers, digit by digit from the last.
void Relation::sort_packed(std::uint32_t bits) {
    constexpr std::uint32_t DIGIT = 11;
    constexpr std::size_t BUCKETS = std::size_t{1} << DIGIT;
    const auto rows = static_cast<std::size_t>(size_);
    Vector<std::uint64_t> packed(rows), other;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::uint32_t i = 0; i < arity_; ++i) {
            packed[r] = packed[r] << bits | static_cast<std::uint64_t>(values_[r * arity_ + i]);
        }
    }
    if (std::is_sorted(packed.begin(), packed.end())) return;
    if (rows < BUCKETS) {
        std::sort(packed.begin(), packed.end());
    } else {
        other.resize(rows);
        for (std::uint32_t shift = 0; shift < bits * arity_; shift += DIGIT) {
            std::vector<std::size_t> place(BUCKETS + 1);
            for (const std::uint64_t value : packed) ++place[(value >> shift & (BUCKETS - 1)) + 1];
            std::partial_sum(place.begin(), place.end(), place.begin());
            for (const std::uint64_t value : packed) {
                control_->tick();
                other[place[value >> shift & (BUCKETS - 1)]++] = value;
            }
            packed.swap(other);
        }
    }
    for (std::size_t r = 0; r < rows; ++r) {
        std::uint64_t rest = packed[r];
        for (std::uint32_t i = arity_; i-- > 0; rest >>= bits) {
            values_[r * arity_ + i] = static_cast<Object>(rest & ((std::uint64_t{1} << bits) - 1));
        }
    }
}

void Relation::sort_rows() {
    Vector<Row> order(static_cast<std::size_t>(size_));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Row one, Row other) {
        control_->tick();
        return std::lexicographical_compare(row(one), row(one) + arity_, row(other), row(other) + arity_);
    });
    Vector<Object> sorted;
    sorted.reserve(values_.size());
    for (const Row r : order) sorted.insert(sorted.end(), row(r), row(r) + arity_);
    values_.swap(sorted);
}

}  // namespace unpuzzle::ground
