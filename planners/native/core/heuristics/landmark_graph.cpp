#include "heuristics/landmark_graph.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "heuristics/relaxed_values.hpp"

namespace unpuzzle {

namespace {
constexpr std::uint64_t MOST_WORK = std::uint64_t{1} << 28;  // words that are looked at
constexpr std::size_t MOST_ORDERED = 8192;                   // landmarks; more of them get no orders
constexpr std::size_t MOST_REASONABLE = 2048;                // landmarks that get reasonable orders
constexpr std::size_t SETS = 6;                              // of landmarks, by landmark, while orders are found
}  // namespace

// The landmarks of all propositions, among the candidates.
class LandmarkGraph::Finder {
  public:
    Finder(LandmarkGraph& out, const RelaxedTask& relaxed, const CompiledTask& compiled, Control& control,
           const Budget& budget)
        : out_(out), relaxed_(relaxed), compiled_(compiled), control_(control), budget_(budget) {
        choose_candidates();
        known_.assign(relaxed.propositions(), false);
        const std::size_t words = relaxed.propositions() * words_for(candidates_.size());
        if (words > MOST_WORK || words * sizeof(Word) > budget.left() / 2) return;
        rows_ = BitRows(relaxed.propositions(), candidates_.size(), control_);
        complete_ = iterate();
    }

    void landmarks() {
        out_.of_proposition.assign(relaxed_.propositions(), RelaxedTask::NONE);
        if (complete_) {
            each(rows_[RelaxedTask::GOAL], [&](std::size_t candidate) { take(candidates_[candidate]); });
        } else {
            for (const std::uint32_t goal : goals()) take(goal);
        }
        out_.is_goal.assign(out_.size(), false);
        for (const std::uint32_t goal : goals()) {
            if (out_.of_proposition[goal] != RelaxedTask::NONE) out_.is_goal[out_.of_proposition[goal]] = true;
        }
        const std::size_t columns = complete_ && fits() ? out_.size() : 0;
        out_.before = BitRows(out_.size(), columns);
        out_.needed_for = BitRows(out_.size(), columns);
        for (std::size_t landmark = 0; landmark < out_.size(); ++landmark) orders(landmark);
    }

  private:
    using Numbers = Vector<std::uint32_t>;

    // Whether there is room for the orders, and for finding them.
    bool fits() const {
        const std::size_t bytes = SETS * out_.size() * words_for(out_.size()) * sizeof(Word);
        return out_.size() <= MOST_ORDERED && bytes <= budget_.left() / 2;
    }
    std::span<const std::uint32_t> goals() const { return relaxed_.preconditions[relaxed_.rules() - 1]; }
    void take(std::uint32_t proposition) {
        if (proposition == RelaxedTask::START || proposition == RelaxedTask::GOAL) return;
        out_.of_proposition[proposition] = static_cast<std::uint32_t>(out_.size());
        out_.propositions.push_back(proposition);
    }

    // What one relaxed plan needs.
    void choose_candidates() {
        RelaxedValues<Combine::sum> values(relaxed_, control_);
        column_.assign(relaxed_.propositions(), RelaxedTask::NONE);
        if (values.run({compiled_, compiled_.initial.data()}) == values.INFINITE) return;
        column_[RelaxedTask::GOAL] = 0;
        candidates_.push_back(RelaxedTask::GOAL);
        for (std::size_t next = 0; next < candidates_.size(); ++next) {
            const std::uint32_t rule = values.achiever(candidates_[next]);
            if (rule == RelaxedTask::NONE) continue;
            control_.work(relaxed_.preconditions[rule].size());
            for (const std::uint32_t precondition : relaxed_.preconditions[rule]) {
                if (column_[precondition] != RelaxedTask::NONE) continue;
                column_[precondition] = static_cast<std::uint32_t>(candidates_.size());
                candidates_.push_back(precondition);
            }
        }
    }

