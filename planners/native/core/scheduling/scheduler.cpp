#include "scheduling/scheduler.hpp"

#include <cmath>

namespace unpuzzle {

namespace {

constexpr std::uint64_t PRUNING_EFFORTS[] = {1u << 20, 1u << 22, 1u << 25};  // words of rows, see h2_pairs.hpp
constexpr std::uint64_t PRUNING_IF_FOLDED = 1u << 21;
constexpr double FOLDED = 0.9;  // a variable is folded that at least this part of the operators changes
constexpr std::uint64_t OPERATORS_PER_CONDITIONAL_EFFECT = 10;
constexpr std::uint64_t LEAST_GLANCE = 20, MOST_GLANCE = 5'000;
constexpr std::uint64_t LEAST_BEFORE_SYMMETRIES = 10'000, STATES_PER_OPERATOR = 50, STATES_PER_CONDITIONAL_EFFECT = 8;
constexpr std::uint64_t STATES_PER_LANDMARK_STATE = 20;  // that take as long
constexpr double PLANS_BEFORE_SYMMETRIES = 1'000;        // relaxed ones
constexpr double GROWTH = 8, LEAST_NEED = 1.0 / 32, SHARE = 1.0 / 32, TURN = 0.25, UNKNOWN_POWER = 8;
constexpr double PATIENCE = 4, STEPS_TO_GO = 8;  // a dear first look waits while all goes well without it
constexpr std::uint64_t LEAST_JUDGED = 20;       // states expanded, before a part is judged
constexpr std::uint64_t GLIMPSE = 8;             // such a part of the first look comes before those of others
constexpr std::uint64_t LEAST_COMPARED = 1'000;  // states, before databases are compared with blind search
constexpr double AS_MANY = 0.75;                 // so many of its states: they leave out next to nothing
constexpr Cost PART_OF_BOUND = 32;               // how far above the best bound the prospects are compared
constexpr double LEAST_TURN = 20'000;            // ticks
constexpr double BEFORE_DATABASES = 1'000'000, MOST_BEFORE_DATABASES = 2'000'000;  // ticks
constexpr double FOR_AN_OPERATOR = 100;                                            // ticks, at least
constexpr double FOR_SUCCESSORS = 24;                                              // ticks for each operator
constexpr double FOR_A_PATTERN = 8;        // ticks for each operator that is looked at for it
constexpr double MOST_PAIRED_GOALS = 256;  // patterns are made of each two goals, if there are no more
constexpr double DEAR_LATER = 4;  // times as much effort as preparing takes is spent on other searches for some plan
constexpr double DEAR_LOOK = 600'000;       // ticks, after which a first look is over
constexpr std::size_t ROOM = 16;            // a part of the memory that is kept free for who goes on
constexpr double BEFORE_PLANS = 1'000'000;  // ticks, where a cheapest plan is wanted
constexpr double FOR_PLANS = 1.0 / 16, FOR_PLAN_IF_FLAT = 1.0 / 3, FOR_CHEAPER_IF_FLAT = 0.25;  // of the effort
constexpr double FLAT = 4;  // so many times the effort until the bound rose last
// Where plans are wanted as they come: for the first one, then for cheaper ones, and for those later.
constexpr double AT_FIRST = 0.5, FOR_FIRST_PLAN = 2.0 / 3, FOR_CHEAPER = 0.75;
constexpr double LATER = 4'000'000, MUCH_LATER = 20'000'000;  // ticks
constexpr double LEAST_OF_WINDOW = 10;                        // ticks, for a state of a window
constexpr std::uint64_t LEAST_WINDOW_STATES = 1'000;
constexpr double FOR_WINDOWS = 1.0 / 2;   // of the effort for cheaper plans
constexpr double BEFORE_NEXT_WEIGHT = 8;  // times what preparing takes, and turns, of the search with more weight
// Two searches that differ in pruning alone are compared after so many ticks; one goes that needs so much more.
constexpr double LEAST_FOR_TWINS = 500'000, BETTER_TWIN = 1.25;
constexpr double BEHIND = 16;               // the one with less effort goes on so much later
constexpr std::size_t FEW_SYMMETRIES = 64;  // in a group: fewer than what stubborn sets may leave out instead
constexpr std::size_t ROOM_FOR_PLANS = 4;   // no more than such a part of the memory
// States of all parts before boxes are pushed for the first time, and for good.
constexpr std::uint64_t BEFORE_BOXES = 400'000, BEFORE_BOXES_IF_FOLDED = 15'000;
constexpr std::uint64_t BEFORE_ONLY_BOXES = 10'000'000, BEFORE_ONLY_BOXES_BY_PUSHES = 2'000'000;
constexpr double BESIDE_BOXES = 1'000'000;  // ticks, for the first turn of the other parts; then twice as much
constexpr std::uint64_t FIRST_POSITIONS = 1'000;
constexpr unsigned MOST_DOUBLED = 20;  // turns of a board
constexpr std::uint64_t POSITIONS_TO_IMPROVE = 20'000, POSITIONS_TO_IMPROVE_FIRST = 50'000;
constexpr std::uint64_t POSITIONS_TO_IMPROVE_LAST[] = {100'000, 200'000, 400'000};

bool folds(const TaskFeatures& features) { return !features.axioms && features.most_changed >= FOLDED; }
std::uint64_t effort_of_a_cut(const CompiledTask& compiled) {
    return std::max<std::uint64_t>(
        compiled.operators.count() + OPERATORS_PER_CONDITIONAL_EFFECT * compiled.features.conditional_effects, 1);
}
std::uint64_t glance(const CompiledTask& compiled, std::uint64_t operators) {
    return std::clamp(operators / effort_of_a_cut(compiled), LEAST_GLANCE, MOST_GLANCE);
}

// About the effort of choosing patterns: operators are looked at for each goal, or for each two.
double looks_for_patterns(const CompiledTask& compiled) {
    const auto goals = static_cast<double>(compiled.task.goal.size());
    return goals <= MOST_PAIRED_GOALS ? 2 * goals + goals * goals / 2 : 2 * goals;
}
double effort_of_databases(const CompiledTask& compiled) {
    return looks_for_patterns(compiled) * static_cast<double>(compiled.operators.count());
}
double before_databases(const CompiledTask& compiled) {
    const double least = FOR_AN_OPERATOR * static_cast<double>(compiled.operators.count());
    if (folds(compiled.features)) return least;
    const double each = static_cast<double>(effort_of_a_cut(compiled));
    return std::max(least, std::clamp(FOR_A_PATTERN * looks_for_patterns(compiled) * each, BEFORE_DATABASES,
                                      MOST_BEFORE_DATABASES));
}

std::uint64_t a_few(const CompiledTask&) { return 50; }
double at_once(const CompiledTask&) { return 0; }
double if_folded(const CompiledTask& task) { return folds(task.features) ? BEFORE_DATABASES : HUGE_VAL; }
// About the effort of one expansion that evaluates all successors.
double for_successors(const CompiledTask& task) { return FOR_SUCCESSORS * static_cast<double>(task.operators.count()); }

}  // namespace

// A line of the table: a search, what it does not support, and its first look, in states; `from`: the effort of all parts
// together before that.
struct Scheduler::Row {
    const char *name, *algorithm, *heuristic;
    Feature unsupported;
    bool walks;  // whether it can fold walks away
    std::uint64_t (*look)(const CompiledTask&);
    double (*from)(const CompiledTask&);
    double share = 0;         // of the effort for some plan soon; 0: searches for a cheapest plan
    std::int64_t weight = 1;  // of the heuristic
    bool improves = false;    // it begins when there is a plan
    std::string_view pruning = {};
};

const Scheduler::Row Scheduler::TABLE[] = {
    {"blind", "astar", "blind", Feature::none, true,
     [](const CompiledTask& task) -> std::uint64_t {
         return task.features.axioms ? 300'000 : folds(task.features) ? 10'000 : 30'000;
     },
     [](const CompiledTask&) { return 0.0; }},
    {"lmcut", "astar", "lmcut", Feature::none, true,
     [](const CompiledTask& task) { return glance(task, folds(task.features) ? 60'000 : 600'000); },
     [](const CompiledTask&) { return 0.0; }},
    {"bidirectional", "bidirectional", "blind", Feature::different_costs | Feature::axioms, false,
     [](const CompiledTask&) -> std::uint64_t { return 10'000; },
     [](const CompiledTask& task) { return folds(task.features) ? HUGE_VAL : 200'000.0; }},
    {"lmcut+stubborn", "astar", "lmcut", Feature::none, false,
     [](const CompiledTask& task) { return glance(task, 600'000); },
     [](const CompiledTask& task) { return folds(task.features) ? HUGE_VAL : 200'000.0; }, 0, 1, false, "stubborn"},
    {"pdb", "astar", "pdb", Feature::axioms, true, [](const CompiledTask&) -> std::uint64_t { return 10'000; },
     before_databases},
    {"gbfs", "gbfs", "ff,landmarks", Feature::none, false, a_few, at_once, 5},
    {"gbfs, leaping", "gbfs, leaping", "ff", Feature::none, false, a_few, at_once, 4},
    {"bfws", "bfws", "ff,goalcount", Feature::none, false, a_few, for_successors, 4},
    {"gbfs(ff)", "gbfs", "ff", Feature::none, false, a_few, at_once, 2},
    {"gbfs, deepest first", "gbfs, deepest first", "ff,landmarks", Feature::none, false, a_few, at_once, 3},
    {"gbfs, fewest moves first", "gbfs, fewest moves first", "ff,landmarks", Feature::none, false, a_few, at_once, 1},
    {"gbfs(hadd,landmarks)", "gbfs", "hadd,landmarks", Feature::none, false, a_few, at_once, 0.5},
    {"gbfs(landmarks)", "gbfs", "landmarks", Feature::none, false, a_few, at_once, 2},
    {"wastar=5(pdb)", "astar", "pdb", Feature::axioms, false, a_few,
     [](const CompiledTask& task) { return folds(task.features) ? BEFORE_DATABASES : 16 * BEFORE_DATABASES; }, 1, 5},
    {"wastar=3(pdb)", "astar", "pdb", Feature::axioms, false, a_few, if_folded, 12, 3, true},
    {"wastar=2(pdb)", "astar", "pdb", Feature::axioms, false, a_few, if_folded, 6, 2, true},
    {"gbfs(landmarks), cheaper", "gbfs", "landmarks", Feature::none, false, a_few, at_once, 24, 1, true},
    {"lazywastar=5", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 24, 5, true},
    {"lazywastar=3", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 12, 3, true},
    {"lazywastar=2", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 6, 2, true},
    {"lazywastar", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 3, 1, true},
    {"lazywastar=5(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 8, 5, true},
    {"lazywastar=3(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 4, 3, true},
    {"lazywastar=2(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 2, 2, true},
    {"lazywastar(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 1, 1, true},
};

class Scheduler::Part {
  public:
    Part(const Row& row, Scheduler& all) : row_(row), all_(all) {}

    const Row& row() const { return row_; }
    bool ended() const { return state_ != LOOKS && state_ != PAUSED && state_ != GIVEN_BACK; }
    bool looked() const { return state_ != LOOKS; }
    bool glimpsed() const { return control_ != nullptr; }
    bool unsupported() const { return state_ == UNSUPPORTED; }
    bool given_back() const { return state_ == GIVEN_BACK; }
    std::size_t bytes() const { return bytes_; }
    double prepared() const { return prepared_; }
    double searched() const { return searched_ + effort() - prepared_; }
    double first_look() const { return first_look_; }
    bool own() const { return &row_ == all_.own_row_.get(); }
    bool stale() const {
        const bool goes_on = all_.options_.anytime && row_.share > 0;  // a plan is wanted first
        return control_ && !own() && !goes_on && task_ + 1 < all_.tasks_.size();
    }

    // The effort of the search as it stands, and of all that was begun.
    double effort() const { return control_ ? effort_of(control_->done()) : 0; }
    std::uint64_t whole_effort() const { return before_.effort + static_cast<std::uint64_t>(effort()); }
    std::uint64_t expanded() const { return before_.counters.expanded + counters().expanded; }
    Cost f() const { return best_f_; }
    Part* twin() const;  // the same search with another pruning, or null
    bool says_nothing() const;

    // The effort until the bound is `target`, as far as is known.
    double need(double target) const {
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

    Status go_on(const ScheduleLimits& limits);
    void give_back(const char* state) {
        keep_counts();
        search_.reset();
        control_.reset();
        history_.clear();
        prepared_ = not_counted_ = 0;
        bytes_ = 0;
        state_ = state;
    }
    void keep_plan(std::optional<Steps>& plan, Cost& cost) {
        plan = search_->plan();
        cost = 0;
        if (own()) {
            cost = plan->size();
            return;
        }
        for (const OperatorId op : *plan) cost += compiled().operators.cost(op);
        plan = all_.tasks_[task_].told(std::move(*plan));
    }
    std::size_t states() { return search_ ? search_->states() : 0; }
    const CompiledTask& compiled() const { return *all_.tasks_[task_].compiled; }
    PartReport report() const;
    void finish(const char* state) { state_ = state; }
    void count_from_here() { not_counted_ = effort(); }

    static constexpr const char *LOOKS = "looks", *PAUSED = "paused", *GIVEN_BACK = "given_back", *MEMOUT = "memout",
                                *ENDED = "ended", *UNSUPPORTED = "unsupported", *NO_USE = "no_use";

  private:
    struct Mark {
        double f, effort, expanded;
    };

    Counters counters() const { return control_ ? control_->counters : Counters{}; }
    double effort_of(const Control::Done& done) const {
        const double expanding =
            own() ? 0 : static_cast<double>(done.counters.expanded * (1 + compiled().work() / Control::PIECES));
        const std::uint64_t made = done.counters.generated + done.counters.expanded;
        return std::max(0.0, static_cast<double>(done.spent) - expanding) +
               static_cast<double>(made * (own() ? 1 : compiled().words())) / 2;
    }
    // By the search as it began last.
    Counters since() const {
        Counters now = counters();
        const Counters& before = control_->before_search().counters;
        now.expanded -= before.expanded;
        now.evaluated -= before.evaluated;
        return now;
    }
    void keep_counts() {
        searched_ = searched();
        before_.effort += static_cast<std::uint64_t>(effort());
        before_.counters.expanded += counters().expanded;
        before_.counters.evaluated += counters().evaluated;
        before_.counters.generated += counters().generated;
        before_.counters.reopened += counters().reopened;
    }
    void begin();
    std::uint64_t symmetries_after() const;
    bool glimpses() const { return row_.share == 0 && !own() && row_.from(compiled()) == 0; }
    std::uint64_t states_of_turn() const;
    double effort_of_turn() const;
    void drop_twin();
    const Mark* left(double f) const;
    void look_back(const Counters& before);

    const Row& row_;
    Scheduler& all_;
    const char* state_ = LOOKS;
    std::size_t task_ = 0;
    std::unique_ptr<Control> control_;
    std::unique_ptr<ResumableSearch> search_;
    std::vector<Mark> history_;  // where f rose
    double prepared_ = 0;        // the effort before the first state
    double searched_ = 0;        // of what was given up, without that
    double first_look_ = 0;      // its effort
    double not_counted_ = 0;     // the effort before there was a plan, in its share
    double ending_ = HUGE_VAL;   // the effort until no state is left, if that shows
    Cost best_f_ = 0;
    std::size_t bytes_ = 0;
    PartReport before_{};  // counts of what was given up
    bool folded_ = false, symmetric_ = false;
};

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

Scheduler::Scheduler(SearchedTask task, ScheduleOptions options, Observer& observer,
                     const std::atomic<std::uint32_t>* cancels)
    : tasks_{std::move(task)},
      options_(std::move(options)),
      observer_(observer),
      cancels_(cancels),
      clock_(observer, {}, cancels) {
    add(std::move(tasks_.front()), cancels);
}

Scheduler::Scheduler(OwnSearch own, ScheduleOptions options, Observer& observer)
    : own_(std::move(own)),
      own_row_(new Row{own_.name, own_.algorithm, own_.heuristic, Feature::none, false, nullptr, nullptr}),
      options_(std::move(options)),
      observer_(observer),
      cancels_(nullptr),
      clock_(observer) {
    parts_.push_back(std::make_unique<Part>(*own_row_, *this));
}

void Scheduler::add(SearchedTask task, const std::atomic<std::uint32_t>* cancels) {
    cancels_ = cancels;
    tasks_.assign(1, std::move(task));
    const bool only_folded = options_.objective != OBJECTIVES[0];
    std::vector<std::unique_ptr<Part>> parts;
    for (const Row& row : TABLE) {
        const auto& names = options_.parts;
        const bool plans = row.share > 0;
        // Databases are searched for a proof in any case, and dear to make twice.
        const bool beside =
            !only_folded && (options_.anytime || (options_.plans && row.heuristic != std::string_view("pdb")));
        if (plans ? !(options_.soon ? !row.improves : beside) : options_.soon) continue;
        if (!names.empty() && std::ranges::find(names, row.name) == names.end()) continue;
        if (!tasks_.front().compiled->features.has(row.unsupported) && (row.walks || !only_folded))
            parts.push_back(std::make_unique<Part>(row, *this));
    }
    if (!only_boxes() && std::ranges::all_of(parts, [&](const auto& part) { return for_plans(*part); }))
        throw UnsupportedTask("such tasks", "These parts of the schedule");
    std::ranges::move(parts_, std::back_inserter(parts));
    parts_ = std::move(parts);
}

Scheduler::~Scheduler() {
    const Metered metered(budget_);
    board_.reset();
    parts_.clear();
}

std::uint64_t Scheduler::effort() const {
    std::uint64_t sum = pruning_effort_ + windows_.effort;
    for (const auto& part : parts_) sum += part->whole_effort();
    return sum;
}
std::uint64_t Scheduler::expanded() const {
    std::uint64_t sum = windows_.counters.expanded + boxes_.counters.expanded;
    for (const auto& part : parts_) sum += part->expanded();
    return sum;
}

// Looks for what no plan contains, when all parts together have done about as much as that takes. Tells whether it did.
bool Scheduler::prune_in_turn(const Prune& prune) {
    if (tasks_.empty()) return false;
    const bool folded = folds(tasks_.front().compiled->features);
    if (options_.soon || complete_ || pruned_ == (folded ? 1 : std::size(PRUNING_EFFORTS)) ||
        tasks_.front().compiled->features.axioms)
        return false;
    const double due = static_cast<double>(PRUNING_EFFORTS[pruned_] / Control::PIECES) * options_.scale;
    const Part& before = *parts_[std::min<std::size_t>(folded ? 1 : 0, parts_.size() - 1)];
    if (!(before.looked() || before.ended()) || (!folded && static_cast<double>(effort()) < due)) return false;
    const std::uint64_t work = folded ? PRUNING_IF_FOLDED : PRUNING_EFFORTS[pruned_];
    ++pruned_;
    Pruned found = prune(work);
    complete_ = found.complete;
    if (found.task) {
        tasks_.push_back(std::move(*found.task));
        smaller_ = true;
        folds_.reset();
    }
    return true;
}

// The effort of all parts before this one. What is dear to prepare, in one step that may take seconds, waits where
// something else is wanted first, until that has had as much; so do landmarks that were prepared once and gave no plan.
double Scheduler::from(const Row& row) const {
    if (&row == own_row_.get()) return 0;
    const double effort = row.from(*tasks_.back().compiled);
    const std::string_view heuristic = row.heuristic;
    if (heuristic == "lmcut" && options_.anytime)  // the first state alone may take a second
        return std::max(effort, FOR_AN_OPERATOR * static_cast<double>(effort_of_a_cut(*tasks_.back().compiled)));
    if (heuristic == "pdb") {
        const CompiledTask& compiled = *tasks_.back().compiled;
        const bool folded = folds(compiled.features);
        const double preparing = effort_of_databases(compiled);
        const bool plans = row.share > 0;
        if (!options_.anytime && !plans) return folded ? effort : std::max(effort, preparing / DEAR_LATER);
        return std::max({effort, folded ? 0 : BEFORE_DATABASES, plans && !folded ? DEAR_LATER * preparing : preparing});
    }
    if (row.algorithm == std::string_view("bidirectional")) return std::max(effort, 2 * blind_need(target() / 2));
    if (!row.pruning.empty()) {  // about as dear as the same search without pruning
        double look = 0;
        for (const auto& part : parts_) {
            if (part->row().share == 0 && part->row().heuristic == heuristic) look = std::max(look, part->first_look());
        }
        return std::max(effort, 2 * look);
    }
    if (row.share == 0 || !heuristic.ends_with("landmarks")) return effort;
    double prepared = 0;
    for (const auto& part : parts_) prepared = std::max(prepared, part->row().share > 0 ? part->prepared() : 0);
    return std::max(effort, prepared * DEAR_LATER);
}

// The effort of blind search until its bound is as high, as far as is known: search from both ends needs about two such
// efforts, each for half of the bound.
double Scheduler::blind_need(double bound) const {
    double need = 0;
    for (const auto& part : parts_) {
        const bool blind =
            part->row().algorithm == std::string_view("astar") && part->row().heuristic == std::string_view("blind");
        if (blind && part->looked() && !part->ended() && static_cast<double>(part->f()) < bound)
            need = std::max(need, part->need(bound));
    }
    return need;
}

// The bound for which the prospects of parts are compared.
double Scheduler::target() const { return static_cast<double>(known_ + std::max<Cost>(1, known_ / PART_OF_BOUND)); }

// Whether a part has a plan, not a proof, where a cheapest one is searched.
bool Scheduler::for_plans(const Part& part) const { return !options_.soon && part.row().share > 0; }

// The effort without what is prepared, which raises no bound.
double Scheduler::searched() const {
    double sum = 0;
    for (const auto& part : parts_) sum += part->searched();
    return sum;
}
void Scheduler::note_rise(Cost f) {
    if (f <= risen_) return;
    risen_ = f;
    rose_at_ = searched();
}

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

// The part for the next turn; none if all have ended.
Scheduler::Part* Scheduler::next() {
    const double target = this->target();
    const double all = static_cast<double>(effort()) - (options_.anytime ? effort_for_plans() : 0);
    const bool folded =
        !tasks_.empty() && folds(tasks_.back().compiled->features);  // there, databases nearly always win
    const double share = folded ? 0 : SHARE * all;
    Part *best = nullptr, *later = nullptr, *anew = nullptr;
    double least = HUGE_VAL, soonest = HUGE_VAL;
    for (const auto& part : parts_) {
        if (for_plans(*part)) continue;
        if (part->ended() || part->given_back()) {
            if (!part->ended() && !anew) anew = &*part;
        } else if (!part->looked()) {
            const double begin = from(part->row());
            if (!later || begin < soonest || (begin == soonest && later->glimpsed() && !part->glimpsed()))
                later = &*part;
            soonest = std::min(begin, soonest);
        } else {
            const double effort = std::max(part->effort(), 1.0), need = part->need(target);
            const Part* const twin = part->twin();
            const bool waits = (twin && twin->effort() > part->effort()) || part->says_nothing();
            const double behind = waits ? BEHIND : 1;
            const double score = options_.soon             ? need
                                 : effort < share / behind ? 0
                                                           : behind * effort * (folded ? need * need : need);
            if (score < least) best = &*part;
            least = std::min(score, least);
        }
    }
    if (!later || (soonest == HUGE_VAL && (best || anew))) return best ? best : anew;
    const double begin = soonest * options_.scale;
    const bool urgent = !best || all >= PATIENCE * begin || best->need(target) * STEPS_TO_GO >= begin;
    return all >= begin && urgent ? later : best ? best : later;
}

// Before a part goes on: if it might not find the memory, the part that helps least gives its own back.
void Scheduler::make_room(const Part& part) {
    while (budget_.left() < std::max(part.bytes(), (budget_.used() + budget_.left()) / ROOM)) {
        const auto target = static_cast<double>(known_ + 1);
        const bool plans_first = options_.anytime && wanted() == NO_BOUND;
        const auto helps = [&](const Part& other) {
            return !for_plans(other) ? -other.need(target) : plans_first ? HUGE_VAL : -HUGE_VAL;
        };
        Part* least = nullptr;
        for (const auto& other : parts_) {
            if (&*other == &part || other->bytes() == 0 || other->ended()) continue;
            if (!least || helps(*other) < helps(*least)) least = &*other;
        }
        if (!least || (for_plans(part) && !for_plans(*least) && !plans_first)) return;
        least->give_back(for_plans(*least) ? Part::MEMOUT : Part::GIVEN_BACK);
    }
}

std::optional<Status> Scheduler::turn(Part& part, const ScheduleLimits& limits) {
    if (part.stale()) part.give_back(part.looked() ? Part::PAUSED : Part::LOOKS);
    make_room(part);
    const auto place = [&](const Part& of) {
        return static_cast<std::size_t>(std::ranges::find(parts_, &of, &std::unique_ptr<Part>::get) - parts_.begin());
    };
    ended_by_ = place(part);
    try {
        return after(part, part.go_on(limits));
    } catch (const UnsupportedTask&) {
        part.give_back(Part::UNSUPPORTED);
        unsupported_ = std::current_exception();
    } catch (const Stop& stop) {
        if (stop.status != Status::memout) {
            part.give_back(Part::PAUSED);  // in the middle of a step, from which no search can go on
            throw;
        }
        run_out(part);
    } catch (const std::bad_alloc&) {
        run_out(part);
    }
    ended_by_ = NONE;
    return {};
}

// A part that ran out of memory is over, unless others have some: then it may begin anew when they are over.
void Scheduler::run_out(Part& part) {
    part.give_back(Part::MEMOUT);
    const bool alone = std::ranges::none_of(parts_, [](const auto& other) { return other->bytes() > 0; });
    if (!alone && !for_plans(part)) part.finish(Part::GIVEN_BACK);
}

// What is known after a turn: an answer, or nothing yet.
std::optional<Status> Scheduler::after(Part& part, Status status) {
    states_ = std::max(states_, part.states());
    if (for_plans(part) && status == Status::solved) {
        std::optional<Steps> plan;
        Cost cost = 0;
        part.keep_plan(plan, cost);
        part.give_back(part.row().improves && part.row().weight == 1 ? Part::PAUSED : Part::ENDED);  // or once more
        return adopt(std::move(*plan), cost);
    }
    if (!options_.soon && !for_plans(part)) known_ = std::max(known_, part.f());
    if (status == Status::solved_optimally || status == Status::solved) {
        part.keep_plan(plan_, cost_);
        part.finish(Part::ENDED);
        return options_.soon ? status : Status::solved_optimally;
    }
    if (status == Status::unsolvable) {
        part.finish(Part::ENDED);
        return wanted() == NO_BOUND ? Status::unsolvable : proved();
    }
    if (known_ < wanted() || wanted() == NO_BOUND) return {};
    return proved();
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

bool Scheduler::may_push_boxes() const {
    const auto& names = options_.parts;
    const bool named = names.empty() || std::ranges::find(names, BOXES) != names.end();
    return named && !board_over_ && !tasks_.empty() && !options_.soon;
}

// The states of all parts after which boxes are pushed.
std::uint64_t Scheduler::states_before_boxes() const {
    if (!may_push_boxes() || options_.anytime) return UINT64_MAX;
    if (only_boxes()) return 0;
    const bool late = by_moves() && !folds(tasks_.front().compiled->features);
    const std::uint64_t first = late ? BEFORE_BOXES : BEFORE_BOXES_IF_FOLDED;
    const std::uint64_t last = by_moves() ? BEFORE_ONLY_BOXES : BEFORE_ONLY_BOXES_BY_PUSHES;
    return static_cast<std::uint64_t>(static_cast<double>(board_turns_ > 0 ? last : first) * options_.scale);
}

bool Scheduler::boxes_are_due() const {
    if (!options_.anytime) return expanded() >= states_before_boxes();
    return may_push_boxes() &&
           static_cast<double>(effort()) >= BESIDE_BOXES * options_.scale * (std::exp2(board_turns_) - 1);
}

// Whether the task is a board. Without the memory to tell, it is none.
bool Scheduler::find_board() {
    const CompiledTask& compiled = *tasks_.front().compiled;
    board_control_ = std::make_unique<Control>(observer_, seconds_, cancels_);
    within_memory([&] {
        if (auto board = boxes::recognise(compiled, *board_control_))
            board_ = std::make_unique<boxes::Solver>(
                std::move(*board), compiled, options_.objective.starts_with("pushes"), *board_control_, observer_);
    });
    return board_ != nullptr;
}

// A turn of the searches of a board. The first is short, and the last, if there is one, goes on to the end.
std::optional<Status> Scheduler::push_boxes(const ScheduleLimits& limits) {
    if (!board_ && !find_board()) {
        board_over_ = true;
        if (only_boxes()) throw UnsupportedTask("tasks that are no boards of boxes", "Pushes");
        return {};
    }
    board_control_->renew(seconds_);
    boxes_.state = Part::PAUSED;
    ended_by_ = reports().size() - 1;
    const unsigned turns = std::min(board_turns_, MOST_DOUBLED);
    const bool last = !options_.anytime && (only_boxes() || board_turns_ > 0), known = found_cost_ != NO_BOUND;
    if (!board_->plan() && !(options_.anytime && known)) {
        const std::uint64_t left = limits.most_expanded - std::min(expanded(), limits.most_expanded);
        const auto answer = search_board(std::min(last ? UINT64_MAX : FIRST_POSITIONS << turns, left));
        if (answer || !board_ || !board_->plan()) {
            ++board_turns_;
            return answer;
        }
        if (options_.anytime && found_cost_ < NO_BOUND) return improved();
    } else if (options_.anytime) {
        board_->take(*tasks_.front().own(found_));
    }
    ++board_turns_;
    if (!last || only_boxes())
        improve_on_board(options_.anytime ? POSITIONS_TO_IMPROVE << turns : POSITIONS_TO_IMPROVE_FIRST);
    if (last) {
        for (const std::uint64_t positions : POSITIONS_TO_IMPROVE_LAST) improve_on_board(positions);
        std::tie(plan_, cost_) = *unproved();
        return Status::solved;
    }
    const Cost before = found_cost_;
    const auto answer = by_moves() ? adopt(tasks_.front().told(*board_->plan()), board_->cost()) : std::nullopt;
    return answer || !options_.anytime || found_cost_ == before ? answer : improved();
}

// Searches so many positions more; what is known then, but a plan.
std::optional<Status> Scheduler::search_board(std::uint64_t most) {
    const std::uint64_t done = board_control_->counters.expanded;
    Status status = Status::memout;
    within_memory([&] { status = board_->search(done + std::min(most, UINT64_MAX - done)); });
    const Counters& now = board_control_->counters;
    std::tie(boxes_.counters.expanded, boxes_.counters.evaluated, boxes_.counters.generated) =
        std::tie(now.expanded, now.evaluated, now.generated);
    if (status == Status::memout) {
        board_.reset();
        board_over_ = true;
        boxes_.state = Part::MEMOUT;
        if (only_boxes()) return status;
    } else if (status == Status::unsolvable) {
        boxes_.state = Part::ENDED;
        return wanted() == NO_BOUND ? status : proved();
    } else if (status == Status::solved && by_moves()) {
        return adopt(tasks_.front().told(*board_->plan()), board_->cost());
    }
    if (status != Status::solved) ended_by_ = NONE;
    return {};
}

void Scheduler::improve_on_board(std::uint64_t positions) {
    const Status ended = board_->improve(positions);
    if (ended != Status::solved) throw Stop{ended};
}

std::optional<std::pair<Steps, Cost>> Scheduler::unproved() const {
    if (options_.anytime || !board_ || !board_->plan()) return {};
    if (by_moves() && found_cost_ < board_->cost()) return std::pair(found_, found_cost_);
    return std::pair(tasks_.front().told(*board_->plan()), board_->cost());
}

Status Scheduler::run(const ScheduleLimits& limits, const Prune& prune) {
    const Metered metered(budget_);
    budget_.renew(limits.bytes);
    bound_ = limits.bound;
    clock_.renew(limits.seconds);
    return within_limits([&]() -> Status {
        while (true) {
            clock_.begin_phase();
            clock_.tick();
            if (expanded() >= limits.most_expanded && expanded() > 0) return Status::gave_up;
            if (effort() >= limits.most_effort) return Status::gave_up;
            const auto left = [&] {
                seconds_ = limits.seconds ? std::optional(*limits.seconds - clock_.seconds()) : std::nullopt;
            };
            left();
            if (!tasks_.empty() && !tasks_.back().compiled->task.goal_possible) {
                ended_by_ = NONE;
                return wanted() == NO_BOUND ? Status::unsolvable : proved();
            }
            if (boxes_are_due()) {
                if (const auto answer = push_boxes(limits)) return *answer;
                continue;
            }
            ScheduleLimits until = limits;
            until.most_expanded = std::min(limits.most_expanded, states_before_boxes());
            if (plans_are_due()) {
                const Cost before = found_cost_;
                Part* const searching = next_for_plans();
                const bool windows = windows_are_due(searching);
                if (windows || searching) {
                    const auto answer = windows ? improve(limits) : turn(*searching, until);
                    if (answer) return *answer;
                    if (options_.anytime && found_cost_ < before) return improved();
                    continue;
                }
            }
            if (prune_in_turn(prune)) continue;
            if (!folds_ && !tasks_.empty()) {
                const CompiledTask& compiled = *tasks_.back().compiled;
                folds_ = false;  // without the memory to tell, it goes on as without a walker
                if (compiled.features.least_cost == 0 && options_.objective == OBJECTIVES[0])
                    within_memory(
                        [&] { folds_ = find_walker(compiled.task, compiled.features, {}, clock_).has_value(); });
            }
            Part* part = next();
            if (!part && options_.anytime) part = next_for_plans();
            if (!part && may_push_boxes()) {  // nothing else is left
                if (const auto answer = push_boxes(limits)) return *answer;
                continue;
            }
            if (!part) {
                const bool all =
                    std::ranges::all_of(parts_, [&](const auto& it) { return it->unsupported() || for_plans(*it); });
                if (all && unsupported_) std::rethrow_exception(unsupported_);
                return Status::memout;
            }
            if (const auto answer = turn(*part, until)) return *answer;
            if (expanded() >= limits.most_expanded) return Status::gave_up;
        }
    });
}

Counters Scheduler::counters(const Counters& now) const {
    Counters sum{.f = now.f};
    for (const PartReport& report : reports()) {
        sum.expanded += report.counters.expanded;
        sum.evaluated += report.counters.evaluated;
        sum.generated += report.counters.generated;
        sum.reopened += report.counters.reopened;
    }
    return sum;
}

std::vector<PartReport> Scheduler::reports() const {
    std::vector<PartReport> all;
    for (const auto& part : parts_) all.push_back(part->report());
    if (windows_.effort > 0) all.push_back(windows_);
    if (boxes_.state != Part::LOOKS) all.push_back(boxes_);
    return all;
}

}  // namespace unpuzzle
