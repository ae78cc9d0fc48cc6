#include "walking/walker.hpp"

#include <algorithm>
#include <numeric>

#include "walking/implications.hpp"
#include "walking/shadows.hpp"

namespace unpuzzle {

namespace {

// Some 20 ms, for all variables together: in a task of robots that slide, twenty took half a second, and none walks.
constexpr std::uint64_t MOST_TICKS = 1u << 22;

// An operator that might be a walk.
struct Candidate : Walk {
    bool walks = true;
};

// The walks of one variable, as far as they are proved.
class Finder {
  public:
    Finder(const Task& task, const Mutexes& mutexes, const FullGroups& groups, std::uint32_t variable,
           std::uint64_t until, Control& control)
        : task_(task),
          mutexes_(mutexes),
          groups_(groups),
          variable_(variable),
          control_(control),
          normal_(task),
          implications_(task, mutexes, variable, until, control) {}

    Walker find(std::span<const OperatorId> operators) {
        find_shadows(operators);
        for (const OperatorId op : operators) {
            control_.tick();
            consider(op);
        }
        index();
        ask();
        implications_.prove();
        while (drop_some()) {
        }
        Walker walker{variable_, {}, std::move(shadows_)};
        for (const Candidate& it : candidates_) {
            if (it.walks) walker.walks.push_back(it);
        }
        return walker;
    }

  private:
    // What always changes beside the walker, and what always may: of each such variable the group that makes it a
    // shadow, if there is one.
    void find_shadows(std::span<const OperatorId> operators) {
        Set<std::uint32_t> beside;
        for (const OperatorId op : operators) {
            control_.tick();
            add_beside(task_.operators[op], beside);
        }
        Vector<std::pair<std::uint32_t, Shadow>> all;
        for (const std::uint32_t variable : beside) add_shadow(variable, beside, all);
        shadows_ = Rows<Shadow>::by_row(task_.variables[variable_].domain, [&](auto&& put) {
            for (const auto& [place, shadow] : all) put(place, shadow);
        });
    }
    // Unless it surely changes what is no shadow.
    void add_beside(const Operator& op, Set<std::uint32_t>& beside) {
        const auto precondition = task_.facts(op.precondition);
        const auto changes = normal_.of(op);
        const std::uint32_t from = *value_in(precondition, variable_), to = *base_of(changes, variable_);
        Vector<std::uint32_t> shadows;
        for (const Change& change : changes) {
            if (change.variable == variable_) continue;
            if (groups_.tells(change.variable, *change.base, {variable_, from}) ||
                groups_.tells(change.variable, 1 - *change.base, {variable_, to})) {
                shadows.push_back(change.variable);
            } else if (value_in(precondition, change.variable).value_or(*change.base) != *change.base) {
                return;
            }
        }
        beside.insert(shadows.begin(), shadows.end());
    }
    void add_shadow(std::uint32_t variable, const Set<std::uint32_t>& beside,
                    Vector<std::pair<std::uint32_t, Shadow>>& all) {
        for (const std::uint32_t group : groups_.of(variable)) {
            const auto facts = task_.facts(task_.mutexes[group]);
            control_.work(facts.size());
            const auto told = [&](const Fact& fact) {
                return fact.variable == variable || !beside.contains(fact.variable);
            };
            const auto places = std::ranges::count(facts, variable_, &Fact::variable);
            const bool full = groups_.full(group);
            if (!(full || groups_.handed_over(group, variable_)) || places == 0 || !std::ranges::all_of(facts, told))
                continue;
            if (std::ranges::count(facts, variable, &Fact::variable) != 1) continue;
            for (const Fact& fact : facts) {
                if (fact.variable == variable_)
                    all.push_back({fact.value, {variable, *value_in(facts, variable), full}});
            }
            return;
        }
    }
    static std::optional<std::uint32_t> base_of(std::span<const Change> changes, std::uint32_t variable) {
        return std::ranges::find(changes, variable, &Change::variable)->base;
    }

    const Shadow* shadow(std::uint32_t place, std::uint32_t variable) const {
        const auto row = shadows_[place];
        const auto found = std::ranges::find(row, variable, &Shadow::variable);
        return found == row.end() ? nullptr : &*found;
    }

