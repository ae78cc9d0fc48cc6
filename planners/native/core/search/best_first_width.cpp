// Best-first width search (Lipovetzky and Geffner 2017): states with something new first, then those nearer to the
// goal.
//
// A state's novelty is the size of the smallest set of facts that no earlier state with the same estimates had
// together: 1, 2, or 3 for all others. So each estimate has a table of the facts that were seen with it, and one of
// their pairs. On a plateau of the estimates, new facts lead out of it.
//
//     estimate 7     facts  1 0 1 1 0 ...     pairs  1 0 1 1 0 1 ...     novelty ──► f, estimate ──► h of the open list
//     estimate 6     facts  1 0 0 0 0 ...     pairs  0 0 ...
//
// With two heuristics, states are compared if both estimates are equal, and the first one orders them. Successors are
// evaluated when they are generated, since their novelty decides when they are expanded. A state with its parent's
// estimates can only have new pairs with a fact that the operator made true. If states have many facts, only these
// pairs are tested in any case, or one state of a thousand facts would cost as much as some seconds of other search.
// Tables of pairs are made as long as they need little memory; without one, novelty 2 counts as 3. Not optimal;
// complete, as all states are kept. Supports what the heuristics support.
#include <unordered_map>

#include "search/search.hpp"
#include "search/trace.hpp"
#include "state/expander.hpp"
#include "state/state_view.hpp"
#include "storage/nodes.hpp"
#include "storage/open_list.hpp"
#include "storage/state_rows.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

namespace {

// The facts and pairs that were seen with each estimate.
class Novelty {
  public:
    static constexpr Cost NONE = 3;

    Novelty(const CompiledTask& compiled, Control& control, Budget& budget)
        : compiled_(compiled), control_(control), budget_(budget) {
        for (const auto& variable : compiled.task.variables) {
            first_.push_back(facts_);
            if (!variable.derived()) facts_ += variable.domain;
        }
    }

    // Of a state with this estimate, which is seen from now on. `same`: its parent, if any, was seen with it, too.
    Cost of(StateView state, StateView parent, bool same, Cost estimate) {
        Seen& seen = table(estimate);
        all_.clear();
        changed_.clear();
        state.each([&](const Fact& fact) {
            const std::size_t number = first_[fact.variable] + fact.value;
            all_.push_back(number);
            if (!parent || parent[fact.variable] != fact.value) changed_.push_back(number);
        });
        control_.work(all_.size());
        Cost least = NONE;
        for (const std::size_t fact : same ? changed_ : all_) {
            if (mark(seen.facts, fact)) least = 1;
        }
        if (seen.pairs.empty()) return least;
        if (!same && all_.size() <= MOST_FACTS_IN_PAIRS) changed_ = all_;
        control_.work(all_.size() * changed_.size());
        for (const std::size_t fact : changed_) {
            for (const std::size_t other : all_) {
                const std::size_t low = std::min(fact, other), high = std::max(fact, other);
                if (mark(seen.pairs, high * (high + 1) / 2 + low)) least = std::min<Cost>(least, 2);
            }
        }
        return least;
    }

  private:
    static constexpr std::size_t MOST_FACTS_IN_PAIRS = 256;
    static constexpr std::size_t MOST_BYTES = std::size_t{1} << 28, WORD = 8 * sizeof(Word);

    struct Seen {
        std::vector<Word> facts, pairs;
    };

    Seen& table(Cost estimate) {
        const auto [place, is_new] = seen_.try_emplace(estimate);
        if (is_new) {
            grow(place->second.facts, facts_);
            grow(place->second.pairs, facts_ * (facts_ + 1) / 2);
        }
        return place->second;
    }
    void grow(std::vector<Word>& bits, std::size_t count) {
        const std::size_t bytes = (count / WORD + 1) * sizeof(Word);
        if (bytes_ + bytes > std::min(MOST_BYTES, budget_.left() / 4) && count > facts_) return;
        bytes_ += bytes;
        bits.resize(count / WORD + 1);
    }
    static bool mark(std::vector<Word>& bits, std::size_t place) {
        Word& word = bits[place / WORD];
        const Word bit = Word{1} << place % WORD;
        return !(std::exchange(word, word | bit) & bit);
    }

