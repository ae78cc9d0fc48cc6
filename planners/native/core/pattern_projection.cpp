#include "pattern_projection.hpp"

#include <algorithm>

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_CASES = std::size_t{1} << 16;  // of one operator
constexpr std::size_t MOST_MOVES = std::size_t{1} << 19;  // of one pattern
constexpr std::uint64_t WORK_OF_MOVE = 64;                // as in Projection::work
constexpr std::uint32_t ANY = ~0u;

// A set of a slot's values; empty words mean all of them, as long as nothing was taken out.
class Values {
  public:
    void reset(std::uint32_t domain) {
        words_.assign((domain + 63) / 64, ~std::uint64_t{0});
        if (domain % 64 != 0) words_.back() >>= 64 - domain % 64;
        restricted_ = false;
    }
    void remove(std::uint32_t value) {
        words_[value / 64] &= ~(std::uint64_t{1} << value % 64);
        restricted_ = true;
    }
    void only(std::uint32_t value) {
        const bool had = has(value);
        std::fill(words_.begin(), words_.end(), 0);
        if (had) words_[value / 64] |= std::uint64_t{1} << value % 64;
        restricted_ = true;
    }
    bool has(std::uint32_t value) const { return (words_[value / 64] >> value % 64 & 1) != 0; }
    bool restricted() const { return restricted_; }
    const Vector<std::uint64_t>& words() const { return words_; }
    Mask mask() const { return words_.front(); }
    bool subset_of(const Values& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if ((words_[i] & ~other.words_[i]) != 0) return false;
        }
        return true;
    }

  private:
    Vector<std::uint64_t> words_;
    bool restricted_ = false;
};

}  // namespace

std::optional<std::size_t> Pattern::placements(const Task& task, const Vector<std::uint32_t>& variables,
                                               std::size_t most) {
    std::size_t count = 1;
    for (const std::uint32_t variable : variables) {
        const std::size_t domain = task.variables[variable].domain;
        if (count > most / domain) return {};
        count *= domain;
    }
    return count;
}

// Fills a projection, operator by operator. Slots are numbered as in the projection, the hub after them.
class Projector {
  public:
    Projector(Projection& out, const Pattern& pattern)
        : out_(out), task_(out.task_), pattern_(pattern), slot_of_(task_.variables.size(), ANY) {
        slots();
        goal();
    }

    void run() {
        if (by_operator()) out_.loops.assign(task_.operators.size(), false);
        for (OperatorId op = 0; op < task_.operators.size(); ++op) {
            out_.control_.tick();
            if (task_.operators[op].possible) project(op);
        }
        out_.work = task_.operators.size() + WORK_OF_MOVE * emitted_;
        order();
    }

  private:
    struct Outcome {  // of an operator for one slot, as far as it is known
        std::uint32_t before = ANY, after = ANY;
        bool changed() const { return after != ANY; }
    };
    // A conditional effect: what it asks for within the pattern; `open` if it asks for more.
    struct Conditional {
        std::uint32_t slot, value;
        Vector<Fact> conditions;  // slots and values
        bool open;
    };
    struct Listed {
        std::size_t key;
        Projection::Move move;
    };

    std::size_t hub_slot() const { return out_.slots.size(); }
    bool has_hub() const { return pattern_.hub != Pattern::NO_HUB; }
    bool by_operator() const { return out_.labels_ == Projection::Labels::operators; }
    std::uint32_t variable(std::size_t slot) const {
        return slot < out_.slots.size() ? out_.slots[slot].variable : pattern_.hub;
    }
    Fact fact(std::size_t slot, std::uint32_t value) const { return {variable(slot), value}; }

