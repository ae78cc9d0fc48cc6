// From a goal state back to the plan.
//
// States remember their parent but not the operator, which saves four bytes each: expanding the parent once
// more finds the operators that lead to the child, and the cheapest of them (then the first) is taken.
#pragma once

#include <vector>

#include "model.hpp"

namespace unpuzzle {

// The operators that lead from each state to the next.
std::vector<OperatorId> trace(const Model& model, const std::vector<const Word*>& states);

// The states of these numbers in a pool that has them packed.
struct Unpacked {
    template <class Pool>
    Unpacked(const Model& model, const Pool& pool, const std::vector<StateId>& ids)
        : words(ids.size() * model.words()) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Word* row = words.data() + i * model.words();
            pool.load(ids[i], row);
            rows.push_back(row);
        }
    }
    Unpacked(const Unpacked&) = delete;
    Unpacked& operator=(const Unpacked&) = delete;

    std::vector<Word> words;
    std::vector<const Word*> rows;
};

}  // namespace unpuzzle
