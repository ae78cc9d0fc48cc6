// Additive pattern databases, as a heuristic: the greatest of several sums (selection.hpp).
//
// Admissible. Not consistent: a database that keeps the least over the folded variable's values may fall by more than
// the operator costs, so searches must re-open. Supports costs, operators of cost 0 and conditional effects, but no
// axioms (Felner, Korf and Hanan, Additive pattern database heuristics, 2004).
//
// Effort comes in stages, because most tasks are easy and large databases cost seconds: a search that has expanded
// `states_before_refining()` states is given up, larger patterns replace the smaller ones, and it starts again. The
// limits of a stage are numbers of states and abstract states, so equal tasks are searched equally everywhere; a stage
// that needs too much memory is left out, and the earlier databases stay in use.
//
// After the last of the early stages, costs are also shared by saturated cost partitioning (cost_partitioning.hpp),
// unless a variable is folded. That is kept if its estimates of sampled states are clearly higher, as its look-ups are
// slower; then the greatest estimate counts.
#include "pdbs/heuristic.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

#include "pdbs/cost_partitioning.hpp"
#include "pdbs/selection.hpp"
#include "state/expander.hpp"

namespace unpuzzle {

namespace {

struct Stage {
    std::size_t size;  // the most abstract states of one pattern
    std::size_t sums;
    std::uint64_t states;  // to expand before the next stage
};

// Chosen so that searching takes about as long as building the next stage. (Of the 15-puzzle's first thirty
// random instances, one needs more than the second stage.)
constexpr Stage STAGES[] = {
    {std::size_t{1} << 12, 3, 20'000},
    {std::size_t{1} << 16, 2, 1'000'000},
    {std::size_t{1} << 20, 4, 15'000'000},
    {std::size_t{1} << 24, 3, UINT64_MAX},
};
constexpr std::size_t LAST_EARLY_STAGE = 2;  // before costs are shared otherwise, which takes a while
constexpr std::size_t SAMPLES = 256;         // states to judge that by
constexpr std::size_t PIECES_OF_LOOKUP = 4, MOST_PIECES = 1'000;  // of work
constexpr std::size_t MOST_SMALL_PATTERNS = 2'000;
constexpr Cost LONGEST_WALK = 1000;
constexpr std::size_t CHOICES = 4;  // of which a walk takes the best step
constexpr Cost PART_TO_GAIN = 10;   // one in so many, else it is not worth its time

bool same(const Vector<PatternSelection::Sum>& left, const Vector<PatternSelection::Sum>& right) {
    return std::ranges::equal(left, right, [](const auto& one, const auto& two) {
        return std::ranges::equal(one, two, {}, &Pattern::variables, &Pattern::variables);
    });
}

struct SplitMix {  // Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014
    std::uint64_t state = 0;

    std::uint64_t below(std::uint64_t count) {
        std::uint64_t mixed = state += 0x9E3779B97F4A7C15ull;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
        return (mixed ^ mixed >> 31) % count;
    }
};

// States to judge heuristics by: where random walks from the initial state end. The first is that state itself; the
// others are equally far from it, or nearer, up to `longest` steps. The same walks on every machine.
Vector<Vector<Word>> random_walks(const CompiledTask& compiled, std::size_t number, std::size_t longest,
                                  const std::function<Cost(const Word*)>& estimate, Control& control) {
    Vector<Vector<Word>> ends;
    ends.push_back(compiled.initial);
    SplitMix random;
    Expander<0> expander(compiled);
    Vector<Word> child(compiled.words());
    while (ends.size() < number) {
        Vector<Word> state = compiled.initial;
        for (std::uint64_t left = random.below(longest + 1); left > 0; --left) {
            control.work(compiled.work());
            expander.load(state.data());
            const auto& applicable = expander.applicable();
            if (applicable.size() == 0) break;
            Cost best = ~Cost{0};
            for (std::size_t i = 0; i < CHOICES; ++i) {
                const OperatorId op = applicable.begin()[random.below(applicable.size())];
                expander.apply(op, child.data());
                const Cost h = estimate(child.data());
                if (h == Heuristic::DEAD_END || h + compiled.operators.cost(op) >= best) continue;
                best = h + compiled.operators.cost(op);
                state = child;
            }
            if (best == ~Cost{0}) break;
        }
        ends.push_back(std::move(state));
    }
    return ends;
}

class PatternHeuristic : public Heuristic {
  public:
    explicit PatternHeuristic(const HeuristicContext& context)
        : compiled_(context.compiled), control_(context.control), budget_(context.budget) {
        select();
        look_ahead();
    }

    std::uint64_t states_before_refining() const override {
        if (!next_.empty()) return STAGES[stage_].states;
        return may_share_costs() ? STAGES[LAST_EARLY_STAGE].states : UINT64_MAX;
    }
    void refine() override {
        const bool share = may_share_costs() && (stage_ >= LAST_EARLY_STAGE || next_.empty());
        const Sums before = now_.sums;
        ++stage_;
        const bool enough = within_memory([&] {
            if (!next_.empty()) now_ = build(std::exchange(next_, {}), IfShort::stop);
        });
        if (share) shared_ = true, within_memory([&] { share_costs(before); });
        if (!enough || !within_memory([&] { look_ahead(); })) next_.clear();
    }
    Cost estimate(const EvaluationContext& context) override {
        pieces_ += PIECES_OF_LOOKUP * now_.databases.size();
        if (pieces_ >= MOST_PIECES) control_.work(std::exchange(pieces_, 0));
        const Cost sums = estimate(now_, context.state.words());
        return orders_ && sums != DEAD_END ? std::max(sums, orders_->estimate(context.state.words())) : sums;
    }
    bool batches() const override { return true; }
    bool cheap() const override { return true; }

    const Vector<PatternSelection::Sum>& sums() const { return now_.sums; }

  private:
    using Sums = Vector<PatternSelection::Sum>;
    // The current sums, with all data for them.
    struct Databases {
        Sums sums;
        Vector<std::unique_ptr<const PatternDatabase>> databases;
        Vector<std::size_t> sum_begin{0};  // into databases
        PatternRanks ranks;
    };

    // If there is too little memory for a pattern: leave it out, or throw `Stop`.
    enum class IfShort { leave_out, stop };
    // Of the ways to choose, the one that says more of the initial state; if they are equal, the first.
    void select() {
        Cost best = 0;
        const auto implied_variables = PatternSelection::implied_variables(compiled_.task, mutexes_, control_);
        for (const auto& implied : {PatternSelection::Variables(), implied_variables}) {
            if (selection_ && implied.empty()) return;
            auto selection = std::make_unique<PatternSelection>(compiled_.task, mutexes_, control_, budget_, implied);
            Databases made = build(selection->sums(STAGES[0].size, STAGES[0].sums), IfShort::leave_out);
            const Cost value = estimate(made, compiled_.initial.data());
            if (selection_ && value <= best) return;
            best = value;
            selection_ = std::move(selection);
            now_ = std::move(made);
        }
    }
    Databases build(Sums sums, IfShort if_short) const {
        Databases made;
        made.sums = std::move(sums);
        for (PatternSelection::Sum& sum : made.sums) {
            std::erase_if(sum, [&](const Pattern& pattern) {
                const auto add = [&] {
                    made.databases.push_back(
                        std::make_unique<const PatternDatabase>(compiled_.task, mutexes_, pattern, control_, budget_));
                };
                try {
                    if (if_short == IfShort::leave_out) return !within_memory(add);
                    add();
                    return false;
                } catch (const Projection::TooLarge&) {
                    return true;
                }
            });
            made.sum_begin.push_back(made.databases.size());
        }
        Vector<RankParts> parts;
        for (const auto& database : made.databases) parts.push_back(database->rank_parts());
        made.ranks = PatternRanks(compiled_, parts, control_, budget_);
        return made;
    }
    static Cost estimate(Databases& from, const Word* state) {
        const std::uint32_t* ranks = from.ranks(state);
        for (std::size_t i = 0; i < from.databases.size(); ++i) from.databases[i]->fetch(ranks[i]);
        Cost best = 0;
        for (std::size_t sum = 0; sum + 1 < from.sum_begin.size(); ++sum) {
            Cost total = 0;
            for (std::size_t i = from.sum_begin[sum]; i < from.sum_begin[sum + 1]; ++i) {
                const PatternDatabase& database = *from.databases[i];
                const std::uint32_t entry = database[ranks[i]];
                if (entry == PatternDatabase::UNREACHED) return DEAD_END;
                total += Cost{entry} * database.unit();
            }
            best = std::max(best, total);
        }
        return best;
    }
    // Decides what comes after the databases in use.
    void look_ahead() {
        next_.clear();
        if (stage_ + 1 == std::size(STAGES)) return;
        next_ = selection_->sums(STAGES[stage_ + 1].size, STAGES[stage_ + 1].sums);
        if (same(now_.sums, next_) || !affordable(next_)) next_.clear();
    }
    bool may_share_costs() const { return !shared_ && !selection_->folds(); }
    void share_costs(const Sums& claims) {
        SaturatedCostPartitionings::Patterns patterns;
        const auto add = [&](const Vector<std::uint32_t>& pattern) {
            if (std::ranges::find(patterns, pattern) == patterns.end()) patterns.push_back(pattern);
        };
        Sums without_common;
        for (const auto& sum : claims) {
            for (const Pattern& pattern : sum) add(pattern.variables);
            without_common.push_back(selection_->without_claims_of_common(sum));
        }
        for (const auto& pattern : selection_->small_patterns(MOST_SMALL_PATTERNS)) add(pattern);
        const auto judged = samples();
        Cost known = 0;
        for (const auto& sample : judged) known += sample.known;
        orders_.emplace(compiled_, mutexes_, patterns, without_common, judged, control_, budget_);
        if (orders_->gain() == 0 || orders_->gain() < known / PART_TO_GAIN) orders_.reset();
    }
    Vector<SaturatedCostPartitionings::Sample> samples() {
        const auto known = [&](const Word* state) { return estimate(now_, state); };
        const Cost initial = known(compiled_.initial.data());
        const Cost steps = initial == DEAD_END ? 0 : 2 * initial / std::max(compiled_.features.least_cost, 1u);
        Vector<SaturatedCostPartitionings::Sample> found;
        for (auto& state : random_walks(compiled_, SAMPLES, std::min(steps, LONGEST_WALK), known, control_)) {
            const Cost value = known(state.data());
            if (value != DEAD_END) found.push_back({std::move(state), value});
        }
        return found;
    }
    // Half of the memory is for the search.
    bool affordable(const Sums& sums) const {
        const std::size_t bytes_of_entry = compiled_.features.same_costs ? 1 : 2;
        std::size_t all = 0, most_while_built = 0;
        for (const auto& sum : sums) {
            for (const Pattern& pattern : sum) {
                const std::size_t most = SIZE_MAX / 1024;
                const std::size_t size =
                    Pattern::abstract_states(compiled_.task, pattern.variables, most).value_or(most);
                const std::uint64_t values = pattern.folded_variable == Pattern::NO_VARIABLE
                                                 ? 1
                                                 : compiled_.task.variables[pattern.folded_variable].domain;
                all += size;
                most_while_built = std::max(most_while_built, size * PatternDatabase::bytes_while_built(values));
            }
        }
        return all * bytes_of_entry + most_while_built <= budget_.left() / 2;
    }

    const CompiledTask& compiled_;
    Control& control_;
    Budget& budget_;
    Mutexes mutexes_{compiled_.task, control_};
    std::unique_ptr<PatternSelection> selection_;
    std::size_t stage_ = 0, pieces_ = 0;  // of work that is not counted yet
    Databases now_;
    Sums next_;                                         // to come, or none
    bool shared_ = false;                               // tried
    std::optional<SaturatedCostPartitionings> orders_;  // and found good
};

}  // namespace

const Vector<Vector<Pattern>>& sums_of(const Heuristic& pdb) {
    return static_cast<const PatternHeuristic&>(pdb).sums();
}

std::unique_ptr<Heuristic> make_pdb(const HeuristicContext& context) {
    return std::make_unique<PatternHeuristic>(context);
}

}  // namespace unpuzzle
