// The places that the walker can reach: a flood fill from one of them, by increasing cost.
//
// Between two fills only one bit for each place is cleared, and nothing is allocated.
#pragma once

#include <algorithm>

#include "base/bits.hpp"
#include "walking/folded_task.hpp"

namespace unpuzzle {

class Component {
  public:
    Component(const FoldedTask& folded, Control& control)
        : folded_(folded), control_(control), known_(words_for(folded.places())), reached_(folded.places()) {
        order_.reserve(folded.places());
        std::size_t edges = 1;
        for (std::uint32_t place = 0; place < folded.places(); ++place) edges += folded.edges(place).size();
        if (!folded.same_walks()) waiting_.reserve(edges);
    }

    void fill(const Word* lifted, std::uint32_t start) {
        std::ranges::fill(known_, Word{0});
        order_.clear();
        reach(start, {0, start, 0});
        folded_.same_walks() ? by_steps(lifted) : by_cost(lifted);
    }

    bool has(std::uint32_t place) const { return unpuzzle::has(known_, place); }
    std::span<const std::uint32_t> places() const { return order_; }
    std::uint32_t least() const {
        std::size_t i = 0;
        while (known_[i] == 0) ++i;
        return static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(known_[i])));
    }
    Cost distance(std::uint32_t place) const { return reached_[place].cost; }
    // Appends the walks of a cheapest way there.
    void walk_to(std::uint32_t place, std::vector<OperatorId>& steps) const {
        const std::size_t begin = steps.size();
        for (; place != order_.front(); place = reached_[place].from) steps.push_back(reached_[place].op);
        std::reverse(steps.begin() + static_cast<std::ptrdiff_t>(begin), steps.end());
    }

  private:
    struct Reached {
        Cost cost;
        std::uint32_t from;
        OperatorId op;
    };
    struct Waiting {
        Reached reached;
        std::uint32_t place;
        bool operator<(const Waiting& other) const { return reached.cost > other.reached.cost; }
    };

    void reach(std::uint32_t place, const Reached& how) {
        add(known_, place);
        reached_[place] = how;
        order_.push_back(place);
    }
    void by_steps(const Word* lifted) {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::uint32_t from = order_[i];
            const auto edges = folded_.edges(from);
            control_.work(edges.size());
            for (const auto& edge : edges) {
                if (!has(edge.to) && folded_.open(edge, lifted))
                    reach(edge.to, {reached_[from].cost + edge.cost, from, edge.op});
            }
        }
    }
    // Dijkstra's algorithm.
    void by_cost(const Word* lifted) {
        waiting_.clear();
        for (std::uint32_t from = order_.front();;) {
            const auto edges = folded_.edges(from);
            control_.work(edges.size());
            for (const auto& edge : edges) {
                if (has(edge.to) || !folded_.open(edge, lifted)) continue;
                waiting_.push_back({{reached_[from].cost + edge.cost, from, edge.op}, edge.to});
                std::push_heap(waiting_.begin(), waiting_.end());
            }
            while (!waiting_.empty() && has(waiting_.front().place)) pop();
            if (waiting_.empty()) return;
            from = waiting_.front().place;
            reach(from, waiting_.front().reached);
            pop();
        }
    }
    void pop() {
        std::pop_heap(waiting_.begin(), waiting_.end());
        waiting_.pop_back();
    }

    const FoldedTask& folded_;
    Control& control_;
    BitSet known_;
    Vector<Reached> reached_;      // by place
    Vector<std::uint32_t> order_;  // of arrival
    Vector<Waiting> waiting_;
};

}  // namespace unpuzzle
