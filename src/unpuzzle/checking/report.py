"""The report of check(), in plain data and in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from unpuzzle.checking.findings import Judgement
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.equality import after
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves, replay
from unpuzzle.record import Plain, plain, schema_name
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count

FOREIGN, POSSIBLE, IMPOSSIBLE, SOLVED, UNSOLVED, COST, ATOMS, MERGED, CONSTRAINTS = (
    "foreign action", "illegal move possible", "legal move impossible", "goal holds", "goal does not hold", "cost",
    "atoms", "equal positions, different facts", "constraints",
)  # fmt: skip
"""In what PDDL, or constraints, differ from the rules."""


@dataclass(frozen=True, slots=True)
class Difference(Plain):
    """The first place where a game's PDDL, or its constraints, are not its rules, after `moves`.

    Attributes:
        rules, pddl, constraints: what each of them says there, in words; empty for those that were not compared.
        kind: in what they differ, such as `cost`.
        atoms: the state that the PDDL is in there, or that it allows and the rules do not; None if both are in one.
        other_moves: moves to another position, which is equal by the rules and another state in the PDDL; else None.
    """

    moves: tuple[str, ...]
    rules: str
    pddl: str
    kind: str = ""
    atoms: frozenset[Atom] | None = None
    other_moves: tuple[str, ...] | None = None
    constraints: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as data for JSON."""
        return {
            "moves": list(self.moves),
            "rules": self.rules,
            "pddl": self.pddl or None,
            "constraints": self.constraints or None,
            "other_moves": plain(self.other_moves),
        }

    def __str__(self) -> str:
        where = f"rules and PDDL differ {after(self.moves)}"
        if self.other_moves is not None:
            where = f"{MERGED}: {after(self.other_moves)}, and {after(self.moves)}"
        if self.constraints:
            where = f"the constraints are not the game {after(self.moves)}"
            return f"{where}\n  rules:       {self.rules}\n  constraints: {self.constraints}"
        return f"{where}\n  rules: {self.rules}\n  PDDL:  {self.pddl}"

    def picture(self, start: Position) -> str:
        """Return the position where they differ, drawn, with the moves to it; both, if two are wrongly equal."""
        ways = [self.moves] if self.other_moves is None else [self.other_moves, self.moves]
        return "\n\n".join([_drawing(start, moves) for moves in ways])


@dataclass(frozen=True, slots=True)
class Check(Judgement):
    """The report of a check.

    Attributes:
        states, transitions: how many positions, and moves out of them, were compared.
        exhaustive: whether everything that can be reached was compared, without a difference.
        walks: how many random walks were made, because not all could be reached breadth first.
        difference: the first difference, or None.
        status: `complete` where there is an answer, `gave_up` where a part was compared, or the limit that ended the
            comparison: `timeout`, `memout` or `cancelled`.
        solutions: how many solutions of the constraints were compared; None of a puzzle that states none.
    """

    states: int
    transitions: int
    exhaustive: bool
    walks: int = 0
    difference: Difference | None = None
    status: str = COMPLETE
    solutions: int | None = None

    schema = "check"

    @property
    def same(self) -> bool | None:
        """Whether rules and PDDL are the same; None where no difference was found in a part."""
        return self._verdict(self.difference)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON."""
        names = ["same", "exhaustive", "states", "transitions", *([] if self.solutions is None else ["solutions"])]
        fields = {name: plain(getattr(self, name)) for name in [*names, "difference", "status"]}
        return {"schema": schema_name(self.schema), **fields}

    def __str__(self) -> str:
        if not self.states and self.difference is None:
            return "nothing was compared: the rules were still being put into PDDL"
        compared = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} compared"
        if self.difference is not None:
            return f"{self.difference}\n({compared})"
        if self.exhaustive and self.solutions is not None:
            compared = f"{compared.removesuffix(' compared')}, {count(self.solutions, 'solution')} compared"
            return f"rules, PDDL and constraints are the same game: {compared}, all that can be reached"
        if self.exhaustive:
            return f"rules and PDDL are the same game: {compared}, all that can be reached"
        walks = f", then {count(self.walks, 'random walk')}" if self.walks else ""
        more = "there are more" if self.complete and not self.walks else "there may be more"
        return f"no difference found: {compared}, breadth first{walks}; {more}"


def _drawing(start: Position, moves: tuple[str, ...]) -> str:
    position = replay(start, moves).position
    way = f", after {joined_moves(start.game, moves)}" if moves else ""
    return f"the position there, by the rules{way}:\n{position.draw().rstrip()}"


def listed(things: Iterable[object], most: int) -> str:
    """Return `a, b, c`, or `a, b and 7 more` where there are more than `most`; `none` where there are none."""
    words = list(map(str, things))
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more or "none"
