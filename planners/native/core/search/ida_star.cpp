#include "search/ida_star.hpp"

#include "search/compiled_system.hpp"

namespace unpuzzle {

std::unique_ptr<Search> ida_star(SearchContext& run) { return make_for_task<IDAStar, 2>(run); }

}  // namespace unpuzzle
