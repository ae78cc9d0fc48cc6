// The Python interface of grounding: arrays in, a task for the search out, names on demand.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <type_traits>

#include "python/python.hpp"

namespace unpuzzle {

namespace {

class PyGrounding {
  public:
    explicit PyGrounding(const Limits& limits) : control_(observer_, limits.seconds), budget_(limits.bytes) {}
    // `request()` reads the arrays, which count already.
    template <class MakeRequest>
    void run(MakeRequest&& request) {
        const Metered metered(budget_);
        report_.status = within_limits([&] {
            const ground::Request made = request();
            report_ = released([&] { return ground::ground(made, budget_, control_); });
            return report_.status;
        });
        if (report_.status == Status::interrupted) throw Stop{Status::interrupted};
    }

    const char* status() const {
        if (report_.large_cost) return "large_cost";
        return report_.status == Status::solved ? "ground" : name_of(report_.status);
    }
    // Where a limit struck: phase, schema, then the action with the most instances and their number.
    nb::tuple progress() const {
        constexpr const char* NAMES[] = {"reading", "reaching", "actions", "axioms", "goal", "encoding"};
        return nb::make_tuple(NAMES[static_cast<int>(report_.progress.phase)], report_.progress.schema, report_.largest,
                              report_.instances, report_.facts);
    }
    std::size_t large_cost() const { return report_.large_cost ? report_.large_cost->action : 0; }
    nb::list missing_costs() const {
        nb::list list;
        for (const ground::MissingCost& missing : report_.missing_costs)
            list.append(nb::make_tuple(missing.action, missing.term, missing.arguments));
        return list;
    }
    std::vector<bool> applicable() const { return report_.applicable; }
    std::vector<bool> goals() const { return report_.goals; }

    bool goal_possible() const { return found().goal_possible; }
    std::size_t operators() const { return found().costs.size(); }
    std::size_t variables() const { return found().domains.size(); }
    // Within what the limits have left. The large arrays go there.
    PlanningTask* task() {
        return released([&] {
            const std::lock_guard lock(mutex_);
            const Metered metered(budget_);
            return new PlanningTask(found().release_buffers(), control_, budget_.left());
        });
    }
    nb::list action(std::int64_t number) const { return item(found().action_names, number); }
    nb::list value(std::int64_t number) const { return item(found().value_names, number); }
    nb::dict buffers() const {
        nb::dict all;
        const auto& from = found();
        const auto add = [&](const char* name, const auto& numbers) {
            all[name] = nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
        };
        add("domains", from.domains);
        add("layers", from.layers);
        add("initial", from.initial);
        add("goal", from.goal);
        add("costs", from.costs);
        add("operators", from.operators);
        add("axioms", from.axioms);
        add("mutexes", from.mutexes);
        return all;
    }

    // Of several starts and goals.
    nb::tuple goal(nb::handle domains, nb::handle goal, Seconds seconds, Number bytes) {
        const Limits limits = limits_of(seconds, bytes);
        const auto domain_numbers = NumberBuffer("domains", domains).numbers<std::int32_t>();
        const auto goal_numbers = NumberBuffer("goal", goal).numbers<std::int32_t>();
        ground::Common::Goal found;
        const Status status = locked([&](ground::Common& common) {
            return within_limits([&] {
                control_.renew(limits.seconds);
                budget_.renew(limits.bytes);
                const Metered metered(budget_);
                found = common.goal(domain_numbers, goal_numbers);
                return Status::solved;
            });
        });
        if (status == Status::interrupted) throw Stop{status};
        if (status != Status::solved) return nb::make_tuple(name_of(status), nb::none());
        if (!found.known) return nb::make_tuple("unknown", nb::none());
        return nb::make_tuple("told", found.possible ? nb::cast(pairs_of(found.facts)) : nb::none());
    }
    std::vector<std::int32_t> initial(std::size_t start) {
        return locked([&](const ground::Common& common) {
            if (start >= common.starts()) throw nb::index_error("there is no such start");
            return common.initial(start);
        });
    }
    nb::list start_facts() {
        nb::list list;
        for (const auto& fact : locked([](const ground::Common& common) { return common.start_facts(); })) {
            list.append(nb::make_tuple(fact.name, fact.variable, fact.value, fact.certain));
        }
        return list;
    }
    nb::list groups() {
        nb::list list;
        for (const auto& group : locked([](const ground::Common& common) { return common.groups(); }))
            list.append(nb::make_tuple(group.facts, group.exact));
        return list;
    }
    auto otherwise() {
        return pairs_of(locked([](const ground::Common& common) { return common.otherwise(); }));
    }
    Packer packer(const CompiledTask& compiled) {
        return locked([&](const ground::Common& common) { return unpuzzle::packer_of(compiled, common); });
    }

