#include "pdbs/selection.hpp"

#include <algorithm>
#include <utility>

#include "pdbs/groups.hpp"

namespace unpuzzle {

namespace {

constexpr double COMMON_SHARE = 0.9;                              // of the operators change a common variable
constexpr std::size_t MOST_ALONE = std::size_t{1} << 20;          // abstract states of a variable of the goal
constexpr std::size_t MOST_IN_UNIT = std::size_t{1} << 14;        // abstract states, while units are grown
constexpr std::size_t MOST_IN_PAIR = std::size_t{1} << 16;        // abstract states, while gains are measured
constexpr std::uint64_t MOST_MEASURING = std::uint64_t{1} << 24;  // for measuring, see PatternDatabase::work
constexpr std::size_t MOST_PAIRED = 256;                          // units, for their pairs to be looked at
constexpr double LEAST_GROWTH = 1.05;                             // of a unit's mean, to take one more variable
constexpr double TOGETHER_BEFORE = 0.25;                          // what a pair's gain counts in the next sum

bool contains(const Vector<std::uint32_t>& sorted, std::uint32_t number) {
    return std::ranges::binary_search(sorted, number);
}

bool intersect(const Vector<std::uint32_t>& left, const Vector<std::uint32_t>& right) {
    return std::ranges::any_of(left, [&](std::uint32_t number) { return contains(right, number); });
}

}  // namespace

PatternSelection::Variables PatternSelection::implied_variables(const Task& task, const Mutexes& mutexes,
                                                                Control& control) {
    Variables found;
    for (std::uint32_t variable = 0; variable < task.variables.size(); ++variable) {
        control.tick();
        bool own = false, some = false;
        for (const Fact& fact : task.goal) {
            own |= fact.variable == variable;
            mutexes.excluded(fact, variable, [&](std::uint32_t) { some = true; });
        }
        if (some && !own && !task.variables[variable].derived()) found.push_back(variable);
    }
    return found;
}

PatternSelection::PatternSelection(const Task& task, const Mutexes& mutexes, Control& control, Budget& budget,
                                   Variables implied)
    : task_(task), mutexes_(mutexes), control_(control), budget_(budget), implied_(std::move(implied)) {
    changes_.resize(task.operators.size());
    for (OperatorId op = 0; op < task.operators.size(); ++op) {
        control.tick();
        if (!task.operators[op].possible) continue;
        for (const Effect& effect : task.effects(task.operators[op])) changes_[op].push_back(effect.sets.variable);
        sort_and_unique(changes_[op]);
    }
    find_common();
    find_units();
    if (folds_ && !folding_pays()) {
        folds_ = false;
        find_units();
    }
    find_gains();
}

void PatternSelection::find_common() {
    Vector<std::size_t> count(task_.variables.size());
    for (const Variables& changes : changes_) {
        for (const std::uint32_t variable : changes) ++count[variable];
    }
    const double least = COMMON_SHARE * static_cast<double>(changes_.size());
    const auto nearly_all = [&](std::size_t of) { return of > 0 && static_cast<double>(of) >= least; };
    if (std::ranges::count_if(count, nearly_all) != 1) return;  // of two, neither is one
    const auto common = static_cast<std::uint32_t>(std::ranges::find_if(count, nearly_all) - count.begin());
    const auto& goal = task_.goal;
    const bool others = std::ranges::any_of(
        goal, [&](const Fact& fact) { return fact.variable != common && !task_.variables[fact.variable].derived(); });
    if (!others) return;
    common_ = common;
    folds_ = task_.variables[common].domain <= Pattern::MOST_FOLDED_VALUES;
}

// ---- units

void PatternSelection::find_units() {
    units_.clear();
    for (const std::uint32_t variable : implied_) add_unit(variable, false);
    // What is left: goals that operators change without changing what is implied.
    Vector<bool> open(task_.variables.size());
    for (const Variables& changes : changes_) {
        if (intersect(changes, implied_)) continue;
        for (const std::uint32_t variable : changes) open[variable] = true;
    }
    for (const Fact& fact : task_.goal) {
        if (open[fact.variable] || implied_.empty()) add_unit(fact.variable, implied_.empty());
    }
}

void PatternSelection::add_unit(std::uint32_t variable, bool grown) {
    if (variable == common_ || task_.variables[variable].derived()) return;
    Variables unit{variable};
    if (common_ != Pattern::NO_VARIABLE && !folds_) unit.push_back(common_);
    sort_and_unique(unit);
    if (!Pattern::abstract_states(task_, unit, MOST_ALONE)) return;
    if (grown) grow(unit);
    units_.push_back(std::move(unit));
}

// Whether the operators that cost something change more than the common variable, as far as patterns can tell.
bool PatternSelection::folding_pays() const {
    std::size_t all = 0, paid = 0;
    for (OperatorId op = 0; op < changes_.size(); ++op) {
        if (task_.operators[op].cost == 0 || !contains(changes_[op], common_)) continue;
        ++all;
        paid += std::ranges::any_of(units_, [&](const Variables& unit) { return intersect(unit, changes_[op]); });
    }
    return static_cast<double>(paid) >= COMMON_SHARE * static_cast<double>(all);
}

void PatternSelection::grow(Variables& unit) {
    std::optional<double> best = mean(unit);
    while (best) {
        std::optional<Variables> better;
        const double least = *best * LEAST_GROWTH + LEAST_PATTERN_GAIN;
        for (const std::uint32_t candidate : candidates(unit)) {
            Variables larger = unit;
            larger.push_back(candidate);
            sort_and_unique(larger);
            if (!Pattern::abstract_states(task_, larger, MOST_IN_UNIT)) continue;
            const std::optional<double> value = mean(larger);
            if (!value || *value < least || *value <= *best) continue;
            best = value;
            better = std::move(larger);
        }
        if (!better) return;
        unit = std::move(*better);
    }
}

// Variables on which the changes of a unit hang, without those of the goal, which are units of their own.
PatternSelection::Variables PatternSelection::candidates(const Variables& unit) const {
    Variables found;
    const auto add = [&](Range facts) {
        for (const Fact& fact : task_.facts(facts)) found.push_back(fact.variable);
    };
    for (OperatorId op = 0; op < changes_.size(); ++op) {
        control_.tick();
        if (!intersect(changes_[op], unit)) continue;
        add(task_.operators[op].precondition);
        for (const Effect& effect : task_.effects(task_.operators[op])) {
            if (contains(unit, effect.sets.variable)) add(effect.conditions);
        }
    }
    sort_and_unique(found);
    std::erase_if(found, [&](std::uint32_t variable) {
        return variable == common_ || contains(unit, variable) || task_.variables[variable].derived() ||
               std::ranges::any_of(task_.goal, [&](const Fact& fact) { return fact.variable == variable; });
    });
    return found;
}

// The mean estimate; nothing if the work is used up or the pattern is too large for it.
std::optional<double> PatternSelection::mean(const Pattern& pattern) {
    if (!costs(pattern)) return 0;
    const auto key = std::pair(pattern.variables, pattern.cost_mask);
    const auto known = means_.find(key);
    if (known != means_.end()) return known->second;
    const auto abstract_states = Pattern::abstract_states(task_, pattern.variables, MOST_IN_PAIR);
    if (!abstract_states || work_ > MOST_MEASURING) return {};
    std::optional<double> value;
    try {
        const PatternDatabase database(task_, mutexes_, pattern, control_, budget_);
        work_ += database.work();
        value = database.mean();
    } catch (const Projection::TooLarge&) {
    } catch (const Stop& stop) {
        if (stop.status != Status::memout) throw;
    }
    return means_[key] = value;
}

// ---- gains

void PatternSelection::find_gains() {
    const std::size_t count = units_.size();
    if (count > MOST_PAIRED) return;
    gains_.assign(count * count, 0);
    for (std::size_t one = 0; one < count; ++one) {
        for (std::size_t two = one + 1; two < count; ++two) {
            control_.tick();
            gains_[one * count + two] = gains_[two * count + one] = gain(units_[one], units_[two]);
        }
    }
}

double PatternSelection::gain(const Variables& one, const Variables& two) {
    const Variables both = united({one, two}, {0, 1});
    if (!Pattern::abstract_states(task_, both, MOST_IN_PAIR)) return 0;
    const Sum apart = share({one, two});
    const auto together = mean(both), first = mean(apart[0]), second = mean(apart[1]);
    return together && first && second ? *together - *first - *second : 0;
}

// ---- sums

// The patterns of a sum: who counts what.
PatternSelection::Sum PatternSelection::share(const Vector<Variables>& patterns) const {
    Sum sum;
    for (const Variables& variables : patterns)
        sum.push_back({variables, folds_ ? common_ : Pattern::NO_VARIABLE, Vector<bool>(changes_.size())});
    Vector<Vector<std::uint32_t>> claims(task_.variables.size());
    for (std::uint32_t i = 0; i < patterns.size(); ++i) {
        for (const std::uint32_t variable : patterns[i]) claims[variable].push_back(i);
    }
    constexpr std::uint32_t NOBODY = ~0u;
    for (OperatorId op = 0; op < changes_.size(); ++op) {
        control_.tick();
        std::uint32_t by_rank[3] = {NOBODY, NOBODY, NOBODY};
        for (const std::uint32_t variable : changes_[op]) {
            if (claims[variable].empty()) continue;
            std::uint32_t& claim = by_rank[variable == common_ ? 2 : contains(implied_, variable) ? 0 : 1];
            claim = std::min(claim, claims[variable].front());
        }
        const auto* payer = std::find_if(by_rank, by_rank + 3, [](std::uint32_t by) { return by != NOBODY; });
        if (payer != by_rank + 3) sum[*payer].cost_mask[op] = true;
    }
    return sum;
}

Vector<PatternSelection::Variables> PatternSelection::small_patterns(std::size_t most) const {
    Vector<Variables> patterns = units_;
    for (std::size_t one = 0; one < units_.size(); ++one) {
        for (std::size_t two = one + 1; two < units_.size() && patterns.size() < most; ++two) {
            Variables both = united(units_, {one, two});
            if (Pattern::abstract_states(task_, both, MOST_IN_PAIR)) patterns.push_back(std::move(both));
        }
    }
    return patterns;
}

PatternSelection::Sum PatternSelection::without_claims_of_common(Sum sum) const {
    for (Pattern& pattern : sum) {
        for (OperatorId op = 0; op < changes_.size(); ++op) {
            pattern.cost_mask[op] = pattern.cost_mask[op] && std::ranges::any_of(changes_[op], [&](auto variable) {
                                        return variable != common_ && contains(pattern.variables, variable);
                                    });
        }
    }
    return sum;
}

// Whether anything counts in it.
bool PatternSelection::costs(const Pattern& pattern) const {
    for (OperatorId op = 0; op < changes_.size(); ++op) {
        if (pattern.cost_mask[op] && task_.operators[op].cost > 0) return true;
    }
    return false;
}

Vector<PatternSelection::Sum> PatternSelection::sums(std::size_t most, std::size_t number) const {
    Vector<Sum> sums;
    Vector<Groups> found;
    Vector<double> gains = gains_;
    const std::size_t count = units_.size();
    for (std::size_t i = 0; i < number && count > 0; ++i) {
        Groups groups = group_units(task_, units_, gains, most, control_);
        for (const auto& group : groups) {
            for (const std::size_t one : group) {
                for (const std::size_t two : group) {
                    if (!gains.empty()) gains[one * count + two] *= TOGETHER_BEFORE;
                }
            }
        }
        std::ranges::sort(groups);
        if (std::ranges::find(found, groups) != found.end()) continue;
        Vector<Variables> patterns;
        for (const auto& group : groups) patterns.push_back(united(units_, group));
        const auto first = patterns.begin() + static_cast<std::ptrdiff_t>(found.size() % patterns.size());
        std::rotate(patterns.begin(), first, patterns.end());  // Clang 14 cannot read what `ranges::rotate` returns
        found.push_back(std::move(groups));
        sums.push_back(share(patterns));
        std::erase_if(sums.back(), [&](const Pattern& pattern) { return !costs(pattern); });
    }
    return sums;
}

}  // namespace unpuzzle
