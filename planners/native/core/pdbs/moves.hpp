// The moves of a projection, case by case: what each requires of unchanged variables, and under which value it is
// listed. Equal moves are merged.
#pragma once

#include <algorithm>

#include "base/bits.hpp"
#include "pdbs/projection.hpp"

namespace unpuzzle {

constexpr std::uint32_t ANY_VALUE = ~0u;

// A set of a slot's values, which at first contains all of them.
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

// One case of an operator in a pattern: everything known about the states before and after.
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
    void write(const PatternCase& it) {
        Projection::Move move{out_.folded_values, out_.folded_values, true, 0, it.cost, out_.checks.size(), 0};
        for (std::size_t slot = 0; slot < out_.slots.size(); ++slot) {
            const SlotChange& change = it.slots[slot];
            if (change.changed()) move.delta += (change.before - change.written) * out_.slots[slot].stride;
        }
        if (++cases_ > 4 * MOST_MOVES) throw Projection::TooLarge{};
        if (!possible(it)) return;
        constrain(it);
        if (out_.has_folded_variable()) fold(it, move);
        if (move.delta == 0 && move.keeps_folded) {
            if (out_.by_operator()) out_.loops[it.cost] = true;
            return;
        }
        if ((move.after & out_.folded_values) == 0 || move.before == 0) return;
        const bool free = out_.has_folded_variable() && move.delta == 0 && out_.costs[it.cost] == 0;
        const std::size_t key = checks(it, move);
        if (free && key == out_.first.back() && move.checks_begin == move.checks_end) {
            add_folded_move(move);
        } else if (seen_.insert(signature(key, move)).second) {
            if (seen_.size() > MOST_MOVES) throw Projection::TooLarge{};
            listed_.push_back({key, move});
        } else {
            out_.checks.resize(move.checks_begin);
        }
    }
    // Lists the moves by value. How many cases there were.
    std::size_t finish() {
        std::ranges::stable_sort(listed_, {}, &Listed::key);
        out_.place.assign(out_.first.back() + 2, 0);
        for (const Listed& listed : listed_) {
            ++out_.place[listed.key + 1];
            out_.moves.push_back(listed.move);
        }
        for (std::size_t i = 1; i < out_.place.size(); ++i) out_.place[i] += out_.place[i - 1];
        return cases_;
    }

  private:
    static constexpr std::size_t MOST_MOVES = std::size_t{1} << 19;  // of one pattern

    static bool known(std::uint32_t left, std::uint32_t right) { return left != ANY_VALUE && right != ANY_VALUE; }
    struct Listed {
        std::size_t key;
        Projection::Move move;
    };