    bool iterate() {
        waiting_.resize(relaxed_.rules());
        queued_.assign(relaxed_.rules(), false);
        for (std::size_t rule = 0; rule < waiting_.size(); ++rule)
            waiting_[rule] = static_cast<std::uint32_t>(relaxed_.preconditions[rule].size());
        relaxed_.visit({compiled_, compiled_.initial.data()}, [&](std::uint32_t proposition) {
            add_itself(proposition);
            learn(proposition);
        });
        std::uint64_t work = 0;
        for (; !queue_.empty(); queue_.pop_front()) {
            const std::uint32_t rule = queue_.front();
            queued_[rule] = false;
            const std::size_t touched = relaxed_.preconditions[rule].size() + relaxed_.effects[rule].size();
            if ((work += touched * (rows_.words() + 1)) > MOST_WORK) return false;
            control_.work(touched * (rows_.words() + 1));
            fire(rule);
        }
        return known_[RelaxedTask::GOAL];
    }
    void add_itself(std::uint32_t proposition) {
        if (column_[proposition] != RelaxedTask::NONE) rows_.add(proposition, column_[proposition]);
    }
    void learn(std::uint32_t proposition) {
        known_[proposition] = true;
        for (const std::uint32_t rule : relaxed_.needed_by[proposition]) {
            if (--waiting_[rule] == 0) enqueue(rule);
        }
    }
    void enqueue(std::uint32_t rule) {
        if (queued_[rule]) return;
        queued_[rule] = true;
        queue_.push_back(rule);
    }
    void fire(std::uint32_t rule) {
        common_.assign(rows_.words(), 0);
        for (const std::uint32_t precondition : relaxed_.preconditions[rule]) unite(common_, rows_[precondition]);
        for (const std::uint32_t effect : relaxed_.effects[rule]) {
            if (!known_[effect]) {
                unite(rows_[effect], common_);
                add_itself(effect);
                learn(effect);
            } else if (narrow(effect)) {
                for (const std::uint32_t next : relaxed_.needed_by[effect]) {
                    if (waiting_[next] == 0) enqueue(next);
                }
            }
        }
    }
    // Tells whether something was taken out.
    bool narrow(std::uint32_t proposition) {
        const std::span<Word> row = rows_[proposition];
        kept_ = common_;
        if (column_[proposition] != RelaxedTask::NONE) add(kept_, column_[proposition]);
        const bool narrower = !within(row, kept_);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] &= kept_[i];
        return narrower;
    }

    // What comes before a landmark, and is needed for it; what it costs.
    void orders(std::size_t landmark) {
        const std::uint32_t proposition = out_.propositions[landmark];
        std::uint32_t least = RelaxedTask::NONE;
        std::optional<Numbers> common;
        for (const std::uint32_t rule : relaxed_.achieved_by[proposition]) {
            const auto preconditions = relaxed_.preconditions[rule];  // ascending
            control_.work(preconditions.size() + (common ? common->size() : 0));
            if (complete_ && !achieves_first(rule, proposition)) continue;
            least = std::min(least, relaxed_.costs[rule]);
            if (!common) common.emplace(preconditions.begin(), preconditions.end());
            std::erase_if(*common, [&](std::uint32_t precondition) {
                return !std::ranges::binary_search(preconditions, precondition);
            });
        }
        out_.costs.push_back(common ? least : 0);
        if (out_.before.words() == 0 || true_at_first(proposition)) return;
        control_.work(rows_.words());
        each(rows_[proposition], [&](std::size_t candidate) {
            const std::uint32_t other = out_.of_proposition[candidates_[candidate]];
            if (other != RelaxedTask::NONE && other != landmark) out_.before.add(landmark, other);
        });
        for (const std::uint32_t precondition : common.value_or(Numbers())) {
            const std::uint32_t other = out_.of_proposition[precondition];
            if (other != RelaxedTask::NONE) out_.needed_for.add(other, landmark);
        }
    }
    bool achieves_first(std::uint32_t rule, std::uint32_t proposition) const {
        for (const std::uint32_t precondition : relaxed_.preconditions[rule]) {
            if (!known_[precondition] || rows_.has(precondition, column_[proposition])) return false;
        }
        return true;
    }
    bool true_at_first(std::uint32_t proposition) const {
        const Fact fact = relaxed_.facts[proposition];
        return !compiled_.task.variables[fact.variable].derived() &&
               compiled_.task.initial[fact.variable] == fact.value;
    }

    LandmarkGraph& out_;
    const RelaxedTask& relaxed_;
    const CompiledTask& compiled_;
    Control& control_;
    const Budget& budget_;
    Numbers candidates_, column_;  // propositions; by proposition, its place there
    BitRows rows_;                 // by proposition: its landmarks, as places among the candidates
    Vector<bool> known_, queued_;
    Numbers waiting_;
    std::deque<std::uint32_t, MeteredAllocator<std::uint32_t>> queue_;  // rules
    Vector<Word> common_, kept_;
    bool complete_ = false;
};

