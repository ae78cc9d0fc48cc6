#include "pdbs/projection.hpp"

#include "pdbs/moves.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_CASES = std::size_t{1} << 16;  // of one operator
constexpr std::uint64_t WORK_OF_MOVE = 64;                // as in Projection::work
constexpr std::uint32_t NO_SLOT = ~0u;

void limit(std::size_t cases) {
    if (cases > MOST_CASES) throw Projection::TooLarge{};
}

}  // namespace

std::optional<std::size_t> Pattern::abstract_states(const Task& task, const Vector<std::uint32_t>& variables,
                                                    std::size_t most) {
    std::size_t count = 1;
    for (const std::uint32_t variable : variables) {
        const std::size_t domain = task.variables[variable].domain;
        if (count > most / domain) return {};
        count *= domain;
    }
    return count;
}

// Fills a projection, operator by operator. Slots are numbered as there, the folded variable after them.
class Projector {
  public:
    Projector(Projection& out, const Pattern& pattern)
        : out_(out), task_(out.task_), pattern_(pattern), slot_of_(task_.variables.size(), NO_SLOT), changes_(task_) {
        slots();
        goal();
    }

    void run() {
        if (out_.by_operator()) out_.loops.assign(task_.operators.size(), false);
        MoveWriter writer(out_);
        PatternCase memory;
        for (OperatorId op = 0; op < task_.operators.size(); ++op) {
            if (op % OPERATORS_PER_TICK == 0) out_.control_.tick();  // most of them change nothing in the pattern
            if (task_.operators[op].possible) project(op, memory, writer);
        }
        out_.work = task_.operators.size() + WORK_OF_MOVE * writer.finish();
    }

  private:
    static constexpr OperatorId OPERATORS_PER_TICK = 4;

    // A conditional effect: its conditions within the pattern; `open` if it has others.
    struct Conditional {
        std::uint32_t slot, value;
        Vector<Fact> conditions;  // slots and values
        bool open;
    };
    // The conditions of the conditional effects of an operator.
    struct Questions {
        Vector<Conditional> effects;
        Vector<Vector<std::uint32_t>> values;  // by slot, ascending
        std::size_t cases = 1;
    };

    void slots() {
        for (const std::uint32_t variable : pattern_.variables) {
            const std::uint32_t domain = task_.variables[variable].domain;
            const auto stride = static_cast<std::uint32_t>(out_.abstract_states);
            out_.slots.push_back({variable, domain, stride, 1.0 / stride});
            out_.abstract_states *= domain;
        }
        std::ranges::reverse(out_.slots);
        std::size_t first = 0;
        for (std::uint32_t i = 0; i < out_.slots.size(); ++i) {
            slot_of_[out_.slots[i].variable] = i;
            out_.first.push_back(first);
            first += out_.slots[i].domain;
        }
        out_.first.push_back(first);
        if (out_.has_folded_variable()) {
            const std::uint32_t domain = task_.variables[pattern_.folded_variable].domain;
            out_.folded_values = domain == 64 ? ~Mask{0} : (Mask{1} << domain) - 1;
            slot_of_[pattern_.folded_variable] = static_cast<std::uint32_t>(out_.folded_slot());
            out_.folded_moves.resize(domain);
        }
        out_.folded_allowed.assign(first, out_.folded_values);
        if (!out_.has_folded_variable()) return;
        for (const auto& slot : out_.slots) {
            Mask* allowed = &out_.folded_allowed[out_.first[slot_of_[slot.variable]]];
            for (std::uint32_t value = 0; value < slot.domain; ++value) {
                out_.mutexes_.excluded({slot.variable, value}, pattern_.folded_variable,
                                       [&](std::uint32_t other) { allowed[value] &= ~(Mask{1} << other); });
            }
        }
    }
    void goal() {
        out_.goal_.resize(out_.slots.size());
        out_.folded_goal_ = out_.folded_values;
        out_.no_goal_.resize(out_.first.back());
        for (const Fact& fact : task_.goal) {
            const std::uint32_t slot = slot_of_[fact.variable];
            if (slot == NO_SLOT)
                exclude_from_goal(fact);
            else if (slot == out_.folded_slot())
                out_.folded_goal_ = Mask{1} << fact.value;
            else
                out_.goal_[slot] = fact.value;
        }
    }

