// What the files that bind classes to Python share.
#pragma once

#include <nanobind/nanobind.h>

#include "model.hpp"

namespace unpuzzle {

namespace nb = nanobind;

// Each adds its classes to the module.
void bind_family(nb::module_& module);
void bind_state_space(nb::module_& module);

// Of a `Task` of the module. Whoever keeps it keeps the task, too.
const Model& model_of(nb::handle task);

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

}  // namespace unpuzzle
