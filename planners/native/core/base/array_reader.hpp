// Reads an array from outside the core, number by number: a fault in it throws a `BadTask` that says where.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/errors.hpp"

namespace unpuzzle {

template <class T>
class ArrayReader {
  public:
    ArrayReader(const char* array, std::span<const T> numbers) : array_(array), numbers_(numbers) {}

    bool done() const { return at_ == numbers_.size(); }
    std::size_t left() const { return numbers_.size() - at_; }
    // Messages name the item that is read from here on, such as "operator 7".
    void item(const char* name, std::size_t number) { item_ = " (" + std::string(name) + " " + text(number) + ")"; }

    T next(const char* what) {
        if (done()) fail("ends where " + std::string(what) + " is expected", 0);
        return numbers_[at_++];
    }
    T next(const char* what, std::int64_t least, std::int64_t beyond) {
        const T number = next(what);
        if (number >= least && number < beyond) return number;
        fail(what + (" is " + text(number)) + ", not in " + text(least) + ".." + text(beyond - 1));
    }
    // A count of items that take `least` numbers each.
    std::uint32_t count(const char* what, std::size_t least = 1) {
        const T number = next(what);
        if (number < 0) fail(what + (" is " + text(number)));
        if (static_cast<std::uint64_t>(number) > left() / least)
            fail(what + (" is " + text(number)) + ", but only " + text(left()) + " numbers follow");
        return static_cast<std::uint32_t>(number);
    }
    // The fault is so many numbers before the next one.
    [[noreturn]] void fail(const std::string& fault, std::size_t before = 1) const {
        throw BadTask(array_ + ("[" + text(at_ - before)) + "]" + item_ + ": " + fault);
    }

  private:
    template <class Number>
    static std::string text(Number number) {
        return std::to_string(number);
    }

    const char* array_;
    std::span<const T> numbers_;
    std::size_t at_ = 0;
    std::string item_;
};

}  // namespace unpuzzle
