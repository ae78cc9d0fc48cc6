#include "search/a_star.hpp"

#include "search/compiled_system.hpp"

namespace unpuzzle {

std::unique_ptr<Search> a_star(SearchContext& run) { return make_for_task<AStar>(run); }

}  // namespace unpuzzle
