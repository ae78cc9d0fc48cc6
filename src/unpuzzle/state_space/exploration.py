"""Explore all reachable states of a level: their number and depths, dead ends, and the hardest start.

The space comes from the native core or, if that was not compiled, with the same answers from the
rules. The core knows states of the PDDL; their positions are reached by playing moves.

`graphml` and `dot` write the networkx graphs of explorations: networkx writes DOT only with a further package, and ours
shows goals with a double frame and dead ends in grey.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import count, pairwise
from typing import Any

from unpuzzle.base.errors import LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.run import Limits, Run, checkpoint, phase, within_limits
from unpuzzle.base.values import Record, plain, schema_name
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import require_solution
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.planning import registry
from unpuzzle.state_space.difficulty import MEASURED, Difficulty, Measures, measure
from unpuzzle.state_space.lines import Folding, Positions, count_lines, fold
from unpuzzle.state_space.space import Space, StateSpace, reachable, reachable_by_rules
from unpuzzle.table import notebook_bundle

UNKNOWN = dict.fromkeys("transitions depths goals dead_ends hardest cost optimal_plans branching".split())
UNMEASURED = dict.fromkeys(MEASURED)
"""The figures that a space has only if it is complete."""


class Hardest(Record):
    """The state that is farthest from any goal.

    Attributes:
        level: its text: the position, or the atoms of a task's state.
        cost: the least cost from there to a goal.
        moves: moves of this cost.
        number: the number of equally hard states.
        position: the position; None if a task was explored.
    """

    level: str
    cost: int
    moves: tuple[str, ...]
    number: int
    position: Position | None

    def to_dict(self) -> dict[str, Any]:
        """Return the level, cost and moves as data for JSON."""
        return {"level": self.level, "cost": self.cost, "moves": list(self.moves)}


class Branching(Record):
    """The number of moves per state: `mean`, `least` and `most`."""

    mean: float
    least: int
    most: int

    def to_dict(self) -> dict[str, Any]:
        """Return the three figures as data for JSON."""
        return {"mean": round(self.mean, 6), "least": self.least, "most": self.most}


class Exploration(Record):
    """The reachable states of a position or task, with figures about them."""

    schema = "explore"

    subject: Position | Task
    space: Space[Any]

    @property
    def status(self) -> str:
        """`complete`, or the limit that ended the exploration: `timeout`, `memout`, `cancelled` or `gave_up`.

        It is `gave_up`, too, if something may happen that is not a move.
        """
        return GAVE_UP if self.space.complete and self.overlooked else self.space.status

    @cached_property
    def overlooked(self) -> str:
        """Events of the game that exploration ignores, though they may lead to more states; empty if there are none."""
        return self.subject.overlooked() or "" if isinstance(self.subject, Position) else ""

    @property
    def complete(self) -> bool:
        """Whether all states were seen. If not, figures that need all states are None."""
        return bool(self.space.complete and not self.overlooked)

    @property
    def states(self) -> int:
        """The number of states; if not all states were seen, the number of states seen."""
        return self.space.states

    @property
    def transitions(self) -> int:
        """The number of legal moves, summed over all states."""
        return self.space.transitions

    @cached_property
    def depths(self) -> list[int]:
        """The number of states at each depth, which is the fewest moves from the start."""
        return self.space.depths()

    @cached_property
    def goals(self) -> int:
        """The number of solved states."""
        return sum(self.space.goals)

    @cached_property
    def dead_ends(self) -> int | None:
        """The number of states from which no goal can be reached."""
        return len(self.space.dead_ends) if self.complete else None

    @property
    def cost(self) -> int | None:
        """The least cost from the start to a goal; None if there is no solution."""
        cost: int = self.space.goal_distance[0] if self.complete else -1
        return None if cost < 0 else cost

    @property
    def reason(self) -> str:
        """The reason why the level has no solution, or why the exploration is incomplete; otherwise empty."""
        if not self.complete and self.space.complete:
            return f"the exploration is incomplete: {self.overlooked}"
        if not self.complete or self.cost is not None:
            return self.space.message
        reason = self.subject.impossible() if isinstance(self.subject, Position) else None
        return reason or "everything that can be reached was searched, and there is no goal"

    @property
    def optimal_plans(self) -> int | None:
        """The number of move sequences of least cost from the start to a goal; 0 from a dead end.

        None if moves of cost 0 form a cycle. Sequences that continue to another goal at no cost count, too.
        """
        return self.space.optimal_plans() if self.complete else None

    @cached_property
    def folding(self) -> Folding:
        """The state space in which states connected by walks are merged."""
        return fold(self.subject, self.space)

    @cached_property
    def measures(self) -> Measures:
        """The number of optimal lines and the difficulty, without limits on the computation."""
        if not self.space.complete:
            return Measures()
        lines = None
        try:
            with phase("measuring the difficulty"):
                lines = count_lines(self.folding)
                return Measures(lines, measure(self.subject, self.folding))
        except LimitReached as reached:
            return Measures(lines, None, str(reached))

    def measure(self, limits: Limits | None = None) -> Measures:
        """Compute the number of optimal lines and the difficulty within limits; figures that take longer are None."""
        with Run(limits):
            return self.measures

    @property
    def optimal_lines(self) -> int | None:
        """The number of optimal solutions, not counting walks and the order of independent moves.

        None if it is infinite, or too large to count; see `state_space.lines`.
        """
        return None if self.measures.lines is None else self.measures.lines.number

    @property
    def difficulty(self) -> Difficulty | None:
        """The difficulty of the level; None if unknown."""
        return self.measures.difficulty

    @cached_property
    def branching(self) -> Branching | None:
        """The mean, least and largest number of moves in a state; None if not all states were seen."""
        if not self.complete:
            return None
        numbers = [end - start for start, end in pairwise(self.space.offsets.tolist())]
        return Branching(self.transitions / self.states, min(numbers), max(numbers))

    @cached_property
    def hardest(self) -> Hardest | None:
        """The unsolved state with the most expensive optimal solution; None if all states are dead ends."""
        state = self.space.hardest if self.complete else None
        if state is None:
            return None
        moves = tuple([self._moves[action] for action in self.space.plan(state) or ()])
        costs = self.space.goal_distance.tolist()
        position = self.position(state) if isinstance(self.subject, Position) else None
        if position is not None:
            require_solution(position, moves, costs[state])
        return Hardest(self.text(state), costs[state], moves, costs.count(costs[state]), position)

    def require_solution(self) -> None:
        """Replay an optimal solution by the rules. Raises ModelMismatch if the rules forbid it."""
        position = self.subject
        if not isinstance(position, Position) or position.game.moves_are_actions or self.cost is None:
            return
        require_solution(position, [self._moves[action] for action in self.space.plan() or ()], self.cost)

    @property
    def name(self) -> str:
        """The name of the explored game, or of the problem of the explored task."""
        return self.subject.game.name if isinstance(self.subject, Position) else self.subject.problem.name

    def position(self, state: int) -> Position:
        """Return the position of a state, given by its number. Raises UsageError if a task was explored."""
        return self._positions.of(state)

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluent atoms that are true in a state."""
        return self.space.atoms(state) if isinstance(self.space, StateSpace) else self.position(state).atoms()

    def text(self, state: int) -> str:
        """Return the text of a state's position or, if a task was explored, the state's atoms."""
        if isinstance(self.subject, Position):
            return str(self.position(state))
        return " ".join(sorted(map(str, self.atoms(state))))

    def way(self, state: int) -> tuple[str, ...]:
        """Return the moves of a shortest path from the start to a state."""
        return tuple([self._moves[action] for action in self.space.path(state)])

    def positions(self) -> list[Position]:
        """Return the positions of all states. Raises UsageError if a task was explored."""
        return list(map(self.position, range(self.states)))

    def texts(self) -> list[str]:
        """Return the text of each state, in the order of the states."""
        return list(map(self.text, range(self.states)))

    @cached_property
    def _positions(self) -> Positions:
        if isinstance(self.subject, Position):
            return Positions(self.subject, self.space)
        raise UsageError("the states of a PDDL task have no positions, and so no pictures; `atoms` returns their facts")

    @cached_property
    def _moves(self) -> dict[Any, str]:
        start = self.subject
        decode = start.decode if isinstance(start, Position) else str
        return {action: action if isinstance(action, str) else decode(action) for action in set(self.space.actions)}

    @cached_property
    def moves(self) -> list[str]:
        """The move of each operator in the state space; several operators may have the same move."""
        return [self._moves[action] for action in self.space.actions]

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        """Return the legal moves in a state, each with its target state and cost."""
        space, moves = self.space, self.moves
        edges = [(space.operators[edge], space.targets[edge]) for edge in space.edges(state)]
        return [(moves[operator], target, space.costs[operator]) for operator, target in edges]

    def graph(self) -> Any:
        """Return the state space as a `networkx.MultiDiGraph`. Raises LimitReached.

        Nodes are states, with `level` (a text), `depth`, `goal_distance` (-1: never), `goal` and `dead_end`; edges are
        legal moves, with `move` and `cost`, numbered by their keys.
        """
        import networkx

        space = self.space
        graph = networkx.MultiDiGraph(puzzle=self.name)
        for state, text in enumerate(within_limits(self.texts())):
            rest, goal = space.goal_distance[state], bool(space.goals[state])
            facts = {"depth": space.depth[state], "goal_distance": rest, "goal": goal, "dead_end": rest < 0}
            graph.add_node(state, level=text, **facts)
        number = count()
        for state in within_limits(range(space.states)):
            for move, target, cost in self.successors(state):
                graph.add_edge(state, target, key=next(number), move=move, cost=cost)
        return graph

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as data for JSON; unknown figures are None."""
        figures = {name: getattr(self, name) for name in UNKNOWN} if self.complete else UNKNOWN
        figures = {**figures, **(self.measures.figures() if self.complete else UNMEASURED)}
        fields = {"status": self.status, "states": self.states, **figures, "message": self.reason}
        return {"schema": schema_name(self.schema), **plain(fields)}

    def __repr__(self) -> str:
        return f"Exploration({self.states} states, {self.transitions} transitions)"

    _repr_mimebundle_ = notebook_bundle


def explore(
    subject: Position | Task,
    *,
    limits: Limits | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exploration:
    """Explore all states that can be reached from a position or from the initial state of a task.

    At a limit of time, memory or `max_states`, the exploration is not `complete`: its `status` names the limit.
    `progress` is called now and then with the number of states whose moves have been tried.

    Raises UsageError for a subject that is neither a position nor a task; for a task DependencyMissing without the
    compiled core.
    """
    if not isinstance(subject, Position | Task):
        raise UsageError(f"explore() takes a position or a PDDL task, not a {type(subject).__name__}")
    if max_states is not None and max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    with Run(limits, "exploring"):
        if isinstance(subject, Task) or registry.missing("native") is None:
            try:
                return Exploration(subject, reachable(subject, max_states=max_states, progress=progress))
            except UnsupportedFeature:
                if isinstance(subject, Task):
                    raise
                # a game without PDDL, or with actions whose move depends on the position

        space = reachable_by_rules(subject, max_states=max_states, progress=progress)
        return Exploration(subject, space)


def graphml(graph: Any) -> str:
    """Return a graph as the text of a GraphML file."""
    import networkx

    writer = networkx.GraphMLWriter()

    def checked(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, **named: Any) -> Any:
            checkpoint()
            return method(*values, **named)

        return call

    for slow in ("add_data", "indent"):  # one is called for each attribute, one for each line
        setattr(writer, slow, checked(getattr(writer, slow)))
    writer.add_graph_element(graph)
    return str(writer).rstrip() + "\n"


def dot(graph: Any) -> str:
    """Return a graph as the text of a DOT file, for Graphviz; levels and moves are the labels."""
    lines = ["digraph {", "  node [shape=box fontname=monospace style=filled fillcolor=white]"]
    for state, facts in within_limits(graph.nodes(data=True)):
        look = {"peripheries": 2} if facts["goal"] else {"fillcolor": "grey"} if facts["dead_end"] else {}
        lines.append(f"  {state} [{_attributes({**facts, **look}, 'level')}]")
    for state, target, facts in within_limits(graph.edges(data=True)):
        lines.append(f"  {state} -> {target} [{_attributes(facts, 'move')}]")
    return "\n".join([*lines, "}"]) + "\n"


def _attributes(facts: dict[str, Any], label: str) -> str:
    """Return attributes of a node or edge in the DOT language."""
    quoted = facts[label].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    others = [f"{name}={str(value).lower()}" for name, value in facts.items() if name != label]
    return " ".join([f'label="{quoted}"', *others])
