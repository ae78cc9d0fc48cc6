// One part of the schedule: its turns, and what its history tells of it.
#include "scheduling/part.hpp"

namespace unpuzzle {

namespace {

constexpr std::uint64_t LEAST_BEFORE_SYMMETRIES = 10'000, STATES_PER_OPERATOR = 50, STATES_PER_CONDITIONAL_EFFECT = 8;
constexpr std::uint64_t STATES_PER_LANDMARK_STATE = 20;  // that take as long
constexpr double PLANS_BEFORE_SYMMETRIES = 1'000;        // relaxed ones
constexpr double GROWTH = 8, LEAST_NEED = 1.0 / 32, UNKNOWN_POWER = 8;
constexpr std::uint64_t GLIMPSE = 8;             // such a part of the first look comes before those of others
constexpr std::uint64_t LEAST_COMPARED = 1'000;  // states, before databases are compared with blind search
constexpr double AS_MANY = 0.75;                 // so many of its states: they leave out next to nothing
constexpr double DEAR_LOOK = 600'000;            // ticks, after which a first look is over
// Two searches that differ in pruning alone are compared after so many ticks; one goes that needs so much more.
constexpr double LEAST_FOR_TWINS = 500'000, BETTER_TWIN = 1.25;
constexpr std::size_t FEW_SYMMETRIES = 64;  // in a group: fewer than what stubborn sets may leave out instead

}  // namespace

double Scheduler::Part::need(double target) const {
    if (row_.share > 0) {
        const bool found = all_.wanted() != NO_BOUND;
        return std::max(0.0, effort() - std::max(not_counted_, found ? prepared_ : 0)) / row_.share;
    }
    if (history_.empty()) return std::max(1.0, own() ? 0 : row_.from(*all_.tasks_.back().compiled) / 4);
    if (since().expanded < LEAST_JUDGED) return 1;
    const Mark now = history_.back();
    const double searching = std::max(1.0, now.effort - prepared_);
    double power = UNKNOWN_POWER;
    for (const Mark& mark : history_) {
        const double since = std::max(1.0, mark.effort - prepared_);
        if (mark.f >= now.f || since * GROWTH > searching) break;
        power = std::log(searching / since) / std::log((now.f + 1) / (mark.f + 1));
    }
    const double further = std::log((std::max(target, now.f + 1) + 1) / (now.f + 1));
    const double growth = std::exp(std::min(power * further, 600.0)) - 1;
    return std::max(std::min(searching * growth, ending_), searching * LEAST_NEED);
}

// So many expansions that looking for symmetries costs little beside all that was done. A relaxed plan looks at all
// operators as that does, so there it is a number of states.
std::uint64_t Scheduler::Part::symmetries_after() const {
    if (row_.share > 0) return static_cast<std::uint64_t>(PLANS_BEFORE_SYMMETRIES * all_.options_.scale);
    const auto each = [](const Row& row) -> std::uint64_t {
        return row.heuristic == std::string_view("lmcut") ? STATES_PER_LANDMARK_STATE : 1;
    };
    std::uint64_t spent = 0;
    for (const auto& part : all_.parts_) spent += part->expanded() * each(part->row_);
    const std::uint64_t size = STATES_PER_OPERATOR * compiled().operators.count() +
                               STATES_PER_CONDITIONAL_EFFECT * compiled().features.conditional_effects;
    const auto after =
        static_cast<std::uint64_t>(static_cast<double>(std::max(LEAST_BEFORE_SYMMETRIES, size)) * all_.options_.scale);
    return (after > spent ? after - spent : 0) / each(row_);
}

void Scheduler::Part::begin() {
    if (own()) {
        control_ = std::make_unique<Control>(all_.observer_, all_.seconds_, all_.cancels_);
        search_ = all_.own_.begin(*control_, all_.budget_);
        prepared_ = effort();
        ending_ = HUGE_VAL;
        return;
    }
    task_ = all_.tasks_.size() - 1;
    const SearchedTask& task = all_.tasks_[task_];
    control_ = std::make_unique<Control>(all_.observer_, all_.seconds_, all_.cancels_);
    SearchOptions options;
    options.algorithm = row_.algorithm;
    options.heuristic = row_.heuristic;
    options.weight = row_.weight;
    options.objective = all_.options_.objective;
    options.walks = task.own(all_.options_.walks);
    options.folded = folded_ = row_.walks && (*all_.folds_ || options.objective != OBJECTIVES[0]);
    options.pruning = row_.pruning;
    if (!options.pruning.empty()) {
        const Orbits* symmetries =
            task.orbits->get(task.compiled->task, task.compiled->layout, *control_, all_.budget_).orbits;
        if (symmetries && symmetries->order() > FEW_SYMMETRIES)  // they leave out more
            throw UnsupportedTask("many symmetries", "Stubborn sets of a schedule");
    }
    const bool greedy = options.algorithm.starts_with("gbfs");
    symmetric_ = !folded_ && (row_.share == 0 || greedy) && row_.pruning.empty();
    if (symmetric_) options.symmetries_after = symmetries_after();
    // Landmark cuts aside, with their dear states, symmetries are used only if one keeps the initial state: from anywhere
    // else a search hardly ever comes to states that are symmetric to each other.
    options.symmetric_start = symmetric_ && (options.algorithm == "astar" || greedy) && options.heuristic != "lmcut";
    search_ = resumable_search(*task.compiled, options, *control_, all_.budget_, task.orbits);
    prepared_ = effort();
    ending_ = HUGE_VAL;
}

std::uint64_t Scheduler::Part::states_of_turn() const {
    const double scale = all_.options_.scale;
    if (!looked()) {
        const auto look = static_cast<double>(own() ? all_.own_.look : row_.look(compiled())) * scale;
        const auto states = std::max(static_cast<std::uint64_t>(look), std::uint64_t{1});
        return counters().expanded > 0 || !glimpses() ? states
                                                      : std::max(states / GLIMPSE, std::min(states, LEAST_JUDGED));
    }
    const double each = std::max((effort() - prepared_) / static_cast<double>(since().expanded + 1), 0.1);
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(effort_of_turn() / each), 1);
}
double Scheduler::Part::effort_of_turn() const {
    return std::max(LEAST_TURN * all_.options_.scale, (effort() - prepared_) * TURN);
}

