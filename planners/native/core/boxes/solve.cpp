#include "boxes/solve.hpp"

#include <algorithm>

#include "boxes/feature_search.hpp"
#include "boxes/improve.hpp"

namespace unpuzzle::boxes {

namespace {

// Appends the shortest way of the walker, breadth-first.
void walk(const Board& board, const Occupied& occupied, Cell from, Cell to, Steps& steps) {
    constexpr OperatorId NO_OPERATOR = ~0u;
    if (from == to) return;
    Vector<std::pair<Cell, OperatorId>> before(board.cells(), {NOWHERE, NO_OPERATOR});
    Vector<Cell> queue{from};
    for (std::size_t i = 0; i < queue.size() && before[to].first == NOWHERE; ++i) {
        for (const Walk& step : board.walks[queue[i]]) {
            if (occupied[step.to] || step.to == from || before[step.to].first != NOWHERE) continue;
            before[step.to] = {queue[i], step.op};
            queue.push_back(step.to);
        }
    }
    const std::size_t begin = steps.size();
    for (; to != from; to = before[to].first) {
        if (before[to].first == NOWHERE) throw std::logic_error("the walker has no way");
        steps.push_back(before[to].second);
    }
    std::reverse(steps.begin() + static_cast<std::ptrdiff_t>(begin), steps.end());
}

// Searches with different eyes take turns, since where one gets lost another mostly does not.
constexpr Look LOOKS[] = {
    {.features = {.areas = false, .blocked = false}, .ranked = true, .barring = true},
    {.features = {}},
    {.features = {.areas = false, .blocked = false}, .nearest = true},
    {.features = {}, .first = First::shuffled},
    {.features = {}, .ranked = true, .barring = true},
    {.features = {.reach = true}, .barring = true},
    {.features = {.areas = false, .blocked = false}, .order = Unpack::farthest, .barring = true},
    {.features = {.obstacles = false}, .nearest = true},
    {.features = {.packed = false, .areas = false, .blocked = false, .obstacles = false}, .nearest = true},
};
constexpr std::uint64_t FIRST_TURN = 500, LAST_TURN = 8'000;

// By the costs of walks and of pushes where each kind has one that is small, else by numbers.
Weights weights_of(const Board& board, const CompiledTask& compiled, bool pushes_first) {
    constexpr Weight MOST = 1 << 10, PUSHES_FIRST = Weight{1} << 32, MOVES_FIRST = 1 << 20;
    const auto shared = [&](const auto& steps) {
        const Cost cost = compiled.operators.cost(steps.front().op);
        const bool same = std::all_of(steps.begin(), steps.end(),
                                      [&](const auto& step) { return compiled.operators.cost(step.op) == cost; });
        return same && cost <= MOST ? std::optional<Weight>(cost) : std::nullopt;
    };
    const auto walk = shared(board.walks.values()), push = shared(board.pushes.values());
    const Weights costs = walk && push ? Weights{*walk, *push} : Weights{1, 1};
    if (pushes_first) return {costs.step, costs.push + PUSHES_FIRST};
    return {costs.step * MOVES_FIRST, costs.push * MOVES_FIRST + 1};
}

// Throws BadTask where it is no plan.
Pushed pushes_of(const Board& board, const Steps& plan) {
    Pushed pushes;
    Occupied occupied(board.cells());
    for (const Cell box : board.boxes) occupied[box] = 1;
    Cell walker = board.walker;
    const auto all = board.pushes.values();
    for (const OperatorId op : plan) {
        const auto does = [&](const auto& one) { return one.op == op; };
        const auto walks = board.walks[walker];
        if (const auto walk = std::find_if(walks.begin(), walks.end(), does); walk != walks.end()) {
            if (occupied[walk->to]) throw BadTask("the plan cannot be carried out");
            walker = walk->to;
            continue;
        }
        const auto push = std::find_if(all.begin(), all.end(), does);
        if (push == all.end() || push->from != walker || !occupied[push->box] || occupied[push->to])
            throw BadTask("the plan cannot be carried out");
        occupied[push->box] = 0;
        occupied[push->to] = 1;
        walker = push->box;
        pushes.push_back(*push);
    }
    for (Cell cell = 0; cell < board.cells(); ++cell) {
        if (occupied[cell] && !board.is_goal[cell]) throw BadTask("the plan does not reach the goal");
    }
    return pushes;
}

}  // namespace

Steps with_walks(const Board& board, std::span<const Push> pushes, Control& control) {
    Steps steps;
    Occupied occupied(board.cells());
    for (const Cell box : board.boxes) occupied[box] = 1;
    Cell walker = board.walker;
    for (const Push& push : pushes) {
        control.work(board.cells());
        walk(board, occupied, walker, push.from, steps);
        steps.push_back(push.op);
        occupied[push.box] = 0;
        occupied[push.to] = 1;
        walker = push.box;
    }
    return steps;
}

Solver::Solver(Board board, const CompiledTask& compiled, bool pushes_first, Control& control, Observer& observer)
    : board_(std::move(board)),
      compiled_(compiled),
      pushes_first_(pushes_first),
      control_(control),
      observer_(observer),
      searches_(std::size(LOOKS)),
      turn_(FIRST_TURN) {}
Solver::~Solver() = default;

// Turns grow; after that all but the last search begin anew each time, shuffled, since where luck has not come by then
// it mostly does not come. The last one goes on, and would come to its end.
Status Solver::search(std::uint64_t most_expanded) {
    while (control_.counters.expanded < most_expanded) {
        Look look = LOOKS[next_];
        look.shuffle = shuffle_;
        if (shuffle_ > 0) look.first = First::shuffled;
        auto& search = searches_[next_];
        if (!search || (shuffle_ > 0 && next_ + 1 < std::size(LOOKS)))
            search = std::make_unique<FeatureSearch>(board_, look, control_);
        const Status status = search->run(std::min(turn_, most_expanded - control_.counters.expanded));
        if (status == Status::solved) {
            pushes_ = search->pushes();
            keep(written());
        }
        if (status != Status::gave_up) return status;
        if (++next_ < std::size(LOOKS)) continue;
        next_ = 0;
        if (turn_ == LAST_TURN) ++shuffle_;
        turn_ = std::min(2 * turn_, LAST_TURN);
    }
    return Status::gave_up;
}

void Solver::take(const Steps& plan) {
    Pushed pushes = pushes_of(board_, plan);
    pushes_.swap(pushes);
    if (!keep(plan)) pushes_.swap(pushes);
}

Status Solver::improve(std::uint64_t most_expanded) {
    const Weights weights = weights_of(board_, compiled_, pushes_first_);
    const Status ended = boxes::improve(board_, weights, pushes_, control_, most_expanded);
    if (ended == Status::interrupted) return ended;
    keep(written());
    return ended == Status::cancelled ? ended : Status::solved;
}

// Fewer pushes on their own may have cost more. Tells whether the plan is better than the one before.
bool Solver::keep(Steps plan) {
    Cost cost = 0;
    for (const OperatorId op : plan) cost += compiled_.operators.cost(op);
    const auto value = [&](std::uint64_t pushes, Cost of) { return std::pair(pushes_first_ ? pushes : 0, of); };
    if (plan_ && value(changes_, cost_) <= value(pushes_.size(), cost)) return false;
    plan_ = std::move(plan);
    cost_ = cost;
    changes_ = pushes_.size();
    return true;
}

// What was found is kept, whatever the limits say.
Steps Solver::written() const {
    Control writing(observer_);
    const Unmetered writing_down;
    return with_walks(board_, pushes_, writing);
}

std::optional<Outcome> solve(const CompiledTask& compiled, const Options& options, Observer& observer,
                             const std::atomic<std::uint32_t>* cancels) {
    Budget budget(options.bytes);
    const Metered metered(budget);
    Control control(observer, options.seconds, cancels);
    std::optional<Solver> solver;
    Outcome outcome;
    outcome.status = within_limits([&] {
        std::optional<Board> board = recognise(compiled, control);
        if (!board) return Status::gave_up;
        solver.emplace(std::move(*board), compiled, options.pushes_first, control, observer);
        if (!options.plan) return solver->search(options.most_expanded);
        solver->take(*options.plan);
        return Status::solved;
    });
    if (!solver && outcome.status == Status::gave_up) return {};
    if (outcome.status == Status::solved) {
        if (options.most_improving > 0)
            outcome.status = within_limits([&] { return solver->improve(options.most_improving); });
        outcome.plan = solver->plan();
        outcome.cost = solver->cost();
        outcome.changes = solver->changes();
    }
    outcome.counters = control.counters;
    if (outcome.status == Status::memout) give_back_to_system();
    return outcome;
}

}  // namespace unpuzzle::boxes
