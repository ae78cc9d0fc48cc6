// A compiled task whose walks are folded away: the graph of walks, and all other operators.
//
//     state        player=c  box1=d  clear(c)=0  clear(e)=1 ...         the walker at a place
//     lifted       player=0  box1=d  clear(c)=1  clear(e)=1 ...         the same without the walker: all places of a
//                                                                       component have it in common
//
// `lift` takes the walker and its shadows out of a state, `put` puts it down somewhere. Walks are edges between places,
// each with its conditions on the lifted state. All other operators, the *pushes*, are found from the lifted state at
// once, for all places; whether the walker can reach theirs is tested afterwards.
#pragma once

#include <memory>

#include "search/objective.hpp"
#include "state/compiled_task.hpp"
#include "walking/walker.hpp"

namespace unpuzzle {

class FoldedTask {
  public:
    // A walk from one place to another, if the tests are true in the lifted state; the first test is here, most have no
    // more.
    struct Edge {
        std::uint32_t to, cost;
        OperatorId op;
        Test test;
        Range more;
    };
    // The data of a push that do not depend on the state.
    struct Push {
        static constexpr std::uint32_t ANYWHERE = ~0u;

        std::uint32_t from = ANYWHERE;  // the place that its precondition names
        bool apart = false;             // it has nothing to do with the walker, nor with where one can walk
        Range tests;                    // to be tested once the walker is there
        Range walk;                     // where all this holds in the lifted state, it is a walk; if it may be one
    };

    FoldedTask(const CompiledTask& compiled, const Walker& walker, Control& control);

    const CompiledTask& compiled() const { return compiled_; }
    std::size_t places() const { return edges_.size(); }
    std::uint32_t place(const Word* state) const { return field_.value(state); }
    void lift(const Word* state, Word* to) const {
        const std::uint32_t at = place(state);
        write(state, &keep_[at * words_], &away_[at * words_], to);
    }
    void put(std::uint32_t at, const Word* lifted, Word* to) const {
        write(lifted, &keep_[at * words_], &there_[at * words_], to);
    }

    std::span<const Edge> edges(std::uint32_t from) const { return edges_[from]; }
    bool open(const Edge& edge, const Word* lifted) const {
        return edge.test.holds(lifted) && (edge.more.begin == edge.more.end || all_hold(tests(edge.more), lifted));
    }
    bool same_walks() const { return same_walks_; }  // all cost the same
    Cost farthest() const { return farthest_; }      // no shortest walk costs more

    // Finds the pushes that might be made, wherever the walker is.
    void find_pushes(const Word* lifted, ApplicableOperators& found) const { generator_->find(lifted, found); }
    const Push& push(OperatorId op) const { return pushes_[op]; }
    std::span<const Test> tests(Range range) const { return {tests_.data() + range.begin, range.end - range.begin}; }

    // Whether the goal says something of the walker; what it says besides is tested by `goal_besides`.
    bool goal_has_walker() const { return goal_has_walker_; }
    bool goal_besides(const Word* state) const { return all_hold(goal_besides_, state); }
    bool goal(const Word* state) const { return all_hold(compiled_.goal.stored, state); }

    // The task with other costs: pushes cost 1, and walks are free. An operator that may be both is there twice.
    std::unique_ptr<const CompiledTask> counting_pushes(const Walker& walker, Control& control) const;

  private:
    class Compiler;

    void write(const Word* from, const Word* keep, const Word* put, Word* to) const {
        for (std::size_t i = 0; i < words_; ++i) to[i] = (from[i] & keep[i]) | put[i];
    }

    const CompiledTask& compiled_;
    std::size_t words_;
    Place field_;
    Vector<Word> keep_, away_, there_;  // by place, words
    Rows<Edge> edges_;
    Vector<Push> pushes_;  // by operator
    Vector<bool> walks_;   // by operator: it is never anything else
    Vector<Test> tests_, goal_besides_;
    std::unique_ptr<const SuccessorGenerator> generator_;
    Cost farthest_ = 0;
    bool same_walks_ = true, goal_has_walker_ = false;
};

}  // namespace unpuzzle
