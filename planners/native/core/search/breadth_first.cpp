#include "search/breadth_first.hpp"

#include "search/compiled_system.hpp"

namespace unpuzzle {

std::unique_ptr<Search> breadth_first(SearchContext& run) { return make_for_task<BreadthFirst>(run); }

}  // namespace unpuzzle
