#include "operators.hpp"

#include <algorithm>
#include <optional>

namespace unpuzzle {

class Operators::Compiler {
  public:
    Compiler(Operators& out, const Task& task, const Layout& layout)
        : out_(out), task_(task), layout_(layout), write_of_word_(layout.words()) {}

    void compile(const Operator& op) {
        op_ = &op;
        writes_.clear();
        Conditional conditional{{out_.switches_.size(), 0}, {out_.guarded_.size(), 0}};
        if (op.possible) {
            for (const auto& group : by_variable()) effects_on_one_variable(group);
        }
        conditional.switches.end = out_.switches_.size();
        conditional.guarded.end = out_.guarded_.size();
        emit_writes();
        out_.conditional_.push_back(conditional);
        out_.costs_.push_back(op.cost);
    }

  private:
    using Group = Vector<const Effect*>;

    Vector<Group> by_variable() const {
        Vector<const Effect*> all;
        for (const Effect& effect : task_.effects(*op_)) {
            if (possible(effect)) all.push_back(&effect);
        }
        const auto less = [](const Effect* left, const Effect* right) {
            return left->sets.variable < right->sets.variable;
        };
        std::stable_sort(all.begin(), all.end(), less);
        Vector<Group> groups;
        for (const Effect* effect : all) {
            if (groups.empty() || less(groups.back().back(), effect)) groups.emplace_back();
            groups.back().push_back(effect);
        }
        return groups;
    }

    std::optional<std::uint32_t> required(std::uint32_t variable) const {
        const auto facts = task_.facts(op_->precondition);
        const auto found = std::lower_bound(facts.begin(), facts.end(), Fact{variable, 0});
        if (found == facts.end() || found->variable != variable) return {};
        return found->value;
    }
    bool possible(const Effect& effect) const {
        const auto conditions = task_.facts(effect.conditions);
        return std::all_of(conditions.begin(), conditions.end(), [&](const Fact& fact) {
            return required(fact.variable).value_or(fact.value) == fact.value;
        });
    }
    // What of the conditions the precondition does not promise already.
    Vector<Fact> conditions(const Effect& effect) const {
        Vector<Fact> open;
        for (const Fact& fact : task_.facts(effect.conditions)) {
            if (!required(fact.variable)) open.push_back(fact);
        }
        return open;
    }

    void effects_on_one_variable(const Group& group) {
        const std::uint32_t variable = group.front()->sets.variable;
        std::optional<std::uint32_t> before = required(variable);
        Vector<std::pair<Vector<Fact>, std::uint32_t>> open;
        for (const Effect* effect : group) {
            auto facts = conditions(*effect);
            if (facts.empty()) {
                open.clear();
                before = effect->sets.value;
                write(effect->sets);
            } else {
                open.emplace_back(std::move(facts), effect->sets.value);
            }
        }
        if (open.empty() || layout_[variable].mask == 0) return;
        if (!as_switch(variable, before, open)) as_guarded(variable, open);
    }

    template <class Open>
    bool as_switch(std::uint32_t variable, std::optional<std::uint32_t> before, const Open& open) {
        const std::uint32_t on = open.front().first.front().variable;
        for (const auto& [facts, value] : open) {
            if (facts.size() != 1 || facts.front().variable != on) return false;
        }
        const Place& place = layout_[on];
        const std::size_t size = place.mask + 1;
        if ((!before && on != variable) || size > 4 * open.size()) return false;
        const std::size_t begin = out_.deltas_.size();
        out_.deltas_.resize(begin + size, 0);
        for (const auto& [facts, value] : open) {  // the later one overwrites
            const std::uint32_t old = before.value_or(facts.front().value);
            out_.deltas_[begin + facts.front().value] = layout_[variable].put(old ^ value);
        }
        out_.switches_.push_back({place, layout_[variable].word, begin});
        return true;
    }

    template <class Open>
    void as_guarded(std::uint32_t variable, const Open& open) {
        const Place& place = layout_[variable];
        for (const auto& [facts, value] : open) {
            const std::size_t begin = out_.tests_.size();
            layout_.tests(facts, out_.tests_);
            out_.guarded_.push_back(
                {{begin, out_.tests_.size()}, {place.word, ~place.field(), place.put(value)}});
        }
    }

    void write(const Fact& fact) {
        const Place& place = layout_[fact.variable];
        std::uint32_t& at = write_of_word_[place.word];
        if (at >= writes_.size() || writes_[at].word != place.word) {
            at = static_cast<std::uint32_t>(writes_.size());
            writes_.push_back({place.word, ~Word{0}, 0});
        }
        writes_[at].keep &= ~place.field();
        writes_[at].put = (writes_[at].put & ~place.field()) | place.put(fact.value);
    }

    void emit_writes() {
        if (layout_.words() > DENSE_WORDS) {
            out_.writes_.insert(out_.writes_.end(), writes_.begin(), writes_.end());
            out_.write_begin_.push_back(out_.writes_.size());
            return;
        }
        const std::size_t begin = out_.pairs_.size();
        out_.pairs_.resize(begin + layout_.words(), {~Word{0}, 0});
        for (const Write& write : writes_) out_.pairs_[begin + write.word] = {write.keep, write.put};
    }

    Operators& out_;
    const Task& task_;
    const Layout& layout_;
    const Operator* op_ = nullptr;
    Vector<Write> writes_;
    Vector<std::uint32_t> write_of_word_;  // a guess: holds only if that write is of that word
};

Operators::Operators(const Task& task, const Layout& layout, Control& control) : words_(layout.words()) {
    Compiler compiler(*this, task, layout);
    write_begin_.push_back(0);
    costs_.reserve(task.operators.size());
    for (const Operator& op : task.operators) {
        control.tick();
        compiler.compile(op);
    }
    if (switches_.empty() && guarded_.empty()) conditional_ = {};
}

}  // namespace unpuzzle
