#include "pdbs/database.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/growing_array.hpp"

namespace unpuzzle {

// `FoldedMask` is wide enough for the folded variable's values.
template <class FoldedMask>
class PatternDatabase::Builder {
  public:
    Builder(PatternDatabase& out, const Projection& projection, Control& control, Budget& budget)
        : out_(out), projection_(projection), control_(control), budget_(budget), values_(projection.slots.size()) {
        std::memset(out.entries_.data(), 0xFF, projection.abstract_states << out.wide_);
        for (const Projection::Move& move : projection.moves) {
            steps_.push_back({static_cast<FoldedMask>(move.after), static_cast<FoldedMask>(move.before), move.delta,
                              static_cast<std::uint32_t>(move.checks_begin),
                              static_cast<std::uint32_t>(move.checks_end), move.cost, move.keeps_folded});
        }
        for (const Mask mask : projection.folded_allowed) allowed_.push_back(static_cast<FoldedMask>(mask));
        flood_tables();
    }

    void run() {
        const bool same_cost = std::ranges::all_of(steps_, [&](const Step& step) {
            return step.cost == steps_.front().cost && projection_.costs[step.cost] != 0;
        });
        same_cost ? layers() : dijkstra();
        out_.work_ += looked_at_;
        out_.mean_ = count_ == 0 ? 0 : total_ / static_cast<double>(count_) * out_.unit_;
    }

  private:
    struct Item {
        std::uint32_t rank;
        FoldedMask mask;
    };
    using Items = GrowingArray<Item, 1>;
    struct Step {  // Projection::Move, smaller
        FoldedMask after, before;
        std::uint32_t delta, checks_begin, checks_end, cost;
        bool keeps_folded;
    };

    // Breadth-first, if all moves cost the same. An abstract state is once in a layer, with all the folded values that
    // moves lead to (a queue of moves is three times as long), and a layer is gone through by rank, so that
    // what is read and written lies in a few streams through memory.
    void layers() {
        const std::size_t size = projection_.abstract_states;
        Block masks[2] = {Block(budget_, size * sizeof(FoldedMask)), Block(budget_, size * sizeof(FoldedMask))};
        Block bits[2] = {Block(budget_, size / 8 + 8), Block(budget_, size / 8 + 8)};
        Layer now(masks[0], bits[0]), next(masks[1], bits[1]);
        projection_.goals([&](std::uint32_t rank, Mask mask) { now.add(rank, static_cast<FoldedMask>(mask)); });
        const Cost cost = steps_.empty() ? 0 : projection_.costs[steps_.front().cost] / out_.unit_;
        for (Cost distance = 0; now.any; distance = std::min(distance + cost, most_)) {
            now.any = false;
            for (std::size_t word = 0; word * 64 < size; ++word) {
                for (std::uint64_t left = std::exchange(now.ranks[word], 0); left != 0; left &= left - 1) {
                    control_.tick();
                    const auto rank =
                        static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(left));
                    settle(rank, std::exchange(now.masks[rank], FoldedMask{0}), distance,
                           [&](std::uint32_t to, FoldedMask before, std::uint32_t) { next.add(to, before); });
                }
            }
            count_layer(distance);
            std::swap(now, next);
        }
    }
    struct Layer {
        Layer(const Block& masks_, const Block& ranks_)
            : masks(static_cast<FoldedMask*>(masks_.data())), ranks(static_cast<std::uint64_t*>(ranks_.data())) {}
        void add(std::uint32_t rank, FoldedMask mask) {
            masks[rank] |= mask;
            ranks[rank / 64] |= std::uint64_t{1} << rank % 64;
            any = true;
        }
        FoldedMask* masks;     // by rank
        std::uint64_t* ranks;  // a bit for each rank that has any
        bool any = false;
    };

    void dijkstra() {
        Map<Cost, Items> queue;
        Vector<Items*> next(projection_.costs.size());  // by number of the cost, from where we are
        Items& goals = queue.try_emplace(0, budget_).first->second;
        projection_.goals(
            [&](std::uint32_t rank, Mask mask) { *goals.append() = {rank, static_cast<FoldedMask>(mask)}; });
        while (!queue.empty()) {
            const Cost distance = queue.begin()->first;
            Items& now = queue.begin()->second;
            for (std::size_t i = 0; i < next.size() && now.size() > 0; ++i) {
                const Cost later = std::min(distance + projection_.costs[i] / out_.unit_, most_);
                next[i] = &queue.try_emplace(later, budget_).first->second;
            }
            for (std::size_t i = 0; i < now.size(); ++i) {  // grows on the way if moves are free
                control_.tick();
                const Item item = *now[i];
                settle(item.rank, item.mask, distance, [&](std::uint32_t to, FoldedMask before, std::uint32_t cost) {
                    *next[cost]->append() = {to, before};
                });
            }
            count_layer(distance);
            queue.erase(queue.begin());
        }
    }
    void count_layer(Cost distance) {
        total_ += static_cast<double>(fresh_) * static_cast<double>(distance);
        count_ += fresh_;
        fresh_ = 0;
        control_.work(looked_at_ - counted_);
        counted_ = looked_at_;
    }

