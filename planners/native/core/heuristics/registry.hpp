// The registry of heuristics: by its name what one is made by, and what is known of it.
#pragma once

#include <span>
#include <string_view>

#include "heuristics/heuristic.hpp"

namespace unpuzzle {

struct HeuristicEntry {
    std::string_view name;
    std::unique_ptr<Heuristic> (*make)(const HeuristicContext&);
    const char* plural;  // what the estimates are, for messages
    bool admissible;
    Feature unsupported;  // tasks that have one of these are refused
};

std::span<const HeuristicEntry> heuristics();
// Throws UnknownName.
const HeuristicEntry& find_heuristic(std::string_view name);
// Throws UnknownName, UnsupportedTask.
std::unique_ptr<Heuristic> make_heuristic(std::string_view name, const HeuristicContext& context);

}  // namespace unpuzzle
