// Windows over a plan (Siddiqui and Haslum 2013, without their partial order): a stretch is solved again at least cost,
// from the state at its beginning to the facts that the rest of the plan needs at its end.
//
//     s0 ──o1──► s1 ──o2──► s2 ──o3──► s3 ──o4──► s4           plan
//                └───────── window ──────┘                     from s1 to whatever o4 and the goal want of s3
//
// Fewer facts than the whole state are needed: they are computed backwards over the steps (regression), so
// windows are taken from the last to the first, and only the states before a window are still those of the
// plan. With axioms, a window must end in the same state, unless it is the last.
//
// Windows get longer until most of them cannot be solved with so many expansions. Then A* with pattern databases, made
// for each window, continues with longer ones, if they may cost that much: preparations count as expansions, too. Then
// windows start short again and may expand more, until the budget is spent or one window is the whole plan.
#include <algorithm>
#include <map>

#include "plans/improvement.hpp"
#include "search/search.hpp"
#include "search/small_search.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t SHORTEST = 4, OVERLAP = 3;
constexpr std::uint64_t FIRST_EXPANSIONS = 1'000, MORE_EXPANSIONS = 8;
// What databases cost, in expansions of the search without them: for a window, an operator, and an expanded state.
constexpr std::uint64_t FOR_WINDOW = 50'000, FOR_OPERATOR = 200, FOR_STATE = 4;
// They are tried as soon as a window may cost a 32nd of what is prepared for one, and it may cost four times that then.
constexpr std::uint64_t EARLY = 32, WORTH_PREPARING = 4;

