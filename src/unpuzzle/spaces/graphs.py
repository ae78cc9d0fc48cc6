"""State spaces as graphs, for other tools: networkx, and files as GraphML and DOT.

    nodes    state numbers, 0 the start    level, depth, goal_distance (-1: never), goal, dead_end
    edges    legal moves                   move, cost

networkx writes GraphML. Its DOT goes through a further package (pydot or pygraphviz, which needs Graphviz's headers);
DOT is two kinds of lines, and our own show what the states are: goals with a double frame, dead ends grey.

All of it takes longer than exploring: `tick` is called often meanwhile, and may raise what ends the work (`Deadline`).
"""

from __future__ import annotations

from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from networkx import MultiDiGraph

    from unpuzzle.spaces.exploration import Exploration


def _never() -> None:
    pass


def to_networkx(exploration: Exploration, tick: Callable[[], None] = _never) -> MultiDiGraph:
    """The graph. Edges are numbered by their keys, so that two moves may lead from one state to the same other one."""
    import networkx

    space = exploration.space
    graph = networkx.MultiDiGraph(puzzle=exploration.level.game.name)
    for state, position in enumerate(exploration.positions()):
        tick()
        rest = space.goal_distance[state]
        graph.add_node(
            state,
            level=str(position),
            depth=space.depth[state],
            goal_distance=rest,
            goal=bool(space.goals[state]),
            dead_end=rest < 0,
        )
    number = count()
    for state in range(space.states):
        tick()
        for move, target, cost in exploration.successors(state):
            graph.add_edge(state, target, key=next(number), move=move, cost=cost)
    return graph


def graphml(graph: MultiDiGraph, tick: Callable[[], None] = _never) -> str:
    """The text of a GraphML file."""
    import networkx

    writer = networkx.GraphMLWriter()
    for slow in ("add_data", "indent"):  # one is called for each attribute, one for each line
        setattr(writer, slow, _ticking(getattr(writer, slow), tick))
    writer.add_graph_element(graph)
    return str(writer).rstrip() + "\n"


def _ticking(method: Callable[..., Any], tick: Callable[[], None]) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        tick()
        return method(*given, **named)

    return call


def dot(graph: MultiDiGraph, tick: Callable[[], None] = _never) -> str:
    """The text of a DOT file, for Graphviz; level and move are the labels."""
    lines = ["digraph {", "  node [shape=box fontname=monospace style=filled fillcolor=white]"]
    for state, facts in graph.nodes(data=True):
        tick()
        look = {"peripheries": 2} if facts["goal"] else {"fillcolor": "grey"} if facts["dead_end"] else {}
        lines.append(f"  {state} [{_attributes({**facts, **look}, 'level')}]")
    for state, target, facts in graph.edges(data=True):
        tick()
        lines.append(f"  {state} -> {target} [{_attributes(facts, 'move')}]")
    return "\n".join([*lines, "}"]) + "\n"


def _attributes(facts: dict[str, Any], label: str) -> str:
    """As DOT has them; in quotes the lines of the label, which end flush left."""
    quoted = facts[label].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    others = [f"{name}={str(value).lower()}" for name, value in facts.items() if name != label]
    return " ".join([f'label="{quoted}"', *others])