    void consider(OperatorId number) {
        const Operator& op = task_.operators[number];
        const auto precondition = task_.facts(op.precondition);
        const auto changes = normal_.of(op);
        Candidate it{{number, *value_in(precondition, variable_), *base_of(changes, variable_), {}, true}, true};
        for (const Shadow& there : shadows_[it.to]) {  // it must not take the place of what was forgotten
            if (!there.full && value_in(precondition, there.variable) != there.away) return;
        }
        for (const Fact& fact : precondition) {
            if (fact.variable == variable_) continue;
            const Shadow* own = shadow(it.from, fact.variable);
            if (own && own->away == fact.value) return;  // never applicable
            if (!own) it.wants.push_back(fact);
        }
        for (const Change& change : changes) {
            const std::uint32_t variable = change.variable;
            if (variable == variable_ || shadow(it.from, variable) || shadow(it.to, variable)) continue;
            const auto before = value_in(precondition, variable);
            if (before.value_or(*change.base) != *change.base) return;
            if (before) continue;
            it.wants.push_back({variable, *change.base});
            it.always = false;
        }
        candidates_.push_back(std::move(it));
    }
    void index() {
        by_from_ = Rows<std::uint32_t>::by_row(task_.variables[variable_].domain, [&](auto&& put) {
            for (std::uint32_t i = 0; i < candidates_.size(); ++i) put(candidates_[i].from, i);
        });
    }
    // Calls `visit` with each candidate that leads back.
    template <class Visit>
    void each_inverse(const Candidate& it, Visit&& visit) {
        for (const std::uint32_t i : by_from_[it.to]) {
            control_.tick();
            if (candidates_[i].to == it.from && candidates_[i].walks) visit(candidates_[i]);
        }
    }

    void ask() {
        for (const Candidate& it : candidates_) {
            each_inverse(it, [&](const Candidate& back) {
                for (const Fact& fact : back.wants) {
                    if (shadow(it.from, fact.variable) || told(it, fact)) continue;
                    implications_.ask(it.from, fact);
                    implications_.ask(it.to, fact);
                }
            });
        }
    }
    // By what was wanted, and by mutex groups.
    bool told(const Candidate& it, const Fact& fact) const {
        const Fact ends[] = {{variable_, it.from}, {variable_, it.to}};
        return implications_.told_by(it.wants, fact) || implications_.told_by({ends, 1}, fact) ||
               implications_.told_by({ends + 1, 1}, fact);
    }
    bool undone(const Candidate& it, const Candidate& back) const {
        return std::ranges::all_of(back.wants, [&](const Fact& fact) {
            if (const Shadow* left = shadow(it.from, fact.variable)) return left->away == fact.value;
            return told(it, fact) || implications_.proved(it.from, fact) || implications_.proved(it.to, fact);
        });
    }
    bool drop_some() {
        bool dropped = false;
        for (Candidate& it : candidates_) {
            if (!it.walks) continue;
            bool back = false;
            each_inverse(it, [&](const Candidate& other) { back = back || undone(it, other); });
            if (back) continue;
            it.walks = false;
            dropped = true;
        }
        return dropped;
    }

    const Task& task_;
    const Mutexes& mutexes_;
    const FullGroups& groups_;
    std::uint32_t variable_;
    Control& control_;
    OperatorChanges normal_;
    Implications implications_;
    Rows<Shadow> shadows_;
    Vector<Candidate> candidates_;
    Rows<std::uint32_t> by_from_;
};

// By variable, the operators that move it, and do so unconditionally; of those that are wanted.
Rows<OperatorId> movers(const Task& task, const WalkerRequest& request, Control& control) {
    OperatorChanges normal(task);
    Vector<bool> wanted(task.operators.size(), !request.among);
    if (request.among) {
        for (const OperatorId op : *request.among) wanted[op] = true;
    }
    return Rows<OperatorId>::by_row(task.variables.size(), [&](auto&& put) {
        for (OperatorId number = 0; number < task.operators.size(); ++number) {
            const Operator& op = task.operators[number];
            control.tick();
            if (!op.possible || !wanted[number]) continue;
            const auto changes = normal.of(op);
            const auto sure = [](const Change& change) { return change.base && change.open.empty(); };
            if (!std::ranges::all_of(changes, sure)) continue;
            for (const Change& change : changes) {
                const auto from = value_in(task.facts(op.precondition), change.variable);
                if (from && from != change.base) put(change.variable, number);
            }
        }
    });
}

}  // namespace

std::optional<Walker> find_walker(const Task& task, const TaskFeatures& features, const WalkerRequest& request,
                                  Control& control) {
    if (features.axioms) return {};
    const Rows<OperatorId> operators = movers(task, request, control);
    Vector<std::uint32_t> variables(task.variables.size());
    std::iota(variables.begin(), variables.end(), 0u);
    std::ranges::stable_sort(variables, std::greater<>(), [&](std::uint32_t it) { return operators[it].size(); });
    if (variables.empty() || operators[variables.front()].empty()) return {};
    const Mutexes mutexes(task, control);
    const FullGroups groups(task, control);
    const std::uint64_t until = control.spent() + MOST_TICKS;
    std::optional<Walker> best;
    for (const std::uint32_t variable : variables) {
        if (operators[variable].size() <= (best ? best->walks.size() : 0) || control.spent() >= until) break;
        Finder finder(task, mutexes, groups, variable, until, control);
        Walker walker = finder.find(operators[variable]);
        if (walker.walks.size() > (best ? best->walks.size() : 0)) best = std::move(walker);
    }
    return best;
}

}  // namespace unpuzzle
