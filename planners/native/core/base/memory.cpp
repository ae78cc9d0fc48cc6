#include "base/memory.hpp"

#include <cstdlib>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace unpuzzle {

Block::Block(Budget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) {
    budget.take(bytes);
#ifdef __linux__
    if (bytes >= 2 * LARGE_PAGE) {
        mapped_bytes_ = bytes + LARGE_PAGE;  // the part before the first large page is never touched
        mapped_ =
            mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped_ != MAP_FAILED) {
            const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
            data_ = reinterpret_cast<void*>((address + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
            // The last, partial large page stays in small pages, or memory would be taken that was not
            // counted.
            madvise(data_, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
            return;
        }
        mapped_ = nullptr;
    } else
#endif
    {
        data_ = std::calloc(bytes ? bytes : 1, 1);
        if (data_) return;
    }
    budget.give_back(bytes);
    throw std::bad_alloc();
}

Block::~Block() {
    if (!data_) return;
#ifdef __linux__
    if (mapped_) {
        munmap(mapped_, mapped_bytes_);
    } else
#endif
    {
        std::free(data_);
    }
    budget_->give_back(bytes_);
}

void give_back_to_system() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void Block::swap(Block& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(data_, other.data_);
    std::swap(mapped_, other.mapped_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
}

}  // namespace unpuzzle
