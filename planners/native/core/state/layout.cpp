#include "state/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace unpuzzle {

namespace {

constexpr std::uint32_t WORD_BITS = 64;

std::uint32_t bits_of(const Variable& variable) {
    return static_cast<std::uint32_t>(std::bit_width(variable.domain - 1));
}

// The words, by their free bits.
class Shelf {
  public:
    Place take(std::uint32_t bits) {
        std::uint32_t free = bits;
        while (free <= WORD_BITS && words_[free].empty()) ++free;
        std::uint32_t word = count_;
        if (free > WORD_BITS) {
            ++count_;
            free = WORD_BITS;
        } else {
            word = take_last(words_[free]);
        }
        words_[free - bits].push_back(word);
        return {word, WORD_BITS - free, (Word{1} << bits) - 1};
    }
    std::uint32_t count() const { return count_; }

  private:
    std::array<Vector<std::uint32_t>, WORD_BITS + 1> words_;
    std::uint32_t count_ = 0;
};

}  // namespace

Layout::Layout(const Task& task) : places_(task.variables.size()) {
    Vector<std::uint32_t> order(task.variables.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](auto variable) { return bits_of(task.variables[variable]); });
    Shelf shelf;
    std::uint32_t derived = 0;
    for (const std::uint32_t variable : order) {
        const std::uint32_t bits = bits_of(task.variables[variable]);
        if (bits == 0 || task.variables[variable].derived()) continue;
        places_[variable] = shelf.take(bits);
        bits_ += bits;
    }
    words_ = std::max<std::size_t>(1, shelf.count());
    for (std::size_t variable = 0; variable < places_.size(); ++variable) {
        if (!task.variables[variable].derived()) continue;
        places_[variable] = {static_cast<std::uint32_t>(words_) + derived / WORD_BITS, derived % WORD_BITS, 1};
        ++derived;
    }
    derived_words_ = (derived + WORD_BITS - 1) / WORD_BITS;
}

StateSize Layout::size() const {
    if (std::endian::native != std::endian::little) return {words_};
    std::size_t bits = 1;
    for (const Place& place : places_) {
        if (place.word + 1 != words_) continue;
        bits = std::max<std::size_t>(bits, place.shift + static_cast<std::size_t>(std::bit_width(place.mask)));
    }
    return {words_, (bits + 7) / 8};
}

void Layout::pack(std::span<const std::uint32_t> values, Word* state) const {
    std::fill(state, state + words_ + derived_words_, 0);
    for (std::size_t variable = 0; variable < places_.size(); ++variable) {
        state[places_[variable].word] |= places_[variable].put(values[variable]);
    }
}

void Layout::tests(std::span<const Fact> facts, Vector<Test>& out) const {
    Vector<Test> single;
    for (const Fact& fact : facts) {
        const Place& place = places_[fact.variable];
        if (place.mask != 0) single.push_back({place.word, place.field(), place.put(fact.value)});
    }
    std::ranges::stable_sort(single, {}, &Test::word);
    const std::size_t begin = out.size();
    for (const Test& test : single) {
        if (out.size() > begin && out.back().word == test.word) {
            out.back().mask |= test.mask;
            out.back().value |= test.value;
        } else {
            out.push_back(test);
        }
    }
}

}  // namespace unpuzzle
