#include "search/state_space.hpp"

#include <algorithm>
#include <functional>
#include <new>

#include "search/search.hpp"
#include "state/expander.hpp"
#include "state/goal.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

StateSpace::StateSpace(const CompiledTask& compiled, std::vector<std::uint32_t> actions, const Request& request,
                       Control& control)
    : compiled_(compiled),
      width_(compiled.words()),
      actions_(std::move(actions)),
      request_(request),
      budget_(request.bytes),
      words(budget_),
      depth(budget_),
      offsets(budget_),
      targets(budget_),
      operators(budget_),
      goals(budget_),
      distance(budget_),
      goal_distance(budget_),
      plans(budget_),
      back_offsets_(budget_),
      sources_(budget_),
      edges_(budget_) {
    try {
        by_width(width_, [&]<int W>() { explore<W>(control); });
        distances(control);
        reverse(control);
        goal_distances(control);
        count_plans(control);
    } catch (const std::bad_alloc&) {
        throw Stop{Status::memout};
    } catch (const std::length_error&) {
        throw Stop{Status::memout};
    }
    back_offsets_.clear();
    sources_.clear();
    edges_.clear();
}

template <int W>
void StateSpace::explore(Control& control) {
    WordRows<W> pool(budget_, width_);
    Table<WordRows<W>> table(budget_, control, pool);
    Expander<W> expander(compiled_);
    GoalTest goal(compiled_);
    std::vector<Word> child(width_);
    std::vector<OperatorId> applicable;
    const auto number_of = [&](const Word* state, std::uint32_t steps) {
        const std::uint64_t code = hash<W>(state, width_);
        const auto probe = table.find(state, code);
        if (probe.found != NO_STATE) return probe.found;
        if (pool.size() >= request_.states) throw Stop{Status::gave_up};
        const auto id = static_cast<StateId>(pool.size());
        copy<W>(pool.append(), state, width_);
        table.put(probe.slot, id, code);
        for (std::size_t i = 0; i < width_; ++i) words.push_back(state[i]);
        depth.push_back(steps);
        return id;
    };
    number_of(compiled_.initial.data(), 0);
    offsets.push_back(0);
    for (StateId next = 0; next < pool.size(); ++next) {
        control.tick();
        ++control.counters.expanded;
        expander.load(pool[next]);
        goals.push_back(request_.goal_possible && goal.holds_extended(expander.state()));
        applicable.clear();
        expander.applicable([&](OperatorId op) { applicable.push_back(op); });
        std::sort(applicable.begin(), applicable.end());
        const std::size_t first = targets.size();
        for (const OperatorId op : applicable) {
            control.tick();
            const auto same = [&](OperatorId other) { return actions_[other] == actions_[op]; };
            if (std::any_of(operators.begin() + static_cast<std::ptrdiff_t>(first), operators.end(), same)) continue;
            ++control.counters.generated;
            expander.apply(op, child.data());
            targets.push_back(number_of(child.data(), depth[next] + 1));
            operators.push_back(op);
        }
        offsets.push_back(targets.size());
    }
}

// Dijkstra 1959, from several sources at once; `each(state, relax)` calls `relax(neighbour, cost)`.
template <class Each>
void StateSpace::settle(Counted<std::int64_t>& distance, const Counted<std::uint32_t>& sources, Control& control,
                        Each&& each) {
    using Entry = std::pair<std::int64_t, std::uint32_t>;
    distance.assign(size(), NEVER);
    Counted<Entry> queue(budget_);
    const auto reach = [&](std::uint32_t state, std::int64_t cost) {
        if (distance[state] != NEVER && distance[state] <= cost) return;
        distance[state] = cost;
        queue.push_back({cost, state});
        std::push_heap(queue.begin(), queue.end(), std::greater<>());
    };
    for (const std::uint32_t source : sources) reach(source, 0);
    while (!queue.empty()) {
        control.tick();
        std::pop_heap(queue.begin(), queue.end(), std::greater<>());
        const auto [cost, state] = queue.back();
        queue.pop_back();
        if (cost == distance[state]) {
            each(state, [&](std::uint32_t next, std::int64_t step) { reach(next, cost + step); });
        }
    }
}

