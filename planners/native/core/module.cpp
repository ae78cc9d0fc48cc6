// The Python face of the search core: converts buffers, releases the GIL, maps statuses. No algorithm lives
// here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>
#include <tuple>

#include "expander.hpp"
#include "landmark_graph.hpp"
#include "orbits.hpp"
#include "pattern_heuristic.hpp"
#include "plan_improvement.hpp"
#include "python.hpp"
#include "search.hpp"
#include "task_pruning.hpp"

namespace nb = nanobind;

namespace unpuzzle {

namespace {

class PyTask {
  public:
    PyTask(nb::handle domains, nb::handle layers, nb::handle initial, nb::handle goal, nb::handle costs,
           nb::handle operators, nb::handle axioms, nb::handle mutexes, std::optional<double> time_limit,
           std::optional<std::int64_t> memory_limit)
        : budget_(PythonLimits{time_limit, memory_limit}.most_bytes()) {
        PythonLimits{time_limit, memory_limit}.check();
        PythonObserver observer{nb::none()};
        Control control(observer, time_limit);
        within_budget([&] {
            const auto numbers = [](const char* name, nb::handle from) {
                return NumberBuffer(name, from).numbers<std::int32_t>();
            };
            compile({numbers("domains", domains), numbers("layers", layers), numbers("initial", initial),
                     numbers("goal", goal), numbers("operators", operators), numbers("axioms", axioms),
                     mutexes.is_none() ? Vector<std::int32_t>() : numbers("mutexes", mutexes),
                     NumberBuffer("costs", costs).numbers<std::int64_t>()},
                    control);
        });
    }
    PyTask(Buffers&& buffers, Control& control, std::size_t bytes) : budget_(bytes) {
        within_budget([&] { compile(std::move(buffers), control); });
    }
    // Pruned from another task, in which the operators have these numbers.
    PyTask(Buffers&& buffers, Control& control, std::size_t bytes, std::vector<OperatorId> numbers)
        : PyTask(std::move(buffers), control, bytes) {
        numbers_ = std::move(numbers);
    }

    Outcome search(const std::string& algorithm, const std::string& heuristic,
                   std::optional<double> time_limit, std::optional<std::int64_t> memory_limit,
                   std::optional<std::int64_t> max_expanded, nb::handle progress, std::int64_t weight,
                   std::optional<std::int64_t> symmetries_after, bool symmetric_start,
                   std::optional<std::int64_t> bound, nb::handle clock) {
        if (weight < 1 || weight > MOST_WEIGHT) {
            throw nb::value_error(
                ("weight " + std::to_string(weight) + " is not in 1.." + std::to_string(MOST_WEIGHT))
                    .c_str());
        }
        const PythonLimits limits{time_limit, memory_limit};
        limits.check();
        Request request;
        request.algorithm = algorithm;
        request.heuristic = heuristic;
        request.seconds = time_limit;
        request.weight = static_cast<Cost>(weight);
        if (symmetries_after) {
            request.orbits = &orbits_;
            request.symmetric_start = symmetric_start;
            request.symmetries_after =
                static_cast<std::uint64_t>(std::max<std::int64_t>(0, *symmetries_after));
        }
        request.bytes = limits.most_bytes();
        if (max_expanded)
            request.most_expanded = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *max_expanded));
        if (bound) request.bound = static_cast<Cost>(std::max<std::int64_t>(0, *bound));
        PythonObserver observer(progress, clock);
        Outcome outcome = run(request, observer);
        if (outcome.status == Status::interrupted) raise_interrupt();
        if (outcome.plan) outcome.plan = told(std::move(*outcome.plan));
        return outcome;
    }
    // The task without what no plan contains, or None; whether more work would find no more.
    nb::tuple pruned(std::int64_t most_work, std::optional<double> time_limit,
                     std::optional<std::int64_t> memory_limit) const {
        const PythonLimits limits{time_limit, memory_limit};
        limits.check();
        PythonObserver observer{nb::none()};
        Control control(observer, time_limit, &cancels_);
        Budget budget(limits.most_bytes());
        std::unique_ptr<PyTask> task;
        Pruning found{{}, false};
        Status status = Status::solved;
        try {
            const Metered metered(budget);
            {
                nb::gil_scoped_release release;
                const auto work = static_cast<std::uint64_t>(std::max<std::int64_t>(0, most_work));
                found = unpuzzle::pruned(model_->task, control, budget, work);
            }
            if (found.task) {
                auto& numbers = found.task->numbers;
                for (OperatorId& op : numbers) op = numbers_.empty() ? op : numbers_[op];
                task = std::make_unique<PyTask>(std::move(found.task->buffers), control, budget.left(),
                                                std::move(numbers));
            }
        } catch (const Stop& stop) {
            status = stop.status;
            found.complete = false;
        } catch (const std::bad_alloc&) {  // as when the budget says so: the task stays as it is
            found.complete = false;
        } catch (const nb::python_error& error) {
            if (!error.matches(PyExc_TimeoutError)) throw;
            found.complete = false;
        }
        if (status == Status::interrupted) raise_interrupt();
        if (!task) return nb::make_tuple(nb::none(), found.complete);
        return nb::make_tuple(nb::cast(task.release(), nb::rv_policy::take_ownership), found.complete);
    }

