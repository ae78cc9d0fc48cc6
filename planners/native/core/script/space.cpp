#include "script/space.hpp"

#include <new>

#include "script/pool.hpp"

namespace unpuzzle::script {

Space::Space(Walker& walker, const std::vector<Direction>& keys, std::shared_ptr<Budget> budget,
             std::uint64_t most_states, Control& control)
    : budget_held_(std::move(budget)),
      budget_(*budget_held_),
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
      order_(budget_) {
    try {
        explore(walker, keys, most_states, control);
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
    order_.clear();
}

void Space::explore(Walker& walker, const std::vector<Direction>& keys, std::uint64_t most_states, Control& control) {
    Pool pool(budget_, control, walker.words());
    std::vector<Word> state(walker.words()), child(walker.words());
    const auto number_of = [&](const Word* found, StateId from, std::uint8_t key, std::uint32_t steps) {
        const std::size_t before = pool.size();
        const auto added = pool.add(found, from, key);
        if (added.fresh) {
            if (before >= most_states) throw Stop{Status::gave_up};
            depth.push_back(steps);
            goals.push_back(walker.won(found));
        }
        return added.id;
    };
    number_of(walker.start(), 0, 0, 0);
    offsets.push_back(0);
    for (StateId next = 0; next < pool.size(); ++next) {
        control.tick();
        ++control.counters.expanded;
        copy<0>(state.data(), pool[next], walker.words());
        walker.load(state.data());
        for (std::uint8_t key = 0; key < keys.size(); ++key) {
            if (!walker.after(keys[key], child.data())) continue;
            if (equal<0>(child.data(), state.data(), walker.words())) continue;
            ++control.counters.generated;
            targets.push_back(number_of(child.data(), next, key, depth[next] + 1));
            operators.push_back(key);
        }
        offsets.push_back(targets.size());
    }
}

// Counting sort of the transitions by target.
void Space::reverse(Control& control) {
    back_offsets_.assign(size() + 2, 0);
    sources_.assign(targets.size(), 0);
    for (const std::uint32_t target : targets) ++back_offsets_[target + 2];
    for (std::size_t state = 0; state < size(); ++state) back_offsets_[state + 1] += back_offsets_[state];
    for (std::uint32_t state = 0; state < size(); ++state) {
        control.tick();
        for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge)
            sources_[back_offsets_[targets[edge] + 1]++] = state;
    }
}

// Breadth-first, backwards from all wins at once; `order_` has the states that can win, the nearest first.
void Space::goal_distances(Control& control) {
    distance.assign(size(), 0);
    for (std::size_t state = 0; state < size(); ++state) distance[state] = depth[state];
    goal_distance.assign(size(), StateSpace::NEVER);
    for (std::uint32_t state = 0; state < size(); ++state) {
        if (!goals[state]) continue;
        goal_distance[state] = 0;
        order_.push_back(state);
    }
    for (std::size_t next = 0; next < order_.size(); ++next) {
        control.tick();
        const std::uint32_t state = order_[next];
        for (std::uint64_t at = back_offsets_[state]; at < back_offsets_[state + 1]; ++at) {
            const std::uint32_t from = sources_[at];
            if (goal_distance[from] != StateSpace::NEVER) continue;
            goal_distance[from] = goal_distance[state] + 1;
            order_.push_back(from);
        }
    }
}

void Space::count_plans(Control& control) {
    plans.assign(size(), 0);
    for (const std::uint32_t state : order_) {
        control.tick();
        std::uint64_t sum = goals[state];
        for (std::uint64_t edge = offsets[state]; edge < offsets[state + 1]; ++edge) {
            const std::uint32_t target = targets[edge];
            if (goal_distance[target] + 1 != goal_distance[state] || goal_distance[target] < 0) continue;
            sum = plans[target] > StateSpace::MANY - sum ? StateSpace::MANY : sum + plans[target];
        }
        plans[state] = sum;
    }
}

}  // namespace unpuzzle::script
