// Breadth-first search. The pool is the queue: states are numbered as they are generated, so they are simply expanded
// in the order of their numbers, and a state costs its bits, two more for the parent, and its slot. Most of the rest is
// the table, so it is a lean one.
//
//     pool    │ expanded ............│ this layer ...│ next layer ..│ free
//                                    ▲ next          ▲ layer_end    ▲ size
//
// Goals are tested when a state is generated (a whole layer less is expanded). The plan has the fewest steps;
// if all operators cost the same it is optimal, and then it replaces blind A*.
#pragma once

#include "search/search.hpp"
#include "search/trace.hpp"
#include "search/transition_system.hpp"
#include "storage/parents.hpp"
#include "storage/state_rows.hpp"
#include "storage/successor_batch.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

template <SearchableSystem System>
class BreadthFirst : public Search {
  public:
    explicit BreadthFirst(typename System::Context& run)
        : run_(run),
          system_(run),
          words_(system_.size().words),
          counters_(run.control.counters),
          pool_(run.budget, system_.size(), 0),
          parents_(run.budget),
          table_(run.budget, run.control, pool_, Table<StateRows<W>>::Growth::lean),
          children_(words_),
          symmetries_(run),
          grandparent_(words_) {}

    Status run() override {
        if (pool_.size() == 0) {
            const std::uint64_t code = hash<W>(system_.start(), words_);
            add(system_.start(), 0, code, table_.find(system_.start(), code).slot);
        }
        StateId next = next_;  // a variable of its own is quicker
        for (; goal_ == NO_STATE; ++next) {
            run_.control.work(system_.work());
            const bool enough = counters_.expanded >= run_.most_expanded;
            if (next == layer_end_ || enough) {
                look_up();
                if (goal_ != NO_STATE) break;
                if (next == pool_.size()) return Status::unsolvable;
                if (enough) {
                    next_ = next;
                    return Status::gave_up;
                }
                layer_end_ = static_cast<StateId>(pool_.size());
                counters_.f += next == 0 ? 0 : step_cost();
            }
            if (symmetries_.due()) {
                look_up();
                if (goal_ != NO_STATE) break;  // looking for them may meet a limit
                symmetries_.begin();
            }
            expand(next);
        }
        return system_.same_costs() || goal_ == 0 ? Status::solved_optimally : Status::solved;
    }
    std::size_t states() const override { return pool_.size(); }
    std::vector<OperatorId> plan() override {
        return symmetries_.plan(Unpacked(words_, pool_, parents_.way(goal_)).rows);
    }

  private:
    static constexpr int W = System::WIDTH;

    Cost step_cost() const { return system_.same_costs() ? system_.least_cost() : 1; }

    void expand(StateId id) {
        ++counters_.expanded;
        system_.load([&](Word* to) { pool_.load(id, to); });
        pool_.load(parents_.next(), grandparent_.data());
        system_.successors([this] { return children_.next(); }, [this, id](OperatorId op) { return reach(op, id); });
    }
    // The state that was written to the batch.
    bool reach(OperatorId op, StateId parent) {
        ++counters_.generated;
        Word* child = children_.next();
        // Straight back? Saves a look-up; and nothing tells, so that there is no branch.
        const bool back = equal<W>(child, grandparent_.data(), words_);
        if (symmetries_.on()) symmetries_.canonical(child);
        const std::uint64_t code = hash<W>(child, words_);
        table_.prefetch_slot(code);
        children_.add({code, 0, parent, op});
        children_.drop_last(back);
        if (children_.full()) look_up();
        return goal_ == NO_STATE;
    }
    void look_up() {
        if (goal_ != NO_STATE) return children_.clear();            // what comes after it does not count
        run_.control.work(children_.size() * system_.goal_work());  // one state may have very many successors
        unpuzzle::look_up(children_, pool_, table_, [&](std::size_t i, std::size_t slot) UNPUZZLE_INLINED_LAMBDA {
            add(children_.state(i), children_[i].parent, children_[i].hash, slot);
            return goal_ == NO_STATE;
        });
    }
    UNPUZZLE_INLINE void add(const Word* state, StateId parent, std::uint64_t code, std::size_t slot) {
        const auto id = static_cast<StateId>(pool_.size());
        pool_.append(state);
        parents_.append(parent);
        table_.put(slot, id, code);
        ++counters_.evaluated;
        if (system_.is_goal(state)) goal_ = id;
    }

    typename System::Context& run_;
    System system_;
    std::size_t words_;
    Counters& counters_;
    StateRows<W> pool_;
    Parents parents_;
    Table<StateRows<W>> table_;
    SuccessorBatch<W, System::BATCH> children_;
    typename System::Symmetries symmetries_;
    std::vector<Word> grandparent_;
    StateId goal_ = NO_STATE, next_ = 0, layer_end_ = 0;  // next_: to be expanded after a pause
};

}  // namespace unpuzzle