Status Scheduler::Part::go_on(const ScheduleLimits& limits) {
    const std::size_t before = all_.budget_.used() - bytes_;
    if (!search_) {
        begin();
    } else {
        control_->renew(all_.seconds_);
    }
    search_->set_bounds(all_.known_, all_.wanted());
    const std::uint64_t left = limits.most_expanded - std::min(all_.expanded(), limits.most_expanded);
    const bool looks = !looked(), glimpse = looks && glimpses() && counters().expanded == 0;
    const std::uint64_t expanded = counters().expanded, turn = states_of_turn(), whole = std::min(turn, left);
    const double first = own() ? HUGE_VAL
                               : (row_.share > 0 ? LEAST_TURN
                                  : glimpse      ? DEAR_LOOK / GLIMPSE
                                                 : DEAR_LOOK) *
                                     all_.options_.scale;
    const double start = effort(), most = looks ? first : 4 * effort_of_turn();
    const bool judged = looks && !glimpse && row_.share == 0 && !all_.options_.anytime;  // at once; else it comes to it
    const std::uint64_t least = judged ? std::min(LEAST_JUDGED, whole) : 0;
    Status status = Status::gave_up;
    Counters run_begins = counters();
    // It is several runs in one, the first look for what they show of the growth, and others because states may become
    // dearer.
    bool dear = false;
    for (std::uint64_t states = std::max<std::uint64_t>(turn / (looks ? 64 : 4), 1); status == Status::gave_up;
         states *= 4) {
        if (looks) run_begins = counters();
        status = search_->run(expanded + std::min(states, whole));
        look_back(run_begins);
        dear = states >= least && 4 * (effort() - start) > most;  // what comes next is as dear as all of it
        if (states >= whole || dear || !search_->pruning_pays()) break;
    }
    bytes_ = all_.budget_.used() - std::min(before, all_.budget_.used());
    if (!glimpse) state_ = PAUSED;
    if (looks) first_look_ = effort();
    if (status == Status::gave_up) drop_twin();
    // Nothing is left but what costs too much, or what was left out for that.
    if (status == Status::gave_up && row_.share > 0 && whole > 0 && counters().expanded == expanded) give_back(ENDED);
    return status;
}