  private:
    ground::Grounded& found() const {
        if (!report_.grounded) throw nb::value_error("there is no ground task");
        return *report_.grounded;
    }
    // Python's lock is let go first: who holds this one may ask for it.
    template <class Ask>
    std::invoke_result_t<Ask, ground::Common&> locked(Ask&& ask) {
        if (!report_.common) throw nb::value_error("the grounding was not made for several starts");
        nb::gil_scoped_release release;
        const std::lock_guard lock(mutex_);
        return ask(*report_.common);
    }
    static nb::list item(const Rows<std::int32_t>& names, std::int64_t number) {
        if (number < 0 || static_cast<std::size_t>(number) >= names.size()) throw nb::index_error();
        nb::list list;
        for (const std::int32_t name : names[static_cast<std::size_t>(number)]) list.append(name);
        return list;
    }

    PythonObserver observer_{nb::none()};
    Control control_;
    Budget budget_;
    ground::Report report_;  // may use all of these
    std::mutex mutex_;
};

PyGrounding* ground_arrays(std::int64_t objects, nb::handle domains, nb::handle predicates, nb::handle functions,
                           nb::handle initial, nb::handle values, nb::handle actions, nb::handle axioms,
                           nb::handle goals, nb::handle starts, bool instances_only, bool common, bool any_goal,
                           bool faithful, Seconds seconds, Number bytes) {
    const auto numbers = [](const char* name, nb::handle from) {
        return NumberBuffer(name, from).numbers<std::int32_t>();
    };
    auto grounding = std::make_unique<PyGrounding>(limits_of(seconds, bytes));
    grounding->run([&]() -> ground::Request {
        return {{objects, numbers("domains", domains), numbers("predicates", predicates),
                 numbers("functions", functions), numbers("initial", initial), numbers("starts", starts),
                 numbers("actions", actions), numbers("axioms", axioms), numbers("goals", goals),
                 NumberBuffer("values", values).numbers<std::int64_t>()},
                instances_only,
                common,
                any_goal,
                faithful};
    });
    return grounding.release();
}

}  // namespace

Packer packer_of(nb::handle grounding, const CompiledTask& compiled) {
    return nb::cast<PyGrounding&>(grounding).packer(compiled);
}

void bind_grounding(nb::module_& module) {
    nb::class_<PyGrounding>(module, "Grounding")
        .def_prop_ro("status", &PyGrounding::status)
        .def_prop_ro("progress", &PyGrounding::progress)
        .def_prop_ro("large_cost", &PyGrounding::large_cost)
        .def_prop_ro("missing_costs", &PyGrounding::missing_costs)
        .def_prop_ro("applicable", &PyGrounding::applicable)
        .def_prop_ro("goals", &PyGrounding::goals)
        .def_prop_ro("goal_possible", &PyGrounding::goal_possible)
        .def_prop_ro("operators", &PyGrounding::operators)
        .def_prop_ro("variables", &PyGrounding::variables)
        .def("task", &PyGrounding::task, nb::rv_policy::take_ownership)
        .def("action", &PyGrounding::action, "number"_a)
        .def("value", &PyGrounding::value, "number"_a)
        .def("buffers", &PyGrounding::buffers)
        .def("goal", &PyGrounding::goal, "domains"_a, "goal"_a, "time_limit"_a = nb::none(),
             "memory_limit"_a = nb::none())
        .def("initial", &PyGrounding::initial, "start"_a)
        .def("start_facts", &PyGrounding::start_facts)
        .def("groups", &PyGrounding::groups)
        .def("otherwise", &PyGrounding::otherwise);
    module.def("ground", &ground_arrays, "objects"_a, "domains"_a, "predicates"_a, "functions"_a, "initial"_a,
               "values"_a, "actions"_a, "axioms"_a, "goals"_a, "starts"_a, "instances_only"_a = false,
               "common"_a = false, "any_goal"_a = false, "faithful"_a = false, "time_limit"_a = nb::none(),
               "memory_limit"_a = nb::none(), nb::rv_policy::take_ownership);
}

}  // namespace unpuzzle
