"""What comes back from a planner. A leaf: imports only `limits` and `pddl`.

The statuses are never mixed up:

    solved_optimally  a plan, and no cheaper one exists          unsolvable   proved: there is no plan
    solved            a plan                                     gave_up      an incomplete search ended
    timeout           the time limit ended it                    memout       the memory limit ended it
    cancelled         whoever asked for it ended it              guessed      an answer without evidence
    unsupported       the message names the feature              error        the planner broke; see the log
"""

from __future__ import annotations

from unpuzzle.limits import Limits  # noqa: F401 - its former place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from unpuzzle.pddl.nodes import Plan
    from unpuzzle.puzzle.position import Position

SOLVED_OPTIMALLY = "solved_optimally"
SOLVED = "solved"
UNSOLVABLE = "unsolvable"
GAVE_UP = "gave_up"
TIMEOUT = "timeout"
MEMOUT = "memout"
CANCELLED = "cancelled"
GUESSED = "guessed"
UNSUPPORTED = "unsupported"
ERROR = "error"

STATUSES = (SOLVED_OPTIMALLY, SOLVED, UNSOLVABLE, GAVE_UP, TIMEOUT, MEMOUT, CANCELLED, GUESSED, UNSUPPORTED, ERROR)


class Result:
    """The answer of one planner run.

    Attributes:
        status: one of `STATUSES`.
        planner: the planner's name, with its configuration.
        plan: the ground actions, or None; planners on the rules have none.
        moves: the puzzle's moves, or None where a PDDL task was solved.
        cost: the validated cost of the plan or moves, or None.
        valid: whether the plan was validated by the reference semantics (or the moves replayed); None without a plan.
        expanded, evaluated, generated: state counts, or None where the planner does not tell.
        frontier: the most states that waited to be expanded at one time, or None.
        seconds: wall seconds by phase, always with `search` and `total`; also `read`, `ground`, `validate`.
        peak_memory: bytes, or None.
        message: a sentence for the user: the reason of the status; empty if there is nothing to say.
        log: what the planner printed.
        details: what only this planner tells, by name: numbers, texts, and lists and objects of them, for JSON.
        solution: of an answer that is `guessed`, its text on one line; else None.
        confidence: of such an answer, from 0 to 1; what it is of, the planner says.
        end: of such an answer, the position that it describes; no moves lead there.
        start: the position that `moves` begin in, where `solve` was given one.
        intermediate: whether anytime planning goes on: the next result is better, or the last word.
    """

    __slots__ = (
        "confidence",
        "cost",
        "details",
        "end",
        "evaluated",
        "expanded",
        "frontier",
        "generated",
        "intermediate",
        "log",
        "message",
        "moves",
        "peak_memory",
        "plan",
        "planner",
        "seconds",
        "solution",
        "start",
        "status",
        "valid",
    )

    def __init__(
        self,
        status: str,
        planner: str,
        *,
        plan: Plan | None = None,
        moves: tuple[str, ...] | None = None,
        cost: int | None = None,
        valid: bool | None = None,
        expanded: int | None = None,
        evaluated: int | None = None,
        generated: int | None = None,
        frontier: int | None = None,
        seconds: dict[str, float] | None = None,
        peak_memory: int | None = None,
        message: str = "",
        log: str = "",
        details: dict[str, Any] | None = None,
        solution: str | None = None,
        confidence: float | None = None,
        end: Position | None = None,
    ) -> None:
        if status not in STATUSES:
            raise ValueError(f"unknown status {status!r}")
        self.status = status
        self.planner = planner
        self.plan = plan
        self.moves = moves
        self.cost = cost
        self.valid = valid
        self.expanded = expanded
        self.evaluated = evaluated
        self.generated = generated
        self.frontier = frontier
        self.seconds = seconds if seconds is not None else {}
        self.peak_memory = peak_memory
        self.message = message
        self.log = log
        self.details = details if details is not None else {}
        self.solution = solution
        self.confidence = confidence
        self.end = end
        self.intermediate = False
        self.start: Position | None = None

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status in (SOLVED_OPTIMALLY, SOLVED)

    def __repr__(self) -> str:
        return f"Result({self.status!r}, planner={self.planner!r}, cost={self.cost})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Mapping[str, str]:
        """What notebooks show."""
        from unpuzzle.drawing import mimebundle

        return mimebundle(self)
