// The operators that a search may leave out in a state since a symmetry that keeps this state maps them on others.
//
//     k balls in one room are alike: picking up one is as good as any other     pick b0, pick b1, pick b2 ... ──► pick b0
//
// If e keeps the state s, and maps the operator o on e(o), then e(o) is applicable in s, too, for the same cost, and e
// maps the successor by o on the successor by e(o). So o is left out where e(o) has a smaller number; that may be left
// out as well, but then for a still smaller one. What is kept begins a cheapest plan with the fewest operators if what
// is left out does, which is all that state/pruning.hpp asks for.
//
// The successors were one state after `canonical` anyway; but to find that for each took most of the time where many
// things are alike.
#include <algorithm>

#include "symmetries/orbits.hpp"

namespace unpuzzle {

namespace {

constexpr std::uint64_t MOST_IMAGES = 1 << 20;  // of operators, by all elements together
constexpr std::size_t MOST_EFFECTS = 64;        // of an operator, which are compared each with each
enum class Role : std::uint64_t { tested = 0x9E3779B97F4A7C15ull, written = 0xD6E8FEB86659FD93ull };

std::uint64_t code(const Fact& fact, Role role) {
    const std::uint64_t both = (std::uint64_t{fact.variable} << 32 | fact.value) + 1;
    const auto factor = static_cast<std::uint64_t>(role);
    return (both ^ both >> 29 ^ factor) * factor;
}

// The images of operators. Those with many or conditional effects, or two effects on one variable, have none.
class OperatorImages {
  public:
    OperatorImages(const Task& task, Control& control)
        : task_(task), control_(control), moves_(task.variables.size(), nullptr) {
        for (OperatorId op = 0; op < task.operators.size(); ++op) {
            control.tick();
            if (usable(op)) sums_.push_back({sum(op, [](const Fact& fact) { return fact; }), op});
        }
        std::ranges::sort(sums_);
        naming_ = Rows<OperatorId>::by_row(task.variables.size(), [&](auto&& put) {
            for (const auto& [sum, op] : sums_) each_fact(op, [&](const Fact& fact, Role) { put(fact.variable, op); });
        });
    }

    // The operators of which the image has a smaller number.
    Vector<OperatorId> lowered(const std::vector<Orbits::Renaming>& renamings) {
        Vector<OperatorId> named, lowered;
        for (const Orbits::Renaming& it : renamings) {
            if (!moves(it)) continue;
            moves_[it.source] = &it;
            named.insert(named.end(), naming_[it.source].begin(), naming_[it.source].end());
        }
        sort_and_unique(named);
        images_ += named.size();
        for (const OperatorId op : named) {
            control_.tick();
            if (image(op) < op) lowered.push_back(op);
        }
        for (const Orbits::Renaming& it : renamings) moves_[it.source] = nullptr;
        return lowered;
    }
    bool enough() const { return images_ >= MOST_IMAGES; }

  private:
    struct Sum {
        std::uint64_t sum;
        OperatorId op;
        auto operator<=>(const Sum&) const = default;
    };

    bool usable(OperatorId number) const {
        const Operator& op = task_.operators[number];
        const std::span<const Effect> effects = task_.effects(op);
        const auto conditional = [](const Effect& it) { return it.conditions.begin != it.conditions.end; };
        const auto again = [&](const Effect& it) {
            const auto same = [&](const Effect& other) { return other.sets.variable == it.sets.variable; };
            return std::ranges::count_if(effects, same) > 1;
        };
        return op.possible && effects.size() <= MOST_EFFECTS && std::ranges::none_of(effects, conditional) &&
               std::ranges::none_of(effects, again);
    }
    bool moves(const Orbits::Renaming& it) const {
        if (it.source != it.target) return true;
        for (std::uint32_t value = 0; value < task_.variables[it.source].domain; ++value) {
            if (it.values[value] != value) return true;
        }
        return false;
    }
    Fact moved(const Fact& fact) const {
        const Orbits::Renaming* const move = moves_[fact.variable];
        return move ? Fact{move->target, move->values[fact.value]} : fact;
    }
    template <class Visit>
    void each_fact(OperatorId op, Visit&& visit) const {
        for (const Fact& fact : task_.facts(task_.operators[op].precondition)) visit(fact, Role::tested);
        for (const Effect& effect : task_.effects(task_.operators[op])) visit(effect.sets, Role::written);
    }
    template <class Map>
    std::uint64_t sum(OperatorId op, Map&& map) const {
        std::uint64_t sum = task_.operators[op].cost;
        each_fact(op, [&](const Fact& fact, Role role) { sum += code(map(fact), role); });
        return sum;
    }
    // The least operator that is the image; the operator itself, if there is none.
    OperatorId image(OperatorId op) const {
        const std::uint64_t wanted = sum(op, [&](const Fact& fact) { return moved(fact); });
        auto at = std::ranges::lower_bound(sums_, Sum{wanted, 0});
        for (; at != sums_.end() && at->sum == wanted; ++at) {
            if (is_image(task_.operators[op], task_.operators[at->op])) return at->op;
        }
        return op;
    }
    bool is_image(const Operator& op, const Operator& other) const {
        const auto tests = task_.facts(op.precondition), others = task_.facts(other.precondition);
        const auto effects = task_.effects(op), sets = task_.effects(other);
        if (op.cost != other.cost || tests.size() != others.size() || effects.size() != sets.size()) return false;
        const auto tested = [&](const Fact& fact) { return std::ranges::binary_search(others, moved(fact)); };
        const auto set = [&](const Effect& it) {
            return std::ranges::find(sets, moved(it.sets), &Effect::sets) != sets.end();
        };
        return std::ranges::all_of(tests, tested) && std::ranges::all_of(effects, set);
    }

    const Task& task_;
    Control& control_;
    Vector<const Orbits::Renaming*> moves_;  // by variable
    Vector<Sum> sums_;
    Rows<OperatorId> naming_;  // by variable
    std::uint64_t images_ = 0;
};

}  // namespace

// Derived variables are not renamed, so operators that test one have no images.
void Orbits::find_lowered(const Task& task, Control& control) {
    if (!task.axioms.empty()) return;
    OperatorImages images(task, control);
    for (Element element = 0; element < elements_.size() && !images.enough(); ++element) {
        const Vector<OperatorId> lowered = images.lowered(renamings(element));
        if (lowered.empty()) continue;
        lowering_.push_back(element);
        lowered_.push(lowered.begin(), lowered.end());
        lowered_.close();
    }
}

void SymmetricOperators::prune(const Word* state, ApplicableOperators& applicable) {
    if (!orbits_ || applicable.size() < 2) return;
    left_out_.forget();
    bool any = false;
    orbits_->each_lowered(state, [&](std::span<const OperatorId> lowered) {
        for (const OperatorId op : lowered) left_out_.mark(op);
        any = true;
    });
    const std::size_t before = applicable.size();
    if (any) applicable.keep_if([&](OperatorId op) { return !left_out_.has(op); });
    seen_ += before;
    pruned_ += before - applicable.size();
    if (++states_ == STATES_ON_TRIAL && pruned_ * LEAST < seen_) orbits_ = nullptr;
}

}  // namespace unpuzzle
