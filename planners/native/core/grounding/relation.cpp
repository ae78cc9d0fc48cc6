#include "grounding/relation.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace unpuzzle::ground {

Index::Index(std::vector<std::uint32_t> positions, Object objects, Control& control)
    : control_(control), positions_(std::move(positions)), direct_(positions_.size() == 1) {
    heads_.assign(direct_ ? static_cast<std::size_t>(objects) : 16, NO_ROW);
}

// Where the key stands in the hash table, or the free place for it.
std::size_t Index::slot(const Object* values, std::uint32_t arity, const Object* key) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < positions_.size(); ++i) hash = mixed(hash, static_cast<std::uint64_t>(key[i]));
    for (std::size_t at = hash & (heads_.size() - 1);; at = (at + 1) & (heads_.size() - 1)) {
        if (heads_[at] == NO_ROW) return at;
        const Object* row = values + static_cast<std::size_t>(heads_[at]) * arity;
        std::size_t i = 0;
        while (i < positions_.size() && row[positions_[i]] == key[i]) ++i;
        if (i == positions_.size()) return at;
    }
}

Row Index::first(const Object* values, std::uint32_t arity, const Object* key) const {
    return heads_[direct_ ? static_cast<std::size_t>(*key) : slot(values, arity, key)];
}

void Index::add(const Object* values, std::uint32_t arity, Row row) {
    Object key[64];
    std::vector<Object> long_key;
    Object* at = key;
    if (positions_.size() > 64) {
        long_key.resize(positions_.size());
        at = long_key.data();
    }
    const Object* tuple = values + static_cast<std::size_t>(row) * arity;
    for (std::size_t i = 0; i < positions_.size(); ++i) at[i] = tuple[positions_[i]];
    if (!direct_ && 2 * keys_ >= heads_.size()) grow(values, arity);
    Row& head = heads_[direct_ ? static_cast<std::size_t>(*at) : slot(values, arity, at)];
    if (head == NO_ROW) ++keys_;
    if (next_.size() <= static_cast<std::size_t>(row)) next_.resize(static_cast<std::size_t>(row) + 1, NO_ROW);
    next_[static_cast<std::size_t>(row)] = head;
    head = row;
}

void Index::grow(const Object* values, std::uint32_t arity) {
    Vector<Row> old(2 * heads_.size(), NO_ROW);
    old.swap(heads_);
    std::vector<Object> key(positions_.size());
    for (const Row head : old) {
        control_.tick();
        if (head == NO_ROW) continue;
        const Object* tuple = values + static_cast<std::size_t>(head) * arity;
        for (std::size_t i = 0; i < positions_.size(); ++i) key[i] = tuple[positions_[i]];
        heads_[slot(values, arity, key.data())] = head;
    }
}

std::size_t Relation::slot(const Object* tuple) const {
    std::uint64_t hash = 0;
    for (std::uint32_t i = 0; i < arity_; ++i) hash = mixed(hash, static_cast<std::uint64_t>(tuple[i]));
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
        if (table_[at] == 0) return at;
        if (std::equal(tuple, tuple + arity_, row(table_[at] - 1))) return at;
    }
}

Row Relation::find(const Object* tuple) const { return table_.empty() ? NO_ROW : table_[slot(tuple)] - 1; }

bool Relation::insert(const Object* tuple) {
    if (2 * static_cast<std::size_t>(size_) >= table_.size()) grow();
    const std::size_t at = slot(tuple);
    if (table_[at] != 0) return false;
    append(tuple);
    table_[at] = size_;
    return true;
}

void Relation::append(const Object* tuple) {
    if (size_ >= MOST_ROWS) throw Stop{Status::memout};
    values_.insert(values_.end(), tuple, tuple + arity_);
    ++size_;
}

void Relation::grow() {
    table_.resize(table_.empty() ? 16 : 2 * table_.size());
    rehash();
}

void Relation::rehash() {
    if (table_.empty()) return;
    std::fill(table_.begin(), table_.end(), 0);
    for (Row i = 0; i < size_; ++i) {
        control_->tick();
        table_[slot(row(i))] = i + 1;
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
    for (const auto& index : indexes_) index->add(values_.data(), arity_, row);
}

const Index& Relation::index(const std::vector<std::uint32_t>& positions) {
    for (const auto& index : indexes_) {
        if (index->has(positions)) return *index;
    }
    auto index = std::make_unique<Index>(positions, objects_, *control_);
    for (Row i = 0; i < visible_; ++i) {
        control_->tick();
        index->add(values_.data(), arity_, i);
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
