#include "base/memory.hpp"

#include <algorithm>
#include <cstring>

#if defined(__linux__) || defined(__APPLE__)
#define UNPUZZLE_MAPPINGS
#include <sys/mman.h>
#include <sys/resource.h>
#elif defined(_WIN32)
#define UNPUZZLE_MAPPINGS
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // MinGW's library has defined it
#define NOMINMAX
#endif
#include <windows.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace unpuzzle {

namespace {

constexpr std::size_t LARGE_PAGE = std::size_t{1} << 21, FIRST = 1024, SMALL = LARGE_PAGE / 2;
constexpr std::size_t MOST_RESERVED = sizeof(void*) < 8 ? std::size_t{1} << 28 : std::size_t{1} << 19 << 19;
constexpr std::size_t SMALL_PAGES = std::size_t{1} << 16;  // a multiple of the size of small pages, on every system
// From here on an array has pages of its own: the allocator would keep them when the array is copied to a larger one.
#ifdef __SANITIZE_ADDRESS__  // knows only what was allocated
constexpr std::size_t LEAST_MAPPED = SIZE_MAX;
#else
constexpr std::size_t LEAST_MAPPED = 2 * SMALL_PAGES;
#endif
constexpr std::size_t PART_TO_SPARE = 8;  // by which a block grows that has no addresses to grow into
constexpr std::align_val_t CACHE_LINE{64};

std::size_t whole_pages(std::size_t bytes) { return (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE; }

// Whether addresses cost something: then what one block reserves is lost for all others, for Python and for threads.
bool addresses_are_limited() {
#ifdef __linux__
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
#else
    return false;
#endif
}

// What systems call differently: addresses without memory (null where there are none left), memory for some of them,
// which is zero, and their return.
#ifdef _WIN32
void* reserve_addresses(std::size_t bytes) { return VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS); }
bool give_memory(void* from, std::size_t bytes) { return VirtualAlloc(from, bytes, MEM_COMMIT, PAGE_READWRITE); }
void return_addresses(void* from, std::size_t) { VirtualFree(from, 0, MEM_RELEASE); }
#elif defined(UNPUZZLE_MAPPINGS)
void* reserve_addresses(std::size_t bytes) {
    void* mapped = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    return mapped == MAP_FAILED ? nullptr : mapped;
}
bool give_memory(void* from, std::size_t bytes) { return mprotect(from, bytes, PROT_READ | PROT_WRITE) == 0; }
void return_addresses(void* from, std::size_t bytes) { munmap(from, bytes); }
#endif

// Soon all of it will be used: then asking for one page after the other takes longer than copying arrays that grow.
[[maybe_unused]] void touch([[maybe_unused]] void* from, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    madvise(from, bytes, MADV_POPULATE_WRITE);
#endif
}

}  // namespace

void Block::grow(std::size_t least) {
    if (least <= bytes_) return;
    if (reserved_ > SMALL) {
        const std::size_t bytes = whole_pages(least);
        if (bytes <= reserved_) return take(bytes);
        if (!remap(bytes)) move_to(std::max(bytes, bytes_ + bytes_ / 2));
    } else if (least <= SMALL) {
        const std::size_t bytes = std::max({least, FIRST, std::min(2 * bytes_, SMALL)});
        bytes <= reserved_ ? take(bytes) : move_to(bytes);
    } else {
        move_to(std::max(whole_pages(least), bytes_ <= SMALL ? 0 : bytes_ + bytes_ / 2));
    }
}

void Block::renew(std::size_t bytes) {
    if (reserved_ >= bytes && bytes >= bytes_) {
        const std::size_t old = bytes_;
        take(bytes);
        std::memset(data_, 0, old);
        return;
    }
    release();
    allocate(bytes, budget_->left());
}

// Another piece of memory, with the old content; both are counted until it is copied.
void Block::move_to(std::size_t bytes) {
    Block larger(*budget_);
    larger.allocate(bytes, budget_->left());
    if (bytes_ > 0) std::memcpy(larger.data_, data_, bytes_);
    swap(larger);
}

