// The only interface of the core, for programs in any language. Nothing here depends on Python.
//
//     ground::ground    from a lifted task to the arrays of a finite-domain one; see grounding/ground.hpp
//     PlanningTask      a finite-domain task, compiled: searches, stages of searches, pruning, shorter plans
//     explore           its state space; see search/state_space.hpp
//     Family, Packer    many starts and goals of one task; see search/family.hpp
//     heuristics        the list of heuristics; see heuristics/heuristic.hpp
//     script::          games with their own rules: script/play.hpp, script/level.hpp
//
// The `status` of a result says how the work ended; a limit or a call of `cancel` is not an error. Wrong requests throw
// BadTask, UnknownName and UnsupportedTask. Where there is no such result, as in constructors, `Stop` and
// std::bad_alloc are thrown, too.
#pragma once

#include <atomic>

#include "boxes/solve.hpp"
#include "grounding/ground.hpp"
#include "heuristics/heuristic.hpp"
#include "plans/improvement.hpp"
#include "scheduling/scheduler.hpp"
#include "search/family.hpp"
#include "search/state_space.hpp"

namespace unpuzzle {

struct SearchResult {
    Status status = Status::gave_up;
    std::optional<Steps> plan;
    Cost cost = 0;
    Counters counters;
    std::size_t states = 0, bytes = 0;
    double seconds = 0;
};

// One search of a compiled task; symmetries are kept in `orbits` for the next one. `PlanningTask` does that.
SearchResult search(const CompiledTask& compiled, const SearchOptions& options, Control& control,
                    LazyOrbits* orbits = nullptr);

struct PrunedTask;

struct ImprovedPlan : Improved {
    Status status = Status::gave_up;  // solved: it was looked for to the end, or as long as it might
    Cost cost = 0;
};

// A task, compiled once for many calls, also from several threads.
class PlanningTask {
  public:
    // `numbers`: ascending, those by which its operators are told, if it was pruned from a task in which they have them.
    PlanningTask(Buffers&& buffers, Control& control, std::size_t bytes = SIZE_MAX, Steps numbers = {});

    const CompiledTask& compiled() const { return *compiled_; }
    OperatorId number(OperatorId op) const { return numbers_.empty() ? op : numbers_[op]; }

    SearchResult search(const SearchOptions& options, Observer& observer);
    // Ends what other threads do with the task, with the status `cancelled`.
    void cancel() { cancels_.fetch_add(1, std::memory_order_relaxed); }

    // Who walks, and by which operators, or by which of these; see walking/walker.hpp.
    std::optional<Walker> walker(const std::optional<Steps>& among, const Limits& limits, Observer& observer) const;

    // Where the task is a board on which boxes are pushed, and whether it is; see boxes/board.hpp.
    bool has_boxes(const Limits& limits, Observer& observer) const;
    std::optional<boxes::Outcome> push_boxes(const boxes::Options& options, Observer& observer) const {
        return boxes::solve(*compiled_, options, observer, &cancels_);
    }

    // Without what no plan contains, as far as so much work tells; see task/h2_pruning.hpp.
    PrunedTask pruned(std::uint64_t most_work, const Limits& limits, Observer& observer) const;

    // Plans that cost no more: by windows (plans/windows.cpp), or without what can be left out (plans/improvement.cpp).
    // BadTask says which step of what is no plan cannot be taken.
    ImprovedPlan improved(const Steps& plan, std::uint64_t most_expanded, const Limits& limits,
                          Observer& observer) const;
    ImprovedPlan eliminated(const Steps& plan, Observer& observer) const;

    // States with one value per variable. Values of derived variables are ignored; they are computed.
    using Values = std::vector<std::int64_t>;
    std::vector<std::pair<OperatorId, Values>> successors(const Values& state) const;  // ascending by operator
    // A heuristic's estimates of states, after so many refinements; nothing for dead ends. `reached`: for each state
    // but the first, the index of its parent, and the operator; empty: states without parents.
    using Reached = std::pair<StateId, OperatorId>;
    std::vector<std::optional<Cost>> estimates(std::string_view heuristic, std::span<const Values> states,
                                               std::size_t refinements, std::span<const Reached> reached,
                                               Control& control) const;

