#include "pattern_database.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "rows.hpp"

namespace unpuzzle {

namespace {

// Takes memory from the budget that something else has allocated.
class Charge {
  public:
    Charge(Budget& budget, std::size_t bytes) : budget_(budget), bytes_(bytes) { budget.take(bytes); }
    ~Charge() { budget_.give_back(bytes_); }
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

  private:
    Budget& budget_;
    std::size_t bytes_;
};

}  // namespace

// `HubMask` is wide enough for the hub's values.
template <class Entry, class HubMask>
class PatternDatabase::Builder {
  public:
    static constexpr Entry UNSET = std::numeric_limits<Entry>::max(), MOST = UNSET - 1;

    Builder(PatternDatabase& out, const Projection& projection, Control& control, Budget& budget)
        : out_(out),
          projection_(projection),
          control_(control),
          budget_(budget),
          entries_(static_cast<Entry*>(out.entries_.data())),
          reached_block_(budget, projection.placements * sizeof(HubMask)),
          reached_(static_cast<HubMask*>(reached_block_.data())),
          values_(projection.slots.size()),
          next_(projection.costs.size()) {
        std::fill(entries_, entries_ + projection.placements, UNSET);
        flood_tables();
    }

    void run() {
        Queue& goals = queue_.try_emplace(0, budget_).first->second;
        projection_.goals(
            [&](std::uint32_t rank, Mask hub) { push(goals, rank, static_cast<HubMask>(hub)); });
        while (!queue_.empty()) {
            const Cost distance = queue_.begin()->first;
            Queue& now = queue_.begin()->second;
            if (now.size() > 0) open_next(distance);
            for (std::size_t i = 0; i < now.size(); ++i) {  // grows on the way if moves are free
                control_.tick();
                const Item item = *now[i];
                settle(item.rank, item.hub, distance);
            }
            queue_.erase(queue_.begin());
        }
        out_.mean_ = count_ == 0 ? 0 : total_ / static_cast<double>(count_) * out_.unit_;
    }

  private:
    struct Item {
        std::uint32_t rank;
        HubMask hub;
    };
    using Queue = Rows<Item, 1>;

    // The queues that this distance's moves lead to, by number of the cost.
    void open_next(Cost distance) {
        for (std::size_t i = 0; i < next_.size(); ++i) {
            const Cost next = std::min<Cost>(distance + projection_.costs[i] / out_.unit_, MOST);
            next_[i] = &queue_.try_emplace(next, budget_).first->second;
        }
    }
    void push(Queue& queue, std::uint32_t rank, HubMask hub) { *queue.append() = {rank, hub}; }

    void settle(std::uint32_t rank, HubMask hub, Cost distance) {
        hub &= static_cast<HubMask>(~reached_[rank]);
        if (hub == 0) return;
        HubMask allowed = read(rank);
        allowed &= static_cast<HubMask>(~reached_[rank]);
        hub = flood(hub & allowed, allowed);
        if (hub == 0) return;
        reached_[rank] |= hub;
        if (entries_[rank] == UNSET) {
            entries_[rank] = static_cast<Entry>(distance);
            total_ += static_cast<double>(entries_[rank]);
            ++count_;
        }
        for (std::size_t slot = 0; slot < values_.size(); ++slot) {
            follow(projection_.first[slot] + values_[slot], rank, hub);
        }
        follow(projection_.first.back(), rank, hub);
    }
    // Sets `values_`; returns the hub values that fit them.
    HubMask read(std::uint32_t rank) {
        Mask allowed = projection_.hub_values;
        for (std::size_t slot = 0; slot < values_.size(); ++slot) {
            const auto& place = projection_.slots[slot];
            values_[slot] = place.value(rank);
            rank -= values_[slot] * place.stride;
            allowed &= projection_.hub_allowed[projection_.first[slot] + values_[slot]];
        }
        return static_cast<HubMask>(allowed);
    }
    void follow(std::size_t key, std::uint32_t rank, HubMask hub) {
        const std::size_t end = projection_.place[key + 1];
        for (std::size_t i = projection_.place[key]; i < end; ++i) {
            const Projection::Move& move = projection_.moves[i];
            const auto touched = static_cast<HubMask>(hub & move.after);
            if (touched == 0 || !passes(move)) continue;
            const auto before = static_cast<HubMask>(move.keeps_hub ? touched & move.before : move.before);
            const std::uint32_t to = rank + move.delta;
            if ((before & ~reached_[to]) != 0) push(*next_[move.cost], to, before);
        }
    }
    bool passes(const Projection::Move& move) const {
        for (std::size_t i = move.checks_begin; i < move.checks_end; ++i) {
            if (!projection_.allows(projection_.checks[i], values_.data())) return false;
        }
        return true;
    }

