"""Compare the results of runs on one task: if two runs claim different optimal costs, the smaller refutes the other.

The refuted plan stays, as `solved`; a refuted "unsolvable" becomes `gave_up`. The message names the run that refutes
it. An optimum under a condition, such as an admissible heuristic, loses the condition if another run proved the same
number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from unpuzzle.base.errors import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.text import count
from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.walking import weigh

R = TypeVar("R", bound=Any)
"""A `ComparisonRow` or a `Run`."""


def settle(rows: Iterable[R]) -> list[R]:
    """Return rows of runs on one task and objective, without the claims that other rows refute."""
    rows = list(rows)
    solved = [
        row for row in rows if row.status in (SOLVED, SOLVED_OPTIMALLY) and getattr(row, "valid", None) is not False
    ]
    best = min([row for row in solved if row.cost is not None], key=_weight, default=None)
    if best is None:
        return rows
    optima = [row for row in solved if row.status == SOLVED_OPTIMALLY and _weight(row) == _weight(best)]
    proved = not all(row.condition for row in optima)
    return [_settled(row, best, proved) for row in rows]


def settle_tasks(runs: Iterable[R]) -> list[R]:
    """Return runs on several tasks, in order, without claims that runs of the same task and objective refute."""
    runs = list(runs)
    groups: dict[tuple[str, str, str], list[R]] = {}
    for run in runs:
        groups.setdefault((run.domain, run.task, run.objective), []).append(run)
    settled = {key: iter(settle(group)) for key, group in groups.items()}
    return [next(settled[run.domain, run.task, run.objective]) for run in runs]


def _weight(row: Any) -> int:
    return weigh(row.objective, row.cost, row.pushes or 0)


def _settled(row: R, best: R, proved: bool) -> R:
    is_optimal = row.status == SOLVED_OPTIMALLY and row.cost is not None
    if row.status != UNSOLVABLE and not (is_optimal and _weight(row) > _weight(best)):
        kept: R = row.replace(condition=None, message="") if is_optimal and proved and row.condition else row
        return kept
    name, by = (getattr(each, "algorithm", each.planner) for each in (row, best))
    pushes = "" if row.objective == MOVES or best.pushes is None else f", {count(best.pushes, 'push', 'pushes')}"
    why = f"it is false that {row.condition}" if row.condition else f"the proof of {name} is wrong"
    message = f"refuted by {by}, whose plan costs {best.cost}{pushes}: {why}"
    status = GAVE_UP if row.status == UNSOLVABLE else SOLVED
    refuted: R = row.replace(status=status, message=message, condition=None, refuted_by=by)
    return refuted
