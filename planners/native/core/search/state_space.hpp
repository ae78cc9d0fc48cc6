// A whole state space: every state that can be reached, every transition, and what follows from them.
//
//     states      numbered in breadth-first order, the start is 0; successors by ascending operator
//     offsets     transitions of state s are offsets[s] .. offsets[s + 1] of `targets` and `operators` (CSR)
//     distance    least cost from the start
//     goal_distance   least cost to a goal, or NEVER (a dead end)
//     plans       how many plans have that least cost: sequences of actions that end in a goal
//
// Copies of one action (split at a disjunction) that apply in one state are one transition. `plans` stops at
// MANY, and is ENDLESS where a cycle of cost 0 lies on such a plan.
#pragma once

#include <vector>

#include "base/memory.hpp"
#include "base/release.hpp"
#include "state/compiled_task.hpp"

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

    void push_back(const T& item) {
        if (items_.size() == items_.capacity()) reserve(items_.empty() ? 64 : 2 * items_.size());
        items_.push_back(item);
    }
    void assign(std::size_t size, const T& item) {
        if (size > items_.capacity()) reserve(size);
        items_.assign(size, item);
    }
    void clear() {
        release(items_);
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
        bool goal_possible = true;  // false: no state is a goal
    };

    // `actions` has, for each operator, the number of its action. Throws `Stop`; std::bad_alloc is a memout,
    // too.
    StateSpace(const CompiledTask& compiled, std::vector<std::uint32_t> actions, const Request& request,
               Control& control);

    std::size_t size() const { return goals.size(); }
    const Word* state(std::size_t number) const { return &words[number * width_]; }

  private:
    template <int W>
    void explore(Control& control);
    void distances(Control& control);
    void reverse(Control& control);
    void goal_distances(Control& control);
    void count_plans(Control& control);
    template <class Each>
    void settle(Counted<std::int64_t>& distance, const Counted<std::uint32_t>& sources, Control& control, Each&& each);
    bool tight(std::size_t edge, std::uint32_t from) const;

    const CompiledTask& compiled_;
    std::size_t width_;
    std::vector<std::uint32_t> actions_;
    Request request_;
    Budget budget_;

  public:
    Counted<Word> words;
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

}  // namespace unpuzzle
