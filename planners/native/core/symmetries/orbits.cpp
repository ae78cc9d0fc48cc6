#include "symmetries/orbits.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>
#include <thread>

namespace unpuzzle {

namespace {

constexpr std::size_t LISTED_PER_ONE = 4;  // of listed elements, mostly only a digit is looked at
constexpr std::size_t MOST_LATE = 256, MOST_GONE = 16;
constexpr std::size_t MOST_ELEMENTS = 1024, MOST_POINTS = std::size_t{1} << 19, MOST_WORDS_OF_DIGITS = 1 << 16;

using Permutation = Vector<std::uint32_t>;  // of points, which are the facts of a factor's variables

}  // namespace

class Orbits::Builder {
  public:
    Builder(Orbits& out, const Task& task, const Layout& layout, Control& control)
        : out_(out), task_(task), layout_(layout), control_(control), factor_of_(task.variables.size()) {}

    void build(const Vector<Symmetry>& generators) {
        std::iota(factor_of_.begin(), factor_of_.end(), 0);
        for (const Symmetry& symmetry : generators) {
            for (const Moved& moved : symmetry) factor_of_[root(moved.from)] = root(symmetry.front().from);
        }
        Map<std::uint32_t, Vector<const Symmetry*>> factors;
        for (const Symmetry& symmetry : generators) factors[root(symmetry.front().from)].push_back(&symmetry);
        members_.resize(task_.variables.size());
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable)
            members_[root(variable)].push_back(variable);
        Vector<std::uint32_t> large;
        for (const auto& [name, own] : factors) {
            support(members_[name]);
            if (!list(own)) large.push_back(name);
        }
        for (const std::uint32_t name : large) {
            support(members_[name]);
            climb(factors[name]);
        }
    }

