// Moves of a projection, written case by case: what each asks of unchanged variables, and under which value it
// is listed. Moves that are alike are one.
#pragma once

#include <algorithm>

#include "base/bits.hpp"
#include "pdbs/projection.hpp"

namespace unpuzzle {

constexpr std::uint32_t ANY_VALUE = ~0u;

// A set of a slot's values, which begins with all of them.
class ValueSet {
  public:
    void reset(std::uint32_t domain) {
        words_.assign((domain + 63) / 64, ~std::uint64_t{0});
        if (domain % 64 != 0) words_.back() >>= 64 - domain % 64;
        restricted_ = false;
    }
    void remove(std::uint32_t value) {
        unpuzzle::remove(words_, value);
        restricted_ = true;
    }
    void only(std::uint32_t value) {
        const bool had = has(value);
        std::ranges::fill(words_, 0);
        if (had) add(words_, value);
        restricted_ = true;
    }
    bool has(std::uint32_t value) const { return unpuzzle::has(words_, value); }
    bool restricted() const { return restricted_; }
    const Vector<std::uint64_t>& words() const { return words_; }
    Mask mask() const { return words_.front(); }
    bool subset_of(const ValueSet& other) const { return within(words_, other.words_); }

  private:
    Vector<std::uint64_t> words_;
    bool restricted_ = false;
};

struct SlotChange {
    std::uint32_t before = ANY_VALUE, written = ANY_VALUE;

    bool changed() const { return written != ANY_VALUE; }
    std::uint32_t after() const { return changed() ? written : before; }
};

// One case of an operator, as a pattern sees it: all that is known of the states before and after.
//
// An operator without conditional effects is one case for each combination of values that it overwrites in the
// pattern and does not name; conditional effects split it further (projection.cpp). Slots are numbered
// as in the projection, the folded variable after them.
struct PatternCase {
    std::uint32_t cost = 0;    // as in Projection::Move
    Vector<SlotChange> slots;  // by slot
    Vector<ValueSet> outside;  // by slot: what the facts that the operator names outside the pattern allow
    Vector<Fact> written;      // what the operator certainly sets outside the pattern
    Vector<Fact> refused;      // slots and values that the case excludes

    bool refuses(std::size_t slot, std::uint32_t value) const {
        return std::ranges::find(refused, Fact{static_cast<std::uint32_t>(slot), value}) != refused.end();
    }
};

class MoveWriter {
  public:
    explicit MoveWriter(Projection& out) : out_(out), inside_(out.width()), promised_(out.width()) {}

    // Throws Projection::TooLarge. What is overwritten must be known before.
    void write(const PatternCase& it);
    // Lists the moves by value. How many cases there were.
    std::size_t finish();

  private:
    struct Listed {
        std::size_t key;
        Projection::Move move;
    };

    bool possible(const PatternCase& it) const;
    void constrain(const PatternCase& it);
    void constrain(const PatternCase& it, std::size_t slot, bool still);
    void fold(const PatternCase& it, Projection::Move& move) const;
    std::size_t checks(const PatternCase& it, Projection::Move& move);
    std::size_t pool(const ValueSet& values);
    void add_folded_move(const Projection::Move& move);
    Vector<std::uint64_t> signature(std::size_t key, const Projection::Move& move) const;

    Projection& out_;
    std::size_t cases_ = 0;
    Vector<Listed> listed_;
    Set<Vector<std::uint64_t>> seen_;
    Map<Vector<std::uint64_t>, std::size_t> pooled_;
    // Of the case at hand, for unchanged slots: the values that the move allows, and those that the state after
    // it can have anyway.
    Vector<ValueSet> inside_, promised_;
};

}  // namespace unpuzzle
