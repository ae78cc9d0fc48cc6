// What the Python faces of search and grounding share: arrays in, signals and callbacks, interrupts out.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "task.hpp"

namespace unpuzzle {

namespace nb = nanobind;

struct Model;

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

// Lets Python handle signals and calls back. An exception it meets stays set, to be raised when the search is
// over.
class PythonObserver : public Observer {
  public:
    explicit PythonObserver(nb::handle progress) : progress_(progress) {}

    bool look(const Counters& counters, double seconds) override {
        nb::gil_scoped_acquire hold;
        if (PyErr_CheckSignals() != 0) return false;
        if (progress_.is_none() || seconds < next_call_) return true;
        next_call_ = seconds + 0.1;
        try {
            progress_(counters.expanded, counters.evaluated, counters.generated, counters.f, seconds);
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    }

  private:
    nb::handle progress_;
    double next_call_ = 0.1;
};

// The exception that the observer left.
[[noreturn]] inline void raise_interrupt() { throw nb::python_error(); }

inline const char* name_of(Status status) {
    switch (status) {
        case Status::solved_optimally:
            return "solved_optimally";
        case Status::solved:
            return "solved";
        case Status::unsolvable:
            return "unsolvable";
        case Status::timeout:
            return "timeout";
        case Status::memout:
            return "memout";
        default:
            return "gave_up";
    }
}

nb::object make_task(const Buffers& buffers);  // a `Task` for Python
const Model& model_of(nb::handle task);        // of such a `Task`: whoever keeps it keeps the task, too

// Each adds its classes to the module.
void bind_grounding(nb::module_& module);
void bind_family(nb::module_& module);
void bind_state_space(nb::module_& module);
void bind_script(nb::module_& module);

}  // namespace unpuzzle
