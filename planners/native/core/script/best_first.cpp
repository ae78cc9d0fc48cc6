// Best-first search: A* (Hart, Nilsson and Raphael 1968) with re-opening, weighted A* (Pohl 1970) and greedy
// search, by the weights of g and h. Among states of least f those of least h come first.
#include "script/pool.hpp"
#include "script/search.hpp"
#include "storage/nodes.hpp"
#include "storage/open_list.hpp"

namespace unpuzzle::script {

namespace {

// States are in a pool that others use, too; what A* knows of them is beside it, not beside each.
class NodeRows : public GrowingArray<Word, 1> {
  public:
    NodeRows(Budget& budget, std::size_t) : GrowingArray<Word, 1>(budget) {}
    Word beside(StateId id) const { return *(*this)[id]; }
    void set_beside(StateId id, Word word, Word mask) { *(*this)[id] = word | (beside(id) & ~mask); }
};

class BestFirst : public Search {
  public:
    explicit BestFirst(Run& run)
        : run_(run),
          pool_(run.budget, run.control, run.walker.words()),
          nodes_(run.budget),
          estimates_(run.budget),
          open_(run.budget) {}

    Status run() override {
        Walker& walker = run_.walker;
        walker.load(walker.start());
        reach(walker.start(), 0, 0, 0);
        while (!open_.empty()) {
            const Cost f = open_.top().f;
            const StateId id = open_.pop();
            if (nodes_.closed(id)) continue;
            run_.control.tick();
            run_.control.counters.f = f;
            if (walker.won(pool_[id])) {
                goal_ = id;
                const bool proved = run_.admissible && run_.g_weight == 1 && run_.h_weight == 1;
                return proved || id == 0 ? Status::solved_optimally : Status::solved;
            }
            if (run_.control.counters.expanded >= run_.most_expanded) return Status::gave_up;
            expand(id);
        }
        return Status::unsolvable;
    }
    std::size_t states() const override { return pool_.size(); }
    std::vector<std::uint8_t> plan() const override { return pool_.way(goal_); }

  private:
    void expand(StateId id) {
        Walker& walker = run_.walker;
        ++run_.control.counters.expanded;
        nodes_.close(id);
        const Cost g = nodes_.g(id) + 1;
        std::vector<Word>& state = state_;
        state.assign(pool_[id], pool_[id] + walker.words());
        child_.resize(walker.words());
        walker.load(state.data());
        for (std::uint8_t key = 0; key < run_.keys.size(); ++key) {
            if (!walker.after(run_.keys[key], child_.data())) continue;
            if (equal<0>(child_.data(), state.data(), walker.words())) continue;
            ++run_.control.counters.generated;
            reach(child_.data(), id, key, g);
        }
    }
    // The state is what the walker shows.
    void reach(const Word* state, StateId parent, std::uint8_t key, Cost g) {
        const auto added = pool_.add(state, parent, key);
        if (added.fresh) {
            nodes_.append();
            nodes_.set(added.id, parent, g);
            ++run_.control.counters.evaluated;
            *estimates_.append() =
                static_cast<std::uint32_t>(run_.estimate.of(run_.walker.board(), run_.walker.won(state)));
        } else {
            if (g >= nodes_.g(added.id)) return;
            run_.control.counters.reopened += nodes_.closed(added.id);
            pool_.reach(added.id, parent, key);
            nodes_.set(added.id, parent, g);
        }
        const Cost h = *estimates_[added.id];
        open_.push({run_.g_weight * g + run_.h_weight * h, h}, added.id);
    }

    Run& run_;
    Pool pool_;
    Nodes<NodeRows> nodes_;
    GrowingArray<std::uint32_t, 1> estimates_;
    OpenList open_;
    std::vector<Word> state_, child_;
    StateId goal_ = 0;
};

}  // namespace

std::unique_ptr<Search> best_first(Run& run) { return std::make_unique<BestFirst>(run); }

}  // namespace unpuzzle::script
