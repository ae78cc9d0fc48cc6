"""What check() found, in plain data and in words."""

from __future__ import annotations

from unpuzzle.puzzle.equality import after
from unpuzzle.puzzle.replaying import joined_moves, replay
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.pddl.nodes import Atom
    from unpuzzle.puzzle.position import Position

TIMEOUT = "timeout"
INTERRUPTED = "interrupted"

FOREIGN, POSSIBLE, IMPOSSIBLE, SOLVED, UNSOLVED, COST, ATOMS, MERGED, CONSTRAINTS = (
    "foreign action", "illegal move possible", "legal move impossible", "goal holds", "goal does not hold", "cost",
    "atoms", "equal positions, different facts", "constraints",
)  # fmt: skip
"""In what PDDL, or constraints, differ from the rules."""


class Difference:
    """Where rules and PDDL part: after `moves`, what the `rules` say and what the `pddl` says, in words; in what.

    Where it is the `constraints` that part from the rules, these say it, and `pddl` is empty.

    `atoms` is the state that the PDDL is in there, or that it allows and the rules do not; None if both are in one.
    `other_moves` lead to another position, which is equal by the rules and another state in the PDDL; else None.
    """

    __slots__ = ("atoms", "constraints", "kind", "moves", "other_moves", "pddl", "rules")

    def __init__(
        self,
        moves: tuple[str, ...],
        rules: str,
        pddl: str,
        kind: str = "",
        atoms: frozenset[Atom] | None = None,
        other_moves: tuple[str, ...] | None = None,
        constraints: str = "",
    ) -> None:
        self.atoms = atoms
        self.constraints = constraints
        self.other_moves = other_moves
        self.kind = kind
        self.moves = moves
        self.rules = rules
        self.pddl = pddl

    def __str__(self) -> str:
        where = f"rules and PDDL differ {after(self.moves)}"
        if self.other_moves is not None:
            where = f"{MERGED}: {after(self.other_moves)}, and {after(self.moves)}"
        if self.constraints:
            where = f"the constraints are not the game {after(self.moves)}"
            return f"{where}\n  rules:       {self.rules}\n  constraints: {self.constraints}"
        return f"{where}\n  rules: {self.rules}\n  PDDL:  {self.pddl}"

    def __repr__(self) -> str:
        return f"Difference({self.moves!r}, {self.rules!r}, {self.pddl or self.constraints!r})"

    def picture(self, puzzle: Position) -> str:
        """The position where they part, drawn, with the moves that lead there from the `puzzle` that was checked.

        Of positions that are wrongly equal, both.
        """
        ways = [self.moves] if self.other_moves is None else [self.other_moves, self.moves]
        return "\n\n".join([_drawn(puzzle, moves) for moves in ways])


class Check:
    """What a check found.

    Attributes:
        same: False where there is a difference, True where everything that can be reached was compared and there is
            none, None where it is undecided: no difference was found in a part.
        exhaustive: everything that can be reached was compared.
        states, transitions: how many positions, and moves out of them, were compared.
        solutions: how many solutions of the constraints were compared; None of a puzzle that states none.
        walks: how many random walks were made, because not all could be reached breadth first.
        difference: the first difference, or None.
        stopped: what ended the comparison before it was through: `timeout`, `interrupted`, or nothing (empty).
    """

    __slots__ = ("difference", "exhaustive", "solutions", "states", "stopped", "transitions", "walks")

    def __init__(
        self,
        states: int,
        transitions: int,
        *,
        walks: int = 0,
        exhaustive: bool,
        difference: Difference | None = None,
        stopped: str = "",
        solutions: int | None = None,
    ) -> None:
        self.solutions = solutions
        self.states = states
        self.transitions = transitions
        self.walks = walks
        self.exhaustive = exhaustive
        self.difference = difference
        self.stopped = stopped

    @property
    def same(self) -> bool | None:
        return False if self.difference is not None else True if self.exhaustive else None

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
        more = "there may be more" if self.stopped or self.walks else "there are more"
        return f"no difference found: {compared}, breadth first{walks}; {more}"

    def __repr__(self) -> str:
        stopped = f", stopped={self.stopped!r}" if self.stopped else ""
        return (
            f"Check(states={self.states}, transitions={self.transitions}, walks={self.walks}, "
            f"exhaustive={self.exhaustive}, difference={self.difference!r}{stopped})"
        )


def _drawn(puzzle: Position, moves: tuple[str, ...]) -> str:
    position = replay(puzzle, moves).position
    played = f", after {joined_moves(puzzle.game, moves)}" if moves else ""
    return f"the position there, by the rules{played}:\n{position.draw().rstrip()}"


def listed(things: Iterable[object], most: int) -> str:
    """`a, b, c`, or `a, b and 7 more` where there are more than `most`; `none` where there are none."""
    words = list(map(str, things))
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more or "none"
