// A whole state space: every state that can be reached, every transition, and what follows from them.
//
//     states      numbered in breadth-first order, the start is 0; successors by ascending operator
//     offsets     transitions of state s are offsets[s] .. offsets[s + 1] of `targets` and `operators` (CSR)
//     distance    least cost from the start
//     goal_distance   least cost to a goal, or NEVER (a dead end)
//     plans       how many plans have that least cost: sequences of actions that end in a goal
//
// `plans` stops at MANY, and is ENDLESS where a cycle of cost 0 lies on such a plan.
#pragma once

#include <new>
#include <stdexcept>
#include <vector>

#include "base/memory.hpp"
#include "search/transition_system.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

// An array that asks the budget before it grows.
template <class T>
class Counted {
  public:
    explicit Counted(Budget& budget) : budget_(&budget) {}
    ~Counted() { budget_->give_back(taken_); }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    std::size_t size() const { return items_.size(); }
    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    const T* data() const { return items_.data(); }
    bool empty() const { return items_.empty(); }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }
    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }
    const T& back() const { return items_.back(); }
    void pop_back() { items_.pop_back(); }

    void push_back(const T& item) { append(&item, 1); }
    void append(const T* items, std::size_t count) {
        const std::size_t size = items_.size() + count;
        if (size > items_.capacity()) reserve(std::max<std::size_t>({64, size, 2 * items_.size()}));
        items_.insert(items_.end(), items, items + count);
    }
    void assign(std::size_t size, const T& item) {
        if (size > items_.capacity()) reserve(size);
        items_.assign(size, item);
    }
    void clear() {
        items_ = {};
        budget_->give_back(taken_);
        taken_ = 0;
    }
    void hand_over() {
        clear();
        handed_over_ = true;
    }
    bool handed_over() const { return handed_over_; }

  private:
    void reserve(std::size_t size) {
        const std::size_t bytes = size * sizeof(T);
        budget_->take(bytes);  // old and new exist at once
        items_.reserve(size);
        budget_->give_back(taken_);
        taken_ = bytes;
    }

    Budget* budget_;
    std::vector<T> items_;
    std::size_t taken_ = 0;
    bool handed_over_ = false;
};

class StateSpace {
  public:
    static constexpr std::int64_t NEVER = -1;
    static constexpr std::uint64_t MANY = UINT64_MAX - 1, ENDLESS = UINT64_MAX;

    struct Request {
        std::size_t bytes = SIZE_MAX;
        std::uint64_t states = UINT64_MAX;
        bool keeps_states = true;  // else nobody asks for `state`
    };

    // `costs`: of each operator. Throws `Stop`; std::bad_alloc is a memout, too.
    template <TransitionSystem System>
    StateSpace(System& system, std::vector<std::uint32_t> costs, const Request& request, Control& control)
        : StateSpace(system.size().words, std::move(costs), request) {
        try {
            explore(system, control);
            if (!request.keeps_states) words_.clear();
            work_out(control);
        } catch (const std::bad_alloc&) {
            throw Stop{Status::memout};
        } catch (const std::length_error&) {
            throw Stop{Status::memout};
        }
    }

    std::size_t size() const { return goals.size(); }
    const Word* state(std::size_t number) const { return &words_[number * width_]; }

  private:
    // The states as a pool for the table.
    template <int W>
    struct Pool {
        const StateSpace& space;

        bool is_state(StateId id, const Word* state) const { return equal<W>(space.state(id), state, space.width_); }
        std::uint64_t hash_of(StateId id) const { return hash<W>(space.state(id), space.width_); }
    };

    StateSpace(std::size_t width, std::vector<std::uint32_t> costs, const Request& request);
    template <TransitionSystem System>
    void explore(System& system, Control& control);
    void work_out(Control& control);
    void reverse(Control& control);
    void distances(Control& control);
    void goal_distances(Control& control);
    void count_plans(Control& control);
    template <class Each>
    void settle(Counted<std::int64_t>& distance, Counted<std::uint32_t>& sources, Control& control, Each&& each);
    bool tight(std::size_t edge, std::uint32_t from) const;
    std::int64_t cost(std::size_t edge) const { return costs_[operators[edge]]; }

    std::size_t width_;
    std::vector<std::uint32_t> costs_;
    bool same_costs_;
    Request request_;
    Budget budget_;
    Counted<Word> words_;

  public:
    Counted<std::uint32_t> depth;
    Counted<std::uint64_t> offsets;
    Counted<std::uint32_t> targets, operators;
    Counted<std::uint8_t> goals;
    Counted<std::int64_t> distance, goal_distance;
    Counted<std::uint64_t> plans;

  private:
    Counted<std::uint64_t> back_offsets_;  // transitions by target, while they are needed
    Counted<std::uint32_t> sources_, edges_;
};

template <TransitionSystem System>
void StateSpace::explore(System& system, Control& control) {
    constexpr int W = System::WIDTH;
    Pool<W> pool{*this};
    Table<Pool<W>> table(budget_, control, pool);
    std::vector<Word> child(width_);
    const auto number_of = [&](const Word* state, std::uint32_t steps) {
        const std::uint64_t code = hash<W>(state, width_);
        const auto probe = table.find(state, code);
        if (probe.found != NO_STATE) return probe.found;
        if (depth.size() >= request_.states) throw Stop{Status::gave_up};
        const auto id = static_cast<StateId>(depth.size());
        words_.append(state, width_);
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
                              control.tick();
                              ++control.counters.generated;
                              targets.push_back(number_of(child.data(), depth[next] + 1));
                              operators.push_back(op);
                              return true;
                          });
        offsets.push_back(targets.size());
    }
}

// Of a task; `actions` has, for each operator, the number of its action. Copies of one action (split at a
// disjunction) that apply in one state are one transition. Without `goal_possible` no state is a goal.
std::unique_ptr<StateSpace> state_space(const CompiledTask& compiled, const std::vector<std::uint32_t>& actions,
                                        bool goal_possible, const StateSpace::Request& request, Control& control);

}  // namespace unpuzzle
