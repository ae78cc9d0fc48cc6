// A whole state space: every state that can be reached, every transition, and the figures computed from them.
//
//     states      numbered in breadth-first order, the start is 0; successors by ascending operator
//     offsets     transitions of state s are offsets[s] .. offsets[s + 1] of `targets` and `operators` (CSR)
//     distance    least cost from the start
//     goal_distance   least cost to a goal, or NEVER (a dead end)
//     plans       how many plans have that least cost: sequences of actions that end in a goal
//
// `plans` stops at MANY, and is ENDLESS where a cycle of cost 0 lies on such a plan.
#pragma once

#include <algorithm>
#include <functional>

#include "base/growing_array.hpp"
#include "base/rows.hpp"
#include "search/transition_system.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

class StateSpace {
  public:
    static constexpr std::int64_t NEVER = -1;
    static constexpr std::uint64_t MANY = UINT64_MAX - 1, ENDLESS = UINT64_MAX;

    struct Request {
        Budget& budget;
        std::uint64_t states = UINT64_MAX;
        bool keeps_states = true;  // else nobody asks for `state`
    };

    // `costs`: of each operator. To be made while the thread works for the budget, see metered.hpp, so that arrays
    // count against it. Throws what `within_limits` makes a status of.
    template <TransitionSystem System>
    StateSpace(System& system, std::vector<std::uint32_t> costs, const Request& request, Control& control)
        : width_(system.size().words),
          costs_(std::move(costs)),
          same_costs_(std::adjacent_find(costs_.begin(), costs_.end(), std::not_equal_to<>()) == costs_.end()),
          request_(request),
          words_(request.budget, width_) {
        explore(system, control);
        if (!request.keeps_states) words_ = States(request.budget, width_);
        work_out(control);
    }

    std::size_t size() const { return goals.size(); }
    const Word* state(std::size_t number) const { return words_[number]; }

  private:
    using States = GrowingArray<Word, 0>;

    // The states as a pool for the table.
    template <int W>
    struct Pool {
        const StateSpace& space;

        bool is_state(StateId id, const Word* state) const { return equal<W>(space.state(id), state, space.width_); }
        std::uint64_t hash_of(StateId id) const { return hash<W>(space.state(id), space.width_); }
    };

    template <TransitionSystem System>
    void explore(System& system, Control& control);
    void work_out(Control& control);
    void distances(Control& control);
    void goal_distances(Control& control);
    void count_plans(Control& control);
    template <class Each>
    void settle(Vector<std::int64_t>& distance, Vector<std::uint32_t>& sources, Control& control, Each&& each);
    bool tight(std::size_t edge, std::uint32_t from) const;
    std::int64_t cost(std::size_t edge) const { return costs_[operators[edge]]; }

    std::size_t width_;
    std::vector<std::uint32_t> costs_;
    bool same_costs_;
    Request request_;
    States words_;

  public:
    Vector<std::uint32_t> depth;
    Vector<std::uint64_t> offsets;
    Vector<std::uint32_t> targets, operators;
    Vector<std::uint8_t> goals;
    Vector<std::int64_t> distance, goal_distance;
    Vector<std::uint64_t> plans;

  private:
    struct Back {
        std::uint32_t source, edge;
    };
    Rows<Back> back_;  // transitions by target, while they are needed
};

template <TransitionSystem System>
void StateSpace::explore(System& system, Control& control) {
    constexpr int W = System::WIDTH;
    Pool<W> pool{*this};
    Table<Pool<W>> table(request_.budget, control, pool);
    std::vector<Word> child(width_);
    const auto number_of = [&](const Word* state, std::uint32_t steps) {
        const std::uint64_t code = hash<W>(state, width_);
        const auto probe = table.find(state, code);
        if (probe.found != NO_STATE) return probe.found;
        if (depth.size() >= request_.states) throw Stop{Status::gave_up};
        const auto id = static_cast<StateId>(depth.size());
        copy<W>(words_.append(), state, width_);
        depth.push_back(steps);
        table.put(probe.slot, id, code);
        return id;
    };
    number_of(system.start(), 0);
    offsets.push_back(0);
    for (StateId next = 0; next < depth.size(); ++next) {
        control.work(system.work());
        ++control.counters.expanded;
        system.load([&](Word* to) { copy<W>(to, state(next), width_); });
        goals.push_back(system.loaded_is_goal());
        system.successors([&] { return child.data(); },
                          [&](OperatorId op) {
                              control.work(width_);
                              ++control.counters.generated;
                              targets.push_back(number_of(child.data(), depth[next] + 1));
                              operators.push_back(op);
                              return true;
                          });
        offsets.push_back(targets.size());
    }
}

// Of a task; see `explore` in api.hpp. Copies of one action (split at a disjunction) that apply in one state are one
// transition.
std::unique_ptr<StateSpace> state_space(const CompiledTask& compiled, const std::vector<std::uint32_t>& actions,
                                        bool goal_possible, const StateSpace::Request& request, Control& control);

}  // namespace unpuzzle
