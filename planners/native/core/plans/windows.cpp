// Windows over a plan (Siddiqui and Haslum 2013, without their partial order): a stretch is solved again at
// least cost, from the state where it begins to what the rest of the plan needs where it ends.
//
//     s0 ──o1──► s1 ──o2──► s2 ──o3──► s3 ──o4──► s4           plan
//                └───────── window ──────┘                     from s1 to whatever o4 and the goal want of s3
//
// What is needed is less than the whole state: it is carried backwards over the steps (regression), so
// windows are taken from the last to the first, and only the states before a window are still those of the
// plan. With axioms, a window must end in the same state, unless it is the last.
//
// Windows get longer until most of them cannot be solved with so many expansions, then they start short again
// and may expand more, until the budget is spent or one window is the whole plan.
#include <algorithm>

#include "plans/improvement.hpp"
#include "search/small_search.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t SHORTEST = 4, OVERLAP = 3;
constexpr std::uint64_t FIRST_EXPANSIONS = 1'000, MORE_EXPANSIONS = 8;

// Which value each variable must have for the rest of a plan to run and reach the goal.
class Needs {
  public:
    explicit Needs(const CompiledTask& compiled) : compiled_(compiled), wanted_(compiled.task.variables.size(), ANY) {}

    void want_goal() {
        at_goal_ = true;
        std::fill(wanted_.begin(), wanted_.end(), ANY);
        for (const Fact& fact : compiled_.task.goal) wanted_[fact.variable] = fact.value;
    }
    // Before an operator, what is needed after it; `state` is where it was applied.
    void regress(OperatorId op, StateView state) {
        at_goal_ = false;
        if (compiled_.features.axioms) {  // all that the state says
            std::fill(wanted_.begin(), wanted_.end(), ANY);
            return state.each([&](const Fact& fact) { wanted_[fact.variable] = fact.value; });
        }
        const Operator& about = compiled_.task.operators[op];
        conditions_.clear();
        written_.clear();
        for (const Effect& effect : compiled_.task.effects(about)) {
            if (wanted_[effect.sets.variable] == ANY) continue;
            const auto conditions = compiled_.task.facts(effect.conditions);
            conditions_.insert(conditions_.end(), conditions.begin(), conditions.end());
            if (state.hold(conditions)) written_.push_back(effect.sets.variable);
        }
        for (const std::uint32_t variable : written_) wanted_[variable] = ANY;
        for (const Fact& fact : conditions_) wanted_[fact.variable] = state[fact.variable];
        for (const Fact& fact : compiled_.task.facts(about.precondition)) wanted_[fact.variable] = fact.value;
    }
    SmallGoal goal() const {
        if (at_goal_) return {compiled_.goal, compiled_.task.goal_possible};
        Vector<Fact> facts;
        for (std::uint32_t variable = 0; variable < wanted_.size(); ++variable) {
            if (wanted_[variable] != ANY) facts.push_back({variable, wanted_[variable]});
        }
        SmallGoal goal;
        compiled_.layout.tests(facts, goal.tests.stored);
        return goal;
    }

  private:
    static constexpr std::uint32_t ANY = 0xFFFFFFFFu;

    const CompiledTask& compiled_;
    Vector<std::uint32_t> wanted_;  // by variable
    bool at_goal_ = true;
    Vector<Fact> conditions_;
    Vector<std::uint32_t> written_;
};

class Windows {
  public:
    Windows(const CompiledTask& compiled, Improved& result, Control& control, const Budget& budget,
            std::uint64_t most_expanded)
        : compiled_(compiled),
          runner_(compiled),
          needs_(compiled),
          search_(make_small_search(compiled)),
          control_(control),
          budget_(budget),
          left_(most_expanded),
          result_(result) {}

