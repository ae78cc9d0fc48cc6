#include "search/objective.hpp"

#include <string>

namespace unpuzzle {

Objective objective_of(std::string_view name) {
    std::string names;
    for (std::size_t i = 0; i < std::size(OBJECTIVES); ++i) {
        if (name == OBJECTIVES[i]) return static_cast<Objective>(i);
        names += (i == 0 ? "" : " ") + std::string(OBJECTIVES[i]);
    }
    throw UnknownName("unknown objective '" + std::string(name) + "': there are " + names);
}

}  // namespace unpuzzle
