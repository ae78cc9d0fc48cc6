"""A state space as arrays, with queries; the arrays come from the compiled core or from `by_rules.py`.

    space.states, space.transitions            their numbers
    space.depth[s]                             fewest steps from the start, which is state 0
    space.distance[s], space.goal_distance[s]  least cost from the start, and to a goal; -1: never (a dead end)
    space.targets[space.offsets[s] : space.offsets[s + 1]]      successors, and `operators` beside them
    space.plans[s]                             the number of plans of least cost from s to a goal

The arrays are memoryviews: they index and slice like lists, and `numpy.asarray(view)` takes one without copying. States
are numbered breadth-first. Goals have successors, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Any, Final, Generic, TypeVar

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT
from unpuzzle.base.text import count
from unpuzzle.base.values import Immutable

Action = TypeVar("Action")

COMPLETE: Final = "complete"
MANY, ENDLESS = 2**64 - 2, 2**64 - 1

FORMATS: dict[str, Any] = {
    **dict.fromkeys(("depth", "targets", "operators"), "I"),
    **dict.fromkeys(("offsets", "plans"), "Q"),
    **dict.fromkeys(("distance", "goal_distance"), "q"),
    "goals": "B",
}
"""The number type of each array, in the codes of the module `array`."""


class SpaceLimitError(LimitReached):
    """The error for an exploration that a limit ended; `status` names the limit, `states` is a lower bound."""

    def __init__(self, status: str, expanded: int, max_states: int | None, ended: str = "") -> None:
        ended = ended or f"the {'memory' if status == MEMOUT else 'time'} limit was reached"
        states = count(expanded, "expanded state")  # more were reached, and other figures count these
        message = f"{ended} while exploring the state space, after {states}"
        self.states: int = expanded
        if status == GAVE_UP and max_states is not None:
            self.states, message = max_states, f"there are more than {count(max_states, 'state')}"
        super().__init__(status, message)


class Space(Generic[Action]):
    """All reachable states and transitions. It is immutable, compares by value, and pickles.

    Attributes:
        status: `complete`, or the limit that ended the exploring: `timeout`, `memout`, `cancelled` or `gave_up`.
        message: a sentence about that limit; empty if the space is complete.
        actions, costs: by operator number; actions are ground actions of PDDL, or moves of a puzzle.
        depth, offsets, targets, operators, distance, goal_distance: see above.
        goals: 1 for goals, 0 for other states.
        plans: stops at `MANY`; `ENDLESS` if a cycle of cost 0 allows any number; see `optimal_plans`.

    If the space is not complete, it may have no states and distances, only the number of states that were seen.
    """

    status: str
    message: str
    actions: tuple[Action, ...]
    costs: tuple[int, ...]
    depth: memoryview
    offsets: memoryview
    targets: memoryview
    operators: memoryview
    goals: memoryview
    distance: memoryview
    goal_distance: memoryview
    plans: memoryview

    def __init__(
        self,
        actions: tuple[Action, ...],
        costs: tuple[int, ...],
        values: Mapping[str, Any],
        status: str = COMPLETE,
        message: str = "",
    ) -> None:
        """Store the actions, their costs, and `values`: the arrays and other data of the space, by name."""
        vars(self).update(values, actions=actions, costs=costs, status=status, message=message)

    __setattr__ = Immutable.__setattr__
    __delattr__ = Immutable.__delattr__

    @property
    def complete(self) -> bool:
        """Whether the space has all reachable states."""
        return self.status == COMPLETE

    @property
    def states(self) -> int:
        """The number of states; if the space is not complete, the number of states seen."""
        return len(self.offsets) - 1

    @property
    def transitions(self) -> int:
        """The number of applicable actions or legal moves, summed over all states."""
        return len(self.targets)

    @property
    def dead_ends(self) -> list[int]:
        """The states from which no goal can be reached."""
        return [state for state, distance in enumerate(self.goal_distance) if distance < 0]

    def is_dead_end(self, state: int) -> bool:
        """Return whether no goal can be reached from a state."""
        return self.goal_distance[state] < 0

    def traps(self, state: int) -> list[int]:
        """Return the transitions that are traps: from a state that is neither solved nor a dead end into a dead end."""
        if self.goals[state] or self.is_dead_end(state):
            return []
        return [edge for edge in self.edges(state) if self.is_dead_end(self.targets[edge])]

    @property
    def hardest(self) -> int | None:
        """The first state that is farthest from any goal; None if all states are dead ends."""
        farthest = max(self.goal_distance)
        return None if farthest < 0 else self.goal_distance.tolist().index(farthest)

    def depths(self) -> list[int]:
        """Return the number of states at each depth."""
        return [number for _, number in sorted(Counter(self.depth).items())]

    def successors(self, state: int) -> list[tuple[Action, int]]:
        """Return the applicable actions of a state, each with its target state."""
        return [(self.actions[self.operators[edge]], self.targets[edge]) for edge in self.edges(state)]

    def plan(self, state: int = 0) -> tuple[Action, ...] | None:
        """Return a plan of least cost from a state to a goal; None if the state is a dead end."""
        if self.goal_distance[state] < 0:
            return None
        edges = []
        while not self.goals[state]:
            edges.append(self._step(state))
            state = self.targets[edges[-1]]
        return tuple([self.actions[self.operators[edge]] for edge in edges])

    def path(self, state: int) -> tuple[Action, ...]:
        """Return a path of fewest steps from the start to a state."""
        edges = []
        while state:
            edges.append(self.first[state])
            state = self.previous(state)
        return tuple([self.actions[self.operators[edge]] for edge in reversed(edges)])

    def previous(self, state: int) -> int:
        """Return the state from which a state was first reached; the start state has no such state."""
        return bisect_right(self.offsets, self.first[state]) - 1

    @cached_property
    def first(self) -> dict[int, int]:
        """The transition that first reached each state; this transition lies on a path of fewest steps."""
        return {self.targets[edge]: edge for edge in reversed(range(self.transitions))}

    def optimal_plans(self, state: int = 0) -> int | None:
        """Return the exact number of least-cost plans from a state to a goal; None if there are infinitely many."""
        number = self.plans[state]
        return number if number < MANY else None if number == ENDLESS else self._count(state)

    def edges(self, state: int) -> range:
        """Return the numbers of a state's transitions."""
        return range(self.offsets[state], self.offsets[state + 1])

    def following(self, state: int) -> memoryview:
        """Return the targets of a state's transitions."""
        return self.targets[self.offsets[state] : self.offsets[state + 1]]

    def tight(self, state: int) -> list[int]:
        """Return the transitions of a state with which a plan of least cost can begin."""
        rest, own = self.goal_distance, self.goal_distance[state]
        return [
            edge
            for edge in self.edges(state)
            if rest[self.targets[edge]] >= 0 and own == rest[self.targets[edge]] + self.costs[self.operators[edge]]
        ]

    def _step(self, state: int) -> int:
        """Return the first transition of a finite least-cost plan, with the fewest steps if steps may cost nothing."""
        tight = self.tight(state)
        if all(self.costs[self.operators[edge]] for edge in tight):
            return tight[0]
        return min(tight, key=lambda edge: self._free_steps[self.targets[edge]])

    @cached_property
    def _free_steps(self) -> dict[int, int]:
        """For each state that is not a dead end, the fewest steps of a plan of least cost."""
        before: dict[int, list[int]] = {}
        for state in range(self.states):
            for target in self._onward(state) if self.goal_distance[state] >= 0 else ():
                before.setdefault(target, []).append(state)
        return distances([state for state, goal in enumerate(self.goals) if goal], lambda state: before.get(state, ()))

    def optimal_states(self, start: int = 0) -> list[int]:
        """Return the states on least-cost plans from a state, the nearest first; for a dead end, only that state."""
        return list(distances([start], self._onward))

    def _onward(self, state: int) -> list[int]:
        return [self.targets[edge] for edge in self.tight(state)]

    def _count(self, start: int) -> int:
        """Return the number of plans as an integer of any size, by sums over the next states, successors first."""
        onward = {state: self._onward(state) for state in self.optimal_states(start)}
        counts: dict[int, int] = {}
        for state in TopologicalSorter(onward).static_order():
            counts[state] = int(self.goals[state]) + sum([counts[target] for target in onward[state]])
        return counts[start]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = ("status", "actions", "costs", *FORMATS)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((self.status, self.states, self.transitions))

    def __getstate__(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name).tobytes() for name in FORMATS}
        return {**vars(self), **arrays}

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values, **arrays_of(values.__getitem__))

    def __repr__(self) -> str:
        kind = "" if self.complete else f", {self.status}"
        return f"{type(self).__name__}({count(self.states, 'state')}, {count(self.transitions, 'transition')}{kind})"


class SeenSpace(Space[Any]):
    """A space that the compiled core could not finish; only the number of states seen is known."""

    _number: int

    def __init__(self, reached: LimitReached) -> None:
        number = getattr(reached, "states", 0)  # none if a limit ended the grounding
        super().__init__((), (), {**arrays_of(lambda _: b""), "_number": number}, reached.status, str(reached))

    @property
    def states(self) -> int:
        """The number of states seen."""
        return self._number


def arrays_of(data: Callable[[str], bytes]) -> dict[str, memoryview]:
    """Return the arrays of a space; the function `data` returns the bytes of an array for the array's name."""
    return {name: memoryview(data(name)).cast(kind) for name, kind in FORMATS.items()}
