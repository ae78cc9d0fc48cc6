#include "base/control.hpp"

#include <chrono>

namespace unpuzzle {

double Observer::now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {
constexpr double LEAST_GAP = 0.001, MOST_GAP = 0.004, OBSERVER_GAP = 0.05;
}  // namespace

Control::Control(Observer& observer, std::optional<double> time_limit, const std::atomic<std::uint32_t>* cancels)
    : observer_(observer),
      start_(observer.now()),
      limit_(time_limit),
      cancels_(cancels),
      cancels_at_start_(cancels ? cancels->load(std::memory_order_relaxed) : 0) {}

void Control::renew(std::optional<double> time_limit) {
    start_ = observer_.now();
    limit_ = time_limit;
    stride_ = ticks_ = 1;
    last_look_ = last_observed_ = 0;
}

double Control::seconds() const { return observer_.now() - start_; }

void Control::look() {
    ticks_ = 1;  // where something is thrown, the next tick looks again
    const double now = seconds();
    if (limit_ && now >= *limit_) throw Stop{Status::timeout};
    if (cancels_ && cancels_->load(std::memory_order_relaxed) != cancels_at_start_) throw Stop{Status::cancelled};
    if (now - last_observed_ >= OBSERVER_GAP) {
        if (!observer_.look(counters, now)) throw Stop{Status::interrupted};
        last_observed_ = seconds();
    }
    const double gap = now - last_look_;
    if (gap < LEAST_GAP && stride_ < MOST_TICKS) stride_ *= 2;
    if (gap > MOST_GAP) stride_ = stride_ > 8 ? stride_ / 8 : 1;
    last_look_ = seconds();
    ticks_ = stride_;
}

}  // namespace unpuzzle
