// What the files of the schedule share: the rows of its table, and a part, which is the search of a row with its history.
#pragma once

#include <cmath>

#include "scheduling/scheduler.hpp"

namespace unpuzzle {

constexpr double TURN = 0.25, LEAST_TURN = 20'000;  // of a search's effort so far; ticks
constexpr std::uint64_t LEAST_JUDGED = 20;          // states expanded, before a part is judged
constexpr double BEFORE_DATABASES = 1'000'000;      // ticks
constexpr double FOR_AN_OPERATOR = 100;             // ticks, at least

// Whether nearly all operators change one variable; then databases are small, and sums strong.
bool folds(const TaskFeatures& features);
// In operators that are looked at.
std::uint64_t effort_of_a_cut(const CompiledTask& compiled);
double effort_of_databases(const CompiledTask& compiled);

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

    double need(double target) const;  // the effort until the bound is `target`, as far as is known

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

}  // namespace unpuzzle
