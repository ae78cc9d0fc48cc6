"""The result of one planner run."""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, STATUSES
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record, plain, schema_name
from unpuzzle.table import notebook_bundle

if TYPE_CHECKING:  # commands without levels or tasks load neither
    from unpuzzle.model.position import Position
    from unpuzzle.pddl.nodes import Plan


class Result(Record):
    """The result of one planner run. It is immutable: `replace` returns a changed copy.

    Attributes:
        status: one of `STATUSES`.
        planner: the planner's name, with its configuration.
        plan: the ground actions, or None; planners on the rules have none.
        moves: the puzzle's moves, or None if a PDDL task was solved.
        cost: the validated cost of the plan or moves, or None.
        valid: whether the plan was validated by the reference semantics (or the moves replayed); None without a plan.
        expanded, evaluated, generated: state counts, or None if the planner does not report them.
        frontier: the most states that waited to be expanded at one time, or None.
        seconds: wall seconds by phase, always with `search` and `total`; also `read`, `ground`, `validate`.
        peak_memory: bytes, or None.
        message: a sentence for the user: the reason of the status; may be empty.
        condition: an unproved claim on which the status depends, such as `manhattan is admissible`, which
            `check_heuristic` proves or refutes; else None. Only `solved_optimally` and `unsolvable` have one.
        log: the planner's output.
        details: further data of this planner, by name: numbers, texts, and lists and objects of them, for JSON.
        solution: for a solved puzzle that is written on one line, or a guess, that line; else None.
        confidence: of a guess, from 0 to 1; the planner defines its meaning.
        end: of a guess, the position that it describes; no moves lead there.
        start: the position that `moves` begin in, if `solve` was given one.
        intermediate: whether anytime planning continues: the next result is better, or the last word.
        objective: the minimized figure: `moves` (the cost), `pushes`, `pushes,moves` or `moves,pushes`.
        pushes: the number of steps that change more than the walker's place, as `planning.walking` counts them; None
            without a plan, or without a walker.
    """

    schema = "result"

    status: str
    planner: str
    plan: Plan | None = None
    moves: tuple[str, ...] | None = None
    cost: int | None = None
    valid: bool | None = None
    expanded: int | None = None
    evaluated: int | None = None
    generated: int | None = None
    frontier: int | None = None
    seconds: Mapping[str, float] = {}
    peak_memory: int | None = None
    message: str = ""
    log: str = ""
    details: Mapping[str, Any] = {}
    solution: str | None = None
    confidence: float | None = None
    end: Position | None = None
    start: Position | None = None
    intermediate: bool = False
    objective: str = "moves"
    pushes: int | None = None
    condition: str | None = None

    def _require_sense(self) -> None:
        if self.status not in STATUSES:
            raise UsageError(f"unknown status {self.status!r}; the statuses are {', '.join(STATUSES)}")

    @property
    def solved(self) -> bool:
        """Whether the planner found a plan."""
        return self.status in (SOLVED_OPTIMALLY, SOLVED)

    def lasting(self, **seconds: float) -> Result:
        """Return the result with additional times, in seconds by name, in its field `seconds`."""
        return self.replace(seconds={**self.seconds, **seconds})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that `solve --json` shows, including the planner's further data."""
        memory = None if self.peak_memory is None else round(self.peak_memory / 2**20, 1)
        remarks = () if self.start is None else self.start.remarks()
        answer = {"solution": self.solution, "confidence": self.confidence, "condition": self.condition}
        return {
            "schema": schema_name(self.schema),
            "status": self.status,
            "planner": self.planner,
            "cost": self.cost,
            "objective": self.objective,
            "pushes": self.pushes,
            "moves": plain(self.moves),
            "plan": None if self.plan is None else [str(step) for step in self.plan],
            "valid": self.valid,
            "expanded": self.expanded,
            "generated": self.generated,
            "evaluated": self.evaluated,
            "frontier": self.frontier,
            "seconds": {phase: round(value, 6) for phase, value in self.seconds.items()},
            "peak_memory_mb": memory,
            "message": self.message,
            **plain(self.details),
            **{name: value for name, value in answer.items() if value is not None},
            **({"remarks": list(remarks)} if remarks else {}),
        }

    def __hash__(self) -> int:
        return hash((self.status, self.planner, self.cost, self.moves))

    def __repr__(self) -> str:
        return f"Result({self.status!r}, planner={self.planner!r}, cost={self.cost})"

    _repr_mimebundle_ = notebook_bundle
