// Breadth-first search: the pool is the queue, and a win is seen when its state is generated.
#include "script/pool.hpp"
#include "script/search.hpp"

namespace unpuzzle::script {

namespace {

class BreadthFirst : public Search {
  public:
    explicit BreadthFirst(Run& run) : run_(run), pool_(run.budget, run.control, run.walker.words()) {}

    Status run() override {
        Walker& walker = run_.walker;
        Counters& counters = run_.control.counters;
        std::vector<Word> state(walker.words()), child(walker.words());
        pool_.add(walker.start(), 0, 0);
        ++counters.evaluated;
        if (walker.won(walker.start())) return Status::solved_optimally;
        StateId layer_end = 1;
        for (StateId next = 0; next < pool_.size(); ++next) {
            run_.control.tick();
            if (counters.expanded >= run_.most_expanded) return Status::gave_up;
            if (next == layer_end) {
                layer_end = static_cast<StateId>(pool_.size());
                ++counters.f;
            }
            ++counters.expanded;
            copy<0>(state.data(), pool_[next], walker.words());
            walker.load(state.data());
            for (std::uint8_t key = 0; key < run_.keys.size(); ++key) {
                if (!walker.after(run_.keys[key], child.data())) continue;
                if (equal<0>(child.data(), state.data(), walker.words())) continue;
                ++counters.generated;
                const auto added = pool_.add(child.data(), next, key);
                if (!added.fresh) continue;
                ++counters.evaluated;
                goal_ = added.id;
                if (walker.won(child.data())) return Status::solved_optimally;
            }
        }
        return Status::unsolvable;
    }
    std::size_t states() const override { return pool_.size(); }
    std::vector<std::uint8_t> plan() const override { return pool_.way(goal_); }

  private:
    Run& run_;
    Pool pool_;
    StateId goal_ = 0;
};

}  // namespace

std::unique_ptr<Search> breadth_first(Run& run) { return std::make_unique<BreadthFirst>(run); }

}  // namespace unpuzzle::script