    void slots() {
        for (const std::uint32_t variable : pattern_.variables) {
            const std::uint32_t domain = task_.variables[variable].domain;
            const auto stride = static_cast<std::uint32_t>(out_.placements);
            slot_of_[variable] = static_cast<std::uint32_t>(out_.slots.size());
            out_.slots.push_back({variable, domain, stride, 1.0 / stride});
            out_.placements *= domain;
        }
        std::reverse(out_.slots.begin(), out_.slots.end());
        std::size_t first = 0;
        for (std::uint32_t i = 0; i < out_.slots.size(); ++i) {
            slot_of_[out_.slots[i].variable] = i;
            out_.first.push_back(first);
            first += out_.slots[i].domain;
        }
        out_.first.push_back(first);
        if (has_hub()) {
            const std::uint32_t domain = task_.variables[pattern_.hub].domain;
            out_.hub_values = domain == 64 ? ~Mask{0} : (Mask{1} << domain) - 1;
            slot_of_[pattern_.hub] = static_cast<std::uint32_t>(hub_slot());
            out_.hub_moves.resize(domain);
        }
        width_ = out_.slots.size() + (has_hub() ? 1 : 0);
        outside_.resize(width_);
        inside_.resize(width_);
        promised_.resize(width_);
        out_.hub_allowed.assign(first, out_.hub_values);
        if (!has_hub()) return;
        for (const auto& slot : out_.slots) {
            Mask* allowed = &out_.hub_allowed[out_.first[slot_of_[slot.variable]]];
            for (std::uint32_t value = 0; value < slot.domain; ++value) {
                out_.mutexes_.excluded({slot.variable, value}, pattern_.hub,
                                       [&](std::uint32_t hub) { allowed[value] &= ~(Mask{1} << hub); });
            }
        }
    }
    void goal() {
        out_.goal_.resize(out_.slots.size());
        out_.hub_goal_ = out_.hub_values;
        out_.no_goal_.resize(out_.first.back());
        for (const Fact& fact : task_.goal) {
            const std::uint32_t slot = slot_of_[fact.variable];
            if (slot == ANY) {
                exclude_from_goal(fact);
                continue;
            }
            if (slot == hub_slot()) {
                out_.hub_goal_ = Mask{1} << fact.value;
            } else {
                out_.goal_[slot] = fact.value;
            }
        }
    }

    // No goal state has a value that a goal outside the pattern excludes.
    void exclude_from_goal(const Fact& goal) {
        for (std::uint32_t slot = 0; slot < out_.slots.size(); ++slot) {
            out_.mutexes_.excluded(goal, variable(slot), [&](std::uint32_t value) {
                out_.no_goal_[out_.first[slot] + value] = true;
            });
        }
        if (has_hub()) {
            out_.mutexes_.excluded(goal, pattern_.hub,
                                   [&](std::uint32_t value) { out_.hub_goal_ &= ~(Mask{1} << value); });
        }
    }

    void project(OperatorId number) {
        op_ = &task_.operators[number];
        if (!touches(*op_) || known_hub_move(number)) return;
        cost_ = by_operator() ? number : cost_number(pattern_.counted[number] ? op_->cost : 0);
        outcome_.assign(width_, {});
        for (const Fact& fact : task_.facts(op_->precondition)) {
            if (slot_of_[fact.variable] != ANY) outcome_[slot_of_[fact.variable]].before = fact.value;
        }
        read_outside();
        if (conditional_effects()) {
            split();
        } else {
            for (const Effect& effect : task_.effects(*op_)) {
                if (slot_of_[effect.sets.variable] != ANY) {
                    outcome_[slot_of_[effect.sets.variable]].after = effect.sets.value;
                }
            }
            choose_sources();
        }
    }
    bool touches(const Operator& op) const {
        const auto effects = task_.effects(op);
        return std::any_of(effects.begin(), effects.end(),
                           [&](const Effect& effect) { return slot_of_[effect.sets.variable] != ANY; });
    }
    // Whether all it does here is to move the hub, free of charge, as another operator does unconditionally.
    // Most operators of a sliding puzzle are sorted out by this.
    bool known_hub_move(OperatorId number) const {
        if (!has_hub() || (pattern_.counted[number] && op_->cost != 0)) return false;
        std::uint32_t before = ANY, after = ANY;
        for (const Effect& effect : task_.effects(*op_)) {
            const std::uint32_t slot = slot_of_[effect.sets.variable];
            if (slot == ANY) continue;
            if (slot != hub_slot() || effect.conditions.begin != effect.conditions.end) return false;
            after = effect.sets.value;
        }
        for (const Fact& fact : task_.facts(op_->precondition)) {
            if (fact.variable == pattern_.hub) before = fact.value;
        }
        return before != ANY && (out_.hub_moves[after] >> before & 1) != 0;
    }
    std::uint32_t cost_number(std::uint32_t cost) {
        const auto found = std::find(out_.costs.begin(), out_.costs.end(), cost);
        if (found == out_.costs.end()) out_.costs.push_back(cost);
        return static_cast<std::uint32_t>(std::find(out_.costs.begin(), out_.costs.end(), cost) -
                                          out_.costs.begin());
    }

