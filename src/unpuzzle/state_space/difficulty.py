"""Measures of a level's difficulty, such as detours from the goal and moves that make the level unsolvable.

Everything is counted on the whole state space, with walking folded away, over the *optimal ways*: all positions on
optimal solutions. See `Difficulty` for the terms, and `OptimalPaths` for the counts. Requirements, such as `unique` or
`traps>=3`, are words for the measures that a level must have:

    requirement("traps=2..5").met_by(figures)            True, False, or None if unknown

The `figures` are values by name, from a survey's row or a generated level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from math import inf
from typing import Any

from unpuzzle.base.distances import distances, least_costs
from unpuzzle.base.errors import UnsupportedFeature, UsageError
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.base.values import Record
from unpuzzle.model.capabilities import Translated, offered
from unpuzzle.model.position import Position
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.state_space.lines import Folding, LineCount
from unpuzzle.state_space.space import RulesSpace, Space, StateSpace

DIGITS = 6
"""The digits to which shares and means are rounded."""
OPTIMAL, LONGER, FATAL = "optimal", "longer", "fatal"
SOLVABLE, UNIQUE, NO_DEAD_ENDS = "solvable", "unique", "no-dead-ends"
REQUIREMENTS = (SOLVABLE, UNIQUE, NO_DEAD_ENDS)
"""The requirements in a word: a solution, exactly one, no way to get stuck."""
LINES = "optimal_lines"
SHORT = {"lines": LINES, "plans": "optimal_plans"}
_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?"
_BOUNDS = re.compile(rf"([a-z_-]+)(?:(>=|<=|=)({_NUMBER})|=({_NUMBER})?\.\.({_NUMBER})?)")


class Difficulty(Record):
    """The measured difficulty of a level.

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


MEASURES = (*Difficulty._fields[1:], Difficulty._fields[0])
"""The fields of a `Difficulty`, in the order of tables."""


def measure(subject: Position | Task, folding: Folding) -> Difficulty:
    """Measure the difficulty of a position or task from its state space. Raises LimitReached."""
    space = folding.space
    lost = round(len(space.dead_ends) / space.states, DIGITS)
    if space.is_dead_end(0):
        return Difficulty(lost)
    ways = OptimalPaths(folding)
    return Difficulty(
        lost,
        ways.least(lambda state, edge: int(folding.change(state, edge) is not None)) if folding.walks else None,
        _detours(subject, ways),
        _traps(ways),
        shortest_trap(space) if lost else None,
        _trap_lasts(ways) if lost else None,
        *[_mean(ways, kind) for kind in (OPTIMAL, LONGER, FATAL)],
    )


def _traps(ways: OptimalPaths) -> int:
    """Return the least number of positions with a possible trap that an optimal solution passes."""
    space, folding = ways.space, ways.folding

    def is_trap(state: int) -> bool:
        return not space.goals[state] and ways.is_trap(folding.position(state))

    def weight(state: int, edge: int) -> int:
        return int(folding.change(state, edge) is not None and is_trap(space.targets[edge]))

    return ways.least(weight, int(is_trap(0)))


def _trap_lasts(ways: OptimalPaths) -> int | None:
    going_on = ChangeCounter(ways.folding)
    choices = [choice for position in ways.positions for choice in ways.choices(position)]
    lasts = [going_on.changes(position) for position in {choice.position for choice in choices if choice.kind == FATAL}]
    known = [number for number in lasts if number is not None]
    return max(known) if known and len(known) == len(lasts) else None


def _mean(ways: OptimalPaths, kind: str) -> float:
    """Return the mean number of possible changes of a kind, such as `fatal`, in positions on optimal solutions."""
    choices = [choice.kind for position in ways.positions for choice in ways.choices(position)]
    return round(choices.count(kind) / len(ways.positions), DIGITS) if ways.positions else 0.0


def _detours(subject: Position | Task, ways: OptimalPaths) -> int | None:
    unmet = _unmet(subject, ways.space)
    if unmet is None:
        return None
    number = cache(unmet)
    return ways.least(lambda state, edge: int(number(ways.space.targets[edge]) > number(state)))


def _unmet(subject: Position | Task, space: Space[Any]) -> Callable[[int], int] | None:
    """Return a function from a state to its number of unmet goal conditions; None for a position without PDDL."""
    translated = isinstance(subject, Position) and offered(subject, Translated) is not None
    if translated or not isinstance(space, StateSpace | RulesSpace):
        return None
    try:
        task = subject.task() if isinstance(subject, Position) else subject
    except UnsupportedFeature:
        return None
    semantics = Semantics(task)
    static = semantics.initial - semantics.fluents(semantics.initial)
    goal = list(conjuncts(task.problem.goal))

    def unmet(state: int) -> int:
        world = semantics.world(static | space.atoms(state))
        return sum([not world.holds(condition, {}) for condition in goal])

    return unmet