    // No goal state has a value that a goal outside the pattern excludes.
    void exclude_from_goal(const Fact& goal) {
        for (std::uint32_t slot = 0; slot < out_.slots.size(); ++slot) {
            out_.mutexes_.excluded(goal, out_.variable(slot),
                                   [&](std::uint32_t value) { out_.no_goal_[out_.first[slot] + value] = true; });
        }
        if (out_.has_folded_variable()) {
            out_.mutexes_.excluded(goal, pattern_.folded_variable,
                                   [&](std::uint32_t value) { out_.folded_goal_ &= ~(Mask{1} << value); });
        }
    }

    // `it` is only there so that its memory is used again.
    void project(OperatorId number, PatternCase& it, MoveWriter& writer) {
        const Operator& op = task_.operators[number];
        if (!touches(op) || known_folded_move(number)) return;
        it.cost = out_.by_operator() ? number : cost_number(pattern_.cost_mask[number] ? op.cost : 0);
        it.refused.clear();
        read_precondition(op, it);
        if (read_written(op, it))
            each_source(it, writer);
        else
            split(op, it, writer);
    }
    bool touches(const Operator& op) const {
        const auto effects = task_.effects(op);
        return std::ranges::any_of(effects,
                                   [&](const Effect& effect) { return slot_of_[effect.sets.variable] != NO_SLOT; });
    }
    // Whether all it does here is to change the folded variable, free of charge, as another operator does
    // unconditionally. Most operators of a sliding puzzle are sorted out by this, before anything is made of them.
    bool known_folded_move(OperatorId number) const {
        const Operator& op = task_.operators[number];
        if (!out_.has_folded_variable() || (pattern_.cost_mask[number] && op.cost != 0)) return false;
        std::uint32_t after = ANY_VALUE;
        for (const Effect& effect : task_.effects(op)) {
            const std::uint32_t slot = slot_of_[effect.sets.variable];
            if (slot == NO_SLOT) continue;
            if (slot != out_.folded_slot() || effect.conditions.begin != effect.conditions.end) return false;
            after = effect.sets.value;
        }
        const auto before = value_in(task_.facts(op.precondition), pattern_.folded_variable);
        return before && (out_.folded_moves[after] >> *before & 1) != 0;
    }
    std::uint32_t cost_number(std::uint32_t cost) {
        auto found = std::ranges::find(out_.costs, cost);
        if (found == out_.costs.end()) found = out_.costs.insert(found, cost);
        return static_cast<std::uint32_t>(found - out_.costs.begin());
    }

    void read_precondition(const Operator& op, PatternCase& it) const {
        it.slots.assign(out_.width(), {});
        it.outside.resize(out_.width());
        for (std::size_t slot = 0; slot < out_.width(); ++slot)
            it.outside[slot].reset(task_.variables[out_.variable(slot)].domain);
        for (const Fact& fact : task_.facts(op.precondition)) {
            if (slot_of_[fact.variable] != NO_SLOT) it.slots[slot_of_[fact.variable]].before = fact.value;
            for (std::size_t slot = 0; slot < out_.width(); ++slot) {
                const auto remove = [&](std::uint32_t value) { it.outside[slot].remove(value); };
                out_.mutexes_.excluded(fact, out_.variable(slot), remove);
            }
        }
    }
    // What is certainly written. False if conditional effects within the pattern are to be looked at.
    bool read_written(const Operator& op, PatternCase& it) const {
        it.written.clear();
        for (const Effect& effect : task_.effects(op)) {
            const std::uint32_t variable = effect.sets.variable, slot = slot_of_[variable];
            const bool sure = effect.conditions.begin == effect.conditions.end;
            if (slot != NO_SLOT) {
                if (!sure) return false;
                it.slots[slot].written = effect.sets.value;
                continue;
            }
            std::erase_if(it.written, [&](const Fact& fact) { return fact.variable == variable; });
            if (sure) it.written.push_back(effect.sets);
        }
        return true;
    }
    void read_written(std::span<const Change> changes, PatternCase& it) const {
        it.written.clear();
        for (const Change& change : changes) {
            const std::uint32_t slot = slot_of_[change.variable];
            if (slot != NO_SLOT)
                it.slots[slot].written = change.base.value_or(ANY_VALUE);
            else if (change.base && change.open.empty())
                it.written.push_back({change.variable, *change.base});
        }
    }

