// Removes from a task the operators that no plan contains, and the values that no state of a plan has; a variable that
// keeps one value is never tested. The plans are the same, and so is the least cost; and if there is no plan, the goal
// shows it. The removed parts are found by pairs of facts: see h2_pairs.hpp.
#pragma once

#include <optional>
#include <vector>

#include "task/features.hpp"

namespace unpuzzle {

struct H2PrunedTask {
    Buffers buffers;
    std::vector<OperatorId> numbers;  // by operator: its number in the task it comes from
};

struct H2Pruning {
    std::optional<H2PrunedTask> task;  // nothing, if there is nothing to leave out
    bool complete;                     // more work would find no more
};

// Leaves tasks with features that it does not support as they are. Does not spend more than `most_work` (words of rows,
// as in H2Pairs). Throws Stop, std::bad_alloc.
H2Pruning pruned(const Task& task, const TaskFeatures& features, Control& control, std::uint64_t most_work);

}  // namespace unpuzzle
