#include "symmetries/partition.hpp"

#include <algorithm>
#include <numeric>

namespace unpuzzle {

namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t mixed = (a ^ b * 0x9E3779B97F4A7C15ull) * 0xD6E8FEB86659FD93ull;
    return mixed ^ mixed >> 32;
}

}  // namespace

Partition::Partition(const TaskGraph& graph, Effort& effort)
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

void Partition::swap_to(std::uint32_t place, Vertex vertex) {
    const Vertex other = elements_[place];
    std::swap(elements_[place], elements_[place_[vertex]]);
    std::swap(place_[other], place_[vertex]);
}

void Partition::individualise(Vertex vertex) {
    const std::uint32_t cell = cell_of_[vertex];
    swap_to(cell, vertex);
    part(cell, cell + 1, cell + size_[cell]);
    size_[cell] = 1;
    push(cell);
}

// elements_[from..to) become a cell of their own.
void Partition::part(std::uint32_t cell, std::uint32_t from, std::uint32_t to) {
    size_[from] = to - from;
    for (std::uint32_t i = from; i < to; ++i) cell_of_[elements_[i]] = from;
    splits_.push_back({cell, from});
    cells_of_facts_ += from < graph_.variables_and_facts();
}

void Partition::undo(std::size_t mark) {
    for (; splits_.size() > mark; splits_.pop_back()) {
        const auto [cell, from] = splits_.back();
        for (std::uint32_t i = from; i < from + size_[from]; ++i) cell_of_[elements_[i]] = cell;
        size_[cell] += size_[from];
        cells_of_facts_ -= from < graph_.variables_and_facts();
        effort_.spend(size_[from]);
    }
}

// Refines by the cells that wait, as long as there is `more` to do; `sees` is told what happened, and may say no.
template <class More, class Sees>
void Partition::refine_while(More&& more, Sees&& sees) {
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

bool Partition::refine(Trace& trace, bool expected) {
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
void Partition::refine_until_settled() {
    refine_while([&] { return cells_of_facts_ < graph_.variables_and_facts(); }, [](std::uint64_t) { return true; });
}

// Counts, for each vertex, its neighbours in the splitter. A cell of one cannot be split: it is only noted.
void Partition::touch(std::size_t kind) {
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

std::uint64_t Partition::split_touched() {
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
void Partition::split(std::uint32_t cell, std::size_t begin, std::size_t end) {
    const std::uint32_t stop = cell + size_[cell], first = stop - static_cast<std::uint32_t>(end - begin);
    if (first == cell && touched_[begin].count == touched_[end - 1].count) return;
    for (std::size_t i = end; i-- > begin;) swap_to(first + static_cast<std::uint32_t>(i - begin), touched_[i].vertex);
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

}  // namespace unpuzzle