// Reasonable orders, none of which contradicts those before it.
class LandmarkGraph::Orderer {
  public:
    Orderer(LandmarkGraph& out, const RelaxedTask& relaxed, const Task& task, Control& control)
        : out_(out), control_(control) {
        for (std::size_t landmark = 0; landmark < out.size(); ++landmark)
            each(out.needed_for[landmark], [&](std::size_t later) { needs_.add(later, landmark); });
        find_exclusive(relaxed, task);
    }

    void order() {
        const BitRows natural = out_.before;
        for (std::size_t later = 0; later < out_.size(); ++later) {
            control_.work(out_.size());
            if (out_.is_goal[later]) {
                for (std::size_t goal = 0; goal < out_.size(); ++goal) {
                    if (out_.is_goal[goal]) consider(goal, later);
                }
            } else {
                each(out_.needed_for[later], [&](std::size_t next) {
                    each(natural[next], [&](std::size_t other) { consider(other, later); });
                });
            }
        }
    }

  private:
    void find_exclusive(const RelaxedTask& relaxed, const Task& task) {
        Vector<std::pair<Fact, std::size_t>> facts;
        for (std::size_t landmark = 0; landmark < out_.size(); ++landmark) {
            facts.emplace_back(relaxed.facts[out_.propositions[landmark]], landmark);
        }
        std::ranges::sort(facts);
        for (std::size_t begin = 0, end = 0; begin < facts.size(); begin = end) {
            Vector<std::size_t> group;
            for (; end < facts.size() && facts[end].first.variable == facts[begin].first.variable; ++end)
                group.push_back(facts[end].second);
            exclude(group);
        }
        for (const Range& mutex : task.mutexes) {
            Vector<std::size_t> group;
            control_.work(task.facts(mutex).size());
            for (const Fact& fact : task.facts(mutex)) {
                const auto found = std::ranges::lower_bound(facts, std::pair{fact, std::size_t{0}});
                if (found != facts.end() && found->first == fact) group.push_back(found->second);
            }
            exclude(group);
        }
    }
    void exclude(const Vector<std::size_t>& group) {
        for (const std::size_t left : group) {
            control_.work(group.size());
            for (const std::size_t right : group) {
                if (left != right) exclusive_.add(left, right);
            }
        }
    }

    // Whether making `first` true destroys `later`, if that is true already.
    bool interferes(std::size_t first, std::size_t later) const {
        if (exclusive_.has(first, later)) return true;
        for (std::size_t i = 0; i < needs_.words(); ++i) {
            Word needed = needs_[first][i];
            if (later / 64 == i) needed &= ~(Word{1} << later % 64);
            if ((needed & exclusive_[later][i]) != 0) return true;
        }
        return false;
    }
    void consider(std::size_t first, std::size_t later) {
        if (first == later || earlier_.has(later, first) || earlier_.has(first, later)) return;
        control_.work(needs_.words());
        if (!interferes(first, later)) return;
        out_.before.add(later, first);
        Vector<Word> new_(earlier_[first].begin(), earlier_[first].end());
        add(new_, first);
        unite(earlier_[later], new_);
        control_.work(out_.size());
        for (std::size_t landmark = 0; landmark < out_.size(); ++landmark) {
            if (earlier_.has(landmark, later)) unite(earlier_[landmark], new_);
        }
    }

    LandmarkGraph& out_;
    Control& control_;
    // By landmark: never true together; greedy-necessary for it; all that come before it, also by way of others.
    BitRows exclusive_{out_.size(), out_.size()}, needs_ = exclusive_, earlier_ = out_.before;
};

LandmarkGraph::LandmarkGraph(const RelaxedTask& relaxed, const CompiledTask& compiled, Control& control,
                             const Budget& budget) {
    if (!relaxed.solvable) return;
    Finder finder(*this, relaxed, compiled, control, budget);
    control.begin_phase();
    finder.landmarks();
    control.begin_phase();
    if (before.words() > 0 && size() <= MOST_REASONABLE) Orderer(*this, relaxed, compiled.task, control).order();
}

}  // namespace unpuzzle
