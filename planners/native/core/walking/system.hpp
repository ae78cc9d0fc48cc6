// A task whose walks are folded away, as a transition system: one step is a push, with the walks before it.
//
//     walks cost nothing           a state stands for its component: the walker is at the least of the places to which
//                                  it can walk, and a successor is put there before it is looked up
//     walks are counted, too       a state is one right after a push, with the walker where that left it; a step costs
//                                  the cheapest walk and the push. Where the goal says something of the walker, a walk
//                                  to where it is true is a step, too: the last one
//
// So plans cost exactly the same as if each walk were a step, whatever is counted.
#pragma once

#include "search/search.hpp"
#include "search/trace.hpp"
#include "state/state_view.hpp"
#include "walking/component.hpp"

namespace unpuzzle {

struct WalkingContext {
    const FoldedTask& folded;
    const ObjectiveCosts& costs;
    const CompiledTask& estimated;  // the task of which the heuristic is, with its costs
    Control& control;
    Budget& budget;
    Heuristic& heuristic;
    std::uint64_t most_expanded;
    Cost weight = 1, g_weight = 1;
    Cost bound = NO_BOUND, known = 0;  // see `SearchContext`
};

class WalkedPlan;

class WalkingSystem {
  public:
    // Any: most of the time goes into finding where one can walk, so versions for each width would be compiled for
    // seconds and gain nothing.
    static constexpr int WIDTH = 0;
    static constexpr std::size_t BATCH = 32;
    static constexpr bool COMPARES_WITH_PATH = true;
    using Context = WalkingContext;
    using Symmetries = WalkedPlan;

    explicit WalkingSystem(WalkingContext& run)
        : run_(run),
          folded_(run.folded),
          compiled_(folded_.compiled()),
          words_(compiled_.words()),
          component_(folded_, run.control),
          others_(folded_, run.control),
          scratch_(SCRATCH * words_) {
        copy<WIDTH>(start_state(), compiled_.initial.data(), words_);
        if (!run.costs.counts_walks()) normalise(start_state());
    }

    StateSize size() const { return compiled_.layout.size(); }
    const Word* start() const { return scratch_.data(); }
    template <class Write>
    void load(Write&& write) {
        write(state());
        filled_ = false;
    }
    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        const bool counted = run_.costs.counts_walks();
        each_push([&](OperatorId op, std::uint32_t from, const Word* after) {
            Word* to = place();
            copy<WIDTH>(to, after, words_);
            if (!counted && !folded_.push(op).apart) normalise(to);
            step_ = run_.costs.of((counted ? component_.distance(from) : 0) + compiled_.operators.cost(op), 1);
            emit(op);
        });
        if (counted && folded_.goal_has_walker()) {
            each_goal([&](std::uint32_t at, const Word* there) {
                if (at == folded_.place(state())) return;
                copy<WIDTH>(place(), there, words_);
                step_ = run_.costs.of(component_.distance(at), 0);
                emit(last());
            });
        }
    }
    bool is_goal(const Word* state) {
        if (!folded_.goal_has_walker() || run_.costs.counts_walks()) return folded_.goal(state);
        if (!folded_.goal_besides(state)) return false;
        Word* lifted = others_lifted();
        folded_.lift(state, lifted);
        fill_others(state);
        run_.control.work(others_.places().size());
        for (const std::uint32_t place : others_.places()) {
            folded_.put(place, lifted, at_place());
            if (folded_.goal(at_place())) return true;
        }
        return false;
    }
    bool loaded_is_goal() { return is_goal(state()); }
    Cost cost(OperatorId) const { return step_; }  // of the successor that was made last
    std::size_t work() const { return compiled_.work(); }
    std::size_t goal_work() const { return 1; }

    bool same_costs() const { return run_.costs.counts_steps(); }
    std::uint32_t least_cost() const { return 1; }
    std::uint32_t dearest_cost() const { return run_.costs.counts_steps() ? 1 : ~0u; }
    bool admissible() const { return run_.heuristic.admissible(); }
    bool wants_parents() const { return sees_steps() && !run_.heuristic.blind(); }
    bool batches() const { return run_.heuristic.batches(); }
    // Walks that cost something are steps that the heuristic does not see, so it is told of no parent then.
    Cost estimate(const ReachedState& reached) {
        const StateView view{run_.estimated, reached.state};
        const bool alone = !sees_steps() || reached.op == last();
        const Cost h = run_.heuristic.estimate(
            alone ? Heuristic::EvaluationContext{view, reached.id, NO_STATE, 0}
                  : Heuristic::EvaluationContext{
                        view, reached.id, reached.parent, reached.op, {run_.estimated, reached.parent_state}});
        return h == Heuristic::DEAD_END ? h : run_.costs.of_estimate(h);
    }

