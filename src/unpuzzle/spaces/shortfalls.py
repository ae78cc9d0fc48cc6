"""Reasons why a level is unsolvable: the reachable and unreachable parts of the goal, and the nearest miss.

    shortfall = find_shortfall(explore(position))
    shortfall.parts, shortfall.apart, shortfall.nearest

All reachable positions were searched, so each sentence is proved. Parts of a goal are the facts of its PDDL or, for
games that name them (`Position.goal_parts`), their own: win conditions, one by one or cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import combinations

from unpuzzle.base.errors import UsageError
from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run, checkpoint, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom, Condition, Not
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.exploration import Exploration

MOST_PAIRS = 10
"""The most pairs of exclusive parts that are reported."""
MOST_NAMED = 6
"""The most parts that a sentence names."""


class GoalPart(Record):
    """A part of a goal in words, and the fewest moves that make the part true; None if the part is never true."""

    text: str
    moves: tuple[str, ...] | None

    @property
    def reachable(self) -> bool:
        """Whether this part of the goal is true in some reachable position."""
        return self.moves is not None


class NearestMiss(Record):
    """The first reachable position in which the most parts of the goal are true.

    Attributes:
        moves: fewest moves to it.
        missing: the parts that do not hold there.
        level: its text.
    """

    moves: tuple[str, ...]
    missing: tuple[str, ...]
    level: str


class Shortfall(Record):
    """The goal parts that an unsolvable level can reach, and the goal parts that the level cannot reach.

    Attributes:
        states: the number of reachable positions, all of which were searched.
        parts: the parts of the goal, each with whether it can be reached alone.
        apart: sets of parts that never hold together, though all but any one of each set do: pairs, or one larger set.
        nearest: the nearest miss.
    """

    states: int
    parts: tuple[GoalPart, ...]
    apart: tuple[tuple[str, ...], ...]
    nearest: NearestMiss

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self, known: Iterable[Iterable[str]] = ()) -> list[str]:
        """Return the proved facts, each as a sentence; leave out sets of parts that are known to exclude each other."""
        told = [set(names) for names in known]
        lines = [searched(self.states)]
        if len(self.parts) == 1:
            return [] if told else lines
        lines += [f"{part.text}: never, whatever becomes of the rest" for part in self.parts if not part.reachable]
        lines += [_together(names) for names in self.apart if set(names) not in told]
        return [*lines, *self._alone(), self._nearest()]

    def _alone(self) -> list[str]:
        alone = [part.text for part in self.parts if part.reachable]
        if len(alone) > MOST_NAMED:
            which = "each of its" if len(alone) == len(self.parts) else "each of the other"
            return [f"{which} {len(alone)} parts can be had alone"]
        return [f"can be had alone: {'; '.join(alone)}"] if alone else []

    def _nearest(self) -> str:
        moves, missing = self.nearest.moves, self.nearest.missing
        after = f"after {count(len(moves), 'move')} ({' '.join(moves)})" if moves else "the start"
        lacking = "; ".join(missing[:MOST_NAMED]) + ("; ..." if len(missing) > MOST_NAMED else "")
        return f"nearest miss, {after}: it lacks {len(missing)} of {count(len(self.parts), 'part')}: {lacking}"


def searched(states: int) -> str:
    """Return the sentence that says that no reachable state is solved."""
    if states == 1:
        return "nothing can be moved at the start, and it is not solved"
    return f"all {count(states, 'position')} that can be reached were searched, and none is solved"


def _together(names: Sequence[str]) -> str:
    if len(names) == 2:
        return f"never both: {'; '.join(names)}"
    return f"never all {len(names)} together, though without any one of them the others: {'; '.join(names)}"


def find_shortfall(exploration: Exploration, *, limits: Limits | None = None) -> Shortfall:
    """Return the reachable and unreachable parts of an unsolvable level's goal.

    Raises UsageError if the exploration is not complete, has a solution, or began in a task; LimitReached.
    """
    if not exploration.complete or exploration.cost is not None or not isinstance(exploration.subject, Position):
        raise UsageError("a shortfall needs an unsolvable position that was explored completely")
    with Run(limits, "looking for the nearest miss"):
        return _Counting(exploration).shortfall()


class _Counting:
    """The goal parts that are true in each state of a level, as a number with a bit for each part."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration = exploration
        assert isinstance(exploration.subject, Position)
        self._start = exploration.subject
        self._names, self._held = self._by_names() if self._start.goal_parts() else self._by_facts()

    @cached_property
    def _first(self) -> dict[int, int]:
        """The first state for each combination of true goal parts."""
        first: dict[int, int] = {}
        for state, held in enumerate(self._held):
            first.setdefault(held, state)
        return first

    def shortfall(self) -> Shortfall:
        parts = tuple([GoalPart(name, self._way(1 << bit)) for bit, name in enumerate(self._names)])
        held, state = min(self._first.items(), key=lambda item: (-item[0].bit_count(), item[1]))
        missing = tuple([name for bit, name in enumerate(self._names) if not held >> bit & 1])
        nearest = NearestMiss(self._exploration.way(state), missing, self._exploration.text(state))
        reachable = [bit for bit, part in enumerate(parts) if part.reachable]
        apart = [] if len(parts) == 1 else self._apart(reachable, all(part.reachable for part in parts))
        sets = tuple([tuple([self._names[bit] for bit in each]) for each in apart])
        return Shortfall(self._exploration.states, parts, sets, nearest)

    def _way(self, bits: int) -> tuple[str, ...] | None:
        """Return the fewest moves to a state in which the given goal parts are true; None if there is no such state."""
        states = [state for held, state in self._first.items() if held & bits == bits]
        return self._exploration.way(min(states)) if states else None

    def _together(self, bits: Iterable[int]) -> bool:
        mask = sum(1 << bit for bit in bits)
        return any(held & mask == mask for held in self._first)

    def _apart(self, reachable: Sequence[int], all_are: bool) -> list[tuple[int, ...]]:
        """Return pairs of goal parts that are never true together or, without such pairs, a minimal larger set.

        Larger sets are searched for only if each part can be reached alone: otherwise the unreachable parts are the
        reason.
        """
        pairs = [pair for pair in combinations(reachable, 2) if not self._together(pair)]
        if pairs or not all_are:
            return list(pairs[:MOST_PAIRS])
        rest = list(reachable)
        for bit in reachable:
            checkpoint()
            others = [each for each in rest if each != bit]
            rest = rest if self._together(others) else others
        return [tuple(rest)]

    def _by_names(self) -> tuple[list[str], list[int]]:
        """Return the finest division of the goal that all states share, and the parts that are true in each state."""
        names = [list(division) for division in self._start.goal_parts()]
        held: list[list[int]] = [[] for _ in names]
        alive = [bool(each) for each in names]
        for state in range(self._exploration.states):
            for number, division in enumerate(self._exploration.position(state).goal_parts()):
                alive[number] = alive[number] and division.keys() == dict.fromkeys(names[number]).keys()
                if alive[number]:
                    held[number].append(_mask(division[name] for name in names[number]))
        best = alive.index(True) if any(alive) else None
        if best is None:
            return ["the goal"], [0] * self._exploration.states
        return names[best], held[best]

    def _by_facts(self) -> tuple[list[str], list[int]]:
        """Return the parts of the goal in PDDL, and the parts that are true in each state."""
        semantics = Semantics(self._start.task())
        parts = list(conjuncts(semantics.task.problem.goal))
        tests = [_test(semantics, part) for part in parts]
        states = within_limits(range(self._exploration.states))
        held = [_mask(test(atoms) for test in tests) for atoms in map(self._exploration.atoms, states)]
        return [text(part, {}) for part in parts], held


def _test(semantics: Semantics, part: Condition) -> Callable[[frozenset[Atom]], bool]:
    """Return a function that tests a part of a goal in a state; for a single fluent atom, the test is fast."""
    inner = part.operand if isinstance(part, Not) else part
    if isinstance(inner, Atom) and inner.predicate in semantics.fluent_predicates:
        positive = inner is part
        return lambda atoms: (inner in atoms) == positive
    return lambda atoms: semantics.holds(atoms, part)


def _mask(held: Iterable[bool]) -> int:
    """Return a number in which the bit of each true goal part is set."""
    return sum(1 << bit for bit, holds in enumerate(held) if holds)
