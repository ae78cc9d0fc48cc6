"""Measure how hard a level is: how often its optimal ways lead away from the goal, and where a player may get lost.

Everything is counted on the whole state space, with walking folded away, over the optimal ways: all positions on
optimal solutions. See `Difficulty` for the terms, `ways.py` for choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.limits import Deadline, Limits, tick
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.capabilities import Translated, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Record
from unpuzzle.spaces.by_rules import RulesSpace
from unpuzzle.spaces.by_task import StateSpace
from unpuzzle.spaces.folding import Folding
from unpuzzle.spaces.space import Space
from unpuzzle.spaces.ways import FATAL, LONGER, OPTIMAL, Ways
from unpuzzle.walks import distances

DIGITS = 6
"""The digits to which shares and means are rounded."""


class Difficulty(Record):
    """The difficulty of a level; for an unsolvable level only `lost` is known.

    Attributes:
        pushes: the fewest changes (moves that do not walk) of an optimal solution; None without a walker.
        detours: the fewest moves of an optimal solution after which more conditions of the goal are unmet than before,
            such as a box that leaves its goal; None if the goal is not known as conditions of PDDL.
        traps: the fewest positions of an optimal solution in which one change makes the level unsolvable; positions
            that differ by walking count as one.
        shortest_trap: the fewest moves from the start after which it is unsolvable; None if one cannot get stuck.
        trap_lasts: how late a trap shows: the most changes, each to a new position, that are still possible after a
            fatal change on an optimal way; None if there is no trap, or too many positions to look at.
        optimal_choices: the optimal next changes, on average over the positions on optimal ways.
        longer_choices: the changes that lead to a longer best solution, on average.
        fatal_choices: the changes that make the level unsolvable, on average.
        lost: the share of all positions from which no goal can be reached.
    """

    lost: float
    pushes: int | None = None
    detours: int | None = None
    traps: int | None = None
    shortest_trap: int | None = None
    trap_lasts: int | None = None
    optimal_choices: float | None = None
    longer_choices: float | None = None
    fatal_choices: float | None = None


MEASURES = (
    "pushes",
    "detours",
    "traps",
    "shortest_trap",
    "trap_lasts",
    "optimal_choices",
    "longer_choices",
    "fatal_choices",
    "lost",
)
"""The fields of a `Difficulty`, in the order of tables."""


def measure(subject: Position | Task, folding: Folding, limits: Limits | Deadline | None = None) -> Difficulty:
    """Measure the difficulty of a position or task by its folded space.

    Raises LimitReached, as the running work's ticker does.
    """
    space = folding.space
    lost = round(len(space.dead_ends) / space.states, DIGITS)
    if space.goal_distance[0] < 0:
        return Difficulty(lost)
    ways = Ways(folding)
    return Difficulty(
        lost,
        ways.least(lambda state, edge: int(folding.change(state, edge) is not None)) if folding.walks else None,
        _detours(subject, ways, limits),
        _traps(ways),
        shortest_trap(space) if lost else None,
        _trap_lasts(ways) if lost else None,
        *[_mean(ways, kind) for kind in (OPTIMAL, LONGER, FATAL)],
    )


def _traps(ways: Ways) -> int:
    """Return the fewest traps of an optimal solution: at the start, and after its changes."""
    space, folding = ways.space, ways.folding

    def is_trap(state: int) -> bool:
        return not space.goals[state] and ways.is_trap(folding.position(state))

    def weight(state: int, edge: int) -> int:
        return int(folding.change(state, edge) is not None and is_trap(space.targets[edge]))

    return ways.least(weight, int(is_trap(0)))


def _trap_lasts(ways: Ways) -> int | None:
    going_on = GoingOn(ways.folding)
    choices = [choice for position in ways.positions for choice in ways.choices(position)]
    lasts = [going_on.changes(position) for position in {choice.position for choice in choices if choice.kind == FATAL}]
    known = [number for number in lasts if number is not None]
    return max(known) if known and len(known) == len(lasts) else None


def _mean(ways: Ways, kind: str) -> float:
    """Return the average number of choices of a kind over the positions on optimal ways; 0 without any."""
    choices = [choice.kind for position in ways.positions for choice in ways.choices(position)]
    return round(choices.count(kind) / len(ways.positions), DIGITS) if ways.positions else 0.0


def _detours(subject: Position | Task, ways: Ways, limits: Limits | Deadline | None) -> int | None:
    unmet = _unmet(subject, ways.space, limits)
    if unmet is None:
        return None
    numbers: dict[int, int] = {}

    def number(state: int) -> int:
        if state not in numbers:
            numbers[state] = unmet(state)
        return numbers[state]

    return ways.least(lambda state, edge: int(number(ways.space.targets[edge]) > number(state)))


def _unmet(
    subject: Position | Task, space: Space[Any], limits: Limits | Deadline | None
) -> Callable[[int], int] | None:
    """Return a function that counts the unmet conditions of the goal in a state; None without PDDL."""
    if isinstance(subject, Position):
        if offered(subject, Translated) is not None:
            return None
        try:
            task = subject.task()
        except UnsupportedFeature:
            return None
    else:
        task = subject
    semantics = Semantics(task, limits=limits)
    static = semantics.initial - semantics.fluents(semantics.initial)
    goal = list(conjuncts(task.problem.goal))

    def unmet(state: int) -> int:
        atoms = space.atoms(state) if isinstance(space, StateSpace) else space.positions[state].atoms()  # type: ignore
        world = semantics.world(static | atoms)
        return sum([not world.holds(condition, {}) for condition in goal])

    return unmet if isinstance(space, StateSpace | RulesSpace) else None


# Traps: the moves from optimal ways that make a level unsolvable, and how long a player may not notice.
#
#     going_on = GoingOn(fold(level, space))
#     going_on.changes(position)      after a fatal choice of `Ways`
#
# is the largest number of changes that are needed to reach any position from there, so the player can see new positions
# for at most so many changes on shortest ways. With 0, only walking is left, and the trap shows at once.
#
# `shortest_trap(space)` is the fewest moves from the start into a dead end.

MOST_VISITS = 300_000
"""The most visits of folded positions for measuring how long traps last, over all traps of a level."""


class GoingOn:
    """The number of changes that are still possible from folded positions.

    Visits are counted over all of them, up to `MOST_VISITS`.
    """

    def __init__(self, folding: Folding) -> None:
        self.folding, self.visits = folding, 0
        self._following: dict[int, list[int]] = {}
        self._changes: dict[int, int | None] = {}

    def changes(self, position: int) -> int | None:
        """Return the largest number of changes needed to reach a position from there; None for too many."""
        if position not in self._changes:
            self._changes[position] = self._longest(position)
        return self._changes[position]

    def _longest(self, position: int) -> int | None:
        left = MOST_VISITS - self.visits
        steps = distances([position], self.following, left + 1)
        self.visits += len(steps)
        return None if len(steps) > left else max(steps.values())

    def following(self, position: int) -> list[int]:
        """Return the folded positions after one change."""
        if position not in self._following:
            tick()
            folding, space = self.folding, self.folding.space
            changes = [
                space.targets[edge]
                for state in folding.members(position)
                for edge in space.edges(state)
                if folding.change(state, edge) is not None
            ]
            self._following[position] = list(dict.fromkeys([folding.position(target) for target in changes]))
        return self._following[position]


def shortest_trap(space: Space[Any]) -> int | None:
    """Return the fewest moves to a dead end, not through goals; None if there is none."""
    distance, seen, layer, depth = space.goal_distance, {0}, [0], 0
    while layer:
        following: list[int] = []
        for state in layer:
            tick()
            if distance[state] < 0:
                return depth
            targets = () if space.goals[state] else space.targets[space.offsets[state] : space.offsets[state + 1]]
            fresh = [target for target in targets if target not in seen]
            seen.update(fresh)
            following += dict.fromkeys(fresh)
        layer, depth = following, depth + 1
    return None
