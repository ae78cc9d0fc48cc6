#include "search/state_space.hpp"

#include "base/marks.hpp"
#include "search/compiled_system.hpp"

namespace unpuzzle {

namespace {

// Operators in ascending order, one for each action.
template <int W>
class ActionTransitions : public CompiledTransitions<W> {
  public:
    ActionTransitions(const CompiledTask& compiled, const std::vector<std::uint32_t>& actions, bool goal_possible)
        : CompiledTransitions<W>(compiled),
          actions_(actions),
          goal_possible_(goal_possible),
          made_(actions.empty() ? 0 : *std::max_element(actions.begin(), actions.end()) + std::size_t{1}) {}

    bool loaded_is_goal() const { return goal_possible_ && CompiledTransitions<W>::loaded_is_goal(); }

    template <class Place, class Emit>
    void successors(Place&& place, Emit&& emit) {
        const auto& found = this->expander_.applicable();
        applicable_.assign(found.begin(), found.end());
        std::sort(applicable_.begin(), applicable_.end());
        made_.forget();
        for (const OperatorId op : applicable_) {
            if (!made_.mark(actions_[op])) continue;
            this->expander_.apply(op, place());
            emit(op);
        }
    }

  private:
    const std::vector<std::uint32_t>& actions_;
    bool goal_possible_;
    Marks made_;  // actions
    std::vector<OperatorId> applicable_;
};

}  // namespace

std::unique_ptr<StateSpace> state_space(const CompiledTask& compiled, const std::vector<std::uint32_t>& actions,
                                        bool goal_possible, const StateSpace::Request& request, Control& control) {
    std::vector<std::uint32_t> costs;
    for (OperatorId op = 0; op < compiled.operators.count(); ++op) costs.push_back(compiled.operators.cost(op));
    return by_width<2>(compiled.words(), [&]<int W>() {
        ActionTransitions<W> system(compiled, actions, goal_possible);
        return std::make_unique<StateSpace>(system, costs, request, control);
    });
}

void StateSpace::work_out(Control& control) {
    control.begin_phase();
    distances(control);
    control.begin_phase();
    back_ = Rows<Back>::by_row(size(), [&](auto&& put) {
        for (std::uint32_t state = 0; state < size(); ++state) {
            control.tick();
            for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge)
                put(targets[edge], Back{state, static_cast<std::uint32_t>(edge)});
        }
    });
    control.begin_phase();
    goal_distances(control);
    control.begin_phase();
    count_plans(control);
    back_ = {};
}

// Least costs from several sources at once; `each(state, relax)` calls `relax(neighbour, cost)`. Dijkstra 1959, or, where
// all operators cost the same, breadth-first search.
template <class Each>
void StateSpace::settle(Vector<std::int64_t>& distance, Vector<std::uint32_t>& sources, Control& control, Each&& each) {
    distance.assign(size(), NEVER);
    for (const std::uint32_t source : sources) distance[source] = 0;
    if (same_costs_) {
        for (std::size_t next = 0; next < sources.size(); ++next) {
            control.tick();
            const std::int64_t cost = distance[sources[next]];
            each(sources[next], [&](std::uint32_t state, std::int64_t step) {
                if (distance[state] != NEVER) return;
                distance[state] = cost + step;
                sources.push_back(state);
            });
        }
        return;
    }
    using Entry = std::pair<std::int64_t, std::uint32_t>;
    Vector<Entry> queue;
    for (const std::uint32_t source : sources) queue.push_back({0, source});
    while (!queue.empty()) {
        control.tick();
        std::pop_heap(queue.begin(), queue.end(), std::greater<>());
        const auto [cost, state] = take_last(queue);
        if (cost != distance[state]) continue;
        each(state, [&, cost = cost](std::uint32_t next, std::int64_t step) {
            if (distance[next] != NEVER && distance[next] <= cost + step) return;
            distance[next] = cost + step;
            queue.push_back({cost + step, next});
            std::push_heap(queue.begin(), queue.end(), std::greater<>());
        });
    }
}

void StateSpace::distances(Control& control) {
    if (same_costs_) {  // layers are distances
        distance.assign(size(), 0);
        for (std::size_t state = 0; state < size() && !costs_.empty(); ++state)
            distance[state] = static_cast<std::int64_t>(depth[state]) * costs_.front();
        return;
    }
    Vector<std::uint32_t> start{0};
    settle(distance, start, control, [&](std::uint32_t state, auto&& relax) {
        for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge) relax(targets[edge], cost(edge));
    });
}

void StateSpace::goal_distances(Control& control) {
    Vector<std::uint32_t> found;
    for (std::uint32_t state = 0; state < size(); ++state) {
        if (goals[state]) found.push_back(state);
    }
    settle(goal_distance, found, control, [&](std::uint32_t state, auto&& relax) {
        for (const Back& it : back_[state]) relax(it.source, cost(it.edge));
    });
}

// Whether a transition is a step of an optimal plan.
bool StateSpace::tight(std::size_t edge, std::uint32_t from) const {
    const std::int64_t rest = goal_distance[targets[edge]];
    return rest != NEVER && goal_distance[from] == rest + cost(edge);
}

// Sums over the tight transitions, each state after all that its tight transitions lead to (Kahn 1962).
// States that never get their turn can reach a cycle, which costs 0, or it would not be tight.
void StateSpace::count_plans(Control& control) {
    plans.assign(size(), 0);
    Vector<std::uint32_t> waiting(size()), ready;
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
        const std::uint32_t state = take_last(ready);
        for (const auto [from, edge] : back_[state]) {
            if (goal_distance[from] == NEVER || !tight(edge, from)) continue;
            plans[from] = plans[state] > MANY - plans[from] ? MANY : plans[from] + plans[state];
            if (--waiting[from] == 0) ready.push_back(from);
        }
    }
    for (std::uint32_t state = 0; state < size(); ++state) {
        if (waiting[state] > 0) plans[state] = ENDLESS;
    }
}

}  // namespace unpuzzle
