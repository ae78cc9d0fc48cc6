#include "symmetries/symmetries.hpp"

#include <algorithm>

#include "symmetries/automorphisms.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_VALUES_IN_ALL = std::size_t{1} << 21;

class Reader {
  public:
    Reader(const Task& task, const TaskGraph& graph) : task_(task), graph_(graph) {}

    Symmetry symmetry(Automorphisms::Image image) const {
        Symmetry symmetry;
        for (std::uint32_t from = 0; from < task_.variables.size(); ++from) {
            if (task_.variables[from].derived() || task_.variables[from].domain > TaskGraph::MOST_VALUES) continue;
            if (moves(from, image)) symmetry.push_back({from, image[from], values(from, image)});
        }
        return symmetry;
    }

  private:
    auto vertices(std::uint32_t variable) const {  // of its facts
        const auto facts = graph_.mentioned[variable];
        const auto first = static_cast<TaskGraph::Vertex>(graph_.variables()) +
                           static_cast<TaskGraph::Vertex>(facts.data() - graph_.mentioned.values().data());
        return std::pair(first, first + static_cast<TaskGraph::Vertex>(facts.size()));
    }
    bool moves(std::uint32_t variable, Automorphisms::Image image) const {
        const auto [begin, end] = vertices(variable);
        for (TaskGraph::Vertex vertex = begin; vertex < end; ++vertex) {
            if (image[vertex] != vertex) return true;
        }
        return image[variable] != variable;
    }
    const Fact& fact(TaskGraph::Vertex vertex) const { return graph_.mentioned.values()[vertex - graph_.variables()]; }

    // Values that the task does not mention keep their order.
    Vector<std::uint16_t> values(std::uint32_t from, Automorphisms::Image image) const {
        const std::uint32_t domain = task_.variables[from].domain;
        constexpr std::uint32_t OPEN = ~0u;
        Vector<std::uint32_t> values(domain, OPEN);
        Vector<bool> taken(domain, false);
        const auto [begin, end] = vertices(from);
        for (TaskGraph::Vertex vertex = begin; vertex < end; ++vertex) {
            values[fact(vertex).value] = fact(image[vertex]).value;
            taken[fact(image[vertex]).value] = true;
        }
        std::uint32_t next = 0;
        for (std::uint32_t& value : values) {
            if (value != OPEN) continue;
            while (taken[next]) ++next;
            value = next++;
        }
        return {values.begin(), values.end()};
    }

    const Task& task_;
    const TaskGraph& graph_;
};

}  // namespace

Vector<Symmetry> symmetries(const Task& task, Control& control) {
    Vector<Symmetry> found;
    const FactNumbers numbers(task);
    if (asymmetric_at_a_glance(task, numbers, control)) return found;
    const TaskGraph graph(task, numbers, control);
    const Reader reader(task, graph);
    std::size_t values = 0;
    Automorphisms(graph, control).each([&](Automorphisms::Image image) {
        Symmetry symmetry = reader.symmetry(image);
        for (const Moved& moved : symmetry) values += moved.values.size();
        if (!symmetry.empty() && values <= MOST_VALUES_IN_ALL) found.push_back(std::move(symmetry));
    });
    return found;
}

}  // namespace unpuzzle
