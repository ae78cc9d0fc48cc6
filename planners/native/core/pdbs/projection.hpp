// A task seen through a pattern: its states, numbered, and its operators, turned round.
//
// An *abstract state* is one value for each variable of the pattern; its rank is a number in mixed radix, and an
// operator that changes the pattern adds the same difference to every rank it applies to. The *folded variable*, if
// the pattern has one, is a variable that nearly all operators change (the blank of a sliding puzzle). It is not
// ranked: all its values beside one abstract state are the bits of one word, and moves of it alone are a flood fill
// within that word (database.cpp).
//
//     rank = v3·1 + v7·16 + v9·256          mask    0000 0100 1110 0000     values reached in this abstract state
//                                           allowed 1101 1101 1110 1011     no tile of the pattern there
//
// Databases are built from the goal backwards, so a `Move` leads from the state after an operator to one before it.
// What it asks of unchanged variables is a set of values: the precondition's one, or those that exclude no fact which
// the operator's precondition or result names, on variables outside the pattern too (a tile cannot slide from a cell on
// which the pattern says another tile stands). Sets that the state after the operator cannot violate, as it satisfies
// all mutex groups itself, are left out; for a sliding puzzle there is nothing left to test.
//
// Conditional effects: an operator is split by the values of the condition's variables in the pattern, so
// within the pattern they are exact; a condition on other variables may hold or not (an over-approximation of
// what the operator can do, so estimates stay admissible). Axioms are not supported.
#pragma once

#include <algorithm>
#include <optional>

#include "task/mutex_index.hpp"

namespace unpuzzle {

using Mask = std::uint64_t;  // of the folded variable's values

struct Pattern {
    static constexpr std::uint32_t NO_VARIABLE = ~0u;
    static constexpr std::uint32_t MOST_FOLDED_VALUES = 64;

    Vector<std::uint32_t> variables;              // ascending, without the folded variable
    std::uint32_t folded_variable = NO_VARIABLE;  // at most 64 values
    Vector<bool> cost_mask;                       // by operator: whether it costs anything here

    // How many abstract states there are; nothing if that is more than `most`.
    static std::optional<std::size_t> abstract_states(const Task& task, const Vector<std::uint32_t>& variables,
                                                      std::size_t most);
};

// The rank of an abstract state is the sum of its variables' values, each times a stride.
struct RankPart {
    std::uint32_t variable, stride;
};
using RankParts = Vector<RankPart>;

template <class Values>
std::uint32_t rank_of(const RankParts& parts, const Values& values) {
    std::uint32_t rank = 0;
    for (const RankPart& part : parts) rank += values[part.variable] * part.stride;
    return rank;
}

class Projection {
  public:
    struct Slot {
        std::uint32_t variable, domain, stride;
        double inverse;  // of the stride: multiplying is faster than dividing

        // The rank without the slots of smaller strides.
        std::uint32_t upper(std::uint32_t rank) const {
            return static_cast<std::uint32_t>(static_cast<std::int64_t>((rank + 0.5) * inverse));
        }
    };
    struct Check {
        std::uint32_t slot;
        std::size_t allowed;  // where the set of values is in `bits`
    };
    struct Move {
        Mask after, before;   // folded values: the move leads from any of the first to all of the second,
        bool keeps_folded;    // or each value stays what it is
        std::uint32_t delta;  // added to the rank, modulo 2^32
        std::uint32_t cost;   // see `Labels`
        std::size_t checks_begin, checks_end;
    };

    // The meaning of a move's `cost`: a number in `costs`, or the operator's. Equal moves are merged.
    enum class Labels { costs, operators };

    // Throws TooLarge where an operator falls apart into too many moves. A pattern with a folded variable wants
    // `Labels::costs`; with `Labels::operators` nothing is read of what is counted.
    Projection(const Task& task, const Mutexes& mutexes, const Pattern& pattern, Control& control,
               Labels labels = Labels::costs);