    nb::tuple improve(const std::vector<OperatorId>& plan, std::optional<double> time_limit,
                      std::optional<std::int64_t> memory_limit, std::int64_t max_expanded) const {
        const PythonLimits limits{time_limit, memory_limit};
        limits.check();
        const Steps own = checked(plan);
        PythonObserver observer{nb::none()};
        Budget budget(limits.most_bytes());
        Improved better;
        try {
            const Metered metered(budget);
            nb::gil_scoped_release release;
            Control control(observer, time_limit, &cancels_);
            better = improve_by_windows(*model_, own, control, budget,
                                        static_cast<std::uint64_t>(std::max<std::int64_t>(0, max_expanded)));
        } catch (const Stop&) {
            raise_interrupt();
        }
        const Cost cost = PlanRunner(*model_).cost(better.plan);
        return nb::make_tuple(told(std::move(better.plan)), cost, better.settled, better.expanded,
                              better.generated);
    }

    std::vector<OperatorId> eliminated(const std::vector<OperatorId>& plan) const {
        const Steps own = checked(plan);
        PythonObserver observer{nb::none()};
        Control control(observer);
        try {
            return told(eliminate(*model_, own, control, UINT64_MAX));
        } catch (const Stop& stop) {
            raise_stop(stop.status);
        }
    }
    nb::list landmarks() const {
        PythonObserver observer{nb::none()};
        Control control(observer);
        const Budget budget;
        nb::list all;
        try {
            const Relaxed relaxed(*model_, control);
            const LandmarkGraph graph(relaxed, *model_, control, budget);
            for (const std::uint32_t proposition : graph.propositions) {
                const Fact& fact = relaxed.facts[proposition];
                all.append(nb::make_tuple(fact.variable, fact.value));
            }
        } catch (const Stop& stop) {
            raise_stop(stop.status);
        }
        return all;
    }

    const Model& model() const { return *model_; }
    void cancel() { cancels_.fetch_add(1, std::memory_order_relaxed); }
    std::size_t variables() const { return model_->task.variables.size(); }
    nb::list initial() const {
        std::vector<Word> state(model_->extended_words());
        model_->layout.pack(model_->task.initial, state.data());
        return unpack(state.data());
    }
    std::size_t operators() const { return model_->task.operators.size(); }
    std::size_t bits_per_state() const { return model_->layout.bits(); }
    std::size_t bytes_per_state() const { return model_->words() * sizeof(Word); }

    nb::list successors(nb::handle state) const {
        Expander<0> expander(*model_);
        std::vector<Word> packed = pack(state), child(model_->words());
        expander.load(packed.data());
        std::vector<OperatorId> applicable;
        expander.applicable([&](OperatorId op) { applicable.push_back(op); });
        std::sort(applicable.begin(), applicable.end());
        nb::list all;
        Expander<0> next(*model_);
        for (const OperatorId op : applicable) {
            expander.apply(op, child.data());
            next.load(child.data());
            all.append(nb::make_tuple(numbers_.empty() ? op : numbers_[op], unpack(next.state())));
        }
        return all;
    }