    // Where the hub can come from within `allowed`, by free moves of its own.
    HubMask flood(HubMask hub, HubMask allowed) const {
        HubMask front = hub;
        while (front != 0) {
            Mask before = 0;
            for (std::size_t byte = 0; byte < flood_.size() / 256; ++byte) {
                before |= flood_[byte * 256 + (Mask{front} >> byte * 8 & 0xFF)];
            }
            front = static_cast<HubMask>(before) & allowed & static_cast<HubMask>(~hub);
            hub |= front;
        }
        return hub;
    }
    // For each byte of a set of hub values, and each value of that byte, where those can come from.
    void flood_tables() {
        const auto& moves = projection_.hub_moves;
        const bool any = std::any_of(moves.begin(), moves.end(), [](Mask before) { return before != 0; });
        if (!any) return;
        flood_.resize((moves.size() + 7) / 8 * 256);
        for (std::size_t i = 0; i < flood_.size(); ++i) {
            for (std::size_t bit = 0; bit < 8; ++bit) {
                const std::size_t value = i / 256 * 8 + bit;
                if ((i % 256 >> bit & 1) != 0 && value < moves.size()) flood_[i] |= moves[value];
            }
        }
    }

    PatternDatabase& out_;
    const Projection& projection_;
    Control& control_;
    Budget& budget_;
    Entry* entries_;
    Block reached_block_;
    HubMask* reached_;
    std::vector<std::uint32_t> values_;
    std::map<Cost, Queue> queue_;
    std::vector<Queue*> next_;
    std::vector<Mask> flood_;
    double total_ = 0;
    std::uint64_t count_ = 0;
};

PatternDatabase::PatternDatabase(const Task& task, const Mutexes& mutexes, const Pattern& pattern,
                                 Control& control, Budget& budget) {
    const Projection projection(task, mutexes, pattern, control);
    const Charge charge(budget, projection.bytes());
    placements_ = projection.placements;
    for (const auto& slot : projection.slots) strides_.insert(strides_.begin(), slot.stride);
    std::uint32_t most = 0, common = 0;
    for (const std::uint32_t cost : projection.costs) {
        most = std::max(most, cost);
        common = std::gcd(common, cost);
    }
    unit_ = std::max(common, 1u);
    wide_ = most > unit_;
    unreached_ = wide_ ? 0xFFFF : 0xFF;
    entries_ = Block(budget, placements_ << wide_);
    const auto build = [&]<class Entry, class HubMask>() {
        Builder<Entry, HubMask>(*this, projection, control, budget).run();
    };
    const auto by_hub = [&]<class Entry>() {
        const Mask values = projection.hub_values;
        if (values <= 0xFF) return build.template operator()<Entry, std::uint8_t>();
        if (values <= 0xFFFF) return build.template operator()<Entry, std::uint16_t>();
        if (values <= 0xFFFFFFFF) return build.template operator()<Entry, std::uint32_t>();
        return build.template operator()<Entry, std::uint64_t>();
    };
    if (wide_) {
        by_hub.template operator()<std::uint16_t>();
    } else {
        by_hub.template operator()<std::uint8_t>();
    }
}

}  // namespace unpuzzle
