// Additive pattern databases, as a heuristic: the greatest of several sums (pattern_selection.hpp).
//
// Admissible. Not consistent: a database that keeps the least over the hub's values may fall by more than the
// operator costs, so searches must re-open. Supports costs, operators of cost 0 and conditional effects;
// axioms are not supported.
//
// Effort comes in stages, because most tasks are easy and large databases cost seconds: a search that has
// expanded `patience()` states is given up, larger patterns replace the smaller ones, and it starts again.
// The limits of a stage are numbers of states and placements, so equal tasks are searched equally everywhere;
// a stage for which the memory does not suffice is left out, and what was built before stays in use.
//
// Looking up: the rank of a placement is linear in the bits of the state, so each byte of the state has a
// table by its value, with a row of what that adds to the rank in each of the databases; the ranks of all
// patterns together are then a few vector additions a byte, wherever the variables lie.
//
//     state │ byte 0 │ byte 1 │ ...        ranks = row(0, byte 0) + row(1, byte 1) + ...
//                        └──► row: │ pattern 0 │ pattern 1 │ ... │
#pragma once

#include <memory>

#include "heuristic.hpp"
#include "pattern_selection.hpp"

namespace unpuzzle {

class PatternHeuristic : public Heuristic {
  public:
    explicit PatternHeuristic(const Setting& setting);

    std::uint64_t patience() const override;
    void improve() override;
    Cost estimate(const Question& question) override;
    bool admissible() const override { return true; }
    bool batches() const override { return true; }
    bool cheap() const override { return true; }

    // For tests: the sums in use.
    const Vector<PatternSelection::Sum>& sums() const { return now_.sums; }

  private:
    using Sums = Vector<PatternSelection::Sum>;
    struct Entry {
        std::unique_ptr<const PatternDatabase> database;
        Vector<std::uint32_t> variables;
    };
    // The sums in use, with everything that is made for them.
    struct Databases {
        Sums sums;
        Vector<Entry> entries;
        Vector<std::size_t> sum_begin{0};  // into entries
        Vector<std::uint32_t> bytes;       // which bytes of a state matter
        std::size_t width = 0;             // of a row
        Block rows;
        Vector<std::uint32_t> ranks;
    };

    // Where memory does not suffice for a pattern, it is left out, or that is a `Stop`.
    enum class IfShort { leave_out, stop };
    void select();
    Databases built(Sums sums, IfShort if_short) const;
    static Cost estimate(Databases& from, const Word* state);
    void tabulate(Databases& made) const;
    void look_ahead();
    bool affordable(const Sums& sums) const;

    const Model& model_;
    Control& control_;
    Budget& budget_;
    Mutexes mutexes_;
    std::unique_ptr<PatternSelection> selection_;
    std::size_t stage_ = 0;
    Databases now_;
    Sums next_;  // to come, or none
};

}  // namespace unpuzzle
