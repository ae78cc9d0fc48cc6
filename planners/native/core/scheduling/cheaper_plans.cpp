// Searches for plans beside those for a proof: when they have a turn, which of them, and what a plan leads to.
#include "scheduling/part.hpp"

namespace unpuzzle {

namespace {

constexpr double BEFORE_PLANS = 1'000'000;  // ticks, where a cheapest plan is wanted
constexpr double FOR_PLANS = 1.0 / 16, FOR_PLAN_IF_FLAT = 1.0 / 3, FOR_CHEAPER_IF_FLAT = 0.25;  // of the effort
constexpr double FLAT = 4;  // so many times the effort until the bound rose last
// Where plans are wanted as they come: for the first one, then for cheaper ones, and for those later.
constexpr double AT_FIRST = 0.5, FOR_FIRST_PLAN = 2.0 / 3, FOR_CHEAPER = 0.75;
constexpr double LATER = 4'000'000, MUCH_LATER = 20'000'000;  // ticks
constexpr double LEAST_OF_WINDOW = 10;                        // ticks, for a state of a window
constexpr std::uint64_t LEAST_WINDOW_STATES = 1'000;
constexpr double FOR_WINDOWS = 1.0 / 2;    // of the effort for cheaper plans
constexpr double BEFORE_NEXT_WEIGHT = 8;   // times what preparing takes, and turns, of the search with more weight
constexpr std::size_t ROOM_FOR_PLANS = 4;  // no more than such a part of the memory

}  // namespace

double Scheduler::effort_for_plans() const {
    auto spent = static_cast<double>(windows_.effort);
    for (const auto& part : parts_) spent += for_plans(*part) ? static_cast<double>(part->whole_effort()) : 0;
    return spent;
}

bool Scheduler::plans_are_due() const {
    const auto all = static_cast<double>(effort()), spent = effort_for_plans();
    const bool found = wanted() != NO_BOUND;
    const auto share = [&](double until, double then) { return all < until * options_.scale ? AT_FIRST : then; };
    if (options_.anytime && !found) return spent <= share(LATER, FOR_FIRST_PLAN) * all;
    std::size_t bytes = 0;
    for (const auto& part : parts_) bytes += for_plans(*part) ? part->bytes() : 0;
    if (bytes >= (budget_.used() + budget_.left()) / ROOM_FOR_PLANS) return false;
    if (options_.anytime) return spent - spent_first_ <= share(MUCH_LATER, FOR_CHEAPER) * (all - first_);
    const double before = BEFORE_PLANS * options_.scale;
    if (!options_.plans || all < before) return false;
    const auto nearly_proved = [&](const auto& part) {
        return !for_plans(*part) && !part->ended() && part->looked() &&
               part->need(static_cast<double>(found_cost_)) < all;
    };
    const bool flat = searched() >= std::max(FLAT * rose_at_, before) &&
                      !(found_cost_ != NO_BOUND && std::ranges::any_of(parts_, nearly_proved));
    const double if_flat = found_cost_ != NO_BOUND ? FOR_CHEAPER_IF_FLAT : FOR_PLAN_IF_FLAT;
    return spent < (flat ? if_flat : FOR_PLANS) * all;
}

// Whether the plan that is known is to be improved by windows now, not by the search that is next.
bool Scheduler::windows_are_due(const Part* searching) const {
    if (found_cost_ == NO_BOUND) return false;
    const auto effort = static_cast<double>(windows_.effort);
    if (options_.anytime) return effort <= FOR_WINDOWS * (effort_for_plans() - spent_first_);
    return !searching || effort < searching->effort();
}

// Of the searches for some plan or, if there is one, a cheaper one, that which had least of its share; none if all ended.
Scheduler::Part* Scheduler::next_for_plans() const {
    Part *best = nullptr, *before = nullptr;
    const bool found = options_.anytime ? wanted() != NO_BOUND : found_cost_ != NO_BOUND;
    for (const auto& part : parts_) {
        const Part* const heavier = std::exchange(before, &*part);
        if (!for_plans(*part) || part->ended()) continue;
        if (part->row().improves ? !found : found && !options_.anytime) continue;
        if (!part->looked()) {
            const bool waits = heavier && heavier->row().weight > part->row().weight && part->row().improves &&
                               heavier->row().heuristic == std::string_view(part->row().heuristic) &&
                               heavier->row().improves && !heavier->ended() &&
                               heavier->searched() < BEFORE_NEXT_WEIGHT * std::max(LEAST_TURN, heavier->prepared());
            const double done = options_.anytime ? effort_for_plans() : static_cast<double>(effort());
            if (waits || from(part->row()) * options_.scale > done) continue;
        }
        const auto order = [](const Part& of) { return std::pair(of.need(0), -of.row().share); };
        if (!best || order(*part) < order(*best)) best = &*part;
    }
    return best;
}

// No plan is cheaper than what is known.
Status Scheduler::proved() {
    improved();
    return Status::solved_optimally;
}
// Adopts the cheapest plan as the answer, if it is cheaper than the one that was known before.
Status Scheduler::improved() {
    if (found_cost_ < bound_) {
        plan_ = found_;
        cost_ = found_cost_;
    }
    return Status::solved;
}

// Keeps a plan, if it is the cheapest so far. Whether that proves it: then the part with the bound has the answer.
std::optional<Status> Scheduler::adopt(Steps plan, Cost cost) {
    if (cost >= wanted()) return {};
    const bool first = wanted() == NO_BOUND;
    if (first) {
        first_ = static_cast<double>(effort());
        spent_first_ = effort_for_plans();
    }
    found_ = std::move(plan);
    found_cost_ = cost;
    for (const auto& part : parts_) {
        if (!for_plans(*part) || part->row().improves || part->ended()) continue;
        if (!options_.anytime) {
            part->give_back(Part::ENDED);
        } else if (first) {
            part->count_from_here();
        }
    }
    if (known_ < cost) return {};
    const auto bound =
        std::ranges::find_if(parts_, [&](const auto& part) { return !for_plans(*part) && part->f() == known_; });
    if (bound != parts_.end()) ended_by_ = static_cast<std::size_t>(bound - parts_.begin());
    return proved();
}

// Solves stretches of the plan anew, each time with more states.
std::optional<Status> Scheduler::improve(const ScheduleLimits& limits) {
    const SearchedTask& task = tasks_.front();
    Control control(observer_, seconds_, cancels_);
    window_states_ *= options_.anytime ? 4 : 2;  // what is too little for a long plan changes nothing of it
    if (options_.anytime) {
        const double each = std::max(LEAST_OF_WINDOW, static_cast<double>(windows_.effort) /
                                                          static_cast<double>(windows_.counters.expanded + 1));
        const auto most = static_cast<std::uint64_t>(TURN * static_cast<double>(effort()) / each);
        window_states_ = std::min(window_states_, std::max(most, LEAST_WINDOW_STATES));
    }
    ended_by_ = parts_.size();
    const std::uint64_t states = std::min(window_states_, limits.most_expanded - expanded());
    const Improved better = improve_by_windows(*task.compiled, *task.own(found_), control, budget_, states);
    windows_.counters.expanded += better.expanded;
    windows_.counters.generated += better.generated;
    windows_.effort += better.generated * (8 + task.compiled->words()) / 8;  // windows are small tasks of their own
    const Cost cost = PlanRunner(*task.compiled).cost(better.plan);
    const auto answer = adopt(task.told(better.plan), cost);
    return better.settled ? proved() : answer;
}

}  // namespace unpuzzle
