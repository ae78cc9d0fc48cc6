// Derived variables: computed from a state when it is expanded, never stored.
//
// An axiom counts the facts of its body that are missing; each fact that becomes true subtracts one, and at 0 the head
// becomes true (unit propagation as in Horn formulas: Dowling and Gallier 1984). The layers are evaluated from the
// lowest up: when nothing more can fire, the variables of the layer that are still false subtract one from the axioms
// that need them to be false, which are in later layers.
//
// So an evaluation reads each variable that axioms test once, and otherwise it is linear in the touched axioms.
// Afterwards the counters must be restored. If there are few, they are copied, which is fastest; if there are many, the
// touched ones are written again.
#pragma once

#include "state/layout.hpp"

namespace unpuzzle {

class Axioms {
  public:
    // The memory that an evaluation writes; every search has its own.
    struct Scratch {
        Vector<std::uint32_t> waiting, fired;  // axioms
        Vector<Range> told;                    // what was taken off in the last evaluation, if there are many axioms
    };

    Axioms(const Task& task, const Layout& layout, Control& control);

    // What an evaluation may have to touch.
    std::size_t work() const { return heads_.size() + listeners_.size() + derived_.size(); }
    // Fills the derived words that follow the words of a stored state.
    void evaluate(Word* extended, Scratch& scratch) const;

  private:
    class Builder;

    struct Tested {  // a variable that operators set and bodies test
        Place place;
        Range values;  // in values_, ascending
    };
    struct Value {
        std::uint32_t value;
        Range listeners;
    };
    struct Derived {
        Place place;
        Range if_true, if_false;  // listeners
    };

    bool many() const { return waiting_.size() > FEW; }
    void restore(Scratch& scratch) const;
    template <bool MANY>
    void evaluate(Word* extended, Scratch& scratch) const;
    template <bool MANY>
    void tell(Range listeners, Scratch& scratch) const;
    template <bool MANY>
    void drain(Word* extended, Scratch& scratch) const;

    static constexpr std::size_t FEW = 256;  // copied in about as many nanoseconds as it takes to touch a handful

    std::size_t words_, derived_words_;
    Vector<std::uint32_t> waiting_;    // by axiom: the size of its body
    Vector<std::uint32_t> heads_;      // by axiom: its place in derived_
    Vector<std::uint32_t> always_;     // axioms without a body
    Vector<std::uint32_t> listeners_;  // axioms
    Vector<Tested> tested_;
    Vector<Value> values_;
    Vector<Derived> derived_;  // by layer, ascending
    Vector<Range> layers_;     // in derived_
};

}  // namespace unpuzzle