void StateSpace::distances(Control& control) {
    if (compiled_.features.same_costs) {  // layers are distances
        distance.assign(size(), 0);
        for (std::size_t state = 0; state < size(); ++state) {
            distance[state] = static_cast<std::int64_t>(depth[state]) * compiled_.features.least_cost;
        }
        return;
    }
    Counted<std::uint32_t> start(budget_);
    start.push_back(0);
    settle(distance, start, control, [&](std::uint32_t state, auto&& relax) {
        for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge)
            relax(targets[edge], compiled_.operators.cost(operators[edge]));
    });
}

// Counting sort of the transitions by target.
void StateSpace::reverse(Control& control) {
    if (targets.size() > UINT32_MAX) throw Stop{Status::memout};
    back_offsets_.assign(size() + 1, 0);
    sources_.assign(targets.size(), 0);
    edges_.assign(targets.size(), 0);
    for (const std::uint32_t target : targets) ++back_offsets_[target + 1];
    for (std::size_t state = 0; state < size(); ++state) back_offsets_[state + 1] += back_offsets_[state];
    Counted<std::uint64_t> next(budget_);
    next.assign(size() + 1, 0);
    for (std::size_t state = 0; state < size(); ++state) next[state] = back_offsets_[state];
    for (std::uint32_t state = 0; state < size(); ++state) {
        control.tick();
        for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge) {
            const std::uint64_t at = next[targets[edge]]++;
            sources_[at] = state;
            edges_[at] = static_cast<std::uint32_t>(edge);
        }
    }
}

void StateSpace::goal_distances(Control& control) {
    Counted<std::uint32_t> found(budget_);
    for (std::uint32_t state = 0; state < size(); ++state) {
        if (goals[state]) found.push_back(state);
    }
    const auto back = [&](std::uint32_t state, auto&& relax) {
        for (std::uint64_t at = back_offsets_[state]; at < back_offsets_[state + 1]; ++at)
            relax(sources_[at], compiled_.operators.cost(operators[edges_[at]]));
    };
    settle(goal_distance, found, control, back);
}

// Whether a transition is a step of an optimal plan.
bool StateSpace::tight(std::size_t edge, std::uint32_t from) const {
    const std::int64_t rest = goal_distance[targets[edge]];
    return rest != NEVER && goal_distance[from] == rest + compiled_.operators.cost(operators[edge]);
}

// Sums over the tight transitions, each state after all that its tight transitions lead to (Kahn 1962).
// States that never get their turn can reach a cycle, which costs 0, or it would not be tight.
void StateSpace::count_plans(Control& control) {
    plans.assign(size(), 0);
    Counted<std::uint32_t> waiting(budget_), ready(budget_);
    waiting.assign(size(), 0);
    for (std::uint32_t state = 0; state < size(); ++state) {
        control.tick();
        if (goal_distance[state] == NEVER) continue;
        for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge)
            waiting[state] += tight(edge, state);
        plans[state] = goals[state] ? 1 : 0;
        if (waiting[state] == 0) ready.push_back(state);
    }
    while (!ready.empty()) {
        control.tick();
        const std::uint32_t state = ready.back();
        ready.pop_back();
        for (std::uint64_t at = back_offsets_[state]; at < back_offsets_[state + 1]; ++at) {
            const std::uint32_t from = sources_[at];
            if (goal_distance[from] == NEVER || !tight(edges_[at], from)) continue;
            plans[from] = plans[state] > MANY - plans[from] ? MANY : plans[from] + plans[state];
            if (--waiting[from] == 0) ready.push_back(from);
        }
    }
    for (std::uint32_t state = 0; state < size(); ++state) {
        if (waiting[state] > 0) plans[state] = ENDLESS;
    }
}

}  // namespace unpuzzle
