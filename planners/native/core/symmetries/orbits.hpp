// Orbits: the states that the symmetries of a task map on each other. Searching one state of each orbit is
// enough (Pochter, Zohar and Rosenschein 2011; Domshlak, Katz and Shleyfman 2015), and this file chooses it:
// a state's *canonical* state is one with small digits, its variables read in a fixed order.
//
// Symmetries that move no variable in common act independently, so each such *factor* of the group is dealt
// with alone. A small one is listed: among the images under all its elements the least is chosen, digit by digit,
//
//     element            0   1   2   3 ...        digit i of the image under an element is one variable of
//     digit 0            2   0   0   1            the state, renamed; only the elements whose image is least
//     digit 1                5   3                so far go on to the next digit, mostly one
//
// so the canonical state is the same for a whole orbit. For a large one the generators are applied as long as one makes
// the state smaller: an orbit may then have several canonical states, which costs states but loses no plan.
//
// Conditions on a permutation p of the facts of the stored variables, and where they are checked:
//
//     1. facts of one variable become facts of one variable     edges from a variable to its facts (task_graph.cpp)
//     2. an operator becomes one of equal cost, with the image  colours of operators are costs, those of effects their
//        of its precondition and effects; those that overwrite  ranks; each generator is checked edge by edge
//        each other do so in the same order                     (symmetries.cpp)
//     3. axioms become axioms, of the same layer; derived facts colours of variables and facts
//        that are true remain so
//     4. goals become goals, other facts others                 colours of facts
//
// 1 makes p(s) a state. 2 and 3: a step from s to t of some cost is one from p(s) to p(t) of that cost, whether or not
// they can be reached. With 4, s and p(s) are equally far from a goal, so one of them is enough: if the search has p(s)
// instead of s, a cheapest path continues from there. It is not required that p preserves the initial state, or mutex
// groups. So p(s) may violate these; see representatives.hpp for the consequences. A plan is found by mapping the path
// back, state by state, which checks 2 once more (`Unfolding`).
//
// *Late* symmetries hold from some point on: two spanners that lay at different places are alike once both are in the
// hand, as no operator puts one down. A fact that no operator sets is *gone* for ever once it is false, and then the
// operators that need it are over. So p may be a symmetry of the task without some of these operators:
//
//     5. each of them that names a fact that p moves needs a fact of `gone`       Builder::gone
//     6. p maps `gone` on itself                                                  Builder::gone
//     7. there are no axioms: what p makes of derived facts is not known          the constructor
//
// In a state s without any fact of `gone`, these operators are over, as they are in p(s), by 6, and in all states that
// follow. What is left maps on itself: the other operators that need a passing fact name nothing that p moves.
#pragma once

#include <compare>
#include <memory>
#include <mutex>

#include "base/marks.hpp"
#include "base/rows.hpp"
#include "state/layout.hpp"
#include "state/pruning.hpp"
#include "task/fact_numbers.hpp"

namespace unpuzzle {

// The symmetries of a task: permutations of its facts that map operators on operators of the same cost and goals on
// goals, so that a state and its image are equally far from a goal. They are given by generators of the group, as far
// as the search for automorphisms finds them, as permutations of the stored variables and of their values: afterwards
// `to` has the old value of `from`, renamed.
struct Moved {
    std::uint32_t from, to;
    Vector<std::uint16_t> values;  // by the value of `from`, the value of `to`
};
using Symmetry = Vector<Moved>;  // ascending by `from`; variables that are not listed stay as they are

Vector<Symmetry> symmetries(const Task& task, Control& control);

// An operator that is over once a fact is false, which no operator sets.
struct Passing {
    std::uint32_t op;
    Fact needs;
};
// Some kinds of them, each of which leaves most of the task when it is over.
Rows<Passing> passing_operators(const Task& task, Control& control);
// The symmetries of the task without these operators.
Vector<Symmetry> late_symmetries(const Task& task, std::span<const Passing> passing, Control& control);

// Whether no symmetry moves a fact that the task mentions, as far as a glance tells; see fact_colours.cpp.
bool asymmetric_at_a_glance(const Task& task, const FactNumbers& numbers, Control& control);

class Orbits {
  public:
    using Element = std::uint32_t;
    struct Scratch {
        std::vector<Element> least;
        std::vector<Word> before;
        std::vector<Element>* trail = nullptr;  // if it is there, what was applied is appended
    };
    // The effect of an element on a state: the variable `target` gets the value of `source`, renamed.
    struct Renaming {
        std::uint32_t target, source;
        const std::uint16_t* values;
    };

    Orbits(const Task& task, const Layout& layout, Control& control);

