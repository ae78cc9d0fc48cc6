// Additive pattern databases, as a heuristic: the greatest of several sums (selection.hpp).
//
// Admissible. Not consistent: a database that keeps the least over the folded variable's values may fall by more than
// the operator costs, so searches must re-open. Supports costs, operators of cost 0 and conditional effects, but no
// axioms (Felner, Korf and Hanan, Additive pattern database heuristics, 2004).
//
// Effort comes in stages, because most tasks are easy and large databases cost seconds: a search that has expanded
// `states_before_refining()` states is given up, larger patterns replace the smaller ones, and it starts again. The
// limits of a stage are numbers of states and abstract states, so equal tasks are searched equally everywhere; a stage
// for which the memory does not suffice is left out, and what was built before stays in use.
//
// After the last of the early stages, costs are also shared otherwise than zero-one (cost_partitioning.hpp),
// unless a variable is folded. That is kept if it says clearly more of sampled states, for it is looked up more
// slowly; then the greatest estimate counts.
#pragma once

#include <memory>

#include "heuristics/heuristic.hpp"
#include "pdbs/cost_partitioning.hpp"
#include "pdbs/selection.hpp"

namespace unpuzzle {

class PatternHeuristic : public Heuristic {
  public:
    explicit PatternHeuristic(const HeuristicContext& context);

    std::uint64_t states_before_refining() const override;
    void refine() override;
    Cost estimate(const EvaluationContext& context) override;
    bool batches() const override { return true; }
    bool cheap() const override { return true; }

    // For tests: the sums in use.
    const Vector<PatternSelection::Sum>& sums() const { return now_.sums; }

  private:
    using Sums = Vector<PatternSelection::Sum>;
    // The sums in use, with everything that is made for them.
    struct Databases {
        Sums sums;
        Vector<std::unique_ptr<const PatternDatabase>> databases;
        Vector<std::size_t> sum_begin{0};  // into databases
        PatternRanks ranks;
    };

    // Where memory does not suffice for a pattern, it is left out, or that is a `Stop`.
    enum class IfShort { leave_out, stop };
    void select();
    Databases build(Sums sums, IfShort if_short) const;
    static Cost estimate(Databases& from, const Word* state);
    void look_ahead();
    bool may_share_costs() const;
    void share_costs(const Sums& claims);
    Vector<SaturatedCostPartitionings::Sample> samples();
    bool affordable(const Sums& sums) const;

    const CompiledTask& compiled_;
    Control& control_;
    Budget& budget_;
    Mutexes mutexes_{compiled_.task, control_};
    std::unique_ptr<PatternSelection> selection_;
    std::size_t stage_ = 0;
    Databases now_;
    Sums next_;                                         // to come, or none
    bool shared_ = false;                               // tried
    std::optional<SaturatedCostPartitionings> orders_;  // and found good
};

}  // namespace unpuzzle
