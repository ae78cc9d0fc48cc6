#include "base/control.hpp"

#include <algorithm>
#include <chrono>

namespace unpuzzle {

double Observer::now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {
constexpr double LEAST_GAP = 0.001, MOST_GAP = 0.004, OBSERVER_GAP = 0.05;
constexpr double LEAST_GRACE = 1, GRACE = 0.1;  // seconds, of the limit
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
    begin_phase();
    last_look_ = last_observed_ = 0;
}

void Control::finish() {
    const double limit = limit_.value_or(0);
    finished_by_ = std::max(limit, seconds()) + std::max(LEAST_GRACE, limit * GRACE);
    begin_phase();
}

void Control::finished() {
    finished_by_.reset();
    begin_phase();
}

double Control::seconds() const { return observer_.now() - start_; }

void Control::look() {
    grant(1);  // where something is thrown, the next tick looks again
    const double now = seconds();
    if (limit_ && now >= finished_by_.value_or(*limit_)) throw Stop{Status::timeout};
    if (!finished_by_ && cancels_ && cancels_->load(std::memory_order_relaxed) != cancels_at_start_)
        throw Stop{Status::cancelled};
    if (now - last_observed_ >= OBSERVER_GAP) {
        if (!observer_.look(counters, now)) throw Stop{Status::interrupted};
        last_observed_ = seconds();
    }
    const double gap = now - last_look_;
    if (gap < LEAST_GAP && stride_ < MOST_TICKS) stride_ *= 2;
    if (gap > MOST_GAP) stride_ = stride_ > 8 ? stride_ / 8 : 1;
    last_look_ = seconds();
    grant(stride_);
}

}  // namespace unpuzzle
