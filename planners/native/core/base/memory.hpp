// Memory that is counted. A search asks its budget before it takes memory, so a limit is an answer (memout) and never a
// crash; a refusal of the system itself (std::bad_alloc) becomes the same answer.
//
// A block is zeroed memory that may grow in place.
//
//     reserved   ┌─────────────── taken ───────────────┬───────── addresses only ─── ┄
//                │ large page │ large page │ large page│  no memory, not counted
//                └─────────────────────────────────────┴──────────────────────────── ┄
//
// An array that doubles needs three times the memory while it is copied, and one in chunks an extra step for every
// access. So large blocks reserve addresses for more than they will ever need, and take memory from there in steps of a
// large page (a search reads at random, and with small pages every read also misses the address cache). Small blocks,
// and all blocks if the system has no such mappings or no addresses left, are allocated and copied when they grow.
//
// If the number of addresses is limited (`ulimit -v`, as on clusters), blocks that reserve too many would end the
// search while there is still memory, and no fixed share suits every number of blocks. Then a block reserves only what
// it takes, and grows by an eighth wherever Linux finds room; its pages move there without being copied.
#pragma once

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/control.hpp"

namespace unpuzzle {

class Budget {
  public:
    explicit Budget(std::size_t limit = SIZE_MAX) : limit_(limit) {}

    void take(std::size_t bytes) {
        if (bytes > limit_ - used_) throw Stop{Status::memout};
        used_ += bytes;
        if (used_ > peak_) peak_ = used_;
    }
    void give_back(std::size_t bytes) { used_ -= bytes; }
    // For more work: so many bytes beyond those that are in use.
    void renew(std::size_t bytes) { limit_ = bytes > SIZE_MAX - used_ ? SIZE_MAX : used_ + bytes; }
    // While an answer that was found is written down there is a tenth of the limit more for that, and LEAST_GRACE.
    void finish() {
        grace_ = std::min(limit_ / 10 + LEAST_GRACE, SIZE_MAX - limit_);
        limit_ += grace_;
    }
    void finished() { limit_ = std::max(used_, limit_ - grace_); }
    std::size_t left() const { return limit_ - used_; }
    std::size_t used() const { return used_; }
    std::size_t peak() const { return peak_; }

  private:
    static constexpr std::size_t LEAST_GRACE = std::size_t{1} << 24;

    std::size_t limit_, used_ = 0, peak_ = 0, grace_ = 0;  // used_ <= limit_
};

// The limits of one piece of work.
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

// Does `work`; false if memory did not suffice for it.
template <class Work>
bool within_memory(Work&& work) {
    try {
        work();
        return true;
    } catch (const Stop& stop) {
        if (stop.status != Status::memout) throw;
    } catch (const std::bad_alloc&) {
    }
    return false;
}

class Block {
  public:
    Block() = default;
    explicit Block(Budget& budget) : budget_(&budget) {}
    // Of a size that stays.
    Block(Budget& budget, std::size_t bytes) : Block(budget) { allocate(bytes, bytes); }
    Block(Block&& other) noexcept { swap(other); }
    Block& operator=(Block&& other) noexcept {
        Block old(std::move(other));
        swap(old);
        return *this;
    }
    ~Block() { release(); }

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    // To at least so many bytes, and some more if they are cheap; new ones are zero. Addresses may change.
    void grow(std::size_t least);
    // To exactly so many bytes, all zero: what was there is lost, and not kept while the new is taken.
    void renew(std::size_t bytes);

  private:
    void allocate(std::size_t bytes, std::size_t most);
    bool reserve(std::size_t bytes);
    void take(std::size_t bytes);
    void move_to(std::size_t bytes);
    bool remap(std::size_t bytes);
    void release();
    void swap(Block& other) noexcept;

    Budget* budget_ = nullptr;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    void* mapped_ = nullptr;  // what to unmap, if mapped
    std::size_t mapped_bytes_ = 0;
    std::size_t reserved_ = 0;  // addresses from data_ on, if mapped
};

// As `operator new`, but what is large has pages of its own, which the system has back as soon as they are released.
void* allocate_bytes(std::size_t bytes);
void release_bytes(void* data, std::size_t bytes) noexcept;

// The allocator keeps what was freed, and the system counts it as ours: gives it back.
void give_back_to_system();

}  // namespace unpuzzle