    void run() {
        for (most_for_one_ = FIRST_EXPANSIONS; left_ > 0 && !result_.settled; most_for_one_ *= MORE_EXPANSIONS) {
            for (std::size_t size = SHORTEST; left_ > 0; size += size / 2) {
                while (sweep(size)) {
                }
                if (2 * unsolved_ > windows_ || result_.settled) break;
            }
        }
    }

  private:
    // All windows of one size; tells whether the plan got better.
    bool sweep(std::size_t size) {
        bool better = false;
        control_.begin_phase();
        states_ = runner_.states(result_.plan);
        needs_.want_goal();
        windows_ = unsolved_ = 0;
        std::size_t end = result_.plan.size();
        while (left_ > 0) {
            const std::size_t begin = end > size ? end - size : 0;
            const bool solved = solve(begin, end, better);
            if (begin == 0) {
                result_.settled = solved && windows_ == 1;
                break;
            }
            const std::size_t next = end - std::max<std::size_t>(1, (end - begin) / OVERLAP);
            for (; end > next; --end) needs_.regress(result_.plan[end - 1], {compiled_, state(end - 1)});
        }
        return better;
    }
    const Word* state(std::size_t at) const { return states_.data() + at * compiled_.words(); }

    // Tells whether the search came to an end; moves `end` along with the steps.
    bool solve(std::size_t begin, std::size_t& end, bool& better) {
        ++windows_;
        const SmallAnswer answer =
            search_->solve(state(begin), needs_.goal(), {budget_.left(), std::min(most_for_one_, left_)}, control_);
        result_.expanded += answer.expanded;
        result_.generated += answer.generated;
        left_ -= std::min(left_, answer.expanded + 1);
        if (answer.status == Status::interrupted) throw Stop{Status::interrupted};
        const bool limited = answer.status == Status::timeout || answer.status == Status::memout;
        if (limited || answer.status == Status::cancelled) left_ = 0;
        if (!answer.solved()) {
            ++unsolved_;
            return false;
        }
        const Steps old(result_.plan.begin() + static_cast<std::ptrdiff_t>(begin),
                        result_.plan.begin() + static_cast<std::ptrdiff_t>(end));
        if (std::pair(answer.cost, answer.plan.size()) >= std::pair(runner_.cost(old), old.size())) return true;
        better = true;
        replace(begin, end, answer.plan);
        end = begin + answer.plan.size();
        return true;
    }
    void replace(std::size_t begin, std::size_t end, const Steps& steps) {
        const Steps& old = result_.plan;
        Steps plan(old.begin(),
                   old.begin() + static_cast<std::ptrdiff_t>(begin));  // whole even if memory runs out here
        plan.insert(plan.end(), steps.begin(), steps.end());
        plan.insert(plan.end(), old.begin() + static_cast<std::ptrdiff_t>(end), old.end());
        result_.plan = std::move(plan);
        states_.resize((begin + 1) * compiled_.words());
        runner_.start(state(begin));
        for (const OperatorId op : steps) {
            runner_.take(op);
            states_.insert(states_.end(), runner_.state(), runner_.state() + compiled_.words());
        }
    }

    const CompiledTask& compiled_;
    PlanRunner runner_;
    Needs needs_;
    std::unique_ptr<SmallSearch> search_;
    Control& control_;
    const Budget& budget_;
    std::uint64_t left_, most_for_one_ = FIRST_EXPANSIONS;
    std::size_t windows_ = 0, unsolved_ = 0;
    Vector<Word> states_;  // of the plan, as far as they are known
    Improved& result_;
};

}  // namespace

Improved improve_by_windows(const CompiledTask& compiled, Steps plan, Control& control, const Budget& budget,
                            std::uint64_t most_expanded) {
    Improved result;
    result.plan = std::move(plan);
    try {
        within_memory([&] { Windows(compiled, result, control, budget, most_expanded).run(); });
    } catch (const Stop& stop) {
        if (stop.status == Status::interrupted) throw;
    }
    return result;
}

}  // namespace unpuzzle