# Traps: the moves from optimal ways that make a level unsolvable, and how long a player may not notice.
#
#     going_on = ChangeCounter(fold(level, space))
#     going_on.changes(position)      after a fatal choice of `OptimalPaths`
#
# is the largest number of changes that are needed to reach any position from there, so the player can see new positions
# for at most so many changes on shortest ways. With 0, only walking is left, and the trap shows at once.

MOST_VISITS = 300_000
"""The most visits of folded positions for measuring how long traps last, over all traps of a level."""


class ChangeCounter:
    """A counter of the changes (moves that are not walks) that are possible after a trap.

    Visits are counted over all of them, up to `MOST_VISITS`.
    """

    def __init__(self, folding: Folding) -> None:
        self.folding, self.visits = folding, 0
        self.following = cache(self._following)
        self._changes: dict[int, int | None] = {}

    def changes(self, position: int) -> int | None:
        """Return the distance from a position to the farthest one, in changes; None if too many are reachable."""
        if position not in self._changes:
            left = MOST_VISITS - self.visits
            steps = distances([position], self.following, left + 1)
            self.visits += len(steps)
            self._changes[position] = None if len(steps) > left else max(steps.values())
        return self._changes[position]

    def _following(self, position: int) -> list[int]:
        """Return the positions, with walks merged, that one change can reach."""
        checkpoint()
        folding, space = self.folding, self.folding.space
        changes = [
            space.targets[edge]
            for state in folding.members(position)
            for edge in space.edges(state)
            if folding.change(state, edge) is not None
        ]
        return list(dict.fromkeys([folding.position(target) for target in changes]))


def shortest_trap(space: Space[Any]) -> int | None:
    """Return the fewest moves from the start to a dead end, not through a goal; None if there is no dead end."""
    steps = distances([0], lambda state: () if space.goals[state] else space.following(state), until=space.is_dead_end)
    last = next(reversed(steps))
    return steps[last] if space.is_dead_end(last) else None


class PossibleChange(Record):
    """A possible change (a move that is not a walk) in a folded position, in which walks are merged.

    Attributes:
        kind: `optimal`, `longer` or `fatal`.
        state, edge: the state before it, and its transition.
        position: the folded position after it.
    """

    kind: str
    state: int
    edge: int
    position: int


class OptimalPaths:
    """The optimal paths from the start of a state space to its goals; there must be at least one."""

    def __init__(self, folding: Folding) -> None:
        self.folding, self.space = folding, folding.space
        self.choices = cache(self._choices)

    @cached_property
    def states(self) -> list[int]:
        """The states on optimal paths, ordered by their distance from the start."""
        return self.space.optimal_states()

    @cached_property
    def positions(self) -> list[int]:
        """The unsolved positions on optimal paths, with walks merged, ordered by their distance from the start."""
        goals, position = self.space.goals, self.folding.position
        return list(dict.fromkeys([position(state) for state in self.states if not goals[state]]))

    def _choices(self, position: int) -> list[PossibleChange]:
        """Return the different changes (moves that are not walks) that are possible in a position of `folding`."""
        folding, space = self.folding, self.space
        choices: dict[object, PossibleChange] = {}
        for state in sorted(folding.members(position)):
            checkpoint()
            for edge in () if space.goals[state] else space.edges(state):
                change = folding.change(state, edge)
                if change is None or space.targets[edge] == state:
                    continue
                target = folding.position(space.targets[edge])
                choice = PossibleChange(self._kind(state, edge), state, edge, target)
                known = choices.setdefault((change[0], target), choice)
                if choice.kind == OPTIMAL != known.kind:
                    choices[change[0], target] = choice
        return list(choices.values())

    def _kind(self, state: int, edge: int) -> str:
        if self.space.is_dead_end(self.space.targets[edge]):
            return FATAL
        return OPTIMAL if state in self._on_ways and edge in self.space.tight(state) else LONGER

    @cached_property
    def _on_ways(self) -> frozenset[int]:
        return frozenset(self.states)

    def is_trap(self, position: int) -> bool:
        """Return whether a change that is possible in a folded position (walks merged) makes the level unsolvable."""
        return any(choice.kind == FATAL for choice in self.choices(position))

    def least(self, weight: Callable[[int, int], int], first: int = 0) -> int:
        """Return the least total weight of the transitions of an optimal solution, plus `first` for the start.

        `weight` takes a state and a transition of it.
        """
        space = self.space

        def steps(state: int) -> list[tuple[int, int]]:
            return [(weight(state, edge), space.targets[edge]) for edge in space.tight(state)]

        return min([total for state, total in least_costs({0: first}, steps).items() if space.goals[state]])