    nb::list estimates(const std::string& name, nb::handle states, std::size_t improvements,
                       nb::handle reached) const {
        Prepared prepared(*model_, name, improvements);
        std::vector<std::vector<Word>> packed;
        for (nb::handle state : states) packed.push_back(pack(state));
        nb::list all;
        for (StateId id = 0; id < packed.size(); ++id) {
            Heuristic::Question question{packed[id].data(), id, NO_STATE, 0};
            if (!reached.is_none() && id > 0) {
                std::tie(question.parent, question.op) =
                    nb::cast<std::pair<StateId, OperatorId>>(reached[id]);
                if (question.parent >= id || question.op >= model_->task.operators.size())
                    throw nb::value_error("no such parent, or operator");
                question.parent_state = packed[question.parent].data();
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
    // For each generator: by variable, what it becomes and how its values are renamed; {} stays.
    nb::list symmetries() const {
        PythonObserver observer{nb::none()};
        Vector<Symmetry> found;
        try {
            nb::gil_scoped_release release;
            Control control(observer);
            found = unpuzzle::symmetries(model_->task, control);
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
    nb::list pattern_sums(std::size_t improvements, std::optional<std::int64_t> memory_limit) const {
        Prepared prepared(*model_, "pdb", improvements, PythonLimits{{}, memory_limit}.most_bytes());
        nb::list sums;
        for (const auto& sum : static_cast<const PatternHeuristic&>(*prepared.heuristic).sums()) {
            nb::list patterns;
            for (const Pattern& pattern : sum) {
                nb::list variables, counted;
                for (const std::uint32_t variable : pattern.variables) variables.append(variable);
                for (std::size_t op = 0; op < pattern.counted.size(); ++op) {
                    if (pattern.counted[op]) counted.append(op);
                }
                nb::object hub = nb::none();
                if (pattern.hub != Pattern::NO_HUB) hub = nb::int_(pattern.hub);
                patterns.append(nb::make_tuple(nb::tuple(variables), hub, nb::tuple(counted)));
            }
            sums.append(patterns);
        }
        return sums;
    }

    nb::list saturated(const std::vector<std::vector<std::uint32_t>>& patterns, nb::handle states,
                       nb::handle asked) const {
        PythonObserver observer{nb::none()};
        Control control(observer);
        Budget budget;
        Vector<Vector<std::uint32_t>> made;
        for (const auto& pattern : patterns) {
            const auto fault = std::adjacent_find(pattern.begin(), pattern.end(), std::greater_equal<>());
            if (fault != pattern.end() || pattern.empty() || pattern.back() >= model_->task.variables.size())
                throw nb::value_error("no pattern: variables of the task, ascending");
            made.emplace_back(pattern.begin(), pattern.end());
        }
        Vector<SaturatedOrders::Sample> samples;
        for (nb::handle state : states) {
            const auto packed = pack(state);
            samples.push_back({Vector<Word>(packed.begin(), packed.end()), 0});
        }
        const Mutexes mutexes(model_->task, control);
        SaturatedOrders orders(*model_, mutexes, made, {}, samples, control, budget);
        nb::list all;
        for (nb::handle state : asked) all.append(orders.estimate(pack(state).data()));
        return all;
    }

  private:
    // A plan as Python knows it, by the numbers of this task. Raises ValueError for what is no plan.
    Steps checked(const Steps& plan) const {
        PlanRunner runner(*model_);
        runner.start();
        Steps own;
        for (const OperatorId number : plan) {
            const OperatorId op = number_here(number);
            if (op >= model_->operators.count() || !runner.applicable(op))
                throw nb::value_error(
                    ("operator " + std::to_string(number) + " cannot be applied there").c_str());
            runner.take(op);
            own.push_back(op);
        }
        if (!runner.at_goal()) throw nb::value_error("the steps do not lead to the goal");
        return own;
    }
    // A number too large, if the operator was left out.
    OperatorId number_here(OperatorId number) const {
        if (numbers_.empty()) return number;
        const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
        const bool there = found != numbers_.end() && *found == number;
        return there ? static_cast<OperatorId>(found - numbers_.begin()) : ~OperatorId{0};
    }
    Steps told(Steps plan) const {
        if (!numbers_.empty()) {
            for (OperatorId& op : plan) op = numbers_[op];
        }
        return plan;
    }
    template <class Work>
    void within_budget(Work&& work) {
        try {
            const Metered metered(budget_);
            work();
        } catch (const Stop& stop) {
            raise_stop(stop.status);
        }
    }
    void compile(Buffers&& buffers, Control& control) {
        nb::gil_scoped_release release;
        const Buffers own = std::move(buffers);  // not longer than it is needed
        model_ = std::make_unique<Model>(own, control);
    }
    // A heuristic outside a search.
    struct Prepared {
        Prepared(const Model& model, const std::string& name, std::size_t improvements,
                 std::size_t bytes = SIZE_MAX)
            : observer(nb::none()), control(observer), budget(bytes) {
            try {
                const Metered metered(budget);
                nb::gil_scoped_release release;
                heuristic = make_heuristic(name, {model, control, budget});
                for (std::size_t i = 0; i < improvements && heuristic->patience() != UINT64_MAX; ++i)
                    heuristic->improve();
            } catch (const Stop& stop) {
                raise_stop(stop.status);
            }
        }
        PythonObserver observer;
        Control control;
        Budget budget;
        std::unique_ptr<Heuristic> heuristic;
    };
    Outcome run(const Request& request, PythonObserver& observer) const {
        nb::gil_scoped_release release;
        Control control(observer, request.seconds, &cancels_);
        return unpuzzle::search(*model_, request, control);
    }
    std::vector<Word> pack(nb::handle state) const {
        const auto& variables = model_->task.variables;
        if (nb::len(state) != variables.size()) {
            throw BadTask("a state of " + std::to_string(nb::len(state)) + " values for " +
                          std::to_string(variables.size()) + " variables");
        }
        std::vector<std::uint32_t> values;
        for (std::size_t i = 0; i < variables.size(); ++i) {
            const auto value = nb::cast<std::int64_t>(state[i]);
            if (value < 0 || value >= variables[i].domain) {
                throw BadTask("value " + std::to_string(value) + " of variable " + std::to_string(i) +
                              ", which has " + std::to_string(variables[i].domain));
            }
            values.push_back(variables[i].derived() ? 0 : static_cast<std::uint32_t>(value));
        }
        std::vector<Word> packed(model_->extended_words());
        model_->layout.pack(values, packed.data());
        return packed;
    }
    nb::list unpack(const Word* state) const {
        nb::list values;
        for (std::size_t i = 0; i < variables(); ++i) values.append(model_->layout[i].value(state));
        return values;
    }

    Budget budget_;  // of the model, which it outlives
    std::unique_ptr<const Model> model_;
    // Of operators, ascending, in the task from which this one was pruned; or none.
    std::vector<OperatorId> numbers_;
    std::atomic<std::uint32_t> cancels_{0};
    LazyOrbits orbits_;
};

nb::object plan_of(const Outcome& outcome) {
    if (!outcome.plan) return nb::none();
    nb::list plan;
    for (const OperatorId op : *outcome.plan) plan.append(op);
    return plan;
}

nb::object cost_of(const Outcome& outcome) {
    return outcome.plan ? nb::object(nb::int_(outcome.cost)) : nb::none();
}

}  // namespace

const Model& model_of(nb::handle task) { return nb::cast<const PyTask&>(task).model(); }
nb::object make_task(Buffers&& buffers, Control& control, std::size_t bytes) {
    return nb::cast(new PyTask(std::move(buffers), control, bytes), nb::rv_policy::take_ownership);
}

}  // namespace unpuzzle

NB_MODULE(_core, m) {
    using namespace unpuzzle;
    // What a module of tests or a notebook keeps until the end, such as a game, is no leak to be told of.
    nb::set_leak_warnings(false);
    m.doc() = "Search core of the native planner.";
    nb::exception<UnsupportedTask>(m, "UnsupportedTask");
    nb::class_<Outcome>(m, "Outcome")
        .def_prop_ro("status", [](const Outcome& outcome) { return name_of(outcome.status); })
        .def_prop_ro("plan", plan_of)
        .def_prop_ro("cost", cost_of)
        .def_prop_ro("expanded", [](const Outcome& outcome) { return outcome.counters.expanded; })
        .def_prop_ro("evaluated", [](const Outcome& outcome) { return outcome.counters.evaluated; })
        .def_prop_ro("generated", [](const Outcome& outcome) { return outcome.counters.generated; })
        .def_prop_ro("reopened", [](const Outcome& outcome) { return outcome.counters.reopened; })
        .def_ro("states", &Outcome::states)
        .def_ro("bytes", &Outcome::bytes)
        .def_ro("seconds", &Outcome::seconds);
    nb::class_<PyTask>(m, "Task")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle,
                      nb::handle, std::optional<double>, std::optional<std::int64_t>>(),
             nb::arg("domains"), nb::arg("layers"), nb::arg("initial"), nb::arg("goal"), nb::arg("costs"),
             nb::arg("operators"), nb::arg("axioms"), nb::arg("mutexes") = nb::none(),
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             "A checked and compiled copy of the arrays of FDRTask.buffers(); ValueError says where they are "
             "wrong. MemoryError, TimeoutError: the limits do not suffice.")
        .def("search", &PyTask::search, nb::arg("algorithm"), nb::arg("heuristic") = "blind",
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             nb::arg("max_expanded") = nb::none(), nb::arg("progress") = nb::none(), nb::arg("weight") = 1,
             nb::arg("symmetries_after") = nb::none(), nb::arg("symmetric_start") = false,
             nb::arg("bound") = nb::none(), nb::arg("clock") = nb::none(),
             "Runs one search; the GIL is released. See _core.pyi.")
        .def("improve", &PyTask::improve, nb::arg("plan"), nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none(), nb::arg("max_expanded") = 1'000'000,
             "A plan that costs no more, by windows. See _core.pyi.")
        .def("eliminated", &PyTask::eliminated, nb::arg("plan"), "A plan without what can be left out.")
        .def("landmarks", &PyTask::landmarks, "Facts that every plan makes true at some time.")
        .def("pruned", &PyTask::pruned, nb::arg("most_work"), nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none(),
             "The task without what no plan contains, and whether that is all. See _core.pyi.")
        .def_prop_ro("initial", &PyTask::initial, "The initial state; derived variables are 0.")
        .def_prop_ro("operators", &PyTask::operators, "How many there are.")
        .def("cancel", &PyTask::cancel,
             "Ends searches of this task that run in other threads, with 'gave_up'.")
        .def("successors", &PyTask::successors, nb::arg("state"),
             "The applicable operators, ascending, each with the state it leads to; states are lists of "
             "values.")
        .def("estimates", &PyTask::estimates, nb::arg("heuristic"), nb::arg("states"),
             nb::arg("improvements") = 0, nb::arg("reached") = nb::none(),
             "What a heuristic says of states: a cost, or None for a dead end.")
        .def("symmetries", &PyTask::symmetries,
             "Generators of the symmetries: for each variable that one moves, what becomes of it.")
        .def("pattern_sums", &PyTask::pattern_sums, nb::arg("improvements") = 0,
             nb::arg("memory_limit") = nb::none(), "The patterns that `pdb` chooses.")
        .def("saturated", &PyTask::saturated, nb::arg("patterns"), nb::arg("samples"), nb::arg("states"),
             "What saturated cost partitioning over patterns, with orders for some states, says of states.")
        .def_prop_ro("variables", &PyTask::variables, "How many there are, derived ones included.")
        .def_prop_ro("bits_per_state", &PyTask::bits_per_state, "Bits of a packed state that mean something.")
        .def_prop_ro("bytes_per_state", &PyTask::bytes_per_state, "Bytes of a packed state.");
    bind_family(m);
    bind_state_space(m);
    bind_grounding(m);
    bind_script(m);
}
