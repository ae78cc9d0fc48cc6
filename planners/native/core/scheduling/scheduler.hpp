// Several searches for a cheapest plan, in turn, each going on where it paused: the effort goes where it promises most.
//
// No search is best everywhere, and which one is shows soon. So each part of the schedule gets a first look, and then
// the one goes on of which the counts say that it will raise the lower bound soonest.
//
//     blind ──a look──► landmarks ──a look──► { blind | landmarks | both ends | databases } ◄─┐
//                                               │ the one that needs least, for a part of its   │
//                                               └────────── effort so far, and again ───────────┘
//
// Effort is counted, never timed, so equal tasks give equal plans and counts on every machine. Its unit is a tick (see
// control.hpp), some 0.1 microseconds: what heuristics, databases and landmarks count as they work, and half of one for
// each word of each state expanded and each successor. (Half of one for the whole state was ten times too little for
// boards of queens, with their twelve words. A tick for each expansion would be wrong: it stands for all operators, of
// which the successor generator looks at few.) Prospects are multiplied with efforts, so a part of which the ticks are twice as
// dear as those of the others has four times too much: landmark cuts had, when only the rules were counted that their first
// round reaches.
//
// What a part needs to raise the bound, its `need`, follows from its own history: two points, the later with eight times
// the effort, give the power of f with which effort grows, and that tells the effort for an f above the best bound of
// all parts. A part whose f stays where it is while its effort grows looks worse and worse. A part that met fewer new
// states than it expanded is about to end; then what is open tells the need. What was done before a search began anew with
// better databases tells nothing of its growth, and twenty states are too few to tell anything.
//
// An eighth of the first looks comes before the looks themselves, as many tasks need no more of one of them. A first look
// that is dear waits while another part needs little. A look is so many states, but fewer where they are dear
// (30,000 states of a task with 22 queens took two seconds, half of the whole). Databases, which are made in one step, wait
// for about as much as that takes: one or two million ticks, a hundred for each operator at least, and more where choosing
// patterns alone may take seconds. Where a variable is folded, they are small, and the operators alone count. Search from
// both ends waits until blind search, by its own history, gets half as far for as much; landmarks with stubborn sets wait
// for two looks of landmarks without.
//
// The next turn has the part of which effort times need is least, so that in the long run effort is inversely
// proportional to need: parts with equal prospects share, and one that is hopeless gets next to nothing. Each has a
// 32nd in any case, because an estimate may be wrong for ever. As turns are parts of the effort so far, all this costs
// a constant factor over the best part. Where a variable is folded, databases nearly always win: the need counts twice,
// and nobody has a share in any case.
//
// What was tried: budgets in a fixed order (a part that was close to the end was left for ever, and one that was
// hopeless could have minutes); equal shares (three times the best part, and all memory); need alone, without effort
// (a part that always promises to end soon is never left); growth that is exponential in f (right where a part is
// hopeless, but blind search on long plans was left, of which the effort grew with the fourth power of f, and had been
// five times faster); prospects for a bound that is an eighth above the best one instead of a 32nd (a small logistics
// task took 38 times its best part, and a walk through three quarters of a grid was not proved in 30 seconds, but in 3).
//
// Databases that leave out next to nothing of what blind search expands wait for it, as their states cost more; better
// ones may come later.
//
// Landmarks with stubborn sets are a part, too, where there are few symmetries, which would leave out more and do not go
// with them. With and without them it is the same search, so one is given up when both had some effort and it shows which
// needs less. Until then the one that had less goes on only when it promises sixteen times as much. (Both for long took
// twice the effort; the decision at the first look lost tasks where symmetries pay later; so did giving up one of two that
// need about the same.)
//
// Some plan soon is what other rows of the table are for: greedy searches. Nothing tells how near they are to a plan, so
// each has its share of the effort. The first has most, as it is most often the best, and no other has so little that
// where it is the best the plan would be long in coming. What they need is mostly luck of the order among equals: of four
// random orders of successors none solved a task with ten sandwiches that another order solves after 900 states. So
// three of them differ only in that order: the nearest, the deepest, or the state with the fewest moves first, which
// finds knight's tours of any size at once. One follows relaxed plans as far as they go (lazy_search.cpp): where goals
// hardly hinder each other, as in logistics, it needs a tenth of the others' states; where they do, as queens do, the same
// search without that is better. All of them take each step for as dear as any other: with costs, a bar with ten shots
// took a hundred times as long, and the plan was dearer. A first look whose states are dear is cut short, and what is dear
// to prepare waits; so does best-first width search, which evaluates all successors of a state, until all parts together
// did about as much. (And where a plan is wanted first, a first look at landmark cuts may be one state: twenty of a task
// with 100,000 operators took seven seconds.)
//
// A search for a cheapest plan has a small part of its effort for them, too, and for searches that make the plan cheaper:
// a plan that costs as much as the bound is a cheapest one, and nothing that is as dear needs to be kept. Where the bound
// has stopped rising, it is more likely that this plan lacks than that the bound is too low: then the part is a third, and
// a quarter for a cheaper plan, unless some search is about to prove that there is none. It has stopped when four times
// the effort went into searching that it took until it rose last; twice is what any layer of blind search may take.
//
// Where each plan is wanted as it comes (`anytime`), searches for plans and for a proof have half of the effort each at
// first, so that a small task is proved nearly as soon as without; later those for plans have two thirds, and three
// quarters once there is a plan. What is dear to begin waits for the effort of its own kind alone. The greedy searches go
// on when there is a plan: each leads to another one, and what costs too much is left out. Beside them, weighted A* begins
// with great weights, and with smaller ones when it had some turns or found a plan (Richter, Thayer and Ruml 2010); half
// of that goes into windows. (A schedule apart from this one, with budgets that grew from round to round, took eight times
// as long as the default for tasks of less than a second.)
//
// Where boxes are pushed on a board (boxes/board.hpp), Sokoban programs' searches find a plan where the others would not
// come to an end, but prove nothing. So they have a first look when blind search would have solved a small level, and
// all that is left later, when a proof is hardly to be hoped for: then their plan is the answer. Where each plan is wanted
// as it comes, they begin, and take turns with the rest. What they do is no part of the effort that others share.
//
// Shared: the greatest lower bound, with which a part stops at a goal that it meets at that cost; a plan found elsewhere,
// with which no part keeps what is as dear; memory, of which the part that helps least gives back all when another wants
// to grow; the tasks without what no plan contains (h2_pruning.hpp), which parts that begin later search, and others that
// begin anew for that, since little of it was done before.
#pragma once

