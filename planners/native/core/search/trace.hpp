// From a goal state back to the plan.
//
// States remember where they come from, but not by which of the operators that lead here: expanding the parent
// once more finds them all, and the cheapest (then the first) is taken. So plans are the same however a search
// remembers its way.
#pragma once

#include <vector>

#include "state/compiled_task.hpp"

namespace unpuzzle {

// The operators that lead from each state to the next.
std::vector<OperatorId> trace(const CompiledTask& compiled, const std::vector<const Word*>& states);

// The states of these numbers in a pool that has them packed.
struct Unpacked {
    template <class Pool>
    Unpacked(const CompiledTask& compiled, const Pool& pool, const std::vector<StateId>& ids)
        : words(ids.size() * compiled.words()) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Word* row = words.data() + i * compiled.words();
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
