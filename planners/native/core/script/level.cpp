#include "script/level.hpp"

#include <string>

#include "script/packer.hpp"
#include "search/a_star.hpp"
#include "search/breadth_first.hpp"
#include "search/ida_star.hpp"

namespace unpuzzle::script {

namespace {

// Finds the steps of a level that are walks: they change only the player's objects, and one key takes them back
// exactly. All others are pushes. The twin of `planning.walking` in Python, for positions that name their player.
//
//     loaded state ──key──► where the play stands         the rest of both is the same, both have a player,
//          ▲                        │                     and one of the keys leads back
//          └──── some key? ─────────┘
class Walks {
  public:
    Walks(const Game& game, const Shape& shape, const std::vector<Direction>& keys, const Packer& packer)
        : game_(game),
          keys_(keys),
          packer_(packer),
          rest_(packer.words()),
          made_(packer.words()),
          cells_(shape.words) {}

    // The play has just been marked in a state, which is kept.
    void load(const Play& play, const Word* state) {
        state_ = state;
        player_ = has_player(play);
        if (player_) packer_.pack_rest(play, rest_.data());
    }
    // Whether a key led from the marked state to where the play stands, by a walk. The play may stand elsewhere after
    // that: it is to go back.
    bool is_walk(Play& play, OperatorId key) {
        if (!player_ || !has_player(play)) return false;
        packer_.pack_rest(play, made_.data());
        if (made_ != rest_) return false;
        const Direction first = opposite(keys_[key]);
        if (std::find(keys_.begin(), keys_.end(), first) != keys_.end() && leads_back(play, first)) return true;
        return std::any_of(keys_.begin(), keys_.end(), [&](Direction other) {
            if (other == first) return false;
            play.go_back();
            play.press(keys_[key]);
            return leads_back(play, other);
        });
    }

  private:
    // The key that most often takes one back.
    static Direction opposite(Direction key) {
        constexpr Direction OPPOSITE[] = {DOWN, UP, RIGHT, LEFT};
        return key <= RIGHT ? OPPOSITE[key] : key;
    }
    bool has_player(const Play& play) {
        play.board().cells_with(game_.player, game_.player_is_aggregate, cells_);
        return !none(cells_);
    }
    bool leads_back(Play& play, Direction key) {
        play.press(key);
        if (play.capped) return false;
        packer_.pack(play, made_.data());
        return equal<0>(made_.data(), state_, made_.size());
    }

    const Game& game_;
    const std::vector<Direction>& keys_;
    const Packer& packer_;
    const Word* state_ = nullptr;
    Bits rest_, made_, cells_;
    bool player_ = false;
};

class LevelTransitions {
  public:
    static constexpr int WIDTH = 0;

    LevelTransitions(const Level& level, Control& control, CutOff& cut_off)
        : keys_(level.keys),
          cut_off_(cut_off),
          packer_(level.game, level.shape, level.cells, level.target ? &*level.target : nullptr,
                  level.seed.has_value()),
          play_(level.game, level.shape, control, cut_off.endless),
          seeds_(level.seed.value_or(std::vector<unsigned char>())),
          start_(packer_.words()),
          state_(packer_.words()) {
        play_.begin().fill(level.cells.data(), level.game.object_words);
        const Draws draws = seeds_.at(level.seed ? level.drawn : 0);
        play_.begun((level.target ? *level.target : level.cells).data(), &draws);
        play_.won = level.won;
        packer_.pack(play_, start_.data());
    }

    StateSize size() const { return {start_.size(), sizeof(Word)}; }
    const Word* start() const { return start_.data(); }
    template <class Write>
    void load(Write&& write) {
        write(state_.data());
        packer_.unpack(state_.data(), play_, seeds_);
        play_.mark();
        play_.won = loaded_is_goal();
        moved_ = false;
        if (walks_) walks_->load(play_, state_.data());
    }
    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        for (OperatorId key = 0; key < keys_.size(); ++key) {
            if (moved_) play_.go_back();
            moved_ = true;
            play_.press(keys_[key]);
            if (play_.capped) {
                cut_off_.keys = true;
                continue;
            }
            Word* to = place();
            packer_.pack(play_, to);
            if (equal<0>(to, state_.data(), state_.size())) continue;
            if (!emit(key)) return;
        }
    }
    bool is_goal(const Word* state) const { return packer_.won(state); }
    bool loaded_is_goal() const { return is_goal(state_.data()); }
    std::uint32_t cost(OperatorId) const { return 1; }
    std::size_t work() const { return 1; }  // turns look at the clock themselves
    std::size_t goal_work() const { return 1; }

  protected:
    // That of the loaded state, or of the successor that was made last.
    const Board& board() const { return play_.board(); }

    void look_for_walks() { walks_.emplace(play_.board().game, play_.board().shape, keys_, packer_); }
    // Whether the successor that was made last by a key is made by a walk; after that its board is not here any more.
    bool is_walk(OperatorId key) { return walks_->is_walk(play_, key); }

  private:
    const std::vector<Direction>& keys_;
    CutOff& cut_off_;
    Packer packer_;
    Play play_;
    DrawsAt seeds_;
    Bits start_, state_;
    std::optional<Walks> walks_;
    bool moved_ = false;
};

struct LevelContext {
    const Level& level;
    const LevelOptions& options;
    CutOff& cut_off;
    Control& control;
    Budget& budget;
    std::uint64_t most_expanded;
    Cost weight, g_weight;
    Cost bound = NO_BOUND, known = 0;  // see `SearchContext`
};

class LevelSystem : public LevelTransitions {
  public:
    // Estimates see the board, and that of a successor stands only until the next key.
    static constexpr std::size_t BATCH = 1;
    static constexpr bool COMPARES_WITH_PATH = false;
    using Context = LevelContext;
    using Symmetries = NoSymmetries<LevelSystem>;