#include <functional>

#include "boxes/solve.hpp"
#include "scheduling/resumable_search.hpp"

namespace unpuzzle {

// How a task is to be searched, by whatever part.
struct ScheduleOptions {
    std::string_view objective = "moves";
    std::optional<Steps> walks = {};      // see `SearchOptions`
    std::vector<std::string> parts = {};  // their names; none: all
    double scale = 1;      // of first looks, and of the efforts before them: small tasks see all parts with less
    bool soon = false;     // some plan is wanted, of any cost
    bool plans = false;    // plans are searched that cost no more than the bound, beside a cheapest one
    bool anytime = false;  // some plan is wanted soon, and each that is cheaper; what is dear to begin waits for that
};

struct ScheduleLimits : Limits {
    std::uint64_t most_expanded = UINT64_MAX;  // by all parts, from the beginning
    std::uint64_t most_effort = UINT64_MAX;    // in ticks, from the beginning
    Cost bound = NO_BOUND;                     // a plan that costs so much is known
};

// What one part did.
struct PartReport {
    const char *name, *algorithm, *heuristic;
    const char* state;  // looks, paused, given_back, memout, ended, unsupported, no_use: its twin is better
    Counters counters = {};
    std::uint64_t effort = 0;
    std::size_t bytes = 0;
    bool folded = false, symmetric = false;
};

// A compiled task that parts search, and which operators it has of another one.
struct SearchedTask {
    const CompiledTask* compiled;
    LazyOrbits* orbits;
    std::function<Steps(Steps)> told;
    std::function<std::optional<Steps>(const std::optional<Steps>&)> own;  // of what may be walks
};

// A search of the same puzzle by other means, of which the plans cost as much, as a part of the schedule. Its plan is told
// as it is.
struct OwnSearch {
    const char *name, *algorithm, *heuristic;
    std::uint64_t look;  // states of its first look
    std::function<std::unique_ptr<ResumableSearch>(Control&, Budget&)> begin;
};

class Scheduler {
  public:
    static constexpr std::size_t NONE = SIZE_MAX;
    static constexpr std::string_view BOXES = "boxes";  // the part that pushes boxes

    // `pruned`: the task without what no plan contains, as far as so much work shows; whether more would show more. No
    // task: nothing is left out.
    struct Pruned {
        std::optional<SearchedTask> task;
        bool complete = true;
    };
    using Prune = std::function<Pruned(std::uint64_t work)>;

