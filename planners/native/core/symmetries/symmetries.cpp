#include "symmetries/automorphisms.hpp"
#include "symmetries/orbits.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_VALUES_IN_ALL = std::size_t{1} << 21;

using Vertex = TaskGraph::Vertex;

Symmetry symmetry_of(const Task& task, const TaskGraph& graph, Automorphisms::Image image) {
    Symmetry symmetry;
    const auto all_facts = graph.mentioned.values();
    const auto fact = [&](Vertex vertex) -> const Fact& { return all_facts[vertex - graph.variables()]; };
    for (std::uint32_t from = 0; from < task.variables.size(); ++from) {
        const std::uint32_t domain = task.variables[from].domain;
        if (task.variables[from].derived() || domain > TaskGraph::MOST_VALUES) continue;
        const auto facts = graph.mentioned[from];
        const auto begin =
            static_cast<Vertex>(graph.variables()) + static_cast<Vertex>(facts.data() - all_facts.data());
        const auto end = begin + static_cast<Vertex>(facts.size());
        bool moves = image[from] != from;
        for (Vertex vertex = begin; vertex < end; ++vertex) moves |= image[vertex] != vertex;
        if (!moves) continue;
        constexpr std::uint32_t OPEN = ~0u;
        Vector<std::uint32_t> values(domain, OPEN);
        Vector<bool> taken(domain, false);
        for (Vertex vertex = begin; vertex < end; ++vertex) {
            values[fact(vertex).value] = fact(image[vertex]).value;
            taken[fact(image[vertex]).value] = true;
        }
        std::uint32_t next = 0;  // values that the task does not mention keep their order
        for (std::uint32_t& value : values) {
            if (value != OPEN) continue;
            while (taken[next]) ++next;
            value = next++;
        }
        symmetry.push_back({from, image[from], {values.begin(), values.end()}});
    }
    return symmetry;
}

}  // namespace

Vector<Symmetry> symmetries(const Task& task, Control& control) {
    Vector<Symmetry> found;
    const FactNumbers numbers(task);
    if (asymmetric_at_a_glance(task, numbers, control)) return found;
    const TaskGraph graph(task, numbers, control);
    std::size_t values = 0;
    Automorphisms(graph, control).each([&](Automorphisms::Image image) {
        Symmetry symmetry = symmetry_of(task, graph, image);
        for (const Moved& moved : symmetry) values += moved.values.size();
        if (!symmetry.empty() && values <= MOST_VALUES_IN_ALL) found.push_back(std::move(symmetry));
    });
    return found;
}

}  // namespace unpuzzle
