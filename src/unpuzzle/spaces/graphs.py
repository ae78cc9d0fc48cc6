"""Write state spaces as GraphML and DOT, from the graphs of networkx that explorations make.

networkx writes GraphML, but DOT only by a further package; our own DOT shows goals with a double frame and dead ends in
grey. Writing takes longer than exploring: `tick` is called often meanwhile, and may raise (`Deadline`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from networkx import MultiDiGraph


def _never() -> None:
    pass


def graphml(graph: MultiDiGraph, tick: Callable[[], None] = _never) -> str:
    """Return the text of a GraphML file."""
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
    """Return the text of a DOT file, for Graphviz; level and move are the labels."""
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
    """Return the attributes as DOT writes them; the lines of the label end flush left."""
    quoted = facts[label].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    others = [f"{name}={str(value).lower()}" for name, value in facts.items() if name != label]
    return " ".join([f'label="{quoted}"', *others])