    // What the facts that the operator names exclude: `outside_`, before or after it, for unchanged slots.
    void read_outside() {
        for (std::size_t slot = 0; slot < width_; ++slot) {
            outside_[slot].reset(task_.variables[variable(slot)].domain);
            const auto remove = [&](std::uint32_t value) { outside_[slot].remove(value); };
            for (const Fact& fact : task_.facts(op_->precondition)) {
                out_.mutexes_.excluded(fact, variable(slot), remove);
            }
        }
        written_.clear();
        for (const Effect& effect : task_.effects(*op_)) {
            if (slot_of_[effect.sets.variable] != ANY) continue;
            std::erase_if(written_, [&](const Fact& fact) { return fact.variable == effect.sets.variable; });
            const bool sure = effect.conditions.begin == effect.conditions.end;
            if (sure) written_.push_back(effect.sets);
        }
    }

    // ---- conditional effects

    bool conditional_effects() const {
        for (const Effect& effect : task_.effects(*op_)) {
            if (slot_of_[effect.sets.variable] != ANY && effect.conditions.begin != effect.conditions.end)
                return true;
        }
        return false;
    }
    // One case for each combination of what the conditions ask about: for a slot, each value that is asked
    // for and "another one"; for an effect that asks beyond the pattern, yes or no.
    void split() {
        Vector<Conditional> effects;
        Vector<Vector<std::uint32_t>> asked(width_);
        std::size_t open = 0, cases = 1;
        for (const Effect& effect : task_.effects(*op_)) {
            if (slot_of_[effect.sets.variable] == ANY) continue;
            Conditional conditional{slot_of_[effect.sets.variable], effect.sets.value, {}, false};
            if (!read(effect, conditional)) continue;
            for (const Fact& fact : conditional.conditions) asked[fact.variable].push_back(fact.value);
            if (conditional.open) limit(cases *= 2), ++open;
            effects.push_back(std::move(conditional));
        }
        for (auto& values : asked) {
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
            limit(cases *= values.size() + 1);
        }
        const Vector<Outcome> before = outcome_;
        for (std::size_t number = 0; number < cases; ++number) {
            out_.control_.tick();
            outcome_ = before;
            one_case(number, effects, asked);
        }
        refused_.clear();
    }
    static void limit(std::size_t cases) {
        if (cases > MOST_CASES) throw Projection::TooLarge{};
    }
    // False if the precondition says that the effect never happens.
    bool read(const Effect& effect, Conditional& out) const {
        const auto required = task_.facts(op_->precondition);
        for (const Fact& fact : task_.facts(effect.conditions)) {
            const auto found = std::lower_bound(required.begin(), required.end(), Fact{fact.variable, 0});
            const bool known = found != required.end() && found->variable == fact.variable;
            if (known && found->value != fact.value) return false;
            if (known) continue;
            if (slot_of_[fact.variable] == ANY) {
                out.open = true;
            } else {
                out.conditions.push_back({slot_of_[fact.variable], fact.value});
            }
        }
        return true;
    }
    void one_case(std::size_t number, const Vector<Conditional>& effects,
                  const Vector<Vector<std::uint32_t>>& asked) {
        refused_.clear();
        for (std::uint32_t slot = 0; slot < width_; ++slot) {
            const std::size_t answer = number % (asked[slot].size() + 1);
            number /= asked[slot].size() + 1;
            if (asked[slot].empty()) continue;
            if (answer < asked[slot].size()) {
                outcome_[slot].before = asked[slot][answer];
                if (!outside_[slot].has(outcome_[slot].before)) return;
            } else {
                for (const std::uint32_t value : asked[slot]) refused_.push_back({slot, value});
            }
        }
        for (const Conditional& effect : effects) {
            bool happens = std::all_of(effect.conditions.begin(), effect.conditions.end(),
                                       [&](const Fact& f) { return outcome_[f.variable].before == f.value; });
            if (effect.open) {
                happens = happens && number % 2 == 1;
                number /= 2;
            }
            if (happens) outcome_[effect.slot].after = effect.value;
        }
        choose_sources();
    }

    // ---- moves

