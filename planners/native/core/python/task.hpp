// A task as Python holds it: compiled once, asked many things. It keeps the numbers that operators have
// there, which are not those of the model if operators were left out.
//
// task.cpp has what planners do with it, views.cpp what tests and tools look at.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api.hpp"
#include "plans/steps.hpp"
#include "python/python.hpp"
#include "state/compiled_task.hpp"
#include "symmetries/orbits.hpp"

namespace unpuzzle {

class PyTask {
  public:
    PyTask(nb::handle domains, nb::handle layers, nb::handle initial, nb::handle goal, nb::handle costs,
           nb::handle operators, nb::handle axioms, nb::handle mutexes, std::optional<double> time_limit,
           std::optional<std::int64_t> memory_limit);
    PyTask(Buffers&& buffers, Control& control, std::size_t bytes);
    // Pruned from another task, in which the operators have these numbers.
    PyTask(Buffers&& buffers, Control& control, std::size_t bytes, std::vector<OperatorId> numbers);

    const CompiledTask& compiled() const { return *compiled_; }
    const TaskFeatures& features() const { return compiled_->features; }

    SearchResult search(const std::string& algorithm, const std::string& heuristic, std::optional<double> time_limit,
                        std::optional<std::int64_t> memory_limit, std::optional<std::int64_t> max_expanded,
                        nb::handle progress, std::int64_t weight, std::optional<std::int64_t> symmetries_after,
                        bool symmetric_start, std::optional<std::int64_t> bound, nb::handle clock,
                        const std::string& pruning);
    void cancel() { cancels_.fetch_add(1, std::memory_order_relaxed); }
    // The task without what no plan contains, or None; whether more work would find no more.
    nb::tuple pruned(std::int64_t most_work, std::optional<double> time_limit,
                     std::optional<std::int64_t> memory_limit) const;
    nb::tuple improve(const std::vector<OperatorId>& plan, std::optional<double> time_limit,
                      std::optional<std::int64_t> memory_limit, std::int64_t max_expanded) const;
    std::vector<OperatorId> eliminated(const std::vector<OperatorId>& plan) const;

    std::size_t variables() const { return compiled_->task.variables.size(); }
    std::size_t operators() const { return compiled_->task.operators.size(); }
    std::size_t bits_per_state() const { return compiled_->layout.bits(); }
    std::size_t bytes_per_state() const { return compiled_->words() * sizeof(Word); }
    nb::list initial() const;
    nb::list successors(nb::handle state) const;
    nb::list estimates(const std::string& name, nb::handle states, std::size_t improvements, nb::handle reached) const;
    nb::list landmarks() const;
    // For each generator: by variable, what it becomes and how its values are renamed; {} stays.
    nb::list symmetries() const;
    bool asymmetric_at_a_glance() const;
    nb::list pattern_sums(std::size_t improvements, std::optional<std::int64_t> memory_limit) const;
    nb::list saturated(const std::vector<std::vector<std::uint32_t>>& patterns, nb::handle states,
                       nb::handle asked) const;

  private:
    void compile(Buffers&& buffers, Control& control);
    SearchResult run(const SearchOptions& request, PythonObserver& observer) const;
    // A plan as Python knows it, by the numbers of this task. Raises ValueError for what is no plan.
    Steps checked(const Steps& plan) const;
    // A number too large, if the operator was left out.
    OperatorId number_here(OperatorId number) const;
    Steps told(Steps plan) const;
    std::vector<Word> pack(nb::handle state) const;
    nb::list unpack(const Word* state) const;

    Budget budget_;  // of the model, which it outlives
    std::unique_ptr<const CompiledTask> compiled_;
    // Of operators, ascending, in the task from which this one was pruned; or none.
    std::vector<OperatorId> numbers_;
    std::atomic<std::uint32_t> cancels_{0};
    LazyOrbits orbits_;
};

}  // namespace unpuzzle
