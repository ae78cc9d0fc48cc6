// What the two files of Instantiation share: quantified conditions, and the values that a join finds.
#pragma once

#include <algorithm>

#include "grounding/instantiate.hpp"

namespace unpuzzle::ground {

constexpr std::size_t MOST_COPIES = 8;  // an operator is split into at most this many by its disjunctions

struct Instantiation::Quantified {
    Query query;
    std::unique_ptr<Join> join;
    std::vector<Object> environment;
};

// Gathers the values of some slots.
class Instantiation::Collect : public Sink {
  public:
    Collect(const std::vector<Slot>& slots, Control& control) : slots_(slots), control_(control) {}

    void emit(const Object* environment) override {
        for (const Slot slot : slots_) values_.push_back(environment[slot]);
        ++count_;
    }
    void sort() {
        const std::size_t width = slots_.size();
        if (width == 1) {
            std::sort(values_.begin(), values_.end());
            return;
        }
        const auto less = [&](std::size_t one, std::size_t other) {
            control_.tick();
            const Object *left = &values_[one * width], *right = &values_[other * width];
            return std::lexicographical_compare(left, left + width, right, right + width);
        };
        Vector<std::size_t> order(count_);
        for (std::size_t i = 0; i < count_; ++i) order[i] = i;
        if (std::is_sorted(order.begin(), order.end(), less)) return;
        std::sort(order.begin(), order.end(), less);
        Vector<Object> sorted;
        sorted.reserve(values_.size());
        for (const std::size_t i : order) {
            sorted.insert(sorted.end(), values_.begin() + static_cast<std::ptrdiff_t>(i * width),
                          values_.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        }
        values_.swap(sorted);
    }
    std::size_t count() const { return count_; }
    void load(std::size_t i, std::vector<Object>& environment) const {
        for (std::size_t k = 0; k < slots_.size(); ++k) {
            environment[static_cast<std::size_t>(slots_[k])] = values_[i * slots_.size() + k];
        }
    }

  private:
    const std::vector<Slot>& slots_;
    Control& control_;
    std::size_t count_ = 0;
    Vector<Object> values_;
};

}  // namespace unpuzzle::ground
