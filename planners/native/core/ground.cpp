#include "ground.hpp"

namespace unpuzzle::ground {

namespace {

void run(const Arrays& arrays, Control& control, Report& report) {
    std::unique_ptr<Reachability> reached;
    const auto measure = [&](const Input& input) {
        for (std::size_t i = 0; reached && i < input.actions.size(); ++i) {
            const auto rows = static_cast<std::size_t>(reached->instances(i).size());
            if (report.largest >= 0 && rows <= report.instances) continue;
            report.largest = static_cast<Int>(i);
            report.instances = rows;
        }
        for (std::size_t i = 0; reached && i < input.predicates.size(); ++i) {
            if (input.predicates[i].fluent)
                report.facts += static_cast<std::size_t>(reached->of(static_cast<Int>(i)).size());
        }
    };
    const Input input(arrays, control);
    try {
        report.progress.phase = Phase::reaching;
        reached = std::make_unique<Reachability>(input, control);
        reached->run();
        reached->sort();
        GroundTask task;
        Instantiation(input, *reached, task, report.progress, control).run();
        report.progress.phase = Phase::encoding;
        report.grounded = std::make_unique<Grounded>();
        encode(task, *reached, *report.grounded, control);
    } catch (...) {
        report.grounded.reset();
        measure(input);
        throw;
    }
}

}  // namespace

Report ground(const Arrays& arrays, std::size_t bytes, Control& control) {
    Budget budget(bytes);
    Metered metered(budget);
    Report report;
    try {
        run(arrays, control, report);
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