    explicit LevelSystem(LevelContext& run)
        : LevelTransitions(run.level, run.control, run.cut_off),
          costs_(run.options.objective, 1, DEAREST),
          counts_moves_(run.options.objective == Objective::moves),
          admissible_(run.options.admissible),
          estimate_(run.options.heuristic, run.level.game, run.level.shape, run.options.shortened) {
        if (!counts_moves_) look_for_walks();
    }

    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        if (counts_moves_) return LevelTransitions::successors(place, emit);
        Word* made = nullptr;
        const auto weigh_and_emit = [&](OperatorId key) {
            h_ = estimate_.of(board(), is_goal(made));
            cost_ = costs_.of(1, is_walk(key) ? 0 : 1);
            return emit(key);
        };
        LevelTransitions::successors([&] { return made = place(); }, weigh_and_emit);
    }
    Cost cost(OperatorId) const { return cost_; }  // of the successor that was made last

    bool same_costs() const { return counts_moves_; }
    std::uint32_t least_cost() const { return 1; }
    std::uint32_t dearest_cost() const { return counts_moves_ || costs_.counts_steps() ? 1 : ~0u; }
    bool admissible() const { return admissible_; }
    bool wants_parents() const { return false; }
    bool batches() const { return false; }
    Cost estimate(const ReachedState& reached) {
        if (counts_moves_) return estimate_.of(board(), is_goal(reached.state));
        return costs_.of_estimate(reached.parent == NO_STATE ? estimate_.of(board(), is_goal(reached.state)) : h_);
    }

  private:
    static constexpr Cost DEAREST = 0xFFFF;  // far more than a move costs, so that sums of moves get 40 bits

    ObjectiveCosts costs_;
    Cost cost_ = 1, h_ = 0;
    bool counts_moves_;
    bool admissible_;
    Estimate estimate_;
};

template <template <class> class Algorithm>
std::unique_ptr<Search> make(LevelContext& run) {
    return std::make_unique<Algorithm<LevelSystem>>(run);
}

// So many bytes as boards take, about.
std::size_t bytes_of(const Level& level) {
    return level.game.row_words * (level.shape.cells + WORD_BITS * level.shape.words) * 6 * sizeof(Word);
}

using Make = std::unique_ptr<Search> (*)(LevelContext&);

Make algorithm_of(const LevelOptions& options) {
    const bool counts_moves = options.objective == Objective::moves;
    const Make made = options.algorithm == "bfs"       ? counts_moves ? make<BreadthFirst> : make<AStar>
                      : options.algorithm == "idastar" ? make<IDAStar>
                      : options.algorithm == "astar" || options.algorithm == "gbfs" ? make<AStar>
                                                                                    : nullptr;
    if (!made || (!counts_moves && made != make<AStar>))
        throw UnknownName("there is no search " + std::string(options.algorithm) + (counts_moves ? "" : " of pushes"));
    return made;
}

class LevelSearch : public ResumableSearch {
  public:
    LevelSearch(const Level& level, const LevelOptions& options, Control& control, Budget& budget, CutOff& cut_off)
        : options_(options),
          run_{.level = level,
               .options = options_,
               .cut_off = cut_off,
               .control = control,
               .budget = budget,
               .most_expanded = 0,
               .weight = options.weight,
               .g_weight = options.algorithm == "gbfs" ? Cost{0} : Cost{1}} {
        const Make make_search = algorithm_of(options);
        budget.take(bytes_of(level));
        search_ = make_search(run_);
    }

    Status run(std::uint64_t most_expanded) override {
        run_.most_expanded = most_expanded;
        return search_->run();
    }
    void set_bounds(Cost known, Cost bound) override {
        if (!options_.admissible || options_.weight > 1 || options_.algorithm == "gbfs") return;
        run_.known = known;
        run_.bound = bound;
    }
    std::vector<OperatorId> plan() override { return plan_of(*search_, run_.control, run_.budget); }
    std::size_t states() override { return search_->states(); }

  private:
    LevelOptions options_;
    LevelContext run_;
    std::unique_ptr<Search> search_;
};

}  // namespace

std::unique_ptr<ResumableSearch> resumable_search(const Level& level, const LevelOptions& options, Control& control,
                                                  Budget& budget, CutOff& cut_off) {
    return std::make_unique<LevelSearch>(level, options, control, budget, cut_off);
}

LevelResult search(const Level& level, const LevelOptions& options, Control& control) {
    LevelResult result;
    Budget budget(options.bytes);
    result.status = within_limits([&] {
        const Metered metered(budget);
        const auto search = resumable_search(level, options, control, budget, result.cut_off);
        const Status status = search->run(options.most_expanded);
        result.states = search->states();
        if (status == Status::solved || status == Status::solved_optimally) result.plan = search->plan();
        return status;
    });
    result.bytes = budget.peak();
    result.counters = control.counters;
    result.seconds = control.seconds();
    return result;
}

std::unique_ptr<StateSpace> state_space(const Level& level, const StateSpace::Request& request, Control& control,
                                        CutOff& cut_off) {
    LevelTransitions system(level, control, cut_off);
    return std::make_unique<StateSpace>(system, std::vector<std::uint32_t>(level.keys.size(), 1),
                                        StateSpace::Request{request.budget, request.states, false}, control);
}

}  // namespace unpuzzle::script
