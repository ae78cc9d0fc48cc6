// The Python face of the search core: converts buffers, releases the GIL, maps statuses. No algorithm lives
// here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "binding.hpp"
#include "expander.hpp"
#include "search.hpp"

namespace nb = nanobind;

namespace unpuzzle {

namespace {

// Reads any one-dimensional contiguous buffer of signed 32- or 64-bit numbers, and copies it: another thread
// may write to the original while the GIL is released.
class View {
  public:
    View(const char* name, nb::handle object) : name_(name) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
            throw nb::python_error();
    }
    ~View() { PyBuffer_Release(&view_); }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    template <class T>
    std::vector<T> numbers() const {
        if (view_.ndim != 1) fail("must have one dimension, not " + std::to_string(view_.ndim));
        const char* format = view_.format ? view_.format : "B";
        if (*format == '@' || *format == '=') ++format;
        const bool whole = *format != 0 && format[1] == 0 && std::strchr("ilq", *format);
        if (whole && view_.itemsize == 4) return convert<std::int32_t, T>();
        if (whole && view_.itemsize == 8) return convert<std::int64_t, T>();
        fail(std::string("must hold signed numbers of 32 or 64 bits, not '") + view_.format + "'");
    }

  private:
    [[noreturn]] void fail(const std::string& fault) const {
        throw BadTask(std::string(name_) + ": " + fault);
    }

    template <class From, class To>
    std::vector<To> convert() const {
        const auto* data = static_cast<const From*>(view_.buf);
        std::vector<To> numbers(static_cast<std::size_t>(view_.len) / sizeof(From));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (data[i] < std::numeric_limits<To>::min() || data[i] > std::numeric_limits<To>::max()) {
                throw BadTask(std::string(name_) + "[" + std::to_string(i) + "]: " + std::to_string(data[i]) +
                              " does not fit into 32 bits");
            }
            numbers[i] = static_cast<To>(data[i]);
        }
        return numbers;
    }

    const char* name_;
    Py_buffer view_;
};

class PyTask {
  public:
    PyTask(nb::handle domains, nb::handle layers, nb::handle initial, nb::handle goal, nb::handle costs,
           nb::handle operators, nb::handle axioms) {
        const Buffers buffers{View("domains", domains).numbers<std::int32_t>(),
                              View("layers", layers).numbers<std::int32_t>(),
                              View("initial", initial).numbers<std::int32_t>(),
                              View("goal", goal).numbers<std::int32_t>(),
                              View("operators", operators).numbers<std::int32_t>(),
                              View("axioms", axioms).numbers<std::int32_t>(),
                              View("costs", costs).numbers<std::int64_t>()};
        PythonObserver observer{nb::none()};
        try {
            nb::gil_scoped_release release;
            Control control(observer);
            model_ = std::make_unique<Model>(buffers, control);
        } catch (const Stop&) {
            raise_interrupt();
        }
    }

    Outcome search(const std::string& algorithm, const std::string& heuristic,
                   std::optional<double> time_limit, std::optional<std::int64_t> memory_limit,
                   std::optional<std::int64_t> max_expanded, nb::handle progress) {
        if (time_limit && std::isnan(*time_limit)) throw nb::value_error("time_limit is not a number");
        Request request;
        request.algorithm = algorithm;
        request.heuristic = heuristic;
        request.seconds = time_limit;
        if (memory_limit) request.bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, *memory_limit));
        if (max_expanded)
            request.most_expanded = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *max_expanded));
        PythonObserver observer(progress);
        Outcome outcome = run(request, observer);
        if (outcome.status == Status::interrupted) raise_interrupt();
        return outcome;
    }

    const Model& model() const { return *model_; }
    void cancel() { cancels_.fetch_add(1, std::memory_order_relaxed); }
    std::size_t variables() const { return model_->task.variables.size(); }
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
            all.append(nb::make_tuple(op, unpack(next.state())));
        }
        return all;
    }

  private:
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

    std::unique_ptr<const Model> model_;
    std::atomic<std::uint32_t> cancels_{0};
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

}  // namespace unpuzzle

NB_MODULE(_core, m) {
    using namespace unpuzzle;
    m.doc() = "Search core of the native planner.";
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
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(),
             nb::arg("domains"), nb::arg("layers"), nb::arg("initial"), nb::arg("goal"), nb::arg("costs"),
             nb::arg("operators"), nb::arg("axioms"),
             "A checked and compiled copy of the arrays of FDRTask.buffers(); ValueError says where they are "
             "wrong.")
        .def("search", &PyTask::search, nb::arg("algorithm"), nb::arg("heuristic") = "blind",
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none(),
             nb::arg("max_expanded") = nb::none(), nb::arg("progress") = nb::none(),
             "Runs one search; the GIL is released. See _core.pyi.")
        .def("cancel", &PyTask::cancel,
             "Ends searches of this task that run in other threads, with 'gave_up'.")
        .def("successors", &PyTask::successors, nb::arg("state"),
             "The applicable operators, ascending, each with the state it leads to; states are lists of "
             "values.")
        .def_prop_ro("variables", &PyTask::variables, "How many there are, derived ones included.")
        .def_prop_ro("bits_per_state", &PyTask::bits_per_state, "Bits of a packed state that mean something.")
        .def_prop_ro("bytes_per_state", &PyTask::bytes_per_state, "Bytes of a packed state.");
    bind_family(m);
    bind_state_space(m);
}
