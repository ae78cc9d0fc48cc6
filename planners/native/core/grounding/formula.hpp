// Ground formulas: true, false, a literal, or a conjunction or disjunction of such, each compound kept once.
//
// They are simplified when they are made: constants vanish, a connective is not nested in an equal one, parts occur
// once, and a part and its negation decide the formula. The order is by first mention, so equal input gives equal
// formulas.
#pragma once

#include "base/number_table.hpp"
#include "grounding/task.hpp"

namespace unpuzzle::ground {

// A literal (as its number), TRUE, FALSE, or COMPOUND + k.
using Formula = std::int64_t;
constexpr Formula TRUE = std::int64_t{1} << 40, FALSE = TRUE + 1, COMPOUND = std::int64_t{1} << 41;
inline bool is_literal(Formula formula) { return formula < TRUE; }

using Conjunction = Vector<Literal32>;

// Collects the parts of a compound.
class Parts {
  public:
    explicit Parts(bool conjunction) : conjunction_(conjunction) {}
    // False if the compound is decided: a conjunction false, a disjunction true.
    bool add(Formula part);

    bool conjunction() const { return conjunction_; }
    const Vector<Formula>& parts() const { return parts_; }
    Formula neutral() const { return conjunction_ ? TRUE : FALSE; }
    Formula absorbing() const { return conjunction_ ? FALSE : TRUE; }

  private:
    bool known(Formula part) const;

    bool conjunction_;
    Vector<Formula> parts_;
    NumberTable<> table_;  // their places; only where there are many
};

class Formulas {
  public:
    // Adds a part to a compound, taken apart if it is of the same kind. False as in `Parts::add`.
    bool add(Parts& parts, Formula part) const;
    Formula make(const Parts& parts);

    bool is_conjunction(Formula formula) const { return compound(formula).conjunction; }
    std::span<const Formula> parts(Formula formula) const {
        const Compound& found = compound(formula);
        return {parts_.data() + found.begin, found.size};
    }
    // The disjunctive normal form; false if it has more than `most` disjuncts.
    bool disjuncts(Formula formula, std::size_t most, Vector<Conjunction>& found) const;

  private:
    struct Compound {
        bool conjunction;
        std::uint32_t size;
        std::size_t begin;
    };
    const Compound& compound(Formula formula) const { return compounds_[static_cast<std::size_t>(formula - COMPOUND)]; }

    Vector<Compound> compounds_;
    Vector<Formula> parts_;
    NumberTable<> table_;
};

}  // namespace unpuzzle::ground