    Scheduler(SearchedTask task, ScheduleOptions options, Observer& observer,
              const std::atomic<std::uint32_t>* cancels);
    Scheduler(OwnSearch own, ScheduleOptions options, Observer& observer);
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // The task is searched, too, from now on: it has not been there before. Throws UnsupportedTask.
    void add(SearchedTask task, const std::atomic<std::uint32_t>* cancels);

    // Goes on: `gave_up` where the limits of effort or states end it, and `solved_optimally` without a plan where there is
    // none cheaper than `bound`. After a limit of time or memory it may go on, too.
    Status run(const ScheduleLimits& limits, const Prune& prune);

    const std::optional<Steps>& plan() const { return plan_; }
    Cost cost() const { return cost_; }
    Cost known() const { return known_; }
    std::vector<PartReport> reports() const;
    // Of all parts together. `now`: what the part counts that has its turn.
    Counters counters(const Counters& now) const;
    std::size_t ended_by() const { return ended_by_; }  // which of the parts, or NONE
    // A plan for boxes that is pushed on a board, and what it costs, if a search was to prove it or to make it better.
    std::optional<std::pair<Steps, Cost>> unproved() const;
    bool smaller() const { return smaller_; }  // something was left out
    std::size_t states() const { return states_; }
    std::size_t peak() const { return budget_.peak(); }

  private:
    class Part;
    struct Row;

    static std::span<const Row> table();

    bool prune_in_turn(const Prune& prune);
    double from(const Row& row) const;
    double blind_need(double bound) const;
    double target() const;
    Part* next();
    bool for_plans(const Part& part) const;
    double effort_for_plans() const;
    bool plans_are_due() const;
    bool windows_are_due(const Part* searching) const;
    Part* next_for_plans() const;
    std::optional<Status> adopt(Steps plan, Cost cost);
    std::optional<Status> improve(const ScheduleLimits& limits);
    bool only_boxes() const { return options_.parts.size() == 1 && options_.parts.front() == BOXES; }
    bool by_moves() const { return options_.objective == OBJECTIVES[0]; }
    bool may_push_boxes() const;
    std::uint64_t states_before_boxes() const;
    bool boxes_are_due() const;
    bool find_board();
    std::optional<Status> push_boxes(const ScheduleLimits& limits);
    std::optional<Status> search_board(std::uint64_t most);
    void improve_on_board(std::uint64_t positions);
    Status proved();
    Status improved();
    Cost wanted() const { return std::min(bound_, found_cost_); }  // only cheaper plans are
    std::optional<Status> turn(Part& part, const ScheduleLimits& limits);
    std::optional<Status> after(Part& part, Status status);
    void make_room(const Part& part);
    void run_out(Part& part);
    std::uint64_t effort() const;
    double searched() const;
    void note_rise(Cost f);
    std::uint64_t expanded() const;

    Budget budget_;
    std::vector<SearchedTask> tasks_;  // each with less than the one before; none yet, beside a search of its own
    OwnSearch own_{};
    std::unique_ptr<Row> own_row_;
    ScheduleOptions options_;
    Observer& observer_;
    const std::atomic<std::uint32_t>* cancels_;
    std::vector<std::unique_ptr<Part>> parts_;
    std::uint64_t pruning_effort_ = 0;
    std::size_t pruned_ = 0;  // so often
    bool complete_ = false, smaller_ = false;
    std::optional<bool> folds_;
    std::optional<double> seconds_;
    Control clock_;
    std::optional<Steps> plan_;
    Cost cost_ = 0, known_ = 0, bound_ = NO_BOUND;
    Steps found_{};  // the cheapest plan so far, while a cheapest one is searched
    Cost found_cost_ = NO_BOUND;
    double first_ = 0, spent_first_ = 0;  // the effort, and that for plans, when there was a plan first
    PartReport windows_{.name = "windows", .algorithm = "windows", .heuristic = "blind", .state = "paused"};
    std::uint64_t window_states_ = 1'000;  // of the last windows
    PartReport boxes_{.name = BOXES.data(), .algorithm = BOXES.data(), .heuristic = "blind", .state = "looks"};
    std::unique_ptr<Control> board_control_;
    std::unique_ptr<boxes::Solver> board_;
    unsigned board_turns_ = 0;
    bool board_over_ = false;  // or there is none
    Cost risen_ = 0;           // the bound, also within a turn
    double rose_at_ = 0;       // what was searched when it rose last
    std::size_t ended_by_ = NONE, states_ = 0;
    std::exception_ptr unsupported_;  // why the last part is that does not support the task
};

}  // namespace unpuzzle
