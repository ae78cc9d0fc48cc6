// The landmarks of all evaluated states, kept for their successors (Pommerening and Helmert 2013).
//
// Only the landmarks that a state did not inherit are stored, with the operator that led to it: the others are
// collected by walking up to the initial state, where one counts if no operator on the way from its state down to here
// is in it. This is done once for all successors of a state; at intervals all landmarks of a state are stored, so the
// way is never long.
//
//     record  ┌ parent ┬ operator ┬ where ┐      text  ┌ h+1 │ n │ cost│size│ operators │ cost│size│ ... ┐
//             └────────┴──────────┴───────┘            └─────┴───┴─────┴────┴───────────┴─────┴────┴─────┘
//
// Numbers are written seven bits a byte. A record belongs to the state forever: a landmark of a state is one
// whatever the path to it, so when the state is reached again at less cost the answer is still right.
#pragma once

#include <algorithm>
#include <span>

#include "base/growing_array.hpp"
#include "base/marks.hpp"
#include "base/metered.hpp"

namespace unpuzzle {

// Landmarks in working memory, each with the cost that it accounts for.
class Landmarks {
  public:
    struct Landmark {
        std::uint32_t cost;
        std::size_t begin, end;
    };

    std::size_t size() const { return all_.size(); }
    std::size_t groups() const { return groups_.size(); }  // of all together
    std::uint32_t cost(std::size_t i) const { return all_[i].cost; }
    std::span<const std::uint32_t> operator[](std::size_t i) const {
        return {groups_.data() + all_[i].begin, groups_.data() + all_[i].end};
    }
    bool has(std::size_t i, std::uint32_t group) const {
        const auto groups = (*this)[i];
        return std::ranges::find(groups, group) != groups.end();
    }
    void clear() {
        all_.clear();
        groups_.clear();
    }
    void add(std::uint32_t cost, std::span<const std::uint32_t> groups) {
        std::copy(groups.begin(), groups.end(), append(cost, groups.size()));
    }
    // One whose operators are still to be written, to where this points.
    std::uint32_t* append(std::uint32_t cost, std::size_t size) {
        const std::size_t begin = groups_.size();
        groups_.resize(begin + size);
        all_.push_back({cost, begin, begin + size});
        return groups_.data() + begin;
    }
    void drop_last() {
        groups_.resize(all_.back().begin);
        all_.pop_back();
    }

  private:
    Vector<Landmark> all_;
    Vector<std::uint32_t> groups_;
};

class LandmarkStore {
  public:
    LandmarkStore(Budget& budget, std::size_t groups) : budget_(budget), records_(budget), used_(groups) {}

    bool has(StateId id) const { return id < records_.size() && records_[id]->where != 0; }
    std::uint64_t h_plus_1(StateId id) const {
        const std::uint8_t* at = text(records_[id]->where);
        return read(at);
    }

    // Writes down a state: its value, how it was reached, and its new landmarks (all of them without a parent).
    void put(StateId id, StateId parent, std::uint32_t group, std::uint64_t h_plus_1, const Landmarks& landmarks) {
        line_.clear();
        write(h_plus_1);
        write(landmarks.size());
        for (std::size_t i = 0; i < landmarks.size(); ++i) {
            write(landmarks.cost(i));
            write(landmarks[i].size());
            for (const std::uint32_t number : landmarks[i]) write(number);
        }
        const std::uint32_t where = end_line();
        if (records_.size() <= id) records_.extend(id + 1);
        *records_[id] = {parent, group, where};
    }

    // All landmarks of a state; the number of states on the way.
    std::size_t collect(StateId id, Landmarks& out) {
        out.clear();
        used_.forget();
        std::size_t steps = 0;
        for (;; ++steps) {
            const Record& record = *records_[id];
            read_unused(record.where, out);
            if (record.parent == NO_STATE) return steps;
            if (record.group != NO_GROUP) used_.mark(record.group);
            id = record.parent;
        }
    }

  private:
    struct Record {
        StateId parent;  // NO_STATE: all landmarks are in the text
        std::uint32_t group, where;
    };
    static constexpr std::uint32_t NO_GROUP = ~0u;  // RelaxedTask::NONE
    static constexpr std::size_t CHUNK = std::size_t{1} << 20, UNIT = 4;

    void read_unused(std::uint32_t where, Landmarks& out) const {
        const std::uint8_t* at = text(where);
        read(at);
        for (std::uint64_t left = read(at); left > 0; --left) {
            const auto cost = static_cast<std::uint32_t>(read(at));
            const auto size = static_cast<std::size_t>(read(at));
            std::uint32_t* const groups = out.append(cost, size);
            bool used = false;
            for (std::size_t i = 0; i < size; ++i) {
                groups[i] = static_cast<std::uint32_t>(read(at));
                used |= used_.has(groups[i]);
            }
            if (used) out.drop_last();
        }
    }
    static std::uint64_t read(const std::uint8_t*& at) {
        std::uint64_t number = *at & 0x7F;
        for (int shift = 7; *at++ & 0x80; shift += 7) number |= std::uint64_t{*at & 0x7Fu} << shift;
        return number;
    }
    void write(std::uint64_t number) {
        for (; number >= 0x80; number >>= 7) line_.push_back(static_cast<std::uint8_t>(number | 0x80));
        line_.push_back(static_cast<std::uint8_t>(number));
    }

    // The line goes into one piece of memory. 0 is nowhere.
    std::uint32_t end_line() {
        const std::size_t size = (line_.size() + UNIT - 1) / UNIT * UNIT;
        if (size > CHUNK - UNIT) throw Stop{Status::memout};  // a chunk begins with a unit that is nowhere
        if (chunks_.empty() || filled_ + size > CHUNK) {
            if (chunks_.size() >= (std::uint64_t{1} << 32) / (CHUNK / UNIT)) throw Stop{Status::memout};
            chunks_.emplace_back(budget_, CHUNK);
            filled_ = UNIT;
        }
        const std::size_t where = (chunks_.size() - 1) * (CHUNK / UNIT) + filled_ / UNIT;
        std::memcpy(static_cast<std::uint8_t*>(chunks_.back().data()) + filled_, line_.data(), line_.size());
        filled_ += size;
        return static_cast<std::uint32_t>(where);
    }
    const std::uint8_t* text(std::uint32_t where) const {
        return static_cast<const std::uint8_t*>(chunks_[where / (CHUNK / UNIT)].data()) + where % (CHUNK / UNIT) * UNIT;
    }

    Budget& budget_;
    GrowingArray<Record, 1> records_;
    std::vector<Block> chunks_;
    std::size_t filled_ = 0;
    Vector<std::uint8_t> line_;
    Marks used_;  // groups on the way
};

}  // namespace unpuzzle
