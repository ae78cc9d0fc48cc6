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

// Turns grow; after that all but the last search begin anew each time, shuffled, since where luck has not come by then
// it mostly does not come. The last one goes on, and would come to its end.
Status search(const Board& board, std::uint64_t most_expanded, Control& control, Pushed& pushes) {
    std::vector<std::unique_ptr<FeatureSearch>> searches(std::size(LOOKS));
    std::uint32_t shuffle = 0;
    for (std::uint64_t turn = FIRST_TURN;; turn = std::min(2 * turn, LAST_TURN)) {
        for (std::size_t i = 0; i < std::size(LOOKS); ++i) {
            const std::uint64_t expanded = control.counters.expanded;
            if (expanded >= most_expanded) return Status::gave_up;
            Look look = LOOKS[i];
            look.shuffle = shuffle;
            if (shuffle > 0) look.first = First::shuffled;
            if (!searches[i] || (shuffle > 0 && i + 1 < std::size(LOOKS)))
                searches[i] = std::make_unique<FeatureSearch>(board, look, control);
            const auto& search = searches[i];
            const Status status = search->run(std::min(turn, most_expanded - expanded));
            if (status == Status::solved) pushes = search->pushes();
            if (status != Status::gave_up) return status;
        }
        if (turn == LAST_TURN) ++shuffle;
    }
}

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

// Fewer pushes on their own may have cost more.
void keep_better(Steps plan, std::uint64_t changes, const CompiledTask& compiled, const Options& options,
                 Outcome& outcome) {
    Cost cost = 0;
    for (const OperatorId op : plan) cost += compiled.operators.cost(op);
    const auto value = [&](std::uint64_t pushes, Cost of) { return std::pair(options.pushes_first ? pushes : 0, of); };
    if (outcome.plan && value(outcome.changes, outcome.cost) <= value(changes, cost)) return;
    outcome.plan = std::move(plan);
    outcome.cost = cost;
    outcome.changes = changes;
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

std::optional<Outcome> solve(const CompiledTask& compiled, const Options& options, Observer& observer,
                             const std::atomic<std::uint32_t>* cancels) {
    Budget budget(options.bytes);
    const Metered metered(budget);
    Control control(observer, options.seconds, cancels);
    std::optional<Board> board;
    Outcome outcome;
    Pushed pushes;
    outcome.status = within_limits([&] {
        board = recognise(compiled, control);
        if (!board) return Status::gave_up;
        if (!options.plan) return search(*board, options.most_expanded, control, pushes);
        pushes = pushes_of(*board, *options.plan);
        return Status::solved;
    });
    if (!board && outcome.status == Status::gave_up) return {};
    if (outcome.status == Status::solved) {
        Control writing(observer);  // what was found is kept, whatever the limits say
        const auto written = [&] {
            const Unmetered writing_down;
            return with_walks(*board, pushes, writing);
        };
        outcome.status = within_limits([&] {
            keep_better(options.plan ? *options.plan : written(), pushes.size(), compiled, options, outcome);
            if (options.most_improving == 0) return Status::solved;
            const Weights weights = weights_of(*board, compiled, options.pushes_first);
            const Status ended = improve(*board, weights, pushes, control, options.most_improving);
            if (ended == Status::interrupted) return ended;
            keep_better(written(), pushes.size(), compiled, options, outcome);
            return ended == Status::cancelled ? ended : Status::solved;
        });
    }
    outcome.counters = control.counters;
    if (outcome.status == Status::memout) give_back_to_system();
    return outcome;
}

}  // namespace unpuzzle::boxes
