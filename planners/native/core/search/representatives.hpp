// Symmetries in a search: from some point on, it keeps one state for each orbit.
//
// Finding the symmetries of a task takes as long as expanding some thousand states, and most levels are
// solved by then: so a search begins without, and asks before each expansion whether they are `due`. States
// that were stored before stay as they are; an orbit may then have one more state than it needs.
//
// The gain depends on the start of a search: if no symmetry preserves the initial state, states found forwards are
// hardly ever symmetric to earlier ones, and then the test may not pay.
//
// The blind search keeps the canonical states only. With a heuristic, that is what decides whether a state is known,
// but the search keeps and expands the state that it found (as Domshlak, Katz and Shleyfman 2015): data passed from
// parent to child need the child itself, and mutex groups hold only in states that can be reached from the initial one.
#pragma once

#include "search/search.hpp"
#include "search/trace.hpp"
#include "symmetries/orbits.hpp"

namespace unpuzzle {

class Representatives {
  public:
    // `only_listed`: all states of an orbit must get the same representative.
    explicit Representatives(SearchContext& run, bool only_listed = false);

    ~Representatives();
    Representatives(const Representatives&) = delete;
    Representatives& operator=(const Representatives&) = delete;

    bool due() const { return run_.control.counters.expanded >= from_; }
    bool begin();  // to be called once, when they are due; false if there are no symmetries
    bool on() const { return orbits_ != nullptr; }
    void canonical(Word* state) {
        run_.control.work(PIECES_OF_ELEMENT * orbits_->canonical(state, scratch_, only_listed_));
    }

    // The operators of a plan from the initial state, from states of which the first is a representative of
    // it, and each next one that of a successor of the one before, or that successor itself.
    std::vector<OperatorId> plan(const std::vector<const Word*>& states);

  private:
    static constexpr std::size_t PIECES_OF_ELEMENT = 4;

    SearchContext& run_;
    bool only_listed_;
    std::uint64_t from_;
    const Orbits* orbits_ = nullptr;
    std::size_t bytes_ = 0;  // taken for them
    Orbits::Scratch scratch_;
};

}  // namespace unpuzzle
