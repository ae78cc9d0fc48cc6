// The table of the schedule: its searches, and when each of them begins.
#include "scheduling/part.hpp"

namespace unpuzzle {

namespace {

constexpr double FOLDED = 0.9;  // a variable is folded that at least this part of the operators changes
constexpr std::uint64_t OPERATORS_PER_CONDITIONAL_EFFECT = 10;
constexpr std::uint64_t LEAST_GLANCE = 20, MOST_GLANCE = 5'000;
constexpr double MOST_BEFORE_DATABASES = 2'000'000;  // ticks
constexpr double FOR_SUCCESSORS = 24;                // ticks for each operator
constexpr double FOR_A_PATTERN = 8;                  // ticks for each operator that is looked at for it
constexpr double MOST_PAIRED_GOALS = 256;            // patterns are made of each two goals, if there are no more

std::uint64_t glance(const CompiledTask& compiled, std::uint64_t operators) {
    return std::clamp(operators / effort_of_a_cut(compiled), LEAST_GLANCE, MOST_GLANCE);
}

// About the effort of choosing patterns: operators are looked at for each goal, or for each two.
double looks_for_patterns(const CompiledTask& compiled) {
    const auto goals = static_cast<double>(compiled.task.goal.size());
    return goals <= MOST_PAIRED_GOALS ? 2 * goals + goals * goals / 2 : 2 * goals;
}
double before_databases(const CompiledTask& compiled) {
    const double least = FOR_AN_OPERATOR * static_cast<double>(compiled.operators.count());
    if (folds(compiled.features)) return least;
    const double each = static_cast<double>(effort_of_a_cut(compiled));
    return std::max(least, std::clamp(FOR_A_PATTERN * looks_for_patterns(compiled) * each, BEFORE_DATABASES,
                                      MOST_BEFORE_DATABASES));
}

std::uint64_t a_few(const CompiledTask&) { return 50; }
double at_once(const CompiledTask&) { return 0; }
double if_folded(const CompiledTask& task) { return folds(task.features) ? BEFORE_DATABASES : HUGE_VAL; }
// About the effort of one expansion that evaluates all successors.
double for_successors(const CompiledTask& task) { return FOR_SUCCESSORS * static_cast<double>(task.operators.count()); }

}  // namespace

bool folds(const TaskFeatures& features) { return !features.axioms && features.most_changed >= FOLDED; }
std::uint64_t effort_of_a_cut(const CompiledTask& compiled) {
    return std::max<std::uint64_t>(
        compiled.operators.count() + OPERATORS_PER_CONDITIONAL_EFFECT * compiled.features.conditional_effects, 1);
}
double effort_of_databases(const CompiledTask& compiled) {
    return looks_for_patterns(compiled) * static_cast<double>(compiled.operators.count());
}

std::span<const Scheduler::Row> Scheduler::table() {
    static const Row ROWS[] = {
        {"blind", "astar", "blind", Feature::none, true,
         [](const CompiledTask& task) -> std::uint64_t {
             return task.features.axioms ? 300'000 : folds(task.features) ? 10'000 : 30'000;
         },
         [](const CompiledTask&) { return 0.0; }},
        {"lmcut", "astar", "lmcut", Feature::none, true,
         [](const CompiledTask& task) { return glance(task, folds(task.features) ? 60'000 : 600'000); },
         [](const CompiledTask&) { return 0.0; }},
        {"bidirectional", "bidirectional", "blind", Feature::different_costs | Feature::axioms, false,
         [](const CompiledTask&) -> std::uint64_t { return 10'000; },
         [](const CompiledTask& task) { return folds(task.features) ? HUGE_VAL : 200'000.0; }},
        {"lmcut+stubborn", "astar", "lmcut", Feature::none, false,
         [](const CompiledTask& task) { return glance(task, 600'000); },
         [](const CompiledTask& task) { return folds(task.features) ? HUGE_VAL : 200'000.0; }, 0, 1, false, "stubborn"},
        {"pdb", "astar", "pdb", Feature::axioms, true, [](const CompiledTask&) -> std::uint64_t { return 10'000; },
         before_databases},
        {"gbfs", "gbfs", "ff,landmarks", Feature::none, false, a_few, at_once, 5},
        {"gbfs, leaping", "gbfs, leaping", "ff", Feature::none, false, a_few, at_once, 4},
        {"bfws", "bfws", "ff,goalcount", Feature::none, false, a_few, for_successors, 4},
        {"gbfs(ff)", "gbfs", "ff", Feature::none, false, a_few, at_once, 2},
        {"gbfs, deepest first", "gbfs, deepest first", "ff,landmarks", Feature::none, false, a_few, at_once, 3},
        {"gbfs, fewest moves first", "gbfs, fewest moves first", "ff,landmarks", Feature::none, false, a_few, at_once,
         1},
        {"gbfs(hadd,landmarks)", "gbfs", "hadd,landmarks", Feature::none, false, a_few, at_once, 0.5},
        {"gbfs(landmarks)", "gbfs", "landmarks", Feature::none, false, a_few, at_once, 2},
        {"wastar=5(pdb)", "astar", "pdb", Feature::axioms, false, a_few,
         [](const CompiledTask& task) { return folds(task.features) ? BEFORE_DATABASES : 16 * BEFORE_DATABASES; }, 1,
         5},
        {"wastar=3(pdb)", "astar", "pdb", Feature::axioms, false, a_few, if_folded, 12, 3, true},
        {"wastar=2(pdb)", "astar", "pdb", Feature::axioms, false, a_few, if_folded, 6, 2, true},
        {"gbfs(landmarks), cheaper", "gbfs", "landmarks", Feature::none, false, a_few, at_once, 24, 1, true},
        {"lazywastar=5", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 24, 5, true},
        {"lazywastar=3", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 12, 3, true},
        {"lazywastar=2", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 6, 2, true},
        {"lazywastar", "lazywastar", "ff,landmarks", Feature::none, false, a_few, at_once, 3, 1, true},
        {"lazywastar=5(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 8, 5,
         true},
        {"lazywastar=3(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 4, 3,
         true},
        {"lazywastar=2(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 2, 2,
         true},
        {"lazywastar(hadd,landmarks)", "lazywastar", "hadd,landmarks", Feature::none, false, a_few, at_once, 1, 1,
         true},
    };
    return ROWS;
}

}  // namespace unpuzzle
