// The tuples of one predicate (or the instances of one action), each once, with hash indexes by some positions.
//
//     rows    a b | a c | b c | ...      row r is values[r * arity ..]
//     table   tuple → row                                       all rows, for "was it reached already?"
//     index   key at some positions → row → next row → ...      only *visible* rows, for joins
//
// Rows become visible one after the other, in the order of their numbers: semi-naive evaluation joins a fact with those
// that were made visible before it. An index is made when a join first needs it and then kept up to date.
#pragma once

#include <cstdint>
#include <memory>

#include "base/number_table.hpp"
#include "grounding/input.hpp"

namespace unpuzzle::ground {

using Row = std::int32_t;
constexpr Row NO_ROW = -1;
constexpr Row MOST_ROWS = 0x7FFFFFF0;

class Relation;

// Rows that share the values at some positions, newest first.
class Index {
  public:
    Index(std::vector<std::uint32_t> positions, Object objects, Control& control);
    void add(const Relation& relation, Row row);
    Row first(const Relation& relation, const Object* key) const;
    Row next(Row row) const { return next_[static_cast<std::size_t>(row)]; }
    bool has(const std::vector<std::uint32_t>& positions) const { return positions_ == positions; }

  private:
    bool direct() const { return positions_.size() == 1; }
    auto same(const Relation& relation, const Object* key) const;

    std::vector<std::uint32_t> positions_;
    NumberTable<> table_;       // key → its newest row
    Vector<Row> heads_, next_;  // heads_: the same by object, where there is one position
    std::vector<Object> key_;
};

class Relation {
  public:
    Relation(std::uint32_t arity, Object objects, Control& control)
        : control_(&control), arity_(arity), objects_(objects), table_(control), distinct_(arity) {}

    std::uint32_t arity() const { return arity_; }
    Row size() const { return size_; }
    Row visible() const { return visible_; }
    const Object* row(Row row) const { return values_.data() + static_cast<std::size_t>(row) * arity_; }

    Row find(const Object* tuple) const;
    bool insert(const Object* tuple);             // false if it was there
    void append(const Object* tuple);             // for tuples known to be new; `find` and `insert` do not see them
    void clear() { values_.clear(), size_ = 0; }  // rows that were appended
    void show(Row row);                           // makes the next row visible
    const Index& index(const std::vector<std::uint32_t>& positions);
    // How many different objects stand at a position of the visible rows, as far as they were counted.
    double distinct(std::uint32_t position) const { return distinct_[position].count; }
    void sort();  // orders the rows, by their values; `find` needs a `rehash` then
    void rehash();

  private:
    struct Distinct {
        std::uint32_t count = 0;
        BitSet seen;
    };
    auto same(const Object* tuple) const;
    void sort_packed(std::uint32_t bits);
    void sort_rows();

    Control* control_;
    std::uint32_t arity_;
    Object objects_;
    Row size_ = 0, visible_ = 0;
    Vector<Object> values_;
    NumberTable<> table_;  // tuple → row
    std::vector<std::unique_ptr<Index>> indexes_;
    std::vector<Distinct> distinct_;
};

}  // namespace unpuzzle::ground