    // Late symmetries that are their own inverse, and those that they make of each other: of things that are alike later,
    // each two. They are compared by the same order of variables as the others, so that both together come to an end.
    void add_late(const Vector<Symmetry>& generators, std::span<const Passing> passing) {
        Set<std::uint32_t> moved;
        for (const Symmetry& symmetry : generators) {
            for (const Moved& it : symmetry) moved.insert(it.from);
        }
        support({moved.begin(), moved.end()});
        index(passing);
        Set<Permutation> known;
        Vector<const Permutation*> all;
        const auto add = [&](Permutation&& permutation) {
            const auto [at, fresh] = known.insert(std::move(permutation));
            if (fresh && all.size() < MOST_LATE && all.size() * owners_.size() < MOST_POINTS) all.push_back(&*at);
        };
        for (const Symmetry& symmetry : generators) {
            Permutation own = permutation(symmetry);
            if (own == inverse_of(own) && !gone(own, passing).empty()) add(std::move(own));
        }
        const std::size_t own = all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < own; ++j) {
                control_.work(owners_.size());
                Permutation conjugate(owners_.size());
                for (std::uint32_t point = 0; point < conjugate.size(); ++point)
                    conjugate[(*all[j])[point]] = (*all[j])[(*all[i])[point]];
                add(std::move(conjugate));
            }
        }
        // Those that move the first variables come first: then one round sorts what is all alike.
        std::ranges::sort(all, [](const Permutation* left, const Permutation* right) { return *left > *right; });
        const std::size_t first = out_.elements_.size();
        for (const Permutation* permutation : all) {
            const Set<Fact> gone = this->gone(*permutation, passing);
            if (gone.empty() || gone.size() > MOST_GONE) continue;
            sparse(*permutation, static_cast<Element>(out_.elements_.size()));
            const std::size_t begin = out_.gone_.size();
            for (const Fact& fact : gone) out_.gone_.push_back({layout_[fact.variable], fact.variable, fact.value});
            out_.elements_.back().gone = {begin, out_.gone_.size()};
        }
        if (first == out_.elements_.size()) return;
        out_.factors_.push_back({{first, out_.elements_.size()}, false, true});
        for (Factor& factor : out_.factors_) {
            const Entry& last = out_.elements_[factor.elements.end - 1];
            const auto targets = std::span(out_.targets_).subspan(last.targets, last.targeted);
            factor.mixed |= std::ranges::any_of(targets, [&](std::uint32_t it) { return moved.contains(it); });
        }
    }

  private:
    std::uint32_t root(std::uint32_t variable) {
        while (factor_of_[variable] != variable) variable = factor_of_[variable] = factor_of_[factor_of_[variable]];
        return variable;
    }

    // The variables of a factor; those of many values tell most images apart, so they are compared first.
    void support(Vector<std::uint32_t> variables) {
        control_.tick();
        variables_ = std::move(variables);
        std::stable_sort(variables_.begin(), variables_.end(), [&](std::uint32_t left, std::uint32_t right) {
            return task_.variables[left].domain > task_.variables[right].domain;
        });
        points_.clear();
        owners_.clear();
        for (std::uint32_t i = 0; i < variables_.size(); ++i) {
            points_[variables_[i]] = static_cast<std::uint32_t>(owners_.size());
            owners_.insert(owners_.end(), task_.variables[variables_[i]].domain, i);
        }
    }
    Permutation permutation(const Symmetry& symmetry) const {
        Permutation permutation(owners_.size());
        std::iota(permutation.begin(), permutation.end(), 0);
        for (const Moved& moved : symmetry) {
            const std::uint32_t from = points_.at(moved.from), to = points_.at(moved.to);
            for (std::uint32_t value = 0; value < moved.values.size(); ++value)
                permutation[from + value] = to + moved.values[value];
        }
        return permutation;
    }
    static Permutation inverse_of(const Permutation& permutation) {
        Permutation inverse(permutation.size());
        for (std::uint32_t point = 0; point < permutation.size(); ++point) inverse[permutation[point]] = point;
        return inverse;
    }

    // Lists the factor's group, if it is small enough.
    bool list(const Vector<const Symmetry*>& own) {
        Vector<Permutation> generators;
        for (const Symmetry* symmetry : own) generators.push_back(permutation(*symmetry));
        Map<Permutation, Element> numbers;
        Vector<const Permutation*> group;
        const auto add = [&](Permutation&& permutation) {
            const auto [at, fresh] = numbers.emplace(std::move(permutation), static_cast<Element>(group.size()));
            if (fresh) group.push_back(&at->first);
        };
        add(permutation({}));
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (const Permutation& generator : generators) {
                control_.tick();
                Permutation product(generator.size());
                for (std::uint32_t point = 0; point < product.size(); ++point)
                    product[point] = generator[(*group[i])[point]];
                add(std::move(product));
            }
            if (group.size() > MOST_ELEMENTS || group.size() * owners_.size() > MOST_POINTS) return false;
        }
        const auto first = static_cast<Element>(out_.elements_.size());
        const std::size_t targets = aim(variables_), digits = out_.digits_.size();
        out_.digits_.resize(digits + group.size() * variables_.size());
        out_.sources_.resize(out_.digits_.size());
        for (std::size_t i = 0; i < group.size(); ++i) {
            const Element inverse = first + numbers.at(inverse_of(*group[i]));
            out_.elements_.push_back({digits + i, group.size(), targets, variables_.size(), inverse});
            fill(out_.elements_.back(), *group[i]);
        }
        out_.factors_.push_back({{first, out_.elements_.size()}, true});
        return true;
    }

    // The passing operators that name a fact, by its point.
    void index(std::span<const Passing> passing) {
        named_.assign(owners_.size(), {});
        const auto name = [&](const Fact& fact, std::uint32_t i) {
            const auto point = points_.find(fact.variable);
            if (point != points_.end()) named_[point->second + fact.value].push_back(i);
        };
        for (std::uint32_t i = 0; i < passing.size(); ++i) {
            control_.tick();
            const Operator& op = task_.operators[passing[i].op];
            for (const Fact& fact : task_.facts(op.precondition)) name(fact, i);
            for (const Effect& effect : task_.effects(op)) {
                name(effect.sets, i);
                for (const Fact& fact : task_.facts(effect.conditions)) name(fact, i);
            }
        }
    }
    // What has to be gone, so that the operators that the permutation might break are over, and their images.
    Set<Fact> gone(const Permutation& permutation, std::span<const Passing> passing) {
        Set<Fact> gone;
        for (std::uint32_t point = 0; point < permutation.size(); ++point) {
            if (permutation[point] == point) continue;
            control_.work(named_[point].size());
            for (const std::uint32_t op : named_[point]) gone.insert(passing[op].needs);
        }
        for (const Fact& fact : Vector<Fact>(gone.begin(), gone.end())) {
            const auto point = points_.find(fact.variable);
            if (point == points_.end()) continue;
            const std::uint32_t image = permutation[point->second + fact.value], variable = variables_[owners_[image]];
            gone.insert({variable, image - points_.at(variable)});
        }
        return gone;
    }

    // Only the generators and their inverses.
    void climb(const Vector<const Symmetry*>& own) {
        const std::size_t first = out_.elements_.size();
        for (const Symmetry* symmetry : own) {
            control_.tick();
            const Permutation forth = permutation(*symmetry), back = inverse_of(forth);
            const auto element = static_cast<Element>(out_.elements_.size());
            sparse(forth, element + (forth == back ? 0 : 1));
            if (forth != back) sparse(back, element);
        }
        out_.factors_.push_back({{first, out_.elements_.size()}, false});
    }
    void sparse(const Permutation& permutation, Element inverse) {
        Vector<std::uint32_t> moved;
        for (const std::uint32_t variable : variables_) {
            const std::uint32_t begin = points_.at(variable), end = begin + task_.variables[variable].domain;
            bool moves = false;
            for (std::uint32_t point = begin; point < end; ++point) moves = moves || permutation[point] != point;
            if (moves) moved.push_back(variable);
        }
        const std::size_t digits = out_.digits_.size();
        out_.elements_.push_back({digits, 1, aim(moved), moved.size(), inverse});
        out_.digits_.resize(digits + moved.size());
        out_.sources_.resize(out_.digits_.size());
        fill(out_.elements_.back(), permutation);
    }
    std::size_t aim(const Vector<std::uint32_t>& variables) {
        const std::size_t targets = out_.targets_.size();
        for (const std::uint32_t variable : variables) {
            out_.targets_.push_back(variable);
            out_.places_.push_back(layout_[variable]);
        }
        return targets;
    }
    void fill(const Entry& entry, const Permutation& permutation) {
        const Permutation back = inverse_of(permutation);
        for (std::size_t i = 0; i < entry.targeted; ++i) {
            const std::uint32_t target = points_.at(out_.targets_[entry.targets + i]);
            const std::uint32_t source = variables_[owners_[back[target]]];
            Vector<std::uint16_t> values;
            for (std::uint32_t value = 0; value < task_.variables[source].domain; ++value)
                values.push_back(static_cast<std::uint16_t>(permutation[points_.at(source) + value] - target));
            const Place& place = layout_[source];
            const std::size_t at = entry.first + i * entry.stride;
            out_.digits_[at] = {map(std::move(values)), static_cast<std::uint16_t>(place.word),
                                static_cast<std::uint8_t>(place.shift),
                                static_cast<std::uint8_t>(std::popcount(place.mask))};
            out_.sources_[at] = source;
        }
    }
    std::uint32_t map(Vector<std::uint16_t>&& values) {
        const auto [at, fresh] = maps_.emplace(std::move(values), static_cast<std::uint32_t>(out_.maps_.size()));
        if (fresh) out_.maps_.insert(out_.maps_.end(), at->first.begin(), at->first.end());
        return at->second;
    }

    Orbits& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    Vector<std::uint32_t> factor_of_;           // by variable: union-find
    Vector<Vector<std::uint32_t>> members_;     // by root: the variables of its factor
    Vector<std::uint32_t> variables_;           // of the factor at hand
    Map<std::uint32_t, std::uint32_t> points_;  // by variable: the first of its facts
    Vector<std::uint32_t> owners_;              // by point: the place of its variable in variables_
    Map<Vector<std::uint16_t>, std::uint32_t> maps_;
    Vector<Vector<std::uint32_t>> named_;  // by point: passing operators
};