    const CompiledTask& compiled_;
    Control& control_;
    Budget& budget_;
    std::vector<std::size_t> first_;  // by variable the number of its first fact
    std::size_t facts_ = 0, bytes_ = 0;
    std::unordered_map<Cost, Seen> seen_;
    std::vector<std::size_t> all_, changed_;  // facts of the state at hand
};

class BestFirstWidth : public Search {
  public:
    explicit BestFirstWidth(SearchContext& run)
        : run_(run),
          compiled_(run.compiled),
          counters_(run.control.counters),
          nodes_(run.budget, compiled_.layout.size(), compiled_.features.dearest_cost),
          estimates_(run.budget),
          table_(run.budget, run.control, nodes_),
          open_(run.budget),
          novelty_(compiled_, run.control, run.budget),
          expander_(compiled_),
          goal_test_(compiled_),
          child_(compiled_.words()) {
        counters_.f = Heuristic::DEAD_END;
    }

    Status run() override {
        if (run_.bound == 0) return Status::unsolvable;
        if (nodes_.size() == 0) {
            copy<0>(child_.data(), compiled_.initial.data(), compiled_.words());
            meet(NO_STATE, 0);
        }
        while (goal_ == NO_STATE) {
            if (open_.empty()) return left_out_ ? Status::gave_up : Status::unsolvable;
            if (counters_.expanded >= run_.most_expanded) return Status::gave_up;
            expand(open_.pop());
        }
        return goal_ == 0 ? Status::solved_optimally : Status::solved;
    }
    std::size_t states() const override { return nodes_.size(); }
    std::vector<OperatorId> plan() override {
        return trace(compiled_, Unpacked(compiled_.words(), nodes_, nodes_.way(goal_)).rows);
    }

  private:
    static constexpr Cost PART = Cost{1} << 20;  // more than a second estimate is

    void expand(StateId id) {
        ++counters_.expanded;
        run_.control.work(compiled_.work());
        expander_.load([&](Word* to) { nodes_.load(id, to); });
        for (const OperatorId op : expander_.applicable()) {
            ++counters_.generated;
            run_.control.tick();
            if (nodes_.g(id) + compiled_.operators.cost(op) >= run_.bound) {
                left_out_ = true;
                continue;
            }
            expander_.apply(op, child_.data());
            meet(id, op);
            if (goal_ != NO_STATE) return;
        }
    }
    // Keeps the state in child_, if it is new and no dead end.
    void meet(StateId parent, OperatorId op) {
        const std::uint64_t code = hash<0>(child_.data(), compiled_.words());
        const auto probe = table_.find(child_.data(), code);
        if (probe.found != NO_STATE) return;
        run_.control.work(compiled_.work());
        const auto id = static_cast<StateId>(nodes_.size());
        const bool initial = parent == NO_STATE;
        nodes_.append(child_.data());
        estimates_.append();
        table_.put(probe.slot, id, code);
        nodes_.set(id, initial ? 0 : parent, initial ? 0 : nodes_.g(parent) + compiled_.operators.cost(op));
        ++counters_.evaluated;
        const StateView child{compiled_, child_.data()};
        const StateView before = initial ? StateView() : StateView{compiled_, expander_.state()};
        const Heuristic::EvaluationContext question{child, id, parent, op, before};
        const Cost h = run_.heuristic.estimate(question), other = run_.second ? run_.second->estimate(question) : 0;
        if (h == Heuristic::DEAD_END || other == Heuristic::DEAD_END) return;
        if (goal_test_.holds(child_.data())) {
            goal_ = id;
            return;
        }
        counters_.f = std::min(counters_.f, h);
        const Cost both = h * PART + std::min(other, PART - 1);
        *estimates_[id] = both;
        const bool same = !initial && *estimates_[parent] == both;
        open_.push({novelty_.of(child, before, same, both), h}, id);
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Counters& counters_;
    Nodes<StateRows<0>> nodes_;
    GrowingArray<Cost, 1> estimates_;
    Table<StateRows<0>> table_;
    BasicOpenList<StateId> open_;
    Novelty novelty_;
    Expander<0> expander_;
    GoalTest goal_test_;
    std::vector<Word> child_;
    StateId goal_ = NO_STATE;
    bool left_out_ = false;
};

}  // namespace

std::unique_ptr<Search> best_first_width(SearchContext& run) { return std::make_unique<BestFirstWidth>(run); }

}  // namespace unpuzzle