    // ---- conditional effects

    // One case for each combination of what the conditions ask about: for a slot, each value that is asked
    // for and "another one"; for an effect that asks beyond the pattern, yes or no.
    Questions questions(std::span<const Change> changes) const {
        Questions all;
        for (const Change& change : changes) {
            if (slot_of_[change.variable] == NO_SLOT) continue;
            for (const OpenEffect& effect : change.open) {
                all.effects.push_back(conditional(slot_of_[change.variable], effect));
                if (all.effects.back().open) limit(all.cases *= 2);
            }
        }
        all.values.resize(out_.width());
        for (const Conditional& effect : all.effects) {
            for (const Fact& fact : effect.conditions) all.values[fact.variable].push_back(fact.value);
        }
        for (auto& values : all.values) {
            sort_and_unique(values);
            limit(all.cases *= values.size() + 1);
        }
        return all;
    }
    Conditional conditional(std::uint32_t slot, const OpenEffect& effect) const {
        Conditional found{slot, effect.value, {}, false};
        for (const Fact& fact : effect.conditions) {
            if (slot_of_[fact.variable] == NO_SLOT)
                found.open = true;
            else
                found.conditions.push_back({slot_of_[fact.variable], fact.value});
        }
        return found;
    }
    void split(const Operator& op, PatternCase& it, MoveWriter& writer) {
        const auto changes = changes_.of(op);
        read_written(changes, it);
        const Questions asked = questions(changes);
        const Vector<SlotChange> before = it.slots;
        for (std::size_t number = 0; number < asked.cases; ++number) {
            out_.control_.tick();
            it.slots = before;
            it.refused.clear();
            if (answer(asked, number, it)) each_source(it, writer);
        }
    }
    // False if it cannot be.
    static bool answer(const Questions& asked, std::size_t number, PatternCase& it) {
        for (std::uint32_t slot = 0; slot < asked.values.size(); ++slot) {
            const auto& values = asked.values[slot];
            const std::size_t answer = number % (values.size() + 1);
            number /= values.size() + 1;
            if (values.empty()) continue;
            if (answer < values.size()) {
                it.slots[slot].before = values[answer];
                if (!it.outside[slot].has(values[answer])) return false;
            } else {
                for (const std::uint32_t value : values) it.refused.push_back({slot, value});
            }
        }
        for (const Conditional& effect : asked.effects) {
            bool happens = std::ranges::all_of(effect.conditions,
                                               [&](const Fact& f) { return it.slots[f.variable].before == f.value; });
            if (effect.open) {
                happens = happens && number % 2 == 1;
                number /= 2;
            }
            if (happens) it.slots[effect.slot].written = effect.value;
        }
        return true;
    }

    // The values before that are not known yet are tried in turn, where the operator changes them; so the
    // move can say by how much the rank changes.
    void each_source(PatternCase& it, MoveWriter& writer) const {
        Vector<std::size_t> open;
        std::size_t cases = 1;
        for (std::size_t slot = 0; slot < out_.slots.size(); ++slot) {
            if (!it.slots[slot].changed() || it.slots[slot].before != ANY_VALUE) continue;
            open.push_back(slot);
            limit(cases *= out_.slots[slot].domain);
        }
        for (std::size_t number = 0; number < cases; ++number) {
            std::size_t rest = number;
            bool fits = true;
            for (const std::size_t slot : open) {
                const auto value = static_cast<std::uint32_t>(rest % out_.slots[slot].domain);
                rest /= out_.slots[slot].domain;
                it.slots[slot].before = value;
                fits = fits && it.outside[slot].has(value) && !it.refuses(slot, value);
            }
            if (fits) writer.write(it);
        }
        for (const std::size_t slot : open) it.slots[slot].before = ANY_VALUE;
    }

    Projection& out_;
    const Task& task_;
    const Pattern& pattern_;
    Vector<std::uint32_t> slot_of_;  // by variable
    OperatorChanges changes_;
};

Projection::Projection(const Task& task, const Mutexes& mutexes, const Pattern& pattern, Control& control,
                       Labels labels)
    : task_(task), mutexes_(mutexes), control_(control), labels_(labels), folded_variable_(pattern.folded_variable) {
    Projector(*this, pattern).run();
}

}  // namespace unpuzzle
