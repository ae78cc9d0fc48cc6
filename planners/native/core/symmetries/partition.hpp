// An ordered partition of a graph's vertices into cells, refined until it is equitable: any two vertices of a
// cell have equally many neighbours, of each kind, in every cell (Hopcroft 1971; McKay 1981).
//
//     elements_  │ 7  2 │ 4 │ 0  9  3 │ 5 ...        a cell is named by the place of its first element, and
//                 cell 0  2   3         6            a split leaves the first part its name
//
// What a refinement does depends on the graph's structure only and not on the numbers of the vertices, so two
// refinements that an automorphism maps on each other leave the same trace; the first difference ends one.
// Splits are undone last first, which is how a search goes back; cells are sets then, in any order.
#pragma once

#include "symmetries/task_graph.hpp"

namespace unpuzzle {

// How much the search for symmetries may still do, counted in vertices and edges that it touches.
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

    Partition(const TaskGraph& graph, Effort& effort);

    std::span<const Vertex> elements() const { return elements_; }
    std::span<const Vertex> cell(std::uint32_t name) const { return {&elements_[name], size_[name]}; }

    // The vertex becomes a cell, the others of its cell the next. To be refined after that.
    void individualise(Vertex vertex);
    // Appends to the trace, or, if it is `expected`, compares with it: false at the first difference.
    bool refine(Trace& trace, bool expected = false);
    void refine_until_settled();
    std::size_t mark() const { return splits_.size(); }
    void undo(std::size_t mark);

  private:
    struct Split {
        std::uint32_t cell, part;
    };
    struct Touched {
        std::uint32_t cell, count;
        Vertex vertex;
        auto operator<=>(const Touched&) const = default;
    };

    template <class More, class Sees>
    void refine_while(More&& more, Sees&& sees);
    void touch(std::size_t kind);
    std::uint64_t split_touched();
    void split(std::uint32_t cell, std::size_t begin, std::size_t end);
    void part(std::uint32_t cell, std::uint32_t from, std::uint32_t to);
    void push(std::uint32_t cell) {
        if (waits_[cell]) return;
        waits_[cell] = true;
        queue_.push_back(cell);
    }
    void swap_to(std::uint32_t place, Vertex vertex);

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