    // With these folded values an abstract state can be `distance` from the goal, and so it can with all from which
    // they are reached for free: enters those that are new, and calls `push(rank, mask, cost)` for what comes before.
    template <class Push>
    void settle(std::uint32_t rank, FoldedMask mask, Cost distance, Push&& push) {
        const auto open = static_cast<FoldedMask>(~reached_[rank]);
        if ((mask & open) == 0) return;
        const auto allowed = static_cast<FoldedMask>(read(rank) & open);
        mask = flood(mask & allowed, allowed);
        if (mask == 0) return;
        reached_[rank] |= mask;
        if (out_[rank] == UNREACHED) {
            out_.enter(rank, distance);
            ++fresh_;
        }
        const std::size_t slots = values_.size();
        for (std::size_t slot = 0; slot < slots; ++slot)
            follow(projection_.first[slot] + values_[slot], rank, mask, push);
        follow(projection_.first[slots], rank, mask, push);
    }
    // Sets `values_`; returns the folded values that fit them.
    FoldedMask read(std::uint32_t rank) {
        FoldedMask allowed = static_cast<FoldedMask>(projection_.folded_values);
        projection_.unrank(rank, [&](std::size_t slot, std::uint32_t value) {
            values_[slot] = value;
            allowed &= allowed_[projection_.first[slot] + value];
        });
        return allowed;
    }
    template <class Push>
    void follow(std::size_t key, std::uint32_t rank, FoldedMask mask, Push&& push) {
        const Step* step = steps_.data() + projection_.place[key];
        const Step* const end = steps_.data() + projection_.place[key + 1];
        looked_at_ += static_cast<std::uint64_t>(end - step);
        for (; step != end; ++step) {
            const auto touched = static_cast<FoldedMask>(mask & step->after);
            if (touched == 0) continue;
            if (!projection_.passes(step->checks_begin, step->checks_end, values_.data())) continue;
            const auto before = static_cast<FoldedMask>(step->keeps_folded ? touched & step->before : step->before);
            const std::uint32_t to = rank + step->delta;
            if ((before & ~reached_[to]) != 0) push(to, before, step->cost);
        }
    }

    // The values from which free moves of the folded variable alone lead here, within `allowed`.
    FoldedMask flood(FoldedMask mask, FoldedMask allowed) const {
        FoldedMask front = mask;
        while (front != 0) {
            Mask before = 0;
            for (std::size_t byte = 0; byte < flood_.size() / 256; ++byte)
                before |= flood_[byte * 256 + (Mask{front} >> byte * 8 & 0xFF)];
            front = static_cast<FoldedMask>(before & allowed & ~Mask{mask});
            mask |= front;
        }
        return mask;
    }
    // For each byte of a set of folded values, and each value of that byte, where those can come from.
    void flood_tables() {
        const auto& moves = projection_.folded_moves;
        if (std::ranges::none_of(moves, [](Mask before) { return before != 0; })) return;
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
    const Cost most_ = out_.unreached_ - 1;  // that an entry can say
    Block reached_block_{budget_, projection_.abstract_states * sizeof(FoldedMask)};
    FoldedMask* reached_ = static_cast<FoldedMask*>(reached_block_.data());  // by rank
    Vector<std::uint32_t> values_;
    Vector<Step> steps_;
    Vector<FoldedMask> allowed_;
    Vector<Mask> flood_;
    std::uint64_t fresh_ = 0, count_ = 0, looked_at_ = 0, counted_ = 0;
    double total_ = 0;
};

PatternDatabase::PatternDatabase(const Task& task, const Mutexes& mutexes, const Pattern& pattern, Control& control,
                                 Budget& budget) {
    const Projection projection(task, mutexes, pattern, control);
    work_ = projection.abstract_states + projection.work;
    rank_parts_ = projection.rank_parts();
    std::uint32_t most = 0, common = 0;
    for (const std::uint32_t cost : projection.costs) {
        most = std::max(most, cost);
        common = std::gcd(common, cost);
    }
    unit_ = std::max(common, 1u);
    wide_ = most > unit_;
    unreached_ = wide_ ? 0xFFFF : 0xFF;
    entries_ = Block(budget, projection.abstract_states << wide_);
    const auto build = [&]<class FoldedMask>() { Builder<FoldedMask>(*this, projection, control, budget).run(); };
    const Mask values = projection.folded_values;
    if (values <= 0xFF)
        build.template operator()<std::uint8_t>();
    else if (values <= 0xFFFF)
        build.template operator()<std::uint16_t>();
    else if (values <= 0xFFFFFFFF)
        build.template operator()<std::uint32_t>();
    else
        build.template operator()<std::uint64_t>();
}

}  // namespace unpuzzle
