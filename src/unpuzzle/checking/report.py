"""What check() found, in plain data and in words."""

from __future__ import annotations

from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.pddl.nodes import Atom
    from unpuzzle.puzzle.position import Position

TIMEOUT = "timeout"
INTERRUPTED = "interrupted"

FOREIGN, POSSIBLE, IMPOSSIBLE, SOLVED, UNSOLVED, COST, ATOMS = (
    "foreign action", "illegal move possible", "legal move impossible", "goal holds", "goal does not hold", "cost",
    "atoms",
)  # fmt: skip
"""In what PDDL differs from the rules."""

_MOVES_SHOWN = 20


class Difference:
    """Where rules and PDDL part: after `moves`, what the `rules` say and what the `pddl` says, in words; in what.

    `atoms` is the state that the PDDL is in there, or that it allows and the rules do not; None if both are in one.
    """

    __slots__ = ("atoms", "kind", "moves", "pddl", "rules")

    def __init__(
        self,
        moves: tuple[str, ...],
        rules: str,
        pddl: str,
        kind: str = "",
        atoms: frozenset[Atom] | None = None,
    ) -> None:
        self.atoms = atoms
        self.kind = kind
        self.moves = moves
        self.rules = rules
        self.pddl = pddl

    def __str__(self) -> str:
        after = f"after {count(len(self.moves), 'move')} ({_shown(self.moves)})" if self.moves else "at the start"
        return f"rules and PDDL differ {after}\n  rules: {self.rules}\n  PDDL:  {self.pddl}"

    def __repr__(self) -> str:
        return f"Difference({self.moves!r}, {self.rules!r}, {self.pddl!r})"

    def picture(self, puzzle: Position) -> str:
        """The position where they part, drawn, with the moves that lead there from the `puzzle` that was checked."""
        position = puzzle
        for move in self.moves:
            position = position.apply(move)
        after = f", after {joined_moves(puzzle.game, self.moves)}" if self.moves else ""
        return f"the position there, by the rules{after}:\n{position.draw().rstrip()}"


class Check:
    """What a check found.

    Attributes:
        same: no difference was found.
        exhaustive: everything that can be reached was compared.
        states, transitions: how many positions, and moves out of them, were compared.
        walks: how many random walks were made, because not all could be reached breadth first.
        difference: the first difference, or None.
        stopped: what ended the comparison before it was through: `timeout`, `interrupted`, or nothing (empty).
    """

    __slots__ = ("difference", "exhaustive", "states", "stopped", "transitions", "walks")

    def __init__(
        self,
        states: int,
        transitions: int,
        *,
        walks: int = 0,
        exhaustive: bool,
        difference: Difference | None = None,
        stopped: str = "",
    ) -> None:
        self.states = states
        self.transitions = transitions
        self.walks = walks
        self.exhaustive = exhaustive
        self.difference = difference
        self.stopped = stopped

    @property
    def same(self) -> bool:
        return self.difference is None

    def __str__(self) -> str:
        compared = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} compared"
        if self.difference is not None:
            return f"{self.difference}\n({compared})"
        if self.exhaustive:
            return f"rules and PDDL are the same game: {compared}, all that can be reached"
        walks = f", then {count(self.walks, 'random walk')}" if self.walks else ""
        more = "there may be more" if self.stopped else "there are more"
        return f"no difference found: {compared}, breadth first{walks}; {more}"

    def __repr__(self) -> str:
        stopped = f", stopped={self.stopped!r}" if self.stopped else ""
        return (
            f"Check(states={self.states}, transitions={self.transitions}, walks={self.walks}, "
            f"exhaustive={self.exhaustive}, difference={self.difference!r}{stopped})"
        )


def listed(things: Iterable[object], most: int) -> str:
    """`a, b, c`, or `a, b and 7 more` where there are more than `most`; `none` where there are none."""
    words = list(map(str, things))
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more or "none"


def _shown(moves: tuple[str, ...]) -> str:
    """Moves on a line; of many the first and the last."""
    if len(moves) <= _MOVES_SHOWN:
        return " ".join(moves)
    half = _MOVES_SHOWN // 2
    return " ".join((*moves[:half], "...", *moves[-half:]))