MEASURED = ("optimal_lines", "least_lines", *MEASURES)
"""The figures of `Measures.figures`, in the order of tables."""


class Measures(Record):
    """The number of a level's optimal lines, and the level's difficulty.

    Attributes:
        lines: None if a limit was reached before, or not the whole space was seen.
        difficulty: the same.
        message: the limit that was reached.
    """

    lines: LineCount | None = None
    difficulty: Difficulty | None = None
    message: str = ""

    def figures(self) -> dict[str, Any]:
        """Return the values of the measures by name; None for each unknown value."""
        lines, difficulty = self.lines, self.difficulty
        counts = {} if lines is None else dict(zip(MEASURED[:2], (lines.number, lines.least), strict=True))
        return dict.fromkeys(MEASURED) | counts | ({} if difficulty is None else difficulty.to_dict())


BOUNDED = ("cost", "states", "dead_ends", "optimal_plans", LINES, *MEASURES)
"""The figures that may have bounds."""


class Requirement(Record):
    """A requirement on levels, as a word such as `unique`, or as a bound on a measure such as `traps>=3`."""

    text: str
    name: str
    least: float = -inf
    most: float = inf

    def met_by(self, figures: Mapping[str, Any]) -> bool | None:
        """Return whether a level with these measures meets the requirement; None if unknown."""
        if self.name == SOLVABLE or figures["solvable"] is False:
            solvable: bool | None = figures["solvable"]
            return solvable
        if self.name == UNIQUE:
            unique: bool | None = figures["unique"]
            return unique
        if self.name == NO_DEAD_ENDS:
            return None if figures["dead_ends"] is None else figures["dead_ends"] == 0
        return self._holds(figures)

    def _holds(self, figures: Mapping[str, Any]) -> bool | None:
        """Return whether the measure is within the bounds; None if its value is not known well enough."""
        value = figures[self.name]
        if value is not None:
            return bool(self.least <= value <= self.most)
        if self.name == LINES and figures["least_lines"] is not None:  # there may be more
            low = figures["least_lines"]
            return False if low > self.most else True if low >= self.least and self.most == inf else None
        return False if has_none(self.name, figures) else None


def has_none(name: str, figures: Mapping[str, Any]) -> bool:
    """Return whether a measure does not exist for a level, such as pushes in a level without a walker."""
    if figures["lost"] is None or figures["traps"] is None:  # not measured, or unsolvable
        return False
    return name in ("pushes", "shortest_trap") or (name == "trap_lasts" and not figures["fatal_choices"])


def requirement(text: str) -> Requirement:
    """Return the requirement that a text denotes. Raises UsageError for an unknown requirement."""
    if text in REQUIREMENTS:
        return Requirement(text, text)
    if (match := _BOUNDS.fullmatch(text)) is None:
        name = re.split("[<>=]", text)[0]
        if text.replace("-", "_") in (*BOUNDED, *SHORT):
            raise UsageError(f"the figure '{text}' needs bounds, such as {text}=1..")
        hint = suggestion(name, (*REQUIREMENTS, *BOUNDED, *SHORT)) if name == text else ""
        raise UsageError(f"a level can be required to be {choices()}, not {shorten(text)}{hint}")
    name = match[1].replace("-", "_")
    name = SHORT.get(name, name)
    if name not in BOUNDED:
        hint = suggestion(match[1], (*BOUNDED, *SHORT)) or f"; the figures are {', '.join(BOUNDED)}"
        raise UsageError(f"a level has no figure {shorten(match[1])}{hint}")
    return Requirement(text, name, *_bounds(text, match))


def _bounds(text: str, match: re.Match[str]) -> tuple[float, float]:
    """Return the least and greatest value that a text such as `traps>=3` or `traps=2..5` allows."""
    relation, number, first, last = match[2], match[3], match[4], match[5]
    if relation is None:
        least, most = (float(first) if first else -inf), (float(last) if last else inf)
        if not (first or last) or least > most:
            raise UsageError(f"bounds must be LEAST..MOST, LEAST.. or ..MOST, such as traps=2..5, not {shorten(text)}")
        return least, most
    return -inf if relation == "<=" else float(number), inf if relation == ">=" else float(number)


def choices() -> str:
    """Return a text that lists the possible requirements."""
    return f"{', '.join(REQUIREMENTS)}, or to have a figure within bounds, such as lines=1 or traps=3.."