// Where the search left that f, if it has.
const Scheduler::Part::Mark* Scheduler::Part::left(double f) const {
    const auto mark = std::ranges::find_if(history_, [&](const Mark& it) { return it.f >= f; });
    return mark == history_.end() || &*mark == &history_.back() ? nullptr : &*mark;
}

// Whether databases leave out next to nothing of what blind search expands, each state of which costs less.
bool Scheduler::Part::says_nothing() const {
    if (row_.heuristic != std::string_view("pdb") || row_.share > 0 || history_.empty()) return false;
    const auto blind = std::ranges::find_if(all_.parts_, [](const auto& part) {
        return part->row_.algorithm == std::string_view("astar") && part->row_.heuristic == std::string_view("blind");
    });
    if (blind == all_.parts_.end() || (*blind)->history_.empty()) return false;
    const double f = std::min(history_.back().f, (*blind)->history_.back().f) - 1;
    const Mark *mine = left(f), *other = (*blind)->left(f);
    return mine && other && other->expanded >= LEAST_COMPARED && mine->expanded >= AS_MANY * other->expanded;
}

// With pruning and without it, or with symmetries in its place, the same search is there twice: one is enough, as soon as
// it shows which.
Scheduler::Part* Scheduler::Part::twin() const {
    if (row_.heuristic != std::string_view("lmcut")) return nullptr;
    const auto twin = std::ranges::find_if(all_.parts_, [&](const auto& part) {
        return &*part != this && part->row_.share == 0 && part->looked() && !part->ended() &&
               part->row_.heuristic == std::string_view("lmcut");
    });
    return twin == all_.parts_.end() ? nullptr : &**twin;
}
void Scheduler::Part::drop_twin() {
    Part* const twin = this->twin();
    if (!twin) return;
    if (!row_.pruning.empty() && search_ && !search_->pruning_pays()) return give_back(NO_USE);
    if (history_.empty() || twin->history_.empty()) return;
    const double f = std::min(history_.back().f, twin->history_.back().f) - 1;
    const Mark *mine = left(f), *other = twin->left(f);
    if (!mine || !other) return;
    if (std::min(effort(), twin->effort()) < LEAST_FOR_TWINS * all_.options_.scale) return;
    if (mine->effort > BETTER_TWIN * other->effort) return give_back(NO_USE);
    if (other->effort > BETTER_TWIN * mine->effort) twin->give_back(NO_USE);
}

void Scheduler::Part::look_back(const Counters& before) {
    const double f = static_cast<double>(control_->counters.f);
    if (!own()) {
        const double prepared = effort_of(control_->before_search());
        if (prepared > prepared_) history_.clear();
        prepared_ = std::max(prepared, prepared_);
    }
    if (control_->counters.f < NO_BOUND) best_f_ = std::max(best_f_, control_->counters.f);
    if (row_.share == 0) all_.note_rise(best_f_);
    if (!history_.empty() && f < history_.back().f) history_.clear();  // it began anew, with a better heuristic
    if (history_.empty() || f > history_.back().f) {
        history_.push_back({f, effort(), static_cast<double>(since().expanded)});
    } else {
        history_.back() = {f, effort(), static_cast<double>(since().expanded)};
    }
    const double expanded = static_cast<double>(counters().expanded - before.expanded);
    const double met = static_cast<double>(counters().evaluated - before.evaluated);
    const double open = static_cast<double>(since().evaluated) - static_cast<double>(since().expanded);
    ending_ = HUGE_VAL;
    if (met < expanded && open > 0 && counters().reopened == 0 && row_.algorithm != std::string_view("bidirectional"))
        ending_ = open / (1 - met / expanded) * (effort() - prepared_) / static_cast<double>(since().expanded);
}

PartReport Scheduler::Part::report() const {
    PartReport report = before_;
    report.name = row_.name;
    report.algorithm = row_.algorithm;
    report.heuristic = row_.heuristic;
    report.state = state_;
    report.counters.expanded += counters().expanded;
    report.counters.evaluated += counters().evaluated;
    report.counters.generated += counters().generated;
    report.counters.reopened += counters().reopened;
    report.counters.f = best_f_;
    report.effort = whole_effort();
    report.bytes = bytes_;
    report.folded = folded_;
    report.symmetric = symmetric_;
    return report;
}

}  // namespace unpuzzle
