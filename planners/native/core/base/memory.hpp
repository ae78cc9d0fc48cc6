// Memory that is counted. A search asks its budget before it takes memory, so a limit is an answer (memout)
// and never an accident; what the system itself refuses (std::bad_alloc) becomes the same answer.
//
// A block is zeroed memory. Large ones are mapped directly where the system can, at addresses of large pages:
// a search reads its tables at random, and with small pages every read also misses the address cache. A page
// costs memory only when it is first touched.
#pragma once

#include <cstddef>
#include <cstdint>

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
    std::size_t left() const { return limit_ - used_; }
    std::size_t used() const { return used_; }
    std::size_t peak() const { return peak_; }

  private:
    std::size_t limit_, used_ = 0, peak_ = 0;  // used_ <= limit_
};

constexpr std::size_t LARGE_PAGE = std::size_t{1} << 21;

class Block {
  public:
    Block() = default;
    Block(Budget& budget, std::size_t bytes);
    Block(Block&& other) noexcept { swap(other); }
    Block& operator=(Block&& other) noexcept {
        Block old;
        old.swap(*this);
        swap(other);
        return *this;
    }
    ~Block();

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

  private:
    void swap(Block& other) noexcept;

    Budget* budget_ = nullptr;
    void* data_ = nullptr;
    void* mapped_ = nullptr;  // what to unmap, if mapped
    std::size_t bytes_ = 0, mapped_bytes_ = 0;
};

// The allocator keeps what was freed, and the system counts it as ours: gives it back.
void give_back_to_system();

}  // namespace unpuzzle
