#include "base/metered.hpp"

#include <new>

namespace unpuzzle {

namespace {

// Small blocks cost more than what they hold: the size is written before them, and they are aligned.
constexpr std::size_t with_header(std::size_t bytes) { return (bytes + 8 + 15) / 16 * 16; }

}  // namespace

void* allocate_metered(Budget* budget, std::size_t count, std::size_t size) {
    if (count > SIZE_MAX / 2 / size) throw std::bad_alloc();
    const std::size_t bytes = count * size;
    if (budget) budget->take(with_header(bytes));
    try {
        return allocate_bytes(bytes);
    } catch (...) {
        if (budget) budget->give_back(with_header(bytes));
        throw;
    }
}

void release_metered(Budget* budget, void* data, std::size_t bytes) noexcept {
    if (budget) budget->give_back(with_header(bytes));
    release_bytes(data, bytes);
}

}  // namespace unpuzzle