    // The values before that are not known yet are tried in turn, where the operator changes them; so the
    // move can say by how much the rank changes.
    void choose_sources() {
        Vector<std::size_t> open;
        std::size_t cases = 1;
        for (std::size_t slot = 0; slot < out_.slots.size(); ++slot) {
            if (!outcome_[slot].changed() || outcome_[slot].before != ANY) continue;
            open.push_back(slot);
            limit(cases *= out_.slots[slot].domain);
        }
        for (std::size_t number = 0; number < cases; ++number) {
            std::size_t rest = number;
            bool fits = true;
            for (const std::size_t slot : open) {
                const auto value = static_cast<std::uint32_t>(rest % out_.slots[slot].domain);
                rest /= out_.slots[slot].domain;
                outcome_[slot].before = value;
                fits = fits && outside_[slot].has(value) && !refused(slot, value);
            }
            if (fits) emit();
        }
        for (const std::size_t slot : open) outcome_[slot].before = ANY;
    }
    bool refused(std::size_t slot, std::uint32_t value) const {
        return std::find(refused_.begin(), refused_.end(), Fact{static_cast<std::uint32_t>(slot), value}) !=
               refused_.end();
    }

    void emit() {
        Projection::Move move{out_.hub_values, out_.hub_values, true, 0, cost_, out_.checks.size(), 0};
        for (std::size_t slot = 0; slot < out_.slots.size(); ++slot) {
            if (outcome_[slot].changed())
                move.delta += (outcome_[slot].before - outcome_[slot].after) * out_.slots[slot].stride;
        }
        if (++emitted_ > 4 * MOST_MOVES) throw Projection::TooLarge{};
        if (!possible()) return;
        constrain();
        if (has_hub()) hub(move);
        if (move.delta == 0 && move.keeps_hub) {
            if (by_operator()) out_.loops[cost_] = true;
            return;
        }
        if ((move.after & out_.hub_values) == 0 || move.before == 0) return;
        const bool free = has_hub() && move.delta == 0 && out_.costs[cost_] == 0;
        const std::size_t key = checks(move);
        if (free && key == out_.first.back() && move.checks_begin == move.checks_end) {
            hub_move(move);
        } else if (seen_.insert(signature(key, move)).second) {
            if (seen_.size() > MOST_MOVES) throw Projection::TooLarge{};
            listed_.push_back({key, move});
        } else {
            out_.checks.resize(move.checks_begin);
        }
    }
    // The facts before exclude none of each other, nor do the facts after.
    bool possible() const {
        for (std::size_t one = 0; one < width_; ++one) {
            for (std::size_t two = 0; two < one; ++two) {
                if (both(outcome_[one].before, outcome_[two].before) &&
                    out_.mutexes_.exclusive(fact(one, outcome_[one].before), fact(two, outcome_[two].before)))
                    return false;
                const std::uint32_t left = after(one), right = after(two);
                if (both(left, right) && out_.mutexes_.exclusive(fact(one, left), fact(two, right)))
                    return false;
            }
        }
        return true;
    }
    static bool both(std::uint32_t left, std::uint32_t right) { return left != ANY && right != ANY; }
    std::uint32_t after(std::size_t slot) const {
        return outcome_[slot].changed() ? outcome_[slot].after : outcome_[slot].before;
    }

