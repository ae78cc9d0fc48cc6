// Derived variables: computed from a state when it is expanded, never stored.
//
// An axiom waits for as many facts as its body has; each fact that turns out true takes one off, and at 0 the
// head becomes true (unit propagation as in Horn formulas: Dowling and Gallier 1984). The layers are closed
// from the lowest up: when nothing more can fire, the variables of the layer that are still false take one
// off the axioms that want them false, which only later layers do. Linear in the axioms that are touched.
#pragma once

#include "state/layout.hpp"

namespace unpuzzle {

class Axioms {
  public:
    // What an evaluation writes to; every search has its own.
    struct Scratch {
        Vector<std::uint32_t> waiting;
        Vector<std::uint32_t> fired;
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

    void tell(Range listeners, Scratch& scratch) const {
        for (std::size_t i = listeners.begin; i < listeners.end; ++i) {
            if (--scratch.waiting[listeners_[i]] == 0) scratch.fired.push_back(listeners_[i]);
        }
    }
    void drain(Word* extended, Scratch& scratch) const;

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
