// What may be done to a plan afterwards. Nothing here ever makes a plan dearer, or invalid.
#pragma once

#include "base/memory.hpp"
#include "plans/steps.hpp"

namespace unpuzzle {

// A subsequence; see elimination.cpp. `work`: so many steps are looked at, at most.
Steps eliminate(const CompiledTask& compiled, Steps plan, Control& control, std::uint64_t work);

struct Improved {
    Steps plan;
    std::uint64_t expanded = 0, generated = 0;
    bool settled = false;  // more of the same would change nothing
};

// Windows; see windows.cpp. The limits of time and memory end it early, with the best plan so far.
Improved improve_by_windows(const CompiledTask& compiled, Steps plan, Control& control, const Budget& budget,
                            std::uint64_t most_expanded);

}  // namespace unpuzzle
