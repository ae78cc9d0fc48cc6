// From a goal state back to the plan.
//
// States remember their parent but not the operator, which saves four bytes each: expanding the parent once
// more finds the operators that lead to the child, and the cheapest of them (then the first) is taken.
#pragma once

#include <algorithm>
#include <vector>

#include "model.hpp"

namespace unpuzzle {

// The states from the initial one, which has the number 0, to `last`, where the rows of `pool` have them.
template <class Pool, class ParentOf>
std::vector<const Word*> path_to(StateId last, const Pool& pool, ParentOf&& parent_of) {
    std::vector<const Word*> states{pool[last]};
    for (StateId id = last; id != 0;) {
        id = parent_of(id);
        states.push_back(pool[id]);
    }
    std::reverse(states.begin(), states.end());
    return states;
}

// The operators that lead from each state to the next.
std::vector<OperatorId> trace(const Model& model, const std::vector<const Word*>& states);

// The same for states of these numbers in a pool that has them packed.
template <class Pool>
std::vector<OperatorId> trace(const Model& model, const Pool& pool, const std::vector<StateId>& ids) {
    std::vector<Word> words(ids.size() * model.words());
    std::vector<const Word*> states;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        pool.load(ids[i], words.data() + i * model.words());
        states.push_back(words.data() + i * model.words());
    }
    return trace(model, states);
}

}  // namespace unpuzzle
