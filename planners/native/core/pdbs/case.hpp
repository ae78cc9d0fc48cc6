// One case of an operator, as a pattern sees it: all that is known of the states before and after.
//
// An operator without conditional effects is one case for each combination of values that it overwrites in the
// pattern and does not name; conditional effects split it further (projection.cpp). Slots are numbered
// as in the projection, the folded variable after them.
#pragma once

#include <algorithm>

#include "pdbs/projection.hpp"

namespace unpuzzle {

constexpr std::uint32_t ANY_VALUE = ~0u;

// A set of a slot's values; empty words mean all of them, as long as nothing was taken out.
class ValueSet {
  public:
    void reset(std::uint32_t domain) {
        words_.assign((domain + 63) / 64, ~std::uint64_t{0});
        if (domain % 64 != 0) words_.back() >>= 64 - domain % 64;
        restricted_ = false;
    }
    void remove(std::uint32_t value) {
        words_[value / 64] &= ~(std::uint64_t{1} << value % 64);
        restricted_ = true;
    }
    void only(std::uint32_t value) {
        const bool had = has(value);
        std::fill(words_.begin(), words_.end(), 0);
        if (had) words_[value / 64] |= std::uint64_t{1} << value % 64;
        restricted_ = true;
    }
    bool has(std::uint32_t value) const { return (words_[value / 64] >> value % 64 & 1) != 0; }
    bool restricted() const { return restricted_; }
    const Vector<std::uint64_t>& words() const { return words_; }
    Mask mask() const { return words_.front(); }
    bool subset_of(const ValueSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if ((words_[i] & ~other.words_[i]) != 0) return false;
        }
        return true;
    }

  private:
    Vector<std::uint64_t> words_;
    bool restricted_ = false;
};

struct SlotChange {
    std::uint32_t before = ANY_VALUE, written = ANY_VALUE;

    bool changed() const { return written != ANY_VALUE; }
    std::uint32_t after() const { return changed() ? written : before; }
};

struct PatternCase {
    std::uint32_t cost = 0;    // as in Projection::Move
    Vector<SlotChange> slots;  // by slot
    Vector<ValueSet> outside;  // by slot: what the facts that the operator names outside the pattern allow
    Vector<Fact> written;      // what the operator certainly sets outside the pattern
    Vector<Fact> refused;      // slots and values that the case excludes

    bool refuses(std::size_t slot, std::uint32_t value) const {
        return std::find(refused.begin(), refused.end(), Fact{static_cast<std::uint32_t>(slot), value}) !=
               refused.end();
    }
};

}  // namespace unpuzzle