// With addresses for `most`, so that it need not move again, if there are so many to spare.
void Block::allocate(std::size_t bytes, std::size_t most) {
    most = addresses_are_limited() ? bytes : std::max(bytes, std::min(most, MOST_RESERVED));
    if (bytes > SMALL && (reserve(most) || reserve(bytes))) return take(bytes);
    if (bytes <= SMALL && bytes >= LEAST_MAPPED && reserve(SMALL)) return take(bytes);
    budget_->take(bytes);
    data_ = ::operator new(bytes, CACHE_LINE, std::nothrow);
    if (!data_) {
        budget_->give_back(bytes);
        throw std::bad_alloc();
    }
    std::memset(data_, 0, bytes);
    bytes_ = bytes;
}

#ifdef UNPUZZLE_MAPPINGS

bool Block::reserve(std::size_t bytes) {
    const bool large = bytes > SMALL;
    const std::size_t most = large ? whole_pages(bytes) : bytes;
    mapped_bytes_ = large ? most + LARGE_PAGE : most;  // the part before the first large page is never touched
    mapped_ = data_ = reserve_addresses(mapped_bytes_);
    if (!mapped_) return false;
    reserved_ = most;
    if (!large) return true;
    const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    data_ = reinterpret_cast<void*>((address + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
#ifdef MADV_HUGEPAGE
    // A large page is only used where all of it was taken, so none brings memory that was not counted.
    madvise(data_, reserved_, MADV_HUGEPAGE);
#endif
    return true;
}

void Block::take(std::size_t bytes) {
    budget_->take(bytes - bytes_);
    const std::size_t begin = bytes_ / SMALL_PAGES * SMALL_PAGES;
    if (bytes > bytes_ && !give_memory(static_cast<char*>(data_) + begin, bytes - begin)) {
        budget_->give_back(bytes - bytes_);
        throw std::bad_alloc();
    }
    if (bytes > bytes_ && bytes <= SMALL) touch(static_cast<char*>(data_) + begin, bytes - begin);
    bytes_ = bytes;
}

#else

bool Block::reserve(std::size_t) { return false; }
void Block::take(std::size_t) {}

#endif

// Elsewhere in the address space, with the same pages: nothing is copied, and no memory is needed twice. False where the
// system has no such thing or refuses.
bool Block::remap([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
    take(reserved_);  // only pages of one kind move together
    const std::size_t spare = std::min(bytes_ / PART_TO_SPARE, budget_->left()) / LARGE_PAGE * LARGE_PAGE;
    bytes = std::max(bytes, bytes_ + spare);
    budget_->take(bytes - bytes_);
    void* moved = mremap(data_, bytes_, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
        budget_->give_back(bytes - bytes_);
        return false;
    }
    // What was reserved around it is still there.
    char *begin = static_cast<char*>(mapped_), *from = static_cast<char*>(data_), *to = from + bytes_;
    return_addresses(begin, static_cast<std::size_t>(from - begin));
    return_addresses(to, static_cast<std::size_t>(begin + mapped_bytes_ - to));
    data_ = mapped_ = moved;
    bytes_ = mapped_bytes_ = reserved_ = bytes;
    return true;
#else
    return false;
#endif
}

void Block::release() {
    if (!data_) return;
#ifdef UNPUZZLE_MAPPINGS
    if (mapped_) return_addresses(mapped_, mapped_bytes_);
#endif
    if (!mapped_) ::operator delete(data_, CACHE_LINE);
    budget_->give_back(bytes_);
    data_ = mapped_ = nullptr;
    bytes_ = mapped_bytes_ = reserved_ = 0;
}

void Block::swap(Block& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(reserved_, other.reserved_);
}

void* allocate_bytes(std::size_t bytes) {
#ifdef UNPUZZLE_MAPPINGS
    if (bytes >= LEAST_MAPPED) {
        void* mapped = reserve_addresses(bytes);
        if (!mapped) throw std::bad_alloc();
        if (give_memory(mapped, bytes)) {
            if (bytes <= SMALL) touch(mapped, bytes);
            return mapped;
        }
        return_addresses(mapped, bytes);
        throw std::bad_alloc();
    }
#endif
    return ::operator new(bytes);
}

void release_bytes(void* data, std::size_t bytes) noexcept {
#ifdef UNPUZZLE_MAPPINGS
    if (bytes >= LEAST_MAPPED) return return_addresses(data, bytes);
#endif
    ::operator delete(data);
}

void give_back_to_system() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace unpuzzle
