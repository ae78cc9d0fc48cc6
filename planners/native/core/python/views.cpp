// What tests and tools look at: states with their successors and estimates, and what heuristics are made of.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "heuristics/landmark_graph.hpp"
#include "heuristics/registry.hpp"
#include "pdbs/cost_partitioning.hpp"
#include "pdbs/heuristic.hpp"
#include "python/task.hpp"
#include "state/expander.hpp"
#include "symmetries/fact_colours.hpp"

namespace unpuzzle {

namespace {

struct Prepared {
    Prepared(const CompiledTask& compiled, const std::string& name, std::size_t improvements,
             std::size_t bytes = SIZE_MAX)
        : observer(nb::none()), control(observer), budget(bytes) {
        try {
            const Metered metered(budget);
            nb::gil_scoped_release release;
            heuristic = make_heuristic(name, {compiled, control, budget});
            for (std::size_t i = 0; i < improvements && heuristic->states_before_refining() != UINT64_MAX; ++i)
                heuristic->refine();
        } catch (const Stop& stop) {
            raise_stop(stop.status);
        }
    }
    PythonObserver observer;
    Control control;
    Budget budget;
    std::unique_ptr<Heuristic> heuristic;
};

}  // namespace

nb::list PyTask::initial() const {
    std::vector<Word> state(compiled_->extended_words());
    compiled_->layout.pack(compiled_->task.initial, state.data());
    return unpack(state.data());
}

nb::list PyTask::successors(nb::handle state) const {
    Expander<0> expander(*compiled_);
    std::vector<Word> packed = pack(state), child(compiled_->words());
    expander.load(packed.data());
    std::vector<OperatorId> applicable;
    expander.applicable([&](OperatorId op) { applicable.push_back(op); });
    std::sort(applicable.begin(), applicable.end());
    nb::list all;
    Expander<0> next(*compiled_);
    for (const OperatorId op : applicable) {
        expander.apply(op, child.data());
        next.load(child.data());
        all.append(nb::make_tuple(numbers_.empty() ? op : numbers_[op], unpack(next.state())));
    }
    return all;
}

nb::list PyTask::estimates(const std::string& name, nb::handle states, std::size_t improvements,
                           nb::handle reached) const {
    Prepared prepared(*compiled_, name, improvements);
    std::vector<std::vector<Word>> packed;
    for (nb::handle state : states) packed.push_back(pack(state));
    nb::list all;
    for (StateId id = 0; id < packed.size(); ++id) {
        Heuristic::EvaluationContext question{{*compiled_, packed[id].data()}, id, NO_STATE, 0};
        if (!reached.is_none() && id > 0) {
            std::tie(question.parent, question.op) = nb::cast<std::pair<StateId, OperatorId>>(reached[id]);
            if (question.parent >= id || question.op >= compiled_->task.operators.size())
                throw nb::value_error("no such parent, or operator");
            question.parent_state = {*compiled_, packed[question.parent].data()};
        }
        Cost h = 0;
        try {
            h = prepared.heuristic->estimate(question);
        } catch (const Stop&) {
            raise_interrupt();
        }
        all.append(h == Heuristic::DEAD_END ? nb::none() : nb::object(nb::int_(h)));
    }
    return all;
}

nb::list PyTask::landmarks() const {
    PythonObserver observer{nb::none()};
    Control control(observer);
    const Budget budget;
    nb::list all;
    try {
        const RelaxedTask relaxed(*compiled_, control);
        const LandmarkGraph graph(relaxed, *compiled_, control, budget);
        for (const std::uint32_t proposition : graph.propositions) {
            const Fact& fact = relaxed.facts[proposition];
            all.append(nb::make_tuple(fact.variable, fact.value));
        }
    } catch (const Stop& stop) {
        raise_stop(stop.status);
    }
    return all;
}

bool PyTask::asymmetric_at_a_glance() const {
    PythonObserver observer{nb::none()};
    Control control(observer);
    try {
        return unpuzzle::asymmetric_at_a_glance(compiled_->task, control);
    } catch (const Stop& stop) {
        raise_stop(stop.status);
    }
}

nb::list PyTask::symmetries() const {
    PythonObserver observer{nb::none()};
    Vector<Symmetry> found;
    try {
        nb::gil_scoped_release release;
        Control control(observer);
        found = unpuzzle::symmetries(compiled_->task, control);
    } catch (const Stop& stop) {
        raise_stop(stop.status);
    }
    nb::list all;
    for (const Symmetry& symmetry : found) {
        nb::dict moved;
        for (const Moved& it : symmetry) {
            nb::list values;
            for (const std::uint16_t value : it.values) values.append(value);
            moved[nb::int_(it.from)] = nb::make_tuple(it.to, values);
        }
        all.append(moved);
    }
    return all;
}

nb::list PyTask::pattern_sums(std::size_t improvements, std::optional<std::int64_t> memory_limit) const {
    Prepared prepared(*compiled_, "pdb", improvements, PythonLimits{{}, memory_limit}.most_bytes());
    nb::list sums;
    for (const auto& sum : static_cast<const PatternHeuristic&>(*prepared.heuristic).sums()) {
        nb::list patterns;
        for (const Pattern& pattern : sum) {
            nb::list variables, cost_mask;
            for (const std::uint32_t variable : pattern.variables) variables.append(variable);
            for (std::size_t op = 0; op < pattern.cost_mask.size(); ++op) {
                if (pattern.cost_mask[op]) cost_mask.append(op);
            }
            nb::object variable = nb::none();
            if (pattern.folded_variable != Pattern::NO_VARIABLE) variable = nb::int_(pattern.folded_variable);
            patterns.append(nb::make_tuple(nb::tuple(variables), variable, nb::tuple(cost_mask)));
        }
        sums.append(patterns);
    }
    return sums;
}

nb::list PyTask::saturated(const std::vector<std::vector<std::uint32_t>>& patterns, nb::handle states,
                           nb::handle asked) const {
    PythonObserver observer{nb::none()};
    Control control(observer);
    Budget budget;
    Vector<Vector<std::uint32_t>> made;
    for (const auto& pattern : patterns) {
        const auto fault = std::adjacent_find(pattern.begin(), pattern.end(), std::greater_equal<>());
        if (fault != pattern.end() || pattern.empty() || pattern.back() >= compiled_->task.variables.size())
            throw nb::value_error("no pattern: variables of the task, ascending");
        made.emplace_back(pattern.begin(), pattern.end());
    }
    Vector<SaturatedCostPartitionings::Sample> samples;
    for (nb::handle state : states) {
        const auto packed = pack(state);
        samples.push_back({Vector<Word>(packed.begin(), packed.end()), 0});
    }
    const Mutexes mutexes(compiled_->task, control);
    SaturatedCostPartitionings orders(*compiled_, mutexes, made, {}, samples, control, budget);
    nb::list all;
    for (nb::handle state : asked) all.append(orders.estimate(pack(state).data()));
    return all;
}

std::vector<Word> PyTask::pack(nb::handle state) const {
    const auto& variables = compiled_->task.variables;
    if (nb::len(state) != variables.size()) {
        throw BadTask("a state of " + std::to_string(nb::len(state)) + " values for " +
                      std::to_string(variables.size()) + " variables");
    }
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const auto value = nb::cast<std::int64_t>(state[i]);
        if (value < 0 || value >= variables[i].domain) {
            throw BadTask("value " + std::to_string(value) + " of variable " + std::to_string(i) + ", which has " +
                          std::to_string(variables[i].domain));
        }
        values.push_back(variables[i].derived() ? 0 : static_cast<std::uint32_t>(value));
    }
    std::vector<Word> packed(compiled_->extended_words());
    compiled_->layout.pack(values, packed.data());
    return packed;
}

nb::list PyTask::unpack(const Word* state) const {
    nb::list values;
    for (std::size_t i = 0; i < variables(); ++i) values.append(compiled_->layout[i].value(state));
    return values;
}

}  // namespace unpuzzle
