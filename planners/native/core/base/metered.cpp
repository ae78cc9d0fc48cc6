#include "base/metered.hpp"

namespace unpuzzle {

thread_local Budget* Metered::current_ = nullptr;

}  // namespace unpuzzle