    // For plans: all pushes from the loaded state, each with the place where it begins and the state after it.
    template <class Visit>
    void each_push(Visit&& visit) {
        fill();
        folded_.find_pushes(lifted(), pushes_);
        for (const OperatorId op : pushes_) {
            const auto& push = folded_.push(op);
            if (push.walk.begin < push.walk.end && all_hold(folded_.tests(push.walk), lifted())) continue;
            if (push.apart) {
                make(op, folded_.place(state()), visit);
            } else if (push.from != FoldedTask::Push::ANYWHERE) {
                if (component_.has(push.from)) make(op, push.from, visit);
            } else {
                run_.control.work(component_.places().size());
                for (const std::uint32_t place : component_.places()) make(op, place, visit);
            }
        }
    }
    // The places in the component of the loaded state where the goal is reached, the nearest first, with the states.
    template <class Visit>
    void each_goal(Visit&& visit) {
        if (!folded_.goal_besides(state())) return;
        fill();
        run_.control.work(component_.places().size());
        for (const std::uint32_t place : component_.places()) {
            folded_.put(place, lifted(), at_place());
            if (folded_.goal(at_place())) visit(place, at_place());
        }
    }
    const Component& component() const { return component_; }
    // Makes the walker stand at the least place of its component.
    void normalise(Word* state) {
        folded_.lift(state, others_lifted());
        fill_others(state);
        folded_.put(others_.least(), others_lifted(), state);
    }
    OperatorId last() const { return static_cast<OperatorId>(compiled_.operators.count()); }  // is no push

  private:
    static constexpr std::size_t SCRATCH = 6;  // states: the start, and those below

    Word* scratch(std::size_t i) { return scratch_.data() + i * words_; }
    Word* start_state() { return scratch(0); }
    Word* state() { return scratch(1); }
    Word* lifted() { return scratch(2); }
    Word* at_place() { return scratch(3); }
    Word* after() { return scratch(4); }
    Word* others_lifted() { return scratch(5); }

    bool sees_steps() const { return run_.costs.estimates_pushes() || !run_.costs.counts_walks(); }
    void fill() {
        if (filled_) return;
        filled_ = true;
        folded_.lift(state(), lifted());
        component_.fill(lifted(), folded_.place(state()));
    }
    void fill_others(const Word* state) { others_.fill(others_lifted(), folded_.place(state)); }
    template <class Visit>
    void make(OperatorId op, std::uint32_t from, Visit&& visit) {
        folded_.put(from, lifted(), at_place());
        const Range wanted = folded_.push(op).tests;
        if (!all_hold(folded_.tests(wanted), at_place())) return;
        compiled_.operators.apply<WIDTH>(op, at_place(), after());
        visit(op, from, after());
    }

    WalkingContext& run_;
    const FoldedTask& folded_;
    const CompiledTask& compiled_;
    std::size_t words_;
    Component component_, others_;  // of the loaded state; of its successors
    Vector<Word> scratch_;
    ApplicableOperators pushes_;
    Cost step_ = 0;
    bool filled_ = false;
};

// Plans with their walks inserted.
class WalkedPlan : public Asymmetric {
  public:
    explicit WalkedPlan(WalkingContext& run) : run_(run) {}

    // Of all ways from each state to the next the cheapest, of these the first push.
    std::vector<OperatorId> plan(const std::vector<const Word*>& states) {
        WalkingSystem system(run_);
        const CompiledTask& compiled = run_.folded.compiled();
        std::vector<Word> now(compiled.initial.begin(), compiled.initial.end());
        std::vector<OperatorId> steps;
        for (std::size_t i = 1; i < states.size(); ++i) step(system, now, states[i], steps);
        if (!run_.folded.goal(now.data())) walk_to_goal(system, now, steps);
        return steps;
    }

  private:
    void step(WalkingSystem& system, std::vector<Word>& now, const Word* to, std::vector<OperatorId>& steps) {
        const std::size_t words = now.size();
        const bool counted = run_.costs.counts_walks();
        std::vector<Word> found, normal(words);
        std::tuple<Cost, Cost, OperatorId, std::uint32_t> best{~Cost{0}, 0, 0, 0};
        load(system, now);
        system.each_push([&](OperatorId op, std::uint32_t from, const Word* after) {
            copy<0>(normal.data(), after, words);
            if (!counted) system.normalise(normal.data());
            if (!equal<0>(normal.data(), to, words)) return;
            const Cost moves = system.component().distance(from) + run_.folded.compiled().operators.cost(op);
            const std::tuple it{run_.costs.of(moves, 1), moves, op, from};
            if (it >= best) return;
            best = it;
            found.assign(after, after + words);
        });
        if (counted && run_.folded.goal_has_walker() && only_walks(system, to, std::get<0>(best))) {
            system.component().walk_to(run_.folded.place(to), steps);
            now.assign(to, to + words);
            return;
        }
        system.component().walk_to(std::get<3>(best), steps);
        steps.push_back(std::get<2>(best));
        now = std::move(found);
    }
    // Whether the step is the last walk, as that is the cheapest way.
    bool only_walks(WalkingSystem& system, const Word* to, Cost least) {
        bool walks = false;
        system.each_goal([&](std::uint32_t place, const Word* state) {
            walks |= equal<0>(state, to, system.size().words) &&
                     run_.costs.of(system.component().distance(place), 0) <= least;
        });
        return walks;
    }
    void walk_to_goal(WalkingSystem& system, const std::vector<Word>& now, std::vector<OperatorId>& steps) {
        load(system, now);
        bool there = false;
        system.each_goal([&](std::uint32_t place, const Word*) {
            if (!there) system.component().walk_to(place, steps);
            there = true;
        });
    }
    static void load(WalkingSystem& system, const std::vector<Word>& state) {
        system.load([&](Word* to) { copy<0>(to, state.data(), state.size()); });
    }

    WalkingContext& run_;
};

}  // namespace unpuzzle