    // Calls `emit(rank, folded values)` for all abstract states that the goal allows.
    template <class Emit>
    void goals(Emit&& emit) const;
    // Slots, and the folded variable as the last of them, if there is one.
    bool has_folded_variable() const { return folded_variable_ != Pattern::NO_VARIABLE; }
    std::size_t folded_slot() const { return slots.size(); }
    std::size_t width() const { return slots.size() + (has_folded_variable() ? 1 : 0); }
    std::uint32_t variable(std::size_t slot) const {
        return slot < slots.size() ? slots[slot].variable : folded_variable_;
    }
    bool by_operator() const { return labels_ == Labels::operators; }
    RankParts rank_parts() const {
        RankParts parts;
        for (const Slot& slot : slots) parts.push_back({slot.variable, slot.stride});
        return parts;
    }
    // Calls `take(slot, value)` for each slot.
    template <class Take>
    UNPUZZLE_INLINE void unrank(std::uint32_t rank, Take&& take) const {
        std::uint32_t above = 0;
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            const std::uint32_t upper = slots[slot].upper(rank);
            take(slot, upper - above * slots[slot].domain);
            above = upper;
        }
    }
    // Whether a move's checks allow these values, which are listed by slot.
    UNPUZZLE_INLINE bool passes(std::size_t checks_begin, std::size_t checks_end, const std::uint32_t* values) const {
        for (std::size_t i = checks_begin; i < checks_end; ++i) {
            const std::uint32_t value = values[checks[i].slot];
            if ((bits[checks[i].allowed + value / 64] >> value % 64 & 1) == 0) return false;
        }
        return true;
    }

    struct TooLarge {};

    std::size_t abstract_states = 1;
    std::uint64_t work = 0;  // spent on making this, see PatternDatabase::work
    Vector<Slot> slots;      // the largest stride first
    Vector<Move> moves;
    // The moves to look at where slot s has value v are those of place[first[s] + v]; what remains, which
    // hangs on no value of the pattern, comes last.
    Vector<std::size_t> first, place;
    Vector<Check> checks;
    Vector<std::uint64_t> bits;
    Vector<std::uint32_t> costs;  // the different ones
    Vector<bool> loops;           // by operator, if they are labels: whether it may change nothing here
    Mask folded_values = 1;       // all of them; a pattern without a folded variable has one that never changes
    Vector<Mask> folded_allowed;  // by first[s] + v
    Vector<Mask> folded_moves;    // by value after: the values before of free moves of the folded variable alone

  private:
    friend class MoveWriter;
    friend class Projector;
    const Task& task_;
    const Mutexes& mutexes_;
    Control& control_;
    Labels labels_;
    std::uint32_t folded_variable_;
    Mask folded_goal_ = 1;
    Vector<std::optional<std::uint32_t>> goal_;  // by slot
    Vector<bool> no_goal_;                       // by first[s] + v: excluded by the goal outside the pattern
};

template <class Emit>
void Projection::goals(Emit&& emit) const {
    Vector<std::uint32_t> values(slots.size());
    Vector<Mask> masks(slots.size() + 1, folded_goal_);
    std::size_t depth = 0;
    const auto start = [&](std::size_t slot) { values[slot] = goal_[slot].value_or(0); };
    const auto fits = [&](std::size_t slot) {
        if (no_goal_[first[slot] + values[slot]]) return false;
        for (std::size_t other = 0; other < slot; ++other) {
            if (mutexes_.exclusive({slots[slot].variable, values[slot]}, {slots[other].variable, values[other]}))
                return false;
        }
        masks[slot + 1] = masks[slot] & folded_allowed[first[slot] + values[slot]];
        return masks[slot + 1] != 0;
    };
    if (slots.empty()) return;
    start(0);
    while (true) {  // counts up, the last slot fastest, and leaves out what does not fit
        control_.tick();
        if (values[depth] < slots[depth].domain && fits(depth)) {
            if (depth + 1 < slots.size()) {
                start(++depth);
                continue;
            }
            std::uint32_t rank = 0;
            for (std::size_t slot = 0; slot < slots.size(); ++slot) rank += values[slot] * slots[slot].stride;
            emit(rank, masks.back());
        }
        while (goal_[depth] || ++values[depth] >= slots[depth].domain) {
            if (depth == 0) return;
            --depth;
        }
    }
}

}  // namespace unpuzzle
