// Containers whose memory counts against the budget of the grounding that this thread is doing.
//
// Grounding is made of many growing arrays; an allocator of their own keeps the count exact without a word
// about it anywhere else. `Metered` says which budget the thread works for; what outlives it is copied into
// plain vectors.
#pragma once

#include <new>
#include <vector>

#include "memory.hpp"

namespace unpuzzle::ground {

class Metered {
  public:
    explicit Metered(Budget& budget) : before_(current) { current = &budget; }
    ~Metered() { current = before_; }
    Metered(const Metered&) = delete;
    Metered& operator=(const Metered&) = delete;

    static thread_local Budget* current;

  private:
    Budget* before_;
};

template <class T>
struct Counted {
    using value_type = T;
    Counted() = default;
    template <class U>
    Counted(const Counted<U>&) {}

    T* allocate(std::size_t count) {
        if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
        if (Metered::current) Metered::current->take(count * sizeof(T));
        try {
            return static_cast<T*>(::operator new(count * sizeof(T)));
        } catch (...) {
            if (Metered::current) Metered::current->give_back(count * sizeof(T));
            throw;
        }
    }
    void deallocate(T* data, std::size_t count) {
        if (Metered::current) Metered::current->give_back(count * sizeof(T));
        ::operator delete(data);
    }
    template <class U>
    bool operator==(const Counted<U>&) const {
        return true;
    }
};

template <class T>
using Vector = std::vector<T, Counted<T>>;

// Lists one after the other in one array: list i is values[begin[i] .. begin[i + 1]].
//
//     counts    count(0) count(0) count(2)      begin  0 2 2 3
//     fill      add(0, a) add(2, c) add(0, b)   values a b c
template <class T>
class Lists {
  public:
    explicit Lists(std::size_t lists) : begin_(lists + 2) {}
    void count(std::size_t list) { ++begin_[list + 2]; }
    void counted() {
        for (std::size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        values_.resize(begin_.back());
    }
    void add(std::size_t list, T value) { values_[begin_[list + 1]++] = value; }
    const T* begin(std::size_t list) const { return values_.data() + begin_[list]; }
    const T* end(std::size_t list) const { return values_.data() + begin_[list + 1]; }

    struct List {
        const T *first, *last;
        const T* begin() const { return first; }
        const T* end() const { return last; }
        std::size_t size() const { return static_cast<std::size_t>(last - first); }
    };
    List operator[](std::size_t list) const { return {begin(list), end(list)}; }

  private:
    Vector<std::size_t> begin_;
    Vector<T> values_;
};

}  // namespace unpuzzle::ground
