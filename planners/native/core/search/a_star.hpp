// A* (Hart, Nilsson and Raphael 1968), with re-opening, so that it is optimal with every admissible
// heuristic, consistent or not, and with operators of cost 0.
//
// Among states of least f those of least h come first, so a goal (h = 0) is expanded before other states of the same f.
// If the heuristic allows it, states of one bucket are expanded together until their successors fill a batch; their
// successors cannot come before that bucket, so nothing is expanded that would not have been.
//
// For blind search on states of few bits, compact_a_star.cpp does the same, mostly in less memory.
//
// Weighted A* (Pohl 1970): with f = g + weight * h a plan costs at most `weight` times the least, if the
// heuristic is admissible.
#pragma once

#include <optional>

#include "search/search.hpp"
#include "search/trace.hpp"
#include "search/transition_system.hpp"
#include "storage/nodes.hpp"
#include "storage/open_list.hpp"
#include "storage/state_rows.hpp"
#include "storage/successor_batch.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

template <SearchableSystem System>
class AStar : public Search {
  public:
    explicit AStar(typename System::Context& run)
        : run_(run),
          system_(run),
          words_(system_.size().words),
          counters_(run.control.counters),
          by_operator_(different_links() > 0),
          nodes_(run.budget, system_.size(), system_.dearest_cost(), different_links()),
          table_(run.budget, run.control, nodes_),
          open_(run.budget),
          children_(words_),
          keys_(words_),
          symmetries_(run),
          parent_(words_),
          batches_(system_.batches() && run.weight == 1),
          most_estimate_((Cost{1} << 62) / run.weight) {}

    Status run() override {
        if (nodes_.size() == 0) begin();
        while (true) {
            if (!batches_ || open_.empty() || open_.top() != key_) look_up();
            if (goal_ != NO_STATE) return Status::solved_optimally;
            if (open_.empty()) return Status::unsolvable;
            key_ = open_.top();
            if (const StateId* soon = open_.soon()) nodes_.fetch(*soon);
            const StateId id = open_.pop();
            if (nodes_.closed(id)) continue;
            run_.control.work(system_.work());
            counters_.f = key_.f;
            system_.load([&](Word* to) { load(id, to); });
            if (system_.loaded_is_goal()) {
                goal_ = id;
                const bool optimal = system_.admissible() && run_.g_weight == 1 && run_.weight == 1;
                return optimal || nodes_.g(id) == 0 ? Status::solved_optimally : Status::solved;
            }
            if (counters_.expanded >= run_.most_expanded) {
                open_.push(key_, id);  // from where it is the next one, after a pause
                return Status::gave_up;
            }
            if (symmetries_.due()) begin_symmetries();
            expand(id);
        }
    }
    std::size_t states() const override { return nodes_.size(); }
    std::vector<OperatorId> plan() override {
        return symmetries_.plan(came_across_ ? Unpacked(words_, *came_across_, way()).rows
                                             : Unpacked(words_, nodes_, way()).rows);
    }

  private:
    static constexpr int W = System::WIDTH;

    using Children = SuccessorBatch<W, System::BATCH>;
    using Child = typename Children::Child;

    void load(StateId id, Word* to) const {
        if (came_across_)
            came_across_->load(id, to);
        else
            nodes_.load(id, to);
    }

    // If links of nodes are the operators that led there, how many there are; else they are parents, and it is 0.
    std::size_t different_links() const {
        if constexpr (UndoingSystem<System>) return system_.can_be_undone() ? system_.operators() : 0;
        return 0;
    }
    std::uint32_t link(const Child& child) const { return by_operator_ ? child.op : child.parent; }
    std::vector<StateId> way() const {
        if constexpr (UndoingSystem<System>) {
            if (by_operator_) return way_back();
        }
        return nodes_.way(goal_);
    }
    std::vector<StateId> way_back() const {
        std::vector<Word> state(words_);
        load(goal_, state.data());
        std::vector<StateId> ids{goal_};
        while (ids.back() != 0) {
            system_.undo(nodes_.link(ids.back()), state.data());
            ids.push_back(table_.find(state.data(), hash<W>(state.data(), words_)).found);
        }
        std::reverse(ids.begin(), ids.end());
        return ids;
    }

