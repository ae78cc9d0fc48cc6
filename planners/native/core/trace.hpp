// From a goal state back to the plan.
//
// States remember their parent but not the operator, which saves four bytes each: expanding the parent once
// more finds the operators that lead to the child, and the cheapest of them (then the first) is taken.
// (Without parents, too, a breadth-first search could be traced, by expanding whole layers again; that would
// save another four of some 19 bytes and nearly double the time.)
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "expander.hpp"
#include "rows.hpp"

namespace unpuzzle {

template <int W>
OperatorId operator_between(const Model& model, Expander<W>& expander, const Word* parent,
                            const Word* child) {
    std::vector<Word> made(model.words());
    std::tuple<std::uint32_t, OperatorId> best{~0u, ~0u};
    expander.load(parent);
    expander.applicable([&](OperatorId op) {
        expander.apply(op, made.data());
        if (equal<W>(made.data(), child, model.words()))
            best = std::min(best, {model.operators.cost(op), op});
    });
    return std::get<1>(best);
}

template <int W, class ParentOf>
std::vector<OperatorId> trace(const Model& model, const Rows<Word, W>& pool, StateId goal,
                              ParentOf&& parent_of) {
    Expander<W> expander(model);
    std::vector<OperatorId> plan;
    for (StateId child = goal; child != 0;) {
        const StateId parent = parent_of(child);
        plan.push_back(operator_between<W>(model, expander, pool[parent], pool[child]));
        child = parent;
    }
    std::reverse(plan.begin(), plan.end());
    return plan;
}

}  // namespace unpuzzle
