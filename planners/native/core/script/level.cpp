#include "script/level.hpp"

#include "search/a_star.hpp"
#include "search/breadth_first.hpp"
#include "search/ida_star.hpp"

namespace unpuzzle::script {

namespace {

class LevelTransitions {
  public:
    static constexpr int WIDTH = 0;

    LevelTransitions(Walker& walker, const std::vector<Direction>& keys)
        : walker_(walker), keys_(keys), state_(walker.words()) {}

    StateSize size() const { return {walker_.words(), sizeof(Word)}; }
    const Word* start() const { return walker_.start(); }
    template <class Write>
    void load(Write&& write) {
        write(state_.data());
        walker_.load(state_.data());
    }
    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        for (OperatorId key = 0; key < keys_.size(); ++key) {
            Word* to = place();
            if (!walker_.after(keys_[key], to)) continue;
            if (equal<0>(to, state_.data(), state_.size())) continue;
            if (!emit(key)) return;
        }
    }
    bool is_goal(const Word* state) const { return walker_.won(state); }
    bool loaded_is_goal() const { return is_goal(state_.data()); }
    std::uint32_t cost(OperatorId) const { return 1; }
    std::size_t work() const { return 1; }  // turns look at the clock themselves
    std::size_t goal_work() const { return 1; }

  protected:
    Walker& walker_;

  private:
    const std::vector<Direction>& keys_;
    std::vector<Word> state_;
};

class LevelSystem : public LevelTransitions {
  public:
    // Estimates see the board, and that of a successor stands only until the next key.
    static constexpr std::size_t BATCH = 1;
    static constexpr bool COMPARES_WITH_PATH = false;
    using Context = LevelContext;
    using Symmetries = NoSymmetries<LevelSystem>;

    explicit LevelSystem(LevelContext& run) : LevelTransitions(run.walker, run.keys), run_(run) {}

    bool same_costs() const { return true; }
    std::uint32_t least_cost() const { return 1; }
    std::uint32_t dearest_cost() const { return 1; }
    bool admissible() const { return run_.admissible; }
    bool wants_parents() const { return false; }
    bool batches() const { return false; }
    Cost estimate(const ReachedState& question) { return run_.estimate.of(walker_.board(), is_goal(question.state)); }

  private:
    LevelContext& run_;
};

}  // namespace

std::unique_ptr<Search> breadth_first(LevelContext& run) { return std::make_unique<BreadthFirst<LevelSystem>>(run); }
std::unique_ptr<Search> a_star(LevelContext& run) { return std::make_unique<AStar<LevelSystem>>(run); }
std::unique_ptr<Search> ida_star(LevelContext& run) { return std::make_unique<IDAStar<LevelSystem>>(run); }

std::unique_ptr<StateSpace> state_space(Walker& walker, const std::vector<Direction>& keys,
                                        const StateSpace::Request& request, Control& control) {
    LevelTransitions system(walker, keys);
    return std::make_unique<StateSpace>(system, std::vector<std::uint32_t>(keys.size(), 1), request, control);
}

}  // namespace unpuzzle::script
