// Zeroed memory that grows where it is, and is counted.
//
//     reserved   ┌─────────────── taken ───────────────┬───────── addresses only ─── ┄
//                │ large page │ large page │ large page│  no memory, not counted
//                └─────────────────────────────────────┴──────────────────────────── ┄
//
// An array that doubles needs three times the memory while it is copied, and one in chunks an extra step for
// every access. So what gets large reserves addresses for more than it will ever need, and takes memory from
// there in steps of a large page (a search reads at random, and with small pages every read also misses the
// address cache). What is small, and everything where the system has no such mappings or has no addresses
// left to give, is allocated and copied when it grows.
#pragma once

#include "base/memory.hpp"

namespace unpuzzle {

class Growing {
  public:
    explicit Growing(Budget& budget) : budget_(budget) {}
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    ~Growing() { release(); }

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    // To at least so many bytes, and some more if they are cheap; new ones are zero. Addresses may change.
    void grow(std::size_t least);
    // To exactly so many bytes, all zero: what was there is lost, and not kept while the new is taken.
    void renew(std::size_t bytes);

  private:
    void allocate(std::size_t bytes);
    bool reserve(std::size_t bytes);
    void take(std::size_t bytes);
    void move_to(std::size_t bytes);
    void release();

    Budget& budget_;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    void* mapped_ = nullptr;  // what to unmap, if mapped
    std::size_t mapped_bytes_ = 0;
    std::size_t reserved_ = 0;  // addresses from data_ on, if mapped
};

}  // namespace unpuzzle
