// Heuristics: an estimate of the cost from a state to the goal.
//
// To add one: a new file, and a line in the list of registry.cpp. The head of the file says whether it is
// admissible and consistent, what it supports, and the paper it comes from.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/errors.hpp"
#include "base/memory.hpp"
#include "state/state_view.hpp"

namespace unpuzzle {

struct HeuristicContext;

class Heuristic {
  public:
    static constexpr Cost DEAD_END = ~Cost{0};  // no plan from here, proved

    // A state and how it was reached, for heuristics that use data of the parent (incremental LM-cut) or store data by
    // number. The initial state has no parent. When a search re-opens a state it calls again, with the new parent; a
    // heuristic that is expensive to compute stores its answers by `id`. A search that does not number states
    // (depth-first) says NO_STATE for `id`, and for `parent` a number that only the successors of one expansion have in
    // common.
    struct EvaluationContext {
        StateView state;  // without derived variables
        StateId id, parent;
        OperatorId op;
        StateView parent_state = {};  // what belongs to `parent`
    };

    virtual ~Heuristic() = default;
    // A search that has expanded so many states since the last time is given up for `refine()`, and starts again.
    virtual std::uint64_t states_before_refining() const { return UINT64_MAX; }
    virtual void refine() {}
    virtual Cost estimate(const EvaluationContext& context) = 0;
    bool admissible() const { return admissible_; }  // as the registry says
    // After an estimate: whether an operator is likely to be good in that state.
    virtual bool prefers(OperatorId) const { return false; }
    // After an estimate: the operators of a plan of the delete relaxation, in its order; none where it makes no plan.
    virtual std::span<const OperatorId> relaxed_plan() { return {}; }
    // Whether asking is cheap: then states of one bucket (equal f and h) are expanded in batches, before
    // their successors are looked up. A* stays optimal with every admissible heuristic, consistent or not:
    // what waits has a parent of that bucket, so no plan through it is cheaper than the bucket's f.
    virtual bool batches() const { return false; }
    virtual bool blind() const { return false; }
    // Whether an estimate costs so little that it may be asked for anew whenever a state comes up again.
    virtual bool cheap() const { return false; }

  private:
    friend std::unique_ptr<Heuristic> make_heuristic(std::string_view name, const HeuristicContext& context);
    bool admissible_ = false;
};

// The arguments for making a heuristic. All of them outlive it.
struct HeuristicContext {
    const CompiledTask& compiled;
    Control& control;
    Budget& budget;
    // Searches for some plan count steps, too, or operators of cost 0 would never be avoided: operators cost one more
    // or, if all cost the same or the costs of plans do not matter at all, 1. Only heuristics that are not admissible
    // use this.
    enum class Costs { own, plus_one, one } costs = Costs::own;
};

// An entry of the registry: the name of a heuristic, its factory, and its properties.
struct HeuristicEntry {
    std::string_view name;
    std::unique_ptr<Heuristic> (*make)(const HeuristicContext&);
    const char* plural;  // what the estimates are, for messages
    bool admissible;
    Feature unsupported;  // tasks that have one of these are refused
};
std::span<const HeuristicEntry> heuristics();
// Throws UnknownName.
const HeuristicEntry& find_heuristic(std::string_view name);
// Throws UnknownName, UnsupportedTask.
std::unique_ptr<Heuristic> make_heuristic(std::string_view name, const HeuristicContext& context);

}  // namespace unpuzzle
