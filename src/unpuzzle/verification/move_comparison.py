"""Compare two sequences of moves on a level: their costs, and where they begin to differ.

    comparison = compare_moves(position, "rrUUllD", "ruRUllD")
    comparison.first.cost, comparison.step, comparison.parting

Two ways differ if their positions do: moves with different names that lead to equal positions are the same step.
Without a second way, the first is compared with an optimal one that a planner finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unpuzzle.base.errors import ModelMismatch
from unpuzzle.base.outcomes import ERROR, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record, schema_name
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import as_moves, joined_moves, pushing, replay
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of
from unpuzzle.solving import solve

GIVEN, OPTIMAL, BEST_KNOWN, NONE = "given", "optimal", "best_known", "none"
"""Kinds of the second way: given moves, an optimal solution, some solution, or none at all."""


class Way(Record):
    """A sequence of moves from a position, with its outcome.

    Attributes:
        moves: the legal moves, up to the first illegal one.
        legal: whether all are legal.
        solved: whether all are legal and lead to a goal.
        cost: of the legal moves.
        step: the number, from 1, of the first illegal move, or None.
        reason: why the moves do not solve the level; empty if they do.
        pushes: how many of the legal moves are not walks; None for games without a walker.
    """

    moves: tuple[str, ...]
    legal: bool
    solved: bool
    cost: int
    step: int | None = None
    reason: str = ""
    pushes: int | None = None


class MovesComparison(Record):
    """A comparison of two sequences of moves from one position.

    Attributes:
        start: the position in which both begin.
        first: the way that was asked about.
        second: the other one, or None.
        kind: the kind of the second way: `given`, `optimal`, `best_known` (no proof that it is optimal), or `none`.
        step: the number, from 1, of the first move after which the positions differ; if one way ends before they
            differ, its number of moves plus one; None if both are equally long and never differ.
        parting: the last position before they differ; if they never do, the last one.
        status: the status of the planner that looked for the second way; empty without it.
    """

    start: Position
    first: Way
    second: Way | None
    kind: str
    step: int | None
    parting: Position
    status: str = ""

    schema = "compare-moves"

    @property
    def as_good(self) -> bool | None:
        """Whether both sequences solve the level, the first at no higher cost; None if the optimal cost is unknown."""
        first, second = self.first, self.second
        if not first.solved:
            return False
        if second is None:
            return None
        if not second.solved or first.cost > second.cost:
            return False
        return None if self.kind == BEST_KNOWN else True

    def next_moves(self) -> tuple[str | None, str | None]:
        """Return the first differing move of each sequence; None for a sequence that has ended."""
        if self.step is None:
            return None, None
        ways = [self.first.moves, () if self.second is None else self.second.moves]
        one, other = [way[self.step - 1] if self.step <= len(way) else None for way in ways]
        return one, other

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as data for JSON; `position` is the position before the first difference, as text."""
        return {
            "schema": schema_name(self.schema),
            "as_good": self.as_good,
            "first": self.first.to_dict(),
            "second": None if self.second is None else self.second.to_dict(),
            "kind": self.kind,
            "step": self.step,
            "position": str(self.parting),
            "next": list(self.next_moves()),
            "status": self.status,
        }


def compare_moves(
    position: Position,
    moves: str | Iterable[str],
    other: str | Iterable[str] | None = None,
    *,
    limits: Limits | None = None,
) -> MovesComparison:
    """Compare moves with `other` moves; if `other` is None, with an optimal solution.

    Moves are played one by one or, from a text such as `ULDRR`, as `replay` reads them, up to the first illegal one.
    `status` says whether a limit ended the search for a solution, and whether the solution is proved optimal. Raises
    LimitReached if the moves cannot be played in time; ModelMismatch if the planner's answer is false by the rules.
    """
    with Run(limits, "playing the moves"):
        first = way_of(position, moves)
        if other is not None:
            return _compared(position, first, way_of(position, other), GIVEN, "")
        result = solve(position)
        _require_consistent(first, result)
        second = None if result.moves is None else way_of(position, result.moves)
        found = OPTIMAL if result.status == SOLVED_OPTIMALLY else BEST_KNOWN
        return _compared(position, first, second, NONE if second is None else found, result.status)