// The value that each variable must have so that the rest of a plan is applicable and reaches the goal.
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
        SmallGoal goal;
        compiled_.layout.tests(facts(), goal.tests.stored);
        return goal;
    }
    Vector<Fact> facts() const {
        Vector<Fact> facts;
        for (std::uint32_t variable = 0; variable < wanted_.size(); ++variable) {
            if (wanted_[variable] != ANY) facts.push_back({variable, wanted_[variable]});
        }
        return facts;
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
    using Price = std::pair<Cost, std::size_t>;  // and the number of steps

  public:
    Windows(const CompiledTask& compiled, Improved& result, Control& control, Budget& budget,
            std::uint64_t most_expanded)
        : compiled_(compiled),
          runner_(compiled),
          needs_(compiled),
          small_(make_small_search(compiled)),
          preparing_(FOR_WINDOW + FOR_OPERATOR * compiled.operators.count()),
          databases_((compiled.features.all() & find_heuristic("pdb").unsupported) == Feature::none),
          control_(control),
          budget_(budget),
          left_(most_expanded),
          result_(result) {}

    void run() {
        std::size_t longest = SHORTEST;  // that were searched without databases
        bool better = false;             // databases solved longer ones
        for (std::uint64_t most = FIRST_EXPANSIONS; left_ > 0 && !result_.settled; most *= MORE_EXPANSIONS) {
            informed_ = false;
            most_for_one_ = most;
            if (!better) longest = lengthen(SHORTEST);
            const std::uint64_t for_databases = std::max(most, WORTH_PREPARING * preparing_);
            informed_ = databases_ && !result_.settled && most * EARLY >= preparing_ &&
                        left_ >= 2 * (better ? preparing_ : for_databases);
            // What is prepared costs most: so there are few windows, and long ones.
            most_for_one_ = for_databases;
            better = informed_ && lengthen(2 * longest) > 2 * longest;
            if (better) most = for_databases;
        }
    }

  private:
    // Longer and longer windows, until most are too hard; tells how long they are.
    std::size_t lengthen(std::size_t size) {
        std::erase_if(solved_, [](const auto& window) { return !window.second; });
        for (; left_ > 0; size += informed_ ? size : size / 2) {
            while (sweep(size)) {
            }
            if (2 * unsolved_ > windows_ || result_.settled) break;
        }
        return size;
    }
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

    // Tells whether the search came to an end; moves `end` along with the steps. What was solved before need not be solved
    // again, if the steps there now cost no more, and another try with the same effort is in vain.
    bool solve(std::size_t begin, std::size_t& end, bool& better) {
        ++windows_;
        const auto [known, is_new] = solved_.try_emplace(window(begin));
        if (is_new || (known->second && *known->second < price(begin, end))) known->second = search(begin, end, better);
        if (!known->second) ++unsolved_;
        return known->second.has_value();
    }
    // A window's first state and what is needed after it.
    Vector<Word> window(std::size_t begin) const {
        Vector<Word> key(state(begin), state(begin) + compiled_.words());
        for (const Fact& fact : needs_.facts()) {
            key.push_back(fact.variable);
            key.push_back(fact.value);
        }
        return key;
    }
    Price price(std::size_t begin, std::size_t end) const {
        Price sum{0, end - begin};
        for (; begin < end; ++begin) sum.first += compiled_.operators.cost(result_.plan[begin]);
        return sum;
    }
    // What the window costs at least, if that was found; then the steps there cost no more.
    std::optional<Price> search(std::size_t begin, std::size_t& end, bool& better) {
        const std::uint64_t most = std::min(most_for_one_, left_);
        const SmallAnswer answer = informed_
                                       ? by_databases(state(begin), most)
                                       : small_->solve(state(begin), needs_.goal(), {budget_.left(), most}, control_);
        ++result_.windows;
        result_.expanded += answer.expanded;
        result_.generated += answer.generated;
        const std::uint64_t work = informed_ ? preparing_ + FOR_STATE * answer.expanded : answer.expanded + 1;
        left_ -= std::min(left_, work);
        if (answer.status == Status::interrupted) throw Stop{Status::interrupted};
        if (informed_ && answer.status == Status::memout) databases_ = false;
        const bool limited = answer.status == Status::timeout || (answer.status == Status::memout && !informed_);
        if (limited || answer.status == Status::cancelled) left_ = 0;
        if (!answer.solved()) return {};
        const Price least(answer.cost, answer.plan.size());
        if (least < price(begin, end)) {
            better = true;
            replace(begin, end, answer.plan);
            end = begin + answer.plan.size();
        }
        return least;
    }
    // From a state to what is needed. The task of the window is a copy, from which databases are made.
    SmallAnswer by_databases(const Word* start, std::uint64_t most) {
        SmallAnswer answer;
        Control control(control_);
        control.counters = {};
        answer.status = within_limits([&] {
            const CompiledTask window = compiled_.between(start, needs_.facts());
            const auto heuristic = make_heuristic("pdb", {window, control, budget_});
            SearchContext context{
                .compiled = window, .control = control, .budget = budget_, .heuristic = *heuristic, .most_expanded = 0};
            StagedSearch<SearchContext> search(context, fits_compactly(context) ? compact_a_star : a_star);
            const Status status = search.run(most > preparing_ ? (most - preparing_) / FOR_STATE : 0);
            if (status != Status::solved_optimally) return status;
            answer.plan = plan_of(*search.search(), control, budget_);
            for (const OperatorId op : answer.plan) answer.cost += compiled_.operators.cost(op);
            return status;
        });
        answer.expanded = control.counters.expanded;
        answer.generated = control.counters.generated;
        return answer;
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
    std::unique_ptr<SmallSearch> small_;
    std::uint64_t preparing_;  // what databases of a window cost
    bool databases_;
    Control& control_;
    Budget& budget_;
    bool informed_ = false;
    std::map<Vector<Word>, std::optional<Price>> solved_;  // windows, and what they cost at least, if that was found
    std::uint64_t left_, most_for_one_ = 0;
    std::size_t windows_ = 0, unsolved_ = 0;
    Vector<Word> states_;  // of the plan, as far as they are known
    Improved& result_;
};

}  // namespace

Improved improve_by_windows(const CompiledTask& compiled, Steps plan, Control& control, Budget& budget,
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
