// LM-cut (Helmert and Domshlak 2009), incremental (Pommerening and Helmert 2013): see landmark_cuts.hpp for
// the cuts and landmark_store.hpp for what states keep.
//
// Admissible; not consistent, so a search must re-open. Without a parent to inherit from it is never below
// h^max. Supports everything:
// - conditional effects: the rules of one operator pay as one (Roeger, Pommerening and Helmert 2014 describe
//   it, and the context splitting that would be better). The sum may then be below h^max, so h^max is taken
//   as well and the greater counts.
// - axioms: rules of cost 0; that a derived variable is false counts as always true (see relaxed_task.hpp).
//
// A landmark of a state is a set of operators of which every plan uses one. The parent's landmarks without the applied
// operator are landmarks of the successor, too, and new cuts are made only with the costs that they leave: on
// logistics, sokoban and blocks that is several times faster.
//
// When memory runs short, the stored landmarks are dropped, and from then on the landmarks of a state are computed
// again for its successors.
#include "heuristics/heuristic.hpp"
#include "heuristics/landmark_cuts.hpp"
#include "heuristics/landmark_store.hpp"

namespace unpuzzle {

namespace {

template <class Value>
class LmCut : public Heuristic {
  public:
    LmCut(const HeuristicContext& context, std::unique_ptr<const RelaxedTask> relaxed)
        : control_(context.control),
          budget_(context.budget),
          relaxed_(std::move(relaxed)),
          cuts_(*relaxed_, context.control) {
        if (relaxed_->conditional()) whole_costs_.emplace(*relaxed_, context.control);
        store_.emplace(budget_, relaxed_->groups());
    }

    Cost estimate(const EvaluationContext& context) override {
        if (!relaxed_->solvable) return DEAD_END;
        if (store_ && context.id != NO_STATE && store_->has(context.id)) return store_->h_plus_1(context.id) - 1;
        const std::uint32_t group =
            context.parent == NO_STATE ? RelaxedTask::NONE : relaxed_->group_of_operator[context.op];
        inherit(context, group);
        const Cost h = evaluate(context.state);
        const std::size_t fresh = fresh_.size();
        keep(context, group, h);
        for (std::size_t i = 0; i < fresh; ++i) change(fresh_, i, +1);
        for (const std::size_t i : dropped_) change(parents_, i, -1);
        return h;
    }

  private:
    static constexpr std::size_t PIECES_OF_STATE = 128, PIECES_OF_STEP = 16;  // of work; a step is a look at far memory
    static constexpr std::size_t RESERVE = 8;       // give up what is kept when less than 1/8 is left
    static constexpr std::size_t LONGEST_WAY = 64;  // then all landmarks of a state are written down

    // Makes the parent's landmarks, but those that contain the operator, count against the costs.
    void inherit(const EvaluationContext& context, std::uint32_t group) {
        if (context.parent == NO_STATE || context.parent != parent_) load_parent(context);
        dropped_.clear();
        sum_ = parents_sum_;
        if (group == RelaxedTask::NONE || cuts_.cost(group) == relaxed_->cost(group)) return;
        control_.work(PIECES_OF_STATE + parents_.groups());
        for (std::size_t i = 0; i < parents_.size(); ++i) {
            if (!parents_.has(i, group)) continue;
            change(parents_, i, +1);
            sum_ -= parents_.cost(i);
            dropped_.push_back(i);
        }
    }
    void load_parent(const EvaluationContext& context) {
        for (std::size_t i = 0; i < parents_.size(); ++i) change(parents_, i, +1);
        parents_.clear();
        parents_sum_ = 0;
        parent_ = context.parent;
        if (parent_ == NO_STATE) return;
        if (store_ && store_->has(parent_)) {
            way_ = store_->collect(parent_, parents_);
            control_.work(PIECES_OF_STEP * way_ + parents_.groups());
            for (std::size_t i = 0; i < parents_.size(); ++i) change(parents_, i, -1);
        } else if (context.parent_state) {
            cuts_.run(context.parent_state, [&](std::uint32_t cost, auto groups) { parents_.add(cost, groups); });
        }
        for (std::size_t i = 0; i < parents_.size(); ++i) parents_sum_ += parents_.cost(i);
    }

    Cost evaluate(StateView state) {
        fresh_.clear();
        const Value more = cuts_.run(state, [&](std::uint32_t cost, auto groups) { fresh_.add(cost, groups); });
        if (more == cuts_.INFINITE) return DEAD_END;
        const Cost sum = sum_ + more;
        return whole_costs_ ? std::max<Cost>(sum, whole_costs_->h_max(state, static_cast<Value>(sum))) : sum;
    }

    void keep(const EvaluationContext& context, std::uint32_t group, Cost h) {
        if (!store_ || context.id == NO_STATE) return;
        if (budget_.left() < reserve_) return store_.reset();
        const bool whole = context.parent == NO_STATE || way_ >= LONGEST_WAY || !store_->has(context.parent);
        if (whole) add_inherited();
        const StateId parent = whole ? NO_STATE : context.parent;
        if (!within_memory([&] { store_->put(context.id, parent, group, h + 1, fresh_); })) store_.reset();
    }
    void add_inherited() {
        for (std::size_t i = 0; i < parents_.size(); ++i) {
            if (!std::ranges::binary_search(dropped_, i)) fresh_.add(parents_.cost(i), parents_[i]);
        }
    }
    // Gives a landmark's cost back to its operators, or takes it from them.
    void change(const Landmarks& landmarks, std::size_t i, int sign) {
        const std::uint32_t cost = sign > 0 ? landmarks.cost(i) : ~landmarks.cost(i) + 1;
        for (const std::uint32_t group : landmarks[i]) cuts_.add_cost(group, cost);
    }

    Control& control_;
    Budget& budget_;
    std::unique_ptr<const RelaxedTask> relaxed_;
    LandmarkCuts<Value> cuts_;
    std::optional<LandmarkCuts<Value>> whole_costs_;
    std::size_t reserve_ = budget_.left() / RESERVE;
    std::optional<LandmarkStore> store_;
    StateId parent_ = NO_STATE;
    Landmarks parents_, fresh_;
    Cost parents_sum_ = 0, sum_ = 0;
    std::size_t way_ = 0;
    Vector<std::size_t> dropped_;  // of the parent's, ascending
};

}  // namespace

std::unique_ptr<Heuristic> make_lmcut(const HeuristicContext& context) {
    auto relaxed = std::make_unique<const RelaxedTask>(context.compiled, context.control);
    if (relaxed->most_cost() < ~std::uint32_t{0})
        return std::make_unique<LmCut<std::uint32_t>>(context, std::move(relaxed));
    return std::make_unique<LmCut<std::uint64_t>>(context, std::move(relaxed));
}

}  // namespace unpuzzle
