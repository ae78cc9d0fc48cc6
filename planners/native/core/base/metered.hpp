// Containers whose memory counts against the budget that this thread is working for.
//
// The data made from a task are many growing arrays, and each of them could exceed the limit. A special allocator asks
// the budget before every growth, so the count is exact and no sizes are guessed beforehand. `Metered` sets the budget
// of the thread; a container remembers the budget under which it was made and returns memory to it, so the budget must
// outlive it. Without a budget, nothing is counted.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <vector>

#include "base/memory.hpp"

namespace unpuzzle {

class Metered {
  public:
    explicit Metered(Budget& budget) : Metered(&budget) {}
    ~Metered() { current_ = before_; }
    Metered(const Metered&) = delete;
    Metered& operator=(const Metered&) = delete;

    static Budget* current() { return current_; }
    // What the current budget has given away.
    static std::size_t used() { return current_ ? current_->used() : 0; }

  protected:
    explicit Metered(Budget* budget) : before_(current_) { current_ = budget; }

  private:
    inline static thread_local Budget* current_ = nullptr;

    Budget* before_;
};

// Used while code runs that is not part of the work (Python callbacks): its memory is not counted.
class Unmetered : public Metered {
  public:
    Unmetered() : Metered(nullptr) {}
};

// Room for so many things, which counts against a budget unless that is null. Not inline: containers grow in a thousand
// places, and each would be a page of code.
void* allocate_metered(Budget* budget, std::size_t count, std::size_t size);
void release_metered(Budget* budget, void* data, std::size_t bytes) noexcept;

template <class T>
class MeteredAllocator {
  public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;
    using is_always_equal = std::false_type;

    MeteredAllocator() : budget_(Metered::current()) {}
    template <class U>
    MeteredAllocator(const MeteredAllocator<U>& other) : budget_(other.budget()) {}

    T* allocate(std::size_t count) { return static_cast<T*>(allocate_metered(budget_, count, sizeof(T))); }
    void deallocate(T* data, std::size_t count) { release_metered(budget_, data, count * sizeof(T)); }
    // A copy belongs to whoever makes it.
    MeteredAllocator select_on_container_copy_construction() const { return {}; }

    Budget* budget() const { return budget_; }
    template <class U>
    bool operator==(const MeteredAllocator<U>& other) const {
        return budget_ == other.budget();
    }

  private:
    Budget* budget_;
};

template <class T>
using Vector = std::vector<T, MeteredAllocator<T>>;
template <class Key, class Value>
using Map = std::map<Key, Value, std::less<Key>, MeteredAllocator<std::pair<const Key, Value>>>;
template <class Key>
using Set = std::set<Key, std::less<Key>, MeteredAllocator<Key>>;

// Gives a container's memory back: `container = {}` would only empty it.
template <class Container>
void release(Container& container) {
    Container(container.get_allocator()).swap(container);
}

// Takes the last element away, and returns it.
template <class Container>
typename Container::value_type take_last(Container& container) {
    auto last = std::move(container.back());
    container.pop_back();
    return last;
}

// Sorts, and keeps each element once.
template <class Container>
void sort_and_unique(Container& container) {
    std::sort(container.begin(), container.end());
    container.erase(std::unique(container.begin(), container.end()), container.end());
}

}  // namespace unpuzzle
