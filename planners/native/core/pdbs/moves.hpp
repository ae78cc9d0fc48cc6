// Moves of a projection, written case by case: what each asks of unchanged variables, and under which value it
// is listed. Moves that are alike are one.
#pragma once

#include "pdbs/case.hpp"

namespace unpuzzle {

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
