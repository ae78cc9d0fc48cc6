#include "state/operators.hpp"

#include "base/release.hpp"
#include "task/operator_changes.hpp"

namespace unpuzzle {

class Operators::Compiler {
  public:
    Compiler(Operators& out, const Task& task, const Layout& layout)
        : out_(out), task_(task), layout_(layout), changes_(task), write_of_word_(layout.words()) {}

    void compile(const Operator& op) {
        op_ = &op;
        writes_.clear();
        Conditional conditional{{out_.switches_.size(), 0}, {out_.guarded_.size(), 0}};
        if (op.possible) {
            for (const Change& change : changes_.of(op)) add(change);
        }
        conditional.switches.end = out_.switches_.size();
        conditional.guarded.end = out_.guarded_.size();
        emit_writes();
        out_.conditional_.push_back(conditional);
        out_.costs_.push_back(op.cost);
    }

  private:
    void add(const Change& change) {
        if (change.base) write({change.variable, *change.base});
        if (change.open.empty() || layout_[change.variable].mask == 0) return;
        if (!as_switch(change)) as_guarded(change);
    }

    bool as_switch(const Change& change) {
        const auto& open = change.open;
        const std::uint32_t variable = change.variable, on = open.front().conditions.front().variable;
        for (const auto& [facts, value] : open) {
            if (facts.size() != 1 || facts.front().variable != on) return false;
        }
        const auto before = change.base ? change.base : value_in(task_.facts(op_->precondition), variable);
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

    void as_guarded(const Change& change) {
        const Place& place = layout_[change.variable];
        for (const auto& [facts, value] : change.open) {
            const std::size_t begin = out_.tests_.size();
            layout_.tests(facts, out_.tests_);
            out_.guarded_.push_back({{begin, out_.tests_.size()}, {place.word, ~place.field(), place.put(value)}});
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
            out_.writes_.push(writes_.begin(), writes_.end());
            out_.writes_.close();
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
    OperatorChanges changes_;
    Vector<Write> writes_;
    Vector<std::uint32_t> write_of_word_;  // a guess: holds only if that write is of that word
};

Operators::Operators(const Task& task, const Layout& layout, Control& control) : words_(layout.words()) {
    Compiler compiler(*this, task, layout);
    costs_.reserve(task.operators.size());
    for (const Operator& op : task.operators) {
        control.tick();
        compiler.compile(op);
    }
    if (switches_.empty() && guarded_.empty()) release(conditional_);
}

}  // namespace unpuzzle