def _require_consistent(first: Way, result: Result) -> None:
    """Raise ModelMismatch if a planner's moves break the rules, or cost more than the moves given by the user."""
    if result.status == ERROR and result.moves is not None:
        raise ModelMismatch(result.message)
    best = result.cost if result.status == SOLVED_OPTIMALLY else None
    if first.solved and (result.status == UNSOLVABLE or (best is not None and first.cost < best)):
        cost = "there is no solution" if best is None else f"no solution costs less than {best}"
        said = f"by the PDDL {cost}, by the rules the given moves solve the level at cost {first.cost}"
        raise ModelMismatch(f"the PDDL differs from the rules: {said}; `check` finds the difference")


def way_of(position: Position, moves: str | Iterable[str]) -> Way:
    """Play a sequence of moves, and return it with its outcome."""
    played = tuple(as_moves(position, moves))
    outcome = replay(position, played)
    legal = played if outcome.step is None else played[: outcome.step - 1]
    walker = walker_of(position)
    pushes = None if walker is None else walker.pushes(position, legal)
    return Way(legal, outcome.legal, outcome.solved, outcome.cost, outcome.step, outcome.reason, pushes)


def _compared(start: Position, first: Way, second: Way | None, kind: str, status: str) -> MovesComparison:
    step, parting = _first_difference(start, first.moves, (second or first).moves)
    return MovesComparison(start, first, second, kind, step, parting, status)


def _first_difference(position: Position, one: Sequence[str], other: Sequence[str]) -> tuple[int | None, Position]:
    """Return the number of the first step at which two sequences differ, and the position before it."""
    for step, (move, another) in enumerate(within_limits(zip(one, other, strict=False)), 1):
        after = position.apply(move)
        if move != another and position.apply(another) != after:
            return step, position
        position = after
    return (None if len(one) == len(other) else min(len(one), len(other)) + 1), position


def text_of(comparison: MovesComparison, *, quiet: bool = False) -> str:
    """Return a comparison as text: a line for each sequence, and a line on the first difference."""
    names = ("first", {GIVEN: "second", OPTIMAL: "optimal", BEST_KNOWN: "best known"}.get(comparison.kind, ""))
    pushed = pushing(comparison.start) and any(way and way.pushes for way in (comparison.first, comparison.second))
    lines = [f"{names[0] + ':':<12}{_said(comparison.first, pushed=pushed)}"]
    if comparison.second is not None:
        lines.append(f"{names[1] + ':':<12}{_said(comparison.second, pushed=pushed)}")
    elif comparison.status == UNSOLVABLE:
        lines.append("no moves solve this level")
    if not quiet and comparison.second is not None:
        lines += ["", _sentence_on_difference(comparison, names)]
    return "\n".join(lines)


def _said(way: Way, *, pushed: bool) -> str:
    """Return the outcome of a sequence of moves in words; `pushed` adds the number of pushes."""
    pushes = f", {count(way.pushes, 'push', 'pushes')}" if pushed and way.pushes is not None else ""
    figures = f"cost {way.cost}{pushes}"
    return f"solved, {figures}" if way.solved else f"not solved, {figures}: {way.reason}"


def _sentence_on_difference(comparison: MovesComparison, names: tuple[str, str]) -> str:
    """Return a sentence that says where two sequences of moves begin to differ."""
    if comparison.step is None:
        return "both lead through the same positions"
    before = comparison.first.moves[: comparison.step - 1]
    alike = f"alike for {count(len(before), 'move')}, {joined_moves(comparison.start.game, before)}" if before else ""
    alike = alike or "they differ from the first move on"
    parts = [
        f"the {name} sequence {'ends there' if move is None else f'continues with {move}'}"
        for name, move in zip(names, comparison.next_moves(), strict=True)
    ]
    return f"{alike}; then {parts[0]}, {parts[1]}"


def positions_after(comparison: MovesComparison) -> list[Position | None]:
    """Return the positions after the first differing move of each sequence; None for a sequence that has ended."""
    parting = comparison.parting
    return [None if move is None else parting.apply(move) for move in comparison.next_moves()]
