// The Python face of the grounding: arrays in, a task for the search out, names on demand.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <mutex>
#include <type_traits>

#include "grounding/ground.hpp"
#include "python/python.hpp"

namespace unpuzzle {

namespace {

nb::list list_of(const std::vector<bool>& flags) {
    nb::list list;
    for (const bool flag : flags) list.append(flag);
    return list;
}

nb::list list_of(const std::vector<Fact>& facts) {
    nb::list list;
    for (const Fact& fact : facts) list.append(nb::make_tuple(fact.variable, fact.value));
    return list;
}

template <class Number>
nb::list list_of(const std::vector<Number>& numbers) {
    nb::list list;
    for (const Number number : numbers) list.append(number);
    return list;
}

class PyGrounding {
  public:
    explicit PyGrounding(const PythonLimits& limits)
        : control_(observer_, limits.seconds), budget_(limits.most_bytes()) {}
    // `request()` reads the arrays, which count already.
    template <class MakeRequest>
    void run(MakeRequest&& request) {
        const Metered metered(budget_);
        try {
            const ground::Request made = request();
            nb::gil_scoped_release release;
            report_ = ground::ground(made, budget_, control_);
        } catch (const Stop& stop) {
            report_.status = stop.status;
        }
    }

    bool interrupted() const { return report_.status == Status::interrupted; }
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
            list.append(nb::make_tuple(missing.action, missing.term, list_of(missing.arguments)));
        return list;
    }
    nb::list applicable() const { return list_of(report_.applicable); }
    nb::list goals() const { return list_of(report_.goals); }

    bool goal_possible() const { return found().goal_possible; }
    std::size_t operators() const { return found().costs.size(); }
    std::size_t variables() const { return found().domains.size(); }
    // Within what the limits have left. The large arrays go there.
    nb::object task() {
        std::unique_lock lock(mutex_, std::defer_lock);
        {
            nb::gil_scoped_release release;
            lock.lock();
        }
        try {
            const Metered metered(budget_);
            return make_task(found().release_buffers(), control_, budget_.left());
        } catch (const Stop& stop) {
            raise_stop(stop.status);
        }
    }
    nb::list action(std::int64_t number) const { return item(found().action_names, found().action_begin, number); }
    nb::list value(std::int64_t number) const { return item(found().value_names, found().value_begin, number); }
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
    nb::tuple goal(nb::handle domains, nb::handle goal, std::optional<double> time_limit,
                   std::optional<std::int64_t> memory_limit) {
        const PythonLimits limits{time_limit, memory_limit};
        limits.check();
        const auto domain_numbers = NumberBuffer("domains", domains).numbers<std::int32_t>();
        const auto goal_numbers = NumberBuffer("goal", goal).numbers<std::int32_t>();
        ground::Common::Goal found;
        const Status status = locked([&](ground::Common& common) {
            control_.renew(time_limit);
            budget_.renew(limits.most_bytes());
            Metered metered(budget_);
            try {
                found = common.goal(domain_numbers, goal_numbers);
            } catch (const Stop& stop) {
                return stop.status;
            } catch (const std::bad_alloc&) {
                return Status::memout;
            } catch (const std::length_error&) {
                return Status::memout;
            }
            return Status::solved;
        });
        if (status == Status::interrupted) raise_interrupt();
        if (status != Status::solved) return nb::make_tuple(name_of(status), nb::none());
        if (!found.told) return nb::make_tuple("unknown", nb::none());
        return nb::make_tuple("told", found.possible ? nb::object(list_of(found.facts)) : nb::none());
    }
    nb::list initial(std::size_t start) {
        std::vector<std::int32_t> values;
        const bool known = locked([&](const ground::Common& common) {
            if (start >= common.starts()) return false;
            values = common.initial(start);
            return true;
        });
        if (!known) throw nb::index_error("there is no such start");
        return list_of(values);
    }
    nb::list start_facts() {
        nb::list list;
        for (const auto& fact : locked([](const ground::Common& common) { return common.start_facts(); })) {
            list.append(nb::make_tuple(list_of(fact.name), fact.variable, fact.value, fact.certain));
        }
        return list;
    }
    nb::list groups() {
        nb::list list;
        for (const auto& group : locked([](const ground::Common& common) { return common.groups(); })) {
            list.append(nb::make_tuple(list_of(group.facts), group.exact));
        }
        return list;
    }
    nb::list otherwise() {
        return list_of(locked([](const ground::Common& common) { return common.otherwise(); }));
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
    static nb::list item(const Vector<std::int32_t>& names, const Vector<std::size_t>& begin, std::int64_t number) {
        if (number < 0 || static_cast<std::size_t>(number) + 1 >= begin.size()) throw nb::index_error();
        nb::list list;
        const auto i = static_cast<std::size_t>(number);
        for (std::size_t at = begin[i]; at < begin[i + 1]; ++at) list.append(names[at]);
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
                           bool faithful, std::optional<double> time_limit, std::optional<std::int64_t> memory_limit) {
    const PythonLimits limits{time_limit, memory_limit};
    limits.check();
    const auto numbers = [](const char* name, nb::handle from) {
        return NumberBuffer(name, from).numbers<std::int32_t>();
    };
    auto grounding = std::make_unique<PyGrounding>(limits);
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
    if (grounding->interrupted()) raise_interrupt();
    return grounding.release();
}

}  // namespace

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
        .def("task", &PyGrounding::task)
        .def("action", &PyGrounding::action, nb::arg("number"))
        .def("value", &PyGrounding::value, nb::arg("number"))
        .def("buffers", &PyGrounding::buffers)
        .def("goal", &PyGrounding::goal, nb::arg("domains"), nb::arg("goal"), nb::arg("time_limit") = nb::none(),
             nb::arg("memory_limit") = nb::none())
        .def("initial", &PyGrounding::initial, nb::arg("start"))
        .def("start_facts", &PyGrounding::start_facts)
        .def("groups", &PyGrounding::groups)
        .def("otherwise", &PyGrounding::otherwise);
    module.def("ground", &ground_arrays, nb::arg("objects"), nb::arg("domains"), nb::arg("predicates"),
               nb::arg("functions"), nb::arg("initial"), nb::arg("values"), nb::arg("actions"), nb::arg("axioms"),
               nb::arg("goals"), nb::arg("starts"), nb::arg("instances_only") = false, nb::arg("common") = false,
               nb::arg("any_goal") = false, nb::arg("faithful") = false, nb::arg("time_limit") = nb::none(),
               nb::arg("memory_limit") = nb::none(), nb::rv_policy::take_ownership);
}

}  // namespace unpuzzle
