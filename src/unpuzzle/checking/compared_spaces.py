"""State spaces to compare: what can be reached from a task's initial state or a game's position, as far as one looked.

space = GrowingSpace(side_of(task))     or of a position
space.grow(1_000)                   breadth first, until more states are known; raises ParseError where
                                    positions of a game are equal and not the same
space.goals[3]                      whether state 3 is a goal; state 0 is the start
space.steps[3]                      [(cost, number of the successor, name), ...], none yet where it was not expanded
space.depth                         all states nearer than this are expanded; None if everything is
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Any, Protocol

from unpuzzle.pddl.compiled import CompiledSemantics
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.equality import after, alike, require_same
from unpuzzle.puzzle.position import Position

Step = tuple[int, int, str]
"""The cost of a step, the number of the state after it, and its name."""


class Side(Protocol):
    """What a space is made of: states, and what can be done in them."""

    @property
    def initial(self) -> Any:
        """The first state."""

    def solved(self, state: Any) -> bool:
        """Return whether a state is a goal."""

    def steps(self, state: Any) -> Iterable[tuple[int, Any, str]]:
        """Return cost, successor and name of each step out of a state."""

    def shown(self, state: Any) -> str:
        """Return a state for people."""

    def alike(self, known: Any, reached: Any) -> bool:
        """Return whether equal states have equal attributes."""


class TaskSide:
    """A PDDL task by its reference semantics, on integers."""

    def __init__(self, task: Task, tick: Callable[[], None] | None = None) -> None:
        self._states = CompiledSemantics(Semantics(task, limits=tick))
        self.initial: int = self._states.initial

    def solved(self, state: int) -> bool:
        """Return whether the goal holds."""
        return self._states.solved(state)

    def steps(self, state: int) -> list[tuple[int, int, str]]:
        """Return the applicable actions."""
        states = self._states
        return [
            (states.cost(operator), states.successor(state, operator), str(operator))
            for operator in states.applicable(state)
        ]

    def shown(self, state: int) -> str:
        """Return the fluent atoms that are true."""
        return " ".join(sorted(map(str, self._states.atoms(state)))) or "nothing is true"

    def alike(self, known: int, reached: int) -> bool:
        """Return whether equal states have equal attributes."""
        return True


class RulesSide:
    """A game by its rules, from a position on."""

    def __init__(self, position: Position) -> None:
        self.initial = position

    def solved(self, position: Position) -> bool:
        """Return whether a position is solved."""
        return position.solved()

    def steps(self, position: Position) -> list[tuple[int, Position, str]]:
        """Return the legal moves."""
        return [(position.cost(move), position.apply(move), move) for move in position.moves()]

    def shown(self, position: Position) -> str:
        """Return the picture."""
        return position.draw().rstrip("\n")

    def alike(self, known: Position, reached: Position) -> bool:
        """Return whether equal states have equal attributes."""
        return alike(known, reached)


def side_of(subject: Task | Position, tick: Callable[[], None] | None = None) -> Side:
    """Return the side of a task, or of the rules of a position; `tick` is called often, and may raise."""
    return TaskSide(subject, tick) if isinstance(subject, Task) else RulesSide(subject)


class GrowingSpace:
    """The states that were reached so far, numbered in the order of a breadth-first search."""

    def __init__(self, side: Side, tick: Callable[[], None] = lambda: None) -> None:
        self.side = side
        self.states: list[Any] = [side.initial]
        self.goals: list[bool] = [side.solved(side.initial)]
        self.steps: list[list[Step]] = [[]]
        self.transitions = 0
        self._numbers: dict[Hashable, int] = {side.initial: 0}
        self._depths = [0]
        self._expanded = 0
        self._tick = tick

    @property
    def exhausted(self) -> bool:
        """Whether all that can be reached is known."""
        return self._expanded == len(self.states)

    @property
    def depth(self) -> int | None:
        """All states that are fewer steps away are expanded; None if there are no others."""
        return None if self.exhausted else self._depths[self._expanded]

    def grow(self, most: int) -> None:
        """Expand states, the nearest first, until more than `most` are known, or all are."""
        while not self.exhausted and len(self.states) <= most:
            self._tick()
            self._expand(self._expanded)
            self._expanded += 1

    def _expand(self, number: int) -> None:
        steps = self.steps[number]
        for cost, successor, name in self.side.steps(self.states[number]):
            known = self._numbers.setdefault(successor, len(self.states))
            if known == len(self.states):
                self.states.append(successor)
                self.goals.append(self.side.solved(successor))
                self.steps.append([])
                self._depths.append(self._depths[number] + 1)
            elif not self.side.alike(self.states[known], successor):
                require_same(self.states[known], successor, partial(self._ways, known, number, name))
            steps.append((cost, known, name))
        self.transitions += len(steps)

    def _ways(self, known: int, number: int, name: str) -> tuple[str, str]:
        """Say how a state was reached, and how by a step from another one."""
        return after(self._way(known)), after([*self._way(number), name])

    def _way(self, number: int) -> list[str]:
        """Return the names of steps by which a state was reached first."""
        names: list[str] = []
        while number:
            source, name = next(
                (source, name) for source, out in enumerate(self.steps) for _, target, name in out if target == number
            )
            names.append(name)
            number = source
        return names[::-1]
