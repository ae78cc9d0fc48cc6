"""State spaces to compare: the states explored so far from a task's initial state or a game's position.

space = GrowingSpace(side_of(task))     or of a position
space.grow(1_000)                   breadth first, until more states are known; raises ParseError where
                                    positions of a game are equal and not the same
space.goals[3]                      whether state 3 is a goal; state 0 is the start
space.steps[3]                      [(cost, number of the successor, name), ...], none until it is expanded
space.depth                         all states nearer than this are expanded; None if all states are
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from operator import methodcaller
from typing import Any

from unpuzzle.pddl.compiled import CompiledSemantics
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.guards import after, attributes_of, require_same
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Record
from unpuzzle.run import checkpoint

Step = tuple[int, int, str]
"""The cost of a step, the number of the state after it, and its name."""


class Side(Record):
    """The functions that define a state space.

    Attributes:
        initial: the first state.
        solved: state → whether it is a goal.
        steps: state → cost, successor and name of each step out of it.
        picture: state → the state as text for people.
        alike: state, equal state → whether their attributes are equal, too.
        facts: state of a task, which is a number → its atoms.
        start: the atoms of a task's first state, static ones, too.
    """

    initial: Any
    solved: Callable[[Any], bool]
    steps: Callable[[Any], Iterable[tuple[int, Any, str]]]
    picture: Callable[[Any], str]
    alike: Callable[[Any, Any], bool]
    facts: Callable[[int], Iterable[Atom]] = lambda state: ()
    start: Iterable[Atom] = ()


def side_of(subject: Task | Position) -> Side:
    """Return the state space of a task, or of a position by its rules. Raises LimitReached."""
    return _side_of_task(subject) if isinstance(subject, Task) else _side_of_rules(subject)


def _side_of_task(task: Task) -> Side:
    """Return the state space of a PDDL task by its reference semantics, with states as integers."""
    semantics = Semantics(task)
    states = CompiledSemantics(semantics)

    def steps(state: int) -> list[tuple[int, int, str]]:
        operators = states.applicable(state)
        return [(states.cost(operator), states.successor(state, operator), str(operator)) for operator in operators]

    def picture(state: int) -> str:
        return " ".join(sorted(map(str, states.atoms(state)))) or "nothing is true"

    return Side(
        states.initial, states.solved, steps, picture, lambda known, reached: True, states.atoms, semantics.initial
    )


def _side_of_rules(position: Position) -> Side:
    def steps(position: Position) -> list[tuple[int, Position, str]]:
        return [(position.cost(move), position.apply(move), move) for move in position.moves()]

    return Side(
        position,
        methodcaller("solved"),
        steps,
        lambda position: position.draw().rstrip("\n"),
        attributes_of(type(position)),
    )


class GrowingSpace:
    """The states reached so far, numbered in the order of a breadth-first search."""

    def __init__(self, side: Side) -> None:
        self.side: Side = side
        self.states: list[Any] = [side.initial]
        self.goals: list[bool] = [side.solved(side.initial)]
        self.steps: list[list[Step]] = [[]]
        self.transitions: int = 0
        self._numbers: dict[Hashable, int] = {side.initial: 0}
        self.depths: list[int] = [0]
        self._before: list[tuple[int, str]] = [(0, "")]  # the state from which each was reached, and the step's name
        self._expanded = 0

    @property
    def depth(self) -> int | None:
        """A depth such that all states fewer steps away are expanded; None if all known states are."""
        return None if self._expanded == len(self.states) else self.depths[self._expanded]

    def grow(self, most: int) -> None:
        """Expand states, the nearest first, until more than `most` are known, or all are."""
        while self.depth is not None and len(self.states) <= most:
            checkpoint()
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
                self.depths.append(self.depths[number] + 1)
                self._before.append((number, name))
            elif not self.side.alike(self.states[known], successor):
                require_same(self.states[known], successor, partial(self._ways, known, number, name))
            steps.append((cost, known, name))
        self.transitions += len(steps)

    def _ways(self, known: int, number: int, name: str) -> tuple[str, str]:
        """Return in words how a known state was reached first, and how by a step."""
        return after(self._way(known)), after([*self._way(number), name])

    def _way(self, state: int) -> list[str]:
        names = []
        while state:
            state, name = self._before[state]
            names.append(name)
        return names[::-1]