Orbits::Orbits(const Task& task, const Layout& layout, Control& control) : words_(layout.words()) {
    if (words_ >= MOST_WORDS_OF_DIGITS) return;
    Builder builder(*this, task, layout, control);
    builder.build(symmetries(task, control));
    // A symmetry does not say where it moves derived facts, which passing operators may need.
    const Rows<Passing> kinds = task.axioms.empty() ? passing_operators(task, control) : Rows<Passing>{};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        builder.add_late(late_symmetries(task, kinds[kind], control), kinds[kind]);
    find_lowered(task, control);
}

std::size_t Orbits::canonical(Word* state, Scratch& scratch, bool only_listed) const {
    std::size_t looked = 0;
    for (bool again = true, first = true; again; first = false) {
        again = false;
        for (const Factor& factor : factors_) {
            if (!first && !factor.mixed) continue;
            if (factor.listed) {
                const Element element = least(factor, state, scratch);
                if (element != factor.elements.begin) apply(element, state, scratch);
                looked += (factor.elements.end - factor.elements.begin) / LISTED_PER_ONE;
                continue;
            }
            if (only_listed) break;
            const bool less = climb(factor, state, scratch, looked);
            again |= factor.late && less;  // perhaps the others make it smaller now
        }
    }
    return looked;
}

// Whether some element made the state smaller. To and fro: what generators exchange with its neighbour goes all the way in
// one of the two directions.
bool Orbits::climb(const Factor& factor, Word* state, Scratch& scratch, std::size_t& looked) const {
    const std::size_t begin = factor.elements.begin, end = factor.elements.end;
    bool any = false;
    for (bool less = true, back = false; less; back = !back && !factor.late) {
        less = false;
        looked += end - begin;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t element = back ? begin + end - 1 - i : i;
            const Entry& entry = elements_[element];
            if (waits(entry, state) || compare(entry, state) >= 0) continue;
            apply(static_cast<Element>(element), state, scratch);
            any = less = true;
        }
    }
    return any;
}