  private:
    friend class Schedule;

    SearchedTask searched();
    WalkerRequest request(const std::optional<Steps>& among) const;
    std::optional<OperatorId> operator_of(OperatorId number) const;  // that is told by this number
    Steps own(const Steps& plan) const;
    Steps told(Steps plan) const;
    void finish(ImprovedPlan& better) const;

    Budget budget_;  // of the compiled task, which it outlives
    std::unique_ptr<const CompiledTask> compiled_;
    Steps numbers_;
    std::atomic<std::uint32_t> cancels_{0};
    LazyOrbits orbits_;
};

struct PrunedTask {
    Status status = Status::solved;
    std::unique_ptr<PlanningTask> task;  // none, if nothing is left out
    bool complete = false;               // more work would find no more
};

// The schedule of searches for a cheapest plan of a task, which it must not outlive; see scheduling/scheduler.hpp.
class Schedule {
  public:
    Schedule(PlanningTask& task, ScheduleOptions options);
    explicit Schedule(OwnSearch own) : scheduler_(std::move(own), {}, relay_) {}
    // The task is searched, too, from now on; once, and only where there is none yet. Throws UnsupportedTask.
    void add(PlanningTask& task);
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    // Goes on. Counts are those of all parts since the beginning.
    SearchResult run(const ScheduleLimits& limits, Observer& observer);
    std::vector<PartReport> reports() const { return scheduler_.reports(); }
    std::size_t ended_by() const { return scheduler_.ended_by(); }
    Cost known() const { return scheduler_.known(); }
    std::optional<std::pair<Steps, Cost>> unproved() const { return scheduler_.unproved(); }
    // Whether something that no plan contains was left out; and whether nothing is left then.
    bool smaller() const { return scheduler_.smaller(); }
    bool empty() const { return !pruned_.empty() && pruned_.back()->compiled().operators.count() == 0; }

  private:
    // The current observer. It gets the numbers of states of all parts.
    struct Relay : Observer {
        bool look(const Counters& counters, double seconds) override;
        double now() const override { return to ? to->now() : Observer::now(); }
        Observer* to = nullptr;
        const Scheduler* all = nullptr;
    };

    Scheduler::Pruned prune(std::uint64_t work, const Limits& limits, double begin);

    PlanningTask* task_ = nullptr;
    Relay relay_;
    std::vector<std::unique_ptr<PlanningTask>> pruned_;
    Scheduler scheduler_;
};

struct ExploredSpace {
    Status status = Status::gave_up;  // solved: it is complete
    std::unique_ptr<Budget> budget;   // of the space, which it outlives
    std::unique_ptr<StateSpace> space;
};

// The state space that `make` returns when it is told what is allowed.
template <class Make>
ExploredSpace explored(std::size_t bytes, std::uint64_t most_states, Make&& make) {
    ExploredSpace result;
    result.budget = std::make_unique<Budget>(bytes);
    const Metered metered(*result.budget);
    result.status = within_limits([&] {
        result.space = make(StateSpace::Request{*result.budget, most_states});
        return Status::solved;
    });
    return result;
}

// Of a task; `actions`: by operator, the number of what it means, less than the number of operators. Without `goal_possible` no state is a goal.
ExploredSpace explore(const CompiledTask& compiled, const std::vector<std::uint32_t>& actions, bool goal_possible,
                      std::size_t bytes, std::uint64_t most_states, Control& control);

// What packs the starts of a family, whose facts are those of `start_facts` in this order; one number more stands for
// facts that are true in all of them.
Packer packer_of(const CompiledTask& compiled, const ground::Common& common);

}  // namespace unpuzzle
