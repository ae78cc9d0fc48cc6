#include "grounding/ground.hpp"

namespace unpuzzle::ground {

namespace {

// How far it has come, for messages about limits.
void measure(const Making& making, Report& report) {
    if (!making.reached) return;
    for (std::size_t i = 0; i < making.input.actions.size(); ++i) {
        const auto rows = static_cast<std::size_t>(making.reached->instances(i).size());
        if (report.largest >= 0 && rows <= report.instances) continue;
        report.largest = static_cast<Int>(i);
        report.instances = rows;
    }
    for (std::size_t i = 0; i < making.input.predicates.size(); ++i) {
        if (making.input.predicates[i].fluent)
            report.facts += static_cast<std::size_t>(making.reached->of(static_cast<Int>(i)).size());
    }
}

void instantiate(Making& making, Report& report, Control& control) {
    report.progress.phase = Phase::reaching;
    making.reached = std::make_unique<Reachability>(making.input, control);
    control.begin_phase();
    making.reached->run();
    control.begin_phase();
    making.reached->sort();
    making.instantiation = std::make_unique<Instantiation>(making.input, *making.reached, making.task, control);
    control.begin_phase();
    making.instantiation->run(report.progress);
    report.applicable = making.instantiation->applicable();
    report.missing_costs = making.instantiation->missing_costs();
}

void look_at_goals(const Request& request, Making& making, Report& report) {
    GroundTask& task = making.task;
    for (const LiftedGoal& goal : making.input.goals) {
        Conjunction literals;
        report.goals.push_back(making.instantiation->goal(goal, literals));
        task.kept.insert(task.kept.end(), literals.begin(), literals.end());
    }
    if (!request.common) {  // one goal, the task's
        task.goal.swap(task.kept);
        task.goal_possible = report.goals.empty() || report.goals[0];
        return;
    }
    for (std::size_t fact = 0; fact < task.facts.size(); ++fact) {
        if (request.any_goal || (request.faithful && task.layers[fact] < 0))
            task.kept.push_back(static_cast<Literal32>(fact));
    }
}

void run(const Request& request, Control& control, Report& report) {
    auto making = std::make_unique<Making>(request.arrays, control);
    const std::size_t goals = making->input.goals.size();
    if (!request.common && !request.instances_only && goals != 1)
        throw BadTask("goals: there are " + std::to_string(goals) + ", not 1");
    making->task.faithful = request.faithful;
    try {
        instantiate(*making, report, control);
        look_at_goals(request, *making, report);
        if (request.instances_only) return;
        report.progress.phase = Phase::encoding;
        control.begin_phase();
        report.grounded = std::make_unique<Grounded>();
        Basis basis = encode(making->task, *making->reached, *report.grounded, control);
        if (!request.common) return;
        const Vector<std::int32_t>& sizes = report.grounded->domains;
        report.common = std::make_unique<Common>(std::move(making), std::move(basis), sizes, control);
    } catch (...) {
        report.grounded.reset();
        if (making) measure(*making, report);
        throw;
    }
}

}  // namespace

Report ground(const Request& request, Budget& budget, Control& control) {
    Metered metered(budget);
    Report report;
    try {
        run(request, control, report);
    } catch (const Stop& stop) {
        report.status = stop.status;
    } catch (const std::bad_alloc&) {
        report.status = Status::memout;
    } catch (const std::length_error&) {
        report.status = Status::memout;
    } catch (const LargeCost& large) {
        report.large_cost = std::make_unique<LargeCost>(large);
    }
    return report;
}

}  // namespace unpuzzle::ground
