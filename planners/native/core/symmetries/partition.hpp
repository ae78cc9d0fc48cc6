// An ordered partition of a graph's vertices into cells, refined until it is equitable: any two vertices of a
// cell have equally many neighbours, of each kind, in every cell (Hopcroft 1971; McKay 1981).
//
//     elements_  │ 7  2 │ 4 │ 0  9  3 │ 5 ...        a cell is named by the place of its first element, and
//                 cell 0  2   3         6            a split leaves the first part its name
//
// A refinement depends only on the graph's structure and not on the numbers of the vertices, so two refinements that an
// automorphism maps to each other leave the same trace; the first difference ends one. A search backtracks by undoing
// the last splits first; cells are sets then, in any order.
#pragma once

#include <algorithm>
#include <numeric>

#include "symmetries/task_graph.hpp"

namespace unpuzzle {

// The remaining budget of the search for symmetries, counted in vertices and edges that it touches.
class Effort {
  public:
    struct Exhausted {};
    Effort(Control& control, std::uint64_t most) : control_(control), left_(most) {}

    void spend(std::size_t touched) {
        for (ticks_ += touched; ticks_ >= PER_TICK; ticks_ -= PER_TICK) control_.tick();
        if (touched >= left_) throw Exhausted{};
        left_ -= touched;
    }
    void grant(std::uint64_t more) { left_ += more; }

  private:
    static constexpr std::size_t PER_TICK = 64;

    Control& control_;
    std::uint64_t left_;
    std::size_t ticks_ = 0;
};

class Partition {
  public:
    using Vertex = TaskGraph::Vertex;
    using Trace = Vector<std::uint64_t>;

    Partition(const TaskGraph& graph, Effort& effort)
        : graph_(graph),
          effort_(effort),
          elements_(graph.size()),
          place_(graph.size()),
          cell_of_(graph.size(), 0),
          size_(graph.size(), 0),
          waits_(graph.size(), false),
          count_(graph.size(), 0) {
        std::iota(elements_.begin(), elements_.end(), 0);
        const auto& colours = graph_.colours;
        std::sort(elements_.begin(), elements_.end(), [&](Vertex left, Vertex right) {
            return std::pair(colours[left], left) < std::pair(colours[right], right);
        });
        for (std::uint32_t begin = 0, end = 0; begin < elements_.size(); begin = end) {
            for (; end < elements_.size() && colours[elements_[end]] == colours[elements_[begin]]; ++end) {
                cell_of_[elements_[end]] = begin;
                place_[elements_[end]] = end;
            }
            size_[begin] = end - begin;
            if (begin > 0) splits_.push_back({0, begin});  // never undone
            cells_of_facts_ += begin < graph_.variables_and_facts();
            push(begin);
        }
    }

    std::span<const Vertex> elements() const { return elements_; }
    std::span<const Vertex> cell(std::uint32_t name) const { return {&elements_[name], size_[name]}; }

    // The vertex becomes a cell, the others of its cell the next. To be refined after that.
    void individualise(Vertex vertex) {
        const std::uint32_t cell = cell_of_[vertex];
        swap_to(cell, vertex);
        part(cell, cell + 1, cell + size_[cell]);
        size_[cell] = 1;
        push(cell);
    }
    // Appends to the trace, or, if it is `expected`, compares with it: false at the first difference.
    bool refine(Trace& trace, bool expected = false) {
        std::size_t at = expected ? 0 : trace.size();
        bool same = true;
        const auto more = [&] { return same && splits_.size() + 1 < elements_.size(); };
        refine_while(more, [&](std::uint64_t event) {
            if (!expected) trace.push_back(event);
            return same = at < trace.size() && trace[at++] == event;
        });
        return same && at == trace.size();
    }
    // The first refinement is the last for most tasks without symmetries: it ends when all variables and facts are cells of
    // their own, so that no symmetry moves any. Operators need not be told apart.
    void refine_until_settled() {
        refine_while([&] { return cells_of_facts_ < graph_.variables_and_facts(); },
                     [](std::uint64_t) { return true; });
    }
    std::size_t mark() const { return splits_.size(); }
    void undo(std::size_t mark) {
        for (; splits_.size() > mark; splits_.pop_back()) {
            const auto [cell, from] = splits_.back();
            for (std::uint32_t i = from; i < from + size_[from]; ++i) cell_of_[elements_[i]] = cell;
            size_[cell] += size_[from];
            cells_of_facts_ -= from < graph_.variables_and_facts();
            effort_.spend(size_[from]);
        }
    }

  private:
    static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
        std::uint64_t mixed = (a ^ b * 0x9E3779B97F4A7C15ull) * 0xD6E8FEB86659FD93ull;
        return mixed ^ mixed >> 32;
    }
    struct Split {
        std::uint32_t cell, part;
    };
    struct Touched {
        std::uint32_t cell, count;
        Vertex vertex;
        auto operator<=>(const Touched&) const = default;
    };

