#include "state/axioms.hpp"

#include <algorithm>

namespace unpuzzle {

class Axioms::Builder {
  public:
    Builder(Axioms& out, const Task& task, const Layout& layout, Control& control)
        : out_(out), task_(task), layout_(layout), control_(control) {}

    void build() {
        order_by_layer();
        if (out_.derived_.empty()) return;
        for (std::uint32_t axiom = 0; axiom < task_.axioms.size(); ++axiom) {
            control_.tick();
            const auto body = task_.facts(task_.axioms[axiom].body);
            out_.waiting_.push_back(static_cast<std::uint32_t>(body.size()));
            out_.heads_.push_back(place_of_[task_.axioms[axiom].head]);
            if (body.empty()) out_.always_.push_back(axiom);
            for (const Fact& fact : body) wishes_.push_back({fact, axiom});
        }
        std::ranges::sort(wishes_);
        for (std::size_t begin = 0; begin < wishes_.size();) {
            control_.tick();
            begin = listeners(begin);
        }
    }

  private:
    struct Wish {
        Fact fact;
        std::uint32_t axiom;
        auto operator<=>(const Wish&) const = default;
    };

    void order_by_layer() {
        Vector<std::uint32_t> derived;
        for (std::uint32_t variable = 0; variable < task_.variables.size(); ++variable) {
            if (task_.variables[variable].derived()) derived.push_back(variable);
        }
        std::ranges::stable_sort(derived, {}, [&](std::uint32_t variable) { return task_.variables[variable].layer; });
        place_of_.resize(task_.variables.size());
        for (std::uint32_t i = 0; i < derived.size(); ++i) {
            place_of_[derived[i]] = i;
            out_.derived_.push_back({layout_[derived[i]], {}, {}});
            const bool higher = i == 0 || task_.variables[derived[i - 1]].layer < task_.variables[derived[i]].layer;
            if (higher) out_.layers_.push_back({i, i});
            ++out_.layers_.back().end;
        }
    }

    // All axioms that want one fact; answers where the next fact begins.
    std::size_t listeners(std::size_t begin) {
        const Fact fact = wishes_[begin].fact;
        Range range{out_.listeners_.size(), 0};
        std::size_t end = begin;
        for (; end < wishes_.size() && wishes_[end].fact == fact; ++end) out_.listeners_.push_back(wishes_[end].axiom);
        range.end = out_.listeners_.size();
        if (task_.variables[fact.variable].derived()) {
            Derived& derived = out_.derived_[place_of_[fact.variable]];
            (fact.value ? derived.if_true : derived.if_false) = range;
            return end;
        }
        const bool new_variable = begin == 0 || wishes_[begin - 1].fact.variable != fact.variable;
        if (new_variable) out_.tested_.push_back({layout_[fact.variable], {out_.values_.size(), 0}});
        out_.values_.push_back({fact.value, range});
        out_.tested_.back().values.end = out_.values_.size();
        return end;
    }

    Axioms& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    Vector<std::uint32_t> place_of_;  // by variable, in derived_
    Vector<Wish> wishes_;
};

Axioms::Axioms(const Task& task, const Layout& layout, Control& control)
    : words_(layout.words()), derived_words_(layout.derived_words()) {
    Builder(*this, task, layout, control).build();
}

template <bool MANY>
inline void Axioms::tell(Range listeners, Scratch& scratch) const {
    if (MANY) scratch.told.push_back(listeners);
    for (std::size_t i = listeners.begin; i < listeners.end; ++i) {
        if (--scratch.waiting[listeners_[i]] == 0) scratch.fired.push_back(listeners_[i]);
    }
}

template <bool MANY>
void Axioms::drain(Word* extended, Scratch& scratch) const {
    while (!scratch.fired.empty()) {
        const Derived& head = derived_[heads_[scratch.fired.back()]];
        scratch.fired.pop_back();
        if (head.place.value(extended) == 1) continue;
        extended[head.place.word] |= head.place.put(1);
        tell<MANY>(head.if_true, scratch);
    }
}

void Axioms::restore(Scratch& scratch) const {
    for (const Range& told : scratch.told) {
        for (std::size_t i = told.begin; i < told.end; ++i) scratch.waiting[listeners_[i]] = waiting_[listeners_[i]];
    }
    scratch.told.clear();
}

template <bool MANY>
void Axioms::evaluate(Word* extended, Scratch& scratch) const {
    std::fill_n(extended + words_, derived_words_, 0);
    if (MANY && !scratch.waiting.empty()) {
        restore(scratch);
    } else {
        scratch.waiting.assign(waiting_.begin(), waiting_.end());
    }
    scratch.fired.assign(always_.begin(), always_.end());
    for (const Tested& tested : tested_) {
        const std::uint32_t value = tested.place.value(extended);
        const std::span values{values_.data() + tested.values.begin, values_.data() + tested.values.end};
        const auto found = std::ranges::lower_bound(values, value, {}, &Value::value);
        if (found != values.end() && found->value == value) tell<MANY>(found->listeners, scratch);
    }
    for (const Range& layer : layers_) {
        drain<MANY>(extended, scratch);
        for (std::size_t i = layer.begin; i < layer.end; ++i) {
            if (derived_[i].place.value(extended) == 0) tell<MANY>(derived_[i].if_false, scratch);
        }
    }
    drain<MANY>(extended, scratch);
}

void Axioms::evaluate(Word* extended, Scratch& scratch) const {
    many() ? evaluate<true>(extended, scratch) : evaluate<false>(extended, scratch);
}

}  // namespace unpuzzle
