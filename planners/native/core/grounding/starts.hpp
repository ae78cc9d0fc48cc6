// In which starts facts are true. A task of one start is a table of one bit a fact; a family's has a bit for
// each of its starts.
//
//     starts    0 1 2 ... 63 | 64 65 ...
//     fact 0    1 0 0 ...  1 |  0  0 ...      row f is bits[f * words ..]
//     fact 1    0 1 1 ...  0 |  0  0 ...
#pragma once

#include <cstdint>

#include "base/lists.hpp"

namespace unpuzzle::ground {

class Starts {
  public:
    using Set = Vector<std::uint64_t>;  // of starts: a row without a fact

    explicit Starts(std::size_t count = 1)
        : count_(count), words_((count + 63) / 64), last_(~std::uint64_t{0} >> (64 * words_ - count) % 64) {}

    std::size_t count() const { return count_; }
    Set none() const { return Set(words_); }

    // A fact that is true in no start, or where one of another table is.
    void add_fact() { bits_.resize(bits_.size() + words_); }
    void add_fact(const Starts& from, std::size_t fact) {
        bits_.insert(bits_.end(), from.row(fact), from.row(fact) + words_);
    }
    void resize(std::size_t facts) { bits_.resize(facts * words_); }
    void set(std::size_t fact, std::size_t start) {
        row(fact)[start / 64] |= std::uint64_t{1} << (start % 64);
    }
    void merge(std::size_t fact, std::size_t other) {
        for (std::size_t i = 0; i < words_; ++i) row(fact)[i] |= row(other)[i];
    }
    void clear(std::size_t fact) {
        for (std::size_t i = 0; i < words_; ++i) row(fact)[i] = 0;
    }

    bool at(std::size_t fact, std::size_t start) const {
        return (row(fact)[start / 64] >> (start % 64) & 1) != 0;
    }
    bool somewhere(std::size_t fact) const {
        for (std::size_t i = 0; i < words_; ++i) {
            if (row(fact)[i] != 0) return true;
        }
        return false;
    }
    bool everywhere(std::size_t fact) const { return all(row(fact)); }
    bool together(std::size_t one, std::size_t other) const { return meets(row(one), row(other)); }

    bool meets(std::size_t fact, const Set& set) const { return meets(row(fact), set.data()); }
    bool all(const Set& set) const { return all(set.data()); }
    void add_to(Set& set, std::size_t fact) const {
        for (std::size_t i = 0; i < words_; ++i) set[i] |= row(fact)[i];
    }
    void take_from(Set& set, std::size_t fact) const {
        for (std::size_t i = 0; i < words_; ++i) set[i] &= ~row(fact)[i];
    }

  private:
    std::uint64_t* row(std::size_t fact) { return bits_.data() + fact * words_; }
    const std::uint64_t* row(std::size_t fact) const { return bits_.data() + fact * words_; }
    bool all(const std::uint64_t* bits) const {
        for (std::size_t i = 0; i + 1 < words_; ++i) {
            if (bits[i] != ~std::uint64_t{0}) return false;
        }
        return bits[words_ - 1] == last_;
    }
    bool meets(const std::uint64_t* one, const std::uint64_t* other) const {
        for (std::size_t i = 0; i < words_; ++i) {
            if ((one[i] & other[i]) != 0) return true;
        }
        return false;
    }

    std::size_t count_, words_;
    std::uint64_t last_;  // the bits of a row's last word that stand for starts
    Vector<std::uint64_t> bits_;
};

}  // namespace unpuzzle::ground