    bool empty() const { return factors_.empty(); }
    std::size_t order() const;  // of the group; SIZE_MAX if not all of it is listed
    bool any_listed() const { return !factors_.empty() && factors_.front().listed; }
    // Returns how many elements were looked at. `only_listed`: with the factors that make all states of an orbit the same.
    std::size_t canonical(Word* state, Scratch& scratch, bool only_listed = false) const;
    // Whether another element than the identity does; a late one: with what has to be gone left aside.
    bool keeps(const Word* state) const;
    Element inverse(Element element) const { return elements_[element].inverse; }
    std::vector<Renaming> renamings(Element element) const;
    // Calls `visit(operators)` for each element that keeps the state, with those that it maps on one of a smaller number.
    template <class Visit>
    void each_lowered(const Word* state, Visit&& visit) const {
        for (std::size_t i = 0; i < lowering_.size(); ++i) {
            const Entry& entry = elements_[lowering_[i]];
            if (compare(entry, state) == 0 && !waits(entry, state)) visit(lowered_[i]);
        }
    }

  private:
    class Builder;

    struct Digit {  // of an image: this field of the state, renamed by values_[map...]
        std::uint32_t map;
        std::uint16_t word;
        std::uint8_t shift, bits;
        std::uint32_t value(const Word* state, const std::uint16_t* maps) const {
            const Word mask = (Word{1} << bits) - 1;
            return maps[map + (state[word] >> shift & mask)];
        }
    };
    struct Entry {
        std::size_t first, stride;      // its digits
        std::size_t targets, targeted;  // in targets_
        Element inverse;
        Range gone = {};  // in gone_: late
    };
    struct Factor {
        Range elements;  // listed: the first is the identity
        bool listed, late = false;
        bool mixed = false;  // late ones move variables of it
    };
    struct Gone {
        Place place;
        std::uint32_t variable, value;
    };

    const Digit& digit(const Entry& entry, std::size_t i) const { return digits_[entry.first + i * entry.stride]; }
    Element least(const Factor& factor, const Word* state, Scratch& scratch) const;
    std::strong_ordering compare(const Entry& entry, const Word* state) const;
    std::span<const Gone> gone(const Entry& entry) const {
        return std::span(gone_).subspan(entry.gone.begin, entry.gone.end - entry.gone.begin);
    }
    bool waits(const Entry& entry, const Word* state) const {
        return std::ranges::any_of(gone(entry), [&](const Gone& it) { return it.place.value(state) == it.value; });
    }
    void find_lowered(const Task& task, Control& control);
    bool climb(const Factor& factor, Word* state, Scratch& scratch, std::size_t& looked) const;
    void apply(Element element, Word* state, Scratch& scratch) const;

    std::size_t words_;
    Vector<Factor> factors_;  // listed ones first, late ones last
    Vector<Entry> elements_;
    Vector<Digit> digits_;
    Vector<std::uint32_t> targets_, sources_;  // variables: of targets, and parallel to digits_
    Vector<Place> places_;                     // parallel to targets_
    Vector<std::uint16_t> maps_;
    Vector<Gone> gone_;
    Vector<Element> lowering_;  // elements that map some operator on one of a smaller number
    Rows<OperatorId> lowered_;  // parallel to lowering_: those operators
};

// Leaves out operators that symmetries of the state map on others, as soon as a search has orbits: see
// symmetric_operators.cpp.
class SymmetricOperators : public Pruning {
  public:
    explicit SymmetricOperators(const Task& task) : left_out_(task.operators.size()) {}

    void begin(const Orbits& orbits) { orbits_ = &orbits; }
    void prune(const Word* state, ApplicableOperators& applicable) override;
    bool pays() const override { return true; }

  private:
    static constexpr std::uint64_t STATES_ON_TRIAL = 1000, LEAST = 50;  // a part of what it saw

    const Orbits* orbits_ = nullptr;
    Marks left_out_;
    std::uint64_t states_ = 0, seen_ = 0, pruned_ = 0;
};

// The orbits of a task, computed when a search first needs them; any number of searches may share them.
class LazyOrbits {
  public:
    struct Answer {
        const Orbits* orbits = nullptr;  // none if what is left of the budget does not allow to find them
        std::size_t bytes = 0;           // that they take
    };
    Answer get(const Task& task, const Layout& layout, Control& control, Budget& budget);

  private:
    void find(const Task& task, const Layout& layout, Control& control, Budget& budget);

    std::recursive_mutex mutex_;  // finding them calls back, and whoever is called may begin another search
    Budget budget_;
    std::unique_ptr<const Orbits> orbits_;
};

}  // namespace unpuzzle