    // Refines by the cells that wait, as long as there is `more` to do; `sees` is told what happened, and may say no.
    template <class More, class Sees>
    void refine_while(More&& more, Sees&& sees) {
        for (std::size_t next = 0; next < queue_.size() && more(); ++next) {
            const std::uint32_t cell = queue_[next];
            waits_[cell] = false;
            splitter_.assign(elements_.begin() + cell, elements_.begin() + cell + size_[cell]);
            for (std::size_t kind = 0; kind < TaskGraph::KINDS; ++kind) {
                touch(kind);
                if (!sees(mix(mix(cell, splitter_.size()), split_touched()))) break;
            }
        }
        for (const std::uint32_t cell : queue_) waits_[cell] = false;
        queue_.clear();
    }
    // Counts, for each vertex, its neighbours in the splitter. A cell of one cannot be split: it is only noted.
    void touch(std::size_t kind) {
        singles_ = 0;
        touched_.clear();
        std::size_t edges = splitter_.size();
        for (const Vertex from : splitter_) {
            const auto neighbours = graph_.neighbours(kind, from);
            edges += neighbours.size();
            for (const Vertex to : neighbours) {
                const std::uint32_t cell = cell_of_[to];
                if (size_[cell] == 1) {
                    singles_ += mix(cell, 1);
                } else if (count_[to]++ == 0) {
                    touched_.push_back({cell, 0, to});
                }
            }
        }
        effort_.spend(edges);
    }
    std::uint64_t split_touched() {
        for (Touched& it : touched_) {
            it.count = count_[it.vertex];
            count_[it.vertex] = 0;
        }
        std::sort(touched_.begin(), touched_.end());
        std::uint64_t event = singles_;
        for (std::size_t begin = 0, end = 0; begin < touched_.size(); begin = end) {
            for (; end < touched_.size() && touched_[end].cell == touched_[begin].cell; ++end)
                event = mix(event, mix(touched_[end].cell, touched_[end].count));
            split(touched_[begin].cell, begin, end);
        }
        return event;
    }
    // Parts by count, those not touched first. Of a cell that does not wait all parts but a largest do from now on.
    void split(std::uint32_t cell, std::size_t begin, std::size_t end) {
        const std::uint32_t stop = cell + size_[cell], first = stop - static_cast<std::uint32_t>(end - begin);
        if (first == cell && touched_[begin].count == touched_[end - 1].count) return;
        for (std::size_t i = end; i-- > begin;)
            swap_to(first + static_cast<std::uint32_t>(i - begin), touched_[i].vertex);
        parts_.clear();
        if (first > cell) parts_.push_back(cell);
        for (std::size_t i = begin; i < end; ++i) {
            if (i == begin || touched_[i].count != touched_[i - 1].count)
                parts_.push_back(first + static_cast<std::uint32_t>(i - begin));
        }
        parts_.push_back(stop);
        size_[cell] = parts_[1] - cell;
        std::uint32_t largest = cell;
        for (std::size_t i = 1; i + 1 < parts_.size(); ++i) {
            part(cell, parts_[i], parts_[i + 1]);
            if (size_[parts_[i]] > size_[largest]) largest = parts_[i];
        }
        const bool waited = waits_[cell];
        for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
            if (waited || parts_[i] != largest) push(parts_[i]);
        }
    }
    // elements_[from..to) become a cell of their own.
    void part(std::uint32_t cell, std::uint32_t from, std::uint32_t to) {
        size_[from] = to - from;
        for (std::uint32_t i = from; i < to; ++i) cell_of_[elements_[i]] = from;
        splits_.push_back({cell, from});
        cells_of_facts_ += from < graph_.variables_and_facts();
    }
    void push(std::uint32_t cell) {
        if (waits_[cell]) return;
        waits_[cell] = true;
        queue_.push_back(cell);
    }
    void swap_to(std::uint32_t place, Vertex vertex) {
        const Vertex other = elements_[place];
        std::swap(elements_[place], elements_[place_[vertex]]);
        std::swap(place_[other], place_[vertex]);
    }

    const TaskGraph& graph_;
    Effort& effort_;
    Vector<Vertex> elements_;
    Vector<std::uint32_t> place_, cell_of_;  // by vertex
    Vector<std::uint32_t> size_;             // by cell
    Vector<Split> splits_;
    Vector<std::uint32_t> queue_;  // cells to refine by
    Vector<bool> waits_;           // in the queue
    Vector<Vertex> splitter_;
    Vector<std::uint32_t> count_;  // by vertex: neighbours in the splitter
    Vector<Touched> touched_;
    Vector<std::uint32_t> parts_;
    std::uint64_t singles_ = 0;
    std::size_t cells_of_facts_ = 0;  // and of variables
};

}  // namespace unpuzzle