    // The facts before exclude none of each other, nor do the facts after.
    bool possible(const PatternCase& it) const {
        const auto excluded = [&](std::size_t one, std::uint32_t left, std::size_t two, std::uint32_t right) {
            return known(left, right) &&
                   out_.mutexes_.exclusive({out_.variable(one), left}, {out_.variable(two), right});
        };
        for (std::size_t one = 0; one < out_.width(); ++one) {
            for (std::size_t two = 0; two < one; ++two) {
                const SlotChange &left = it.slots[one], &right = it.slots[two];
                if (excluded(one, left.before, two, right.before)) return false;
                if (excluded(one, left.after(), two, right.after())) return false;
            }
        }
        return true;
    }
    void constrain(const PatternCase& it) {
        const bool still =
            std::none_of(it.slots.begin(), it.slots.begin() + static_cast<std::ptrdiff_t>(out_.slots.size()),
                         [](const SlotChange& change) { return change.changed(); });
        for (std::size_t slot = 0; slot < out_.width(); ++slot) constrain(it, slot, still);
    }
    void constrain(const PatternCase& it, std::size_t slot, bool still) {
        ValueSet& allowed = inside_[slot];
        ValueSet& promised = promised_[slot];
        const std::uint32_t variable = out_.variable(slot);
        allowed = it.outside[slot];
        promised.reset(out_.task_.variables[variable].domain);
        const auto exclude = [&](const Fact& fact, bool promise) {
            out_.mutexes_.excluded(fact, variable, [&](std::uint32_t value) {
                allowed.remove(value);
                if (promise) promised.remove(value);
            });
        };
        for (const Fact& fact : it.written) exclude(fact, false);
        for (std::size_t other = 0; other < out_.width(); ++other) {
            if (other == slot) continue;
            const SlotChange& change = it.slots[other];
            const std::uint32_t its = out_.variable(other);
            if (change.after() != ANY_VALUE) exclude({its, change.after()}, true);
            // Where only the folded variable changes, the abstract state is the same before, and must fit its value there.
            const bool promise = still && other == out_.folded_slot();
            if (change.before != ANY_VALUE && change.changed()) exclude({its, change.before}, promise);
        }
        for (const Fact& fact : it.refused) {
            if (fact.variable == slot) allowed.remove(fact.value);
        }
        const SlotChange& own = it.slots[slot];
        if (!own.changed() && own.before != ANY_VALUE) allowed.only(own.before);
    }
    void fold(const PatternCase& it, Projection::Move& move) const {
        const std::size_t slot = out_.folded_slot();
        const SlotChange& change = it.slots[slot];
        Mask before = it.outside[slot].mask();
        for (const Fact& fact : it.refused) {
            if (fact.variable == slot) before &= ~(Mask{1} << fact.value);
        }
        if (change.before != ANY_VALUE) before &= Mask{1} << change.before;
        if (change.changed()) {
            move.keeps_folded = false;
            move.before = before;
            move.after = Mask{1} << change.written;
        } else {
            move.before = move.after = inside_[slot].mask();
        }
    }
    // Writes the tests of the move and returns the number under which it is listed: by a value that the state after
    // it must have, of a changed slot if possible.
    std::size_t checks(const PatternCase& it, Projection::Move& move) {
        const std::size_t none = out_.first.back();
        std::size_t key = none;
        for (const bool changed : {true, false}) {
            for (std::size_t slot = 0; slot < out_.slots.size() && key == none; ++slot) {
                const SlotChange& change = it.slots[slot];
                if (change.changed() == changed && change.after() != ANY_VALUE) key = out_.first[slot] + change.after();
            }
        }
        for (std::uint32_t slot = 0; slot < out_.slots.size(); ++slot) {
            const std::uint32_t after = it.slots[slot].after();
            if (after != ANY_VALUE) {
                if (key == out_.first[slot] + after) continue;
                inside_[slot].reset(out_.slots[slot].domain);
                inside_[slot].only(after);
            } else if (!inside_[slot].restricted() || promised_[slot].subset_of(inside_[slot])) {
                continue;
            }
            out_.checks.push_back({slot, pool(inside_[slot])});
        }
        move.checks_end = out_.checks.size();
        return key;
    }
    std::size_t pool(const ValueSet& values) {
        const auto& words = values.words();
        const auto [entry, fresh] = pooled_.try_emplace(words, out_.bits.size());
        if (fresh) out_.bits.insert(out_.bits.end(), words.begin(), words.end());
        return entry->second;
    }
    void add_folded_move(const Projection::Move& move) {
        for (std::uint32_t value = 0; value < out_.folded_moves.size(); ++value) {
            if (move.after >> value & 1) out_.folded_moves[value] |= move.before;
        }
    }
    Vector<std::uint64_t> signature(std::size_t key, const Projection::Move& move) const {
        Vector<std::uint64_t> all{key, move.after, move.before, move.keeps_folded, move.delta, move.cost};
        for (std::size_t i = move.checks_begin; i < move.checks_end; ++i)
            all.push_back(std::uint64_t{out_.checks[i].slot} << 32 | out_.checks[i].allowed);
        return all;
    }

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