    // Sets `inside_`, for unchanged slots: the values that this move allows; `promised_`: those that the
    // state after it can have anyway.
    void constrain() {
        const bool still =
            std::none_of(outcome_.begin(), outcome_.begin() + static_cast<std::ptrdiff_t>(out_.slots.size()),
                         [](const Outcome& outcome) { return outcome.changed(); });
        for (std::size_t slot = 0; slot < width_; ++slot) {
            Values& allowed = inside_[slot];
            Values& promised = promised_[slot];
            allowed = outside_[slot];
            promised.reset(task_.variables[variable(slot)].domain);
            const auto both = [&](std::uint32_t value) { allowed.remove(value), promised.remove(value); };
            const auto once = [&](std::uint32_t value) { allowed.remove(value); };
            for (const Fact& fact : written_) out_.mutexes_.excluded(fact, variable(slot), once);
            for (std::size_t other = 0; other < width_; ++other) {
                if (other == slot) continue;
                if (after(other) != ANY)
                    out_.mutexes_.excluded(fact(other, after(other)), variable(slot), both);
                if (outcome_[other].before == ANY || !outcome_[other].changed()) continue;
                // Where only the hub moves, the placement is the same before, and must fit the hub there too.
                if (still && other == hub_slot()) {
                    out_.mutexes_.excluded(fact(other, outcome_[other].before), variable(slot), both);
                } else {
                    out_.mutexes_.excluded(fact(other, outcome_[other].before), variable(slot), once);
                }
            }
            for (const Fact& fact : refused_) {
                if (fact.variable == slot) allowed.remove(fact.value);
            }
            if (!outcome_[slot].changed() && outcome_[slot].before != ANY)
                allowed.only(outcome_[slot].before);
        }
    }
    void hub(Projection::Move& move) const {
        const Outcome& outcome = outcome_[hub_slot()];
        Mask before = outside_[hub_slot()].mask();
        for (const Fact& fact : refused_) {
            if (fact.variable == hub_slot()) before &= ~(Mask{1} << fact.value);
        }
        if (outcome.before != ANY) before &= Mask{1} << outcome.before;
        if (outcome.changed()) {
            move.keeps_hub = false;
            move.before = before;
            move.after = Mask{1} << outcome.after;
        } else {
            move.before = move.after = inside_[hub_slot()].mask();
        }
    }
    // Writes the tests of the move and returns the number under which it is listed: by a value that the
    // state after it must have, of a changed slot if possible.
    std::size_t checks(Projection::Move& move) {
        std::size_t key = out_.first.back();
        for (const bool changed : {true, false}) {
            for (std::size_t slot = 0; slot < out_.slots.size() && key == out_.first.back(); ++slot) {
                if (outcome_[slot].changed() == changed && after(slot) != ANY) {
                    key = out_.first[slot] + after(slot);
                }
            }
        }
        for (std::uint32_t slot = 0; slot < out_.slots.size(); ++slot) {
            if (after(slot) != ANY) {
                if (key == out_.first[slot] + after(slot)) continue;
                inside_[slot].reset(out_.slots[slot].domain);
                inside_[slot].only(after(slot));
            } else if (!inside_[slot].restricted() || promised_[slot].subset_of(inside_[slot])) {
                continue;
            }
            out_.checks.push_back({slot, pool(inside_[slot])});
        }
        move.checks_end = out_.checks.size();
        return key;
    }
    std::size_t pool(const Values& values) {
        const auto& words = values.words();
        const auto [entry, fresh] = pooled_.try_emplace(words, out_.bits.size());
        if (fresh) out_.bits.insert(out_.bits.end(), words.begin(), words.end());
        return entry->second;
    }
    void hub_move(const Projection::Move& move) {
        for (std::uint32_t value = 0; value < out_.hub_moves.size(); ++value) {
            if (move.after >> value & 1) out_.hub_moves[value] |= move.before;
        }
    }
    Vector<std::uint64_t> signature(std::size_t key, const Projection::Move& move) const {
        Vector<std::uint64_t> all{key, move.after, move.before, move.keeps_hub, move.delta, move.cost};
        for (std::size_t i = move.checks_begin; i < move.checks_end; ++i) {
            all.push_back(std::uint64_t{out_.checks[i].slot} << 32 | out_.checks[i].allowed);
        }
        return all;
    }

    void order() {
        std::stable_sort(listed_.begin(), listed_.end(),
                         [](const Listed& left, const Listed& right) { return left.key < right.key; });
        out_.place.assign(out_.first.back() + 2, 0);
        for (const Listed& listed : listed_) {
            ++out_.place[listed.key + 1];
            out_.moves.push_back(listed.move);
        }
        for (std::size_t i = 1; i < out_.place.size(); ++i) out_.place[i] += out_.place[i - 1];
    }

    Projection& out_;
    const Task& task_;
    const Pattern& pattern_;
    Vector<std::uint32_t> slot_of_;  // by variable
    std::size_t width_ = 0;          // slots, the hub included
    const Operator* op_ = nullptr;
    std::uint32_t cost_ = 0;
    std::size_t emitted_ = 0;
    Vector<Outcome> outcome_;
    Vector<Values> outside_, inside_, promised_;
    Vector<Fact> written_;  // what the operator certainly sets outside the pattern
    Vector<Fact> refused_;  // slots and values that the case at hand excludes
    Vector<Listed> listed_;
    Set<Vector<std::uint64_t>> seen_;
    Map<Vector<std::uint64_t>, std::size_t> pooled_;
};

Projection::Projection(const Task& task, const Mutexes& mutexes, const Pattern& pattern, Control& control,
                       Labels labels)
    : task_(task), mutexes_(mutexes), control_(control), labels_(labels) {
    Projector(*this, pattern).run();
}

}  // namespace unpuzzle
