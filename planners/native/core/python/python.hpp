// Code that the bindings share: arrays and limits in, signals and callbacks, exceptions out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <limits>

#include "api.hpp"

namespace unpuzzle {

namespace nb = nanobind;
using namespace nb::literals;  // for names of arguments: "state"_a

// Reads any one-dimensional contiguous buffer of signed 32- or 64-bit numbers, and copies it: another thread
// may write to the original while the GIL is released.
class NumberBuffer {
  public:
    NumberBuffer(const char* name, nb::handle object) : name_(name) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
    }
    ~NumberBuffer() { PyBuffer_Release(&view_); }
    NumberBuffer(const NumberBuffer&) = delete;
    NumberBuffer& operator=(const NumberBuffer&) = delete;

    template <class T>
    Vector<T> numbers() const {
        if (view_.ndim != 1) fail("must have one dimension, not " + std::to_string(view_.ndim));
        const char* format = view_.format ? view_.format : "B";
        if (*format == '@' || *format == '=') ++format;
        const bool whole = *format != 0 && format[1] == 0 && std::strchr("ilq", *format);
        if (whole && view_.itemsize == 4) return convert<std::int32_t, T>();
        if (whole && view_.itemsize == 8) return convert<std::int64_t, T>();
        fail(std::string("must hold signed numbers of 32 or 64 bits, not '") + view_.format + "'");
    }

  private:
    [[noreturn]] void fail(const std::string& fault) const { throw BadTask(std::string(name_) + ": " + fault); }

    template <class From, class To>
    Vector<To> convert() const {
        const auto* data = static_cast<const From*>(view_.buf);
        Vector<To> numbers(static_cast<std::size_t>(view_.len) / sizeof(From));
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

// Lets Python handle signals, checks whether the run was cancelled, and calls back. An exception stays set, to be
// raised when the search is over.
class PythonObserver : public Observer {
  public:
    explicit PythonObserver(nb::handle progress, nb::handle clock = nb::none()) : progress_(progress), clock_(clock) {}

    bool look(const Counters& counters, double seconds) override {
        const Unmetered python;  // it may do anything, another search too
        nb::gil_scoped_acquire hold;
        if (PyErr_CheckSignals() != 0) return false;
        try {
            nb::module_::import_("unpuzzle.base.run").attr("interrupt")();
            if (progress_.is_none() || seconds < next_call_) return true;
            next_call_ = seconds + 0.1;
            progress_(counters.expanded, counters.evaluated, counters.generated, counters.f, seconds);
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    }

    double now() const override {
        if (clock_.is_none()) return Observer::now();
        const Unmetered python;
        nb::gil_scoped_acquire hold;
        return nb::cast<double>(clock_());
    }

  private:
    nb::handle progress_, clock_;
    double next_call_ = 0.1;
};

// What ended work that has no result to say so in, as Python's exceptions. (The observer left its own.)
inline void translate_stop(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Stop& stop) {
        if (stop.status == Status::memout) PyErr_SetString(PyExc_MemoryError, "the memory limit was reached");
        if (stop.status == Status::timeout) PyErr_SetString(PyExc_TimeoutError, "the time limit was reached");
        if (stop.status == Status::cancelled) PyErr_SetString(PyExc_InterruptedError, "the work was cancelled");
    }
}

// What `work` returns while Python may do something else, unless it was interrupted.
template <class Work>
auto released(Work&& work) {
    auto result = [&] {
        const nb::gil_scoped_release release;
        return work();
    }();
    if constexpr (std::is_same_v<decltype(result), Status>) {
        if (result == Status::interrupted) throw Stop{result};
    } else if constexpr (requires { result.status; }) {
        if (result.status == Status::interrupted) throw Stop{result.status};
    }
    return result;
}

// Limits, as Python passes them.
using Seconds = std::optional<double>;
using Number = std::optional<std::int64_t>;

inline std::uint64_t most_of(Number number) {
    return number ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, *number)) : UINT64_MAX;
}
inline Limits limits_of(Seconds seconds, Number bytes) {
    if (seconds && std::isnan(*seconds)) throw nb::value_error("time_limit is not a number");
    return {seconds, static_cast<std::size_t>(std::min<std::uint64_t>(most_of(bytes), SIZE_MAX))};
}

inline std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(std::span<const Fact> facts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Fact& fact : facts) pairs.emplace_back(fact.variable, fact.value);
    return pairs;
}

inline const char* name_of(Status status) {
    constexpr const char* NAMES[] = {"solved_optimally", "solved",  "unsolvable", "timeout",
                                     "memout",           "gave_up", "cancelled",  "gave_up"};
    return NAMES[static_cast<int>(status)];
}

// Whoever keeps it keeps the task, too.
inline const CompiledTask& compiled_of(nb::handle task) { return nb::cast<const PlanningTask&>(task).compiled(); }
// What packs starts for a `Grounding` of several starts.
Packer packer_of(nb::handle grounding, const CompiledTask& compiled);

// Each adds its classes to the module; the second one methods to `Task`.
void bind_task(nb::module_& module);
void bind_views(nb::class_<PlanningTask>& task);
void bind_boxes(nb::class_<PlanningTask>& task);
void bind_grounding(nb::module_& module);
void bind_family(nb::module_& module);
void bind_script(nb::module_& module);

}  // namespace unpuzzle
