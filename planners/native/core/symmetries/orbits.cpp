#include "symmetries/orbits.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>
#include <thread>

namespace unpuzzle {

namespace {

constexpr std::size_t LISTED_PER_ONE = 4;  // of listed elements, mostly only a digit is looked at
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
            support(name);
            if (!list(own)) large.push_back(name);
        }
        for (const std::uint32_t name : large) {
            support(name);
            climb(factors[name]);
        }
    }

  private:
    std::uint32_t root(std::uint32_t variable) {
        while (factor_of_[variable] != variable) variable = factor_of_[variable] = factor_of_[factor_of_[variable]];
        return variable;
    }

    // The variables of a factor; those of many values tell most images apart, so they are compared first.
    void support(std::uint32_t name) {
        control_.tick();
        variables_ = members_[name];
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
};

Orbits::Orbits(const Task& task, const Layout& layout, const Vector<Symmetry>& generators, Control& control)
    : words_(layout.words()) {
    if (words_ < MOST_WORDS_OF_DIGITS) Builder(*this, task, layout, control).build(generators);
}

std::size_t Orbits::canonical(Word* state, Scratch& scratch, bool only_listed) const {
    std::size_t looked = 0;
    for (const Factor& factor : factors_) {
        if (factor.listed) {
            const Element element = least(factor, state, scratch);
            if (element != factor.elements.begin) apply(element, state, scratch);
            looked += (factor.elements.end - factor.elements.begin) / LISTED_PER_ONE;
            continue;
        }
        if (only_listed) break;
        // To and fro: what generators exchange with its neighbour goes all the way in one of the two directions.
        const std::size_t begin = factor.elements.begin, end = factor.elements.end;
        for (bool less = true, back = false; less; back = !back) {
            less = false;
            looked += end - begin;
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t element = back ? begin + end - 1 - i : i;
                if (compare(elements_[element], state) >= 0) continue;
                apply(static_cast<Element>(element), state, scratch);
                less = true;
            }
        }
    }
    return looked;
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
        const std::size_t size = factor.elements.end - factor.elements.begin;
        if (!factor.listed || order > SIZE_MAX / size) return SIZE_MAX;
        order *= size;
    }
    return order;
}

bool Orbits::keeps(const Word* state) const {
    const auto kept = [&](const Entry& entry) { return compare(entry, state) == 0; };
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
        orbits_ = std::make_unique<const Orbits>(task, layout, symmetries(task, control), control);
    });
    const std::size_t meanwhile = std::min(budget_.peak(), budget.left());  // counts for its peak
    budget.take(meanwhile);
    budget.give_back(meanwhile);
}

}  // namespace unpuzzle
