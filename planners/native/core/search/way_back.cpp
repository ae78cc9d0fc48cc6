#include "search/way_back.hpp"

namespace unpuzzle {

WayBack::WayBack(SearchContext& run, CompactTable& table)
    : compiled_(run.compiled), control_(run.control), budget_(run.budget), table_(table), expander_(run.compiled) {
    for (OperatorId op = 0; op < compiled_.operators.count(); ++op) {
        const Operator& it = compiled_.task.operators[op];
        if (!it.possible) continue;
        Vector<Test> tests;
        compiled_.layout.tests(compiled_.task.facts(it.precondition), tests);
        Undoing undoing{op, 0, 0, 0};
        if (!tests.empty() && tests[0].word == 0) {
            undoing.asked = tests[0].mask;
            undoing.before = tests[0].value;
        }
        compiled_.operators.apply<1>(op, &undoing.before, &undoing.after);
        undoings_.push_back(undoing);
    }
    before_.resize(undoings_.size());
}

std::vector<Word> WayBack::to(Word state, Cost cost) {
    way_ = {state};
    while (way_.back() != compiled_.initial[0]) cost -= step(cost);
    std::reverse(way_.begin(), way_.end());
    return std::move(way_);
}

// To a state that is cheaper or initial, through states that are not. Tells how much cheaper.
Cost WayBack::step(Cost cost) {
    GrowingArray<Same, 1> same(budget_);
    *same.append() = {0, PackedState::of(way_.back())};
    for (std::uint32_t i = 0; i < same.size(); ++i) {
        control_.work(undoings_.size());
        for (const Before& it : before(same[i]->state.word())) {
            const Cost less = compiled_.operators.cost(it.op);
            if (less > cost || !leads(it, cost - less)) continue;
            if (less > 0 || it.state == compiled_.initial[0]) {
                append(same, i);
                way_.push_back(it.state);
                return less;
            }
            *same.append() = {i, PackedState::of(it.state)};
            table_.put(table_.find(it.mixed), it.mixed, cost + 1);
        }
    }
    throw std::logic_error("internal error: no way leads back to the initial state");
}

std::span<const WayBack::Before> WayBack::before(Word state) {
    std::size_t count = 0;
    for (const Undoing& it : undoings_) {
        if ((state & it.asked) != it.after) continue;
        const Word undone = (state & ~it.asked) | it.before;
        before_[count] = {it.op, undone, table_.mixed(undone)};
        table_.prefetch(before_[count++].mixed);
    }
    return {before_.data(), count};
}

// Whether it is a state of that cost, in which the operator is applicable.
bool WayBack::leads(const Before& it, Cost cost) {
    const auto place = table_.find(it.mixed);
    if (!place.known || table_.cost(place.slot) != cost) return false;
    if (!compiled_.features.axioms) return true;
    expander_.load(&it.state);
    const auto& applicable = expander_.applicable();
    return std::find(applicable.begin(), applicable.end(), it.op) != applicable.end();
}

// All but the first, which is there already.
void WayBack::append(const GrowingArray<Same, 1>& same, std::uint32_t last) {
    const std::size_t size = way_.size();
    for (std::uint32_t i = last; i != 0; i = same[i]->to) way_.push_back(same[i]->state.word());
    std::reverse(way_.begin() + static_cast<std::ptrdiff_t>(size), way_.end());
}

}  // namespace unpuzzle