Orbits::Element Orbits::least(const Factor& factor, const Word* state, Scratch& scratch) const {
    const auto first = static_cast<Element>(factor.elements.begin);
    const std::size_t size = factor.elements.end - factor.elements.begin;
    const Digit* digits = &digits_[elements_[first].first];
    if (scratch.least.size() < size) scratch.least.resize(size);
    Element* least = scratch.least.data();
    std::size_t left = size;
    std::iota(least, least + size, 0);
    for (std::size_t i = 0; i < elements_[first].targeted && left > 1; ++i, digits += size) {
        std::uint32_t smallest = ~0u;
        std::size_t kept = 0;
        for (std::size_t at = 0; at < left; ++at) {
            const std::uint32_t value = digits[least[at]].value(state, maps_.data());
            if (value > smallest) continue;
            if (value < smallest) kept = 0;
            smallest = value;
            least[kept++] = least[at];
        }
        left = kept;
    }
    return first + least[0];
}

// Of the image under an element with the state itself, at the first digit that differs.
std::strong_ordering Orbits::compare(const Entry& entry, const Word* state) const {
    for (std::size_t i = 0; i < entry.targeted; ++i) {
        const std::uint32_t now = places_[entry.targets + i].value(state);
        const std::uint32_t then = digit(entry, i).value(state, maps_.data());
        if (now != then) return then <=> now;
    }
    return std::strong_ordering::equal;
}

std::size_t Orbits::order() const {
    std::size_t order = 1;
    for (const Factor& factor : factors_) {
        if (factor.late) continue;
        const std::size_t size = factor.elements.end - factor.elements.begin;
        if (!factor.listed || order > SIZE_MAX / size) return SIZE_MAX;
        order *= size;
    }
    return order;
}

bool Orbits::keeps(const Word* state) const {
    const auto kept = [&](const Entry& entry) {
        const std::span<const Gone> gone = this->gone(entry);
        for (std::size_t i = 0; i < entry.targeted; ++i) {
            const std::size_t target = entry.targets + i;
            const bool same = digit(entry, i).value(state, maps_.data()) == places_[target].value(state);
            if (!same && std::ranges::find(gone, targets_[target], &Gone::variable) == gone.end()) return false;
        }
        return true;
    };
    return std::any_of(factors_.begin(), factors_.end(), [&](const Factor& factor) {
        const auto first = elements_.begin() + static_cast<std::ptrdiff_t>(factor.elements.begin);
        const auto last = elements_.begin() + static_cast<std::ptrdiff_t>(factor.elements.end);
        return std::any_of(first + (factor.listed ? 1 : 0), last, kept);
    });
}

void Orbits::apply(Element element, Word* state, Scratch& scratch) const {
    scratch.before.assign(state, state + words_);
    const Entry& entry = elements_[element];
    for (std::size_t i = 0; i < entry.targeted; ++i) {
        places_[entry.targets + i].write(digit(entry, i).value(scratch.before.data(), maps_.data()), state);
    }
    if (scratch.trail) scratch.trail->push_back(element);
}

std::vector<Orbits::Renaming> Orbits::renamings(Element element) const {
    const Entry& entry = elements_[element];
    std::vector<Renaming> all;
    for (std::size_t i = 0; i < entry.targeted; ++i) {
        const std::size_t at = entry.first + i * entry.stride;
        all.push_back({targets_[entry.targets + i], sources_[at], &maps_[digits_[at].map]});
    }
    return all;
}

LazyOrbits::Answer LazyOrbits::get(const Task& task, const Layout& layout, Control& control, Budget& budget) {
    const std::uint64_t before = control.spent();
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock()) {  // another search is finding them
        control.begin_phase();
        control.tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!orbits_) find(task, layout, control, budget);
    control.uncount(control.spent() - before);  // or who comes first would count more than the others
    if (!orbits_ || budget_.used() > budget.left()) return {};
    return {orbits_.get(), budget_.used()};
}

// The memory for it is asked from a budget of their own, which is still there when the search has ended.
void LazyOrbits::find(const Task& task, const Layout& layout, Control& control, Budget& budget) {
    budget_.renew(budget.left());
    within_memory([&] {
        const Metered metered(budget_);
        orbits_ = std::make_unique<const Orbits>(task, layout, control);
    });
    const std::size_t meanwhile = std::min(budget_.peak(), budget.left());  // counts for its peak
    budget.take(meanwhile);
    budget.give_back(meanwhile);
}

}  // namespace unpuzzle
