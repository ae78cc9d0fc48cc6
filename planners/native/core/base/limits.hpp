// The limits of one piece of work, and the status that it ends with where one of them strikes.
#pragma once

#include <new>
#include <optional>
#include <stdexcept>

#include "base/memory.hpp"

namespace unpuzzle {

struct Limits {
    std::optional<double> seconds;
    std::size_t bytes = SIZE_MAX;
};

// What `work` returns, or the limit that ended it.
template <class Work>
Status within_limits(Work&& work) {
    try {
        return work();
    } catch (const Stop& stop) {
        return stop.status;
    } catch (const std::bad_alloc&) {
        return Status::memout;
    } catch (const std::length_error&) {  // a container would be larger than any memory
        return Status::memout;
    }
}

}  // namespace unpuzzle