    void begin() {
        const Word* start = system_.start();
        const std::uint64_t code = hash<W>(start, words_);
        system_.load([&](Word* to) { copy<W>(to, start, words_); });
        add(start, start, {code, 0, 0, 0}, table_.find(start, code).slot);
    }
    void begin_symmetries() {
        look_up();
        if (!symmetries_.begin() || !system_.wants_parents()) return;
        came_across_.emplace(run_.budget, system_.size(), 0);
        for (StateId id = 0; id < nodes_.size(); ++id) {
            nodes_.load(id, parent_.data());
            came_across_->append(parent_.data());
        }
    }
    const Word* key(Word* child) {
        if (!symmetries_.on()) return child;
        Word* key = child;
        if (came_across_) copy<W>(key = keys_.state(children_.size()), child, words_);
        symmetries_.canonical(key);
        return key;
    }

    const Word* key_of(std::size_t child) { return came_across_ ? keys_.state(child) : children_.state(child); }

    void expand(StateId id) {
        ++counters_.expanded;
        nodes_.close(id);
        const Cost g = nodes_.g(id);
        system_.successors([&] { return children_.next(); },
                           [&](OperatorId op) {
                               ++counters_.generated;
                               const std::uint64_t code = hash<W>(key(children_.next()), words_);
                               table_.prefetch_slot(code);
                               children_.add({code, g + system_.cost(op), id, op});
                               if (children_.full()) look_up();
                               return true;
                           });
    }
    void look_up() {
        run_.control.work(children_.size() * system_.goal_work());  // one state may have very many successors
        const auto found = [&](std::size_t i, std::size_t slot) {
            add(children_.state(i), key_of(i), children_[i], slot);
            return true;
        };
        unpuzzle::look_up<true>(
            children_, nodes_, table_, [&](std::size_t i) { return key_of(i); }, found,
            [&](std::size_t i, StateId id) { return children_[i].g < nodes_.g(id); },
            [&](std::size_t i, StateId id) { reach_again(id, children_.state(i), children_[i]); });
    }
    // The key is what the state is known by.
    void add(const Word* state, const Word* key, const Child& child, std::size_t slot) {
        const auto id = static_cast<StateId>(nodes_.size());
        nodes_.append(key, link(child), child.g);
        if (came_across_) came_across_->append(state);
        table_.put(slot, id, child.hash);
        ++counters_.evaluated;
        push(id, state, child);
    }
    void reach_again(StateId id, const Word* state, const Child& child) {
        if (child.g >= nodes_.g(id)) return;
        if (nodes_.closed(id)) ++counters_.reopened;
        nodes_.set(id, link(child), child.g);
        push(id, state, child);
    }
    void push(StateId id, const Word* state, const Child& child) {
        const StateId parent = id == 0 ? NO_STATE : child.parent;
        if (system_.wants_parents()) load(child.parent, parent_.data());
        const Cost h = system_.estimate({state, id, parent, child.op, parent_.data()});
        if (h == Heuristic::DEAD_END) return;
        if constexpr (requires { run_.known; }) {  // only where the estimate is admissible
            if (child.g + h >= run_.bound) return;
            if (h == 0 && child.g <= run_.known && system_.is_goal(state)) goal_ = id;
        }
        open_.push({run_.g_weight * child.g + run_.weight * std::min(h, most_estimate_), h}, id);
    }

    typename System::Context& run_;
    System system_;
    std::size_t words_;
    Counters& counters_;
    bool by_operator_;  // that is what links of nodes are
    Nodes<StateRows<W>> nodes_;
    Table<StateRows<W>> table_;
    OpenList open_;
    Children children_, keys_;  // keys_ and came_across_: see representatives.hpp
    std::optional<StateRows<W>> came_across_;
    typename System::Symmetries symmetries_;
    std::vector<Word> parent_;  // of the state that is evaluated
    bool batches_;
    Cost most_estimate_;  // times the weight it still fits
    OpenList::Key key_{0, 0};
    StateId goal_ = NO_STATE;
};

}  // namespace unpuzzle
