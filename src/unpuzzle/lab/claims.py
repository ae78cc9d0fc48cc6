"""Compare the claims of runs on one task: of two optima that disagree, the smaller one refutes the other.

The refuted plan stands, as `solved`; a refuted "unsolvable" is `gave_up`. The message names the run that refutes it. An
optimum under a condition, such as an admissible heuristic, is one without it where another run proved the same number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.walking import weigh
from unpuzzle.result import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.words import count

R = TypeVar("R", bound=Any)
"""A `ComparisonRow` or a `Run`."""


def settle(rows: Iterable[R]) -> list[R]:
    """Return rows of runs on one task for one objective, without the claims that others of them refute."""
    rows = list(rows)
    solved = [row for row in rows if row.status in (SOLVED, SOLVED_OPTIMALLY) and row.valid is not False]
    priced = [row for row in solved if row.cost is not None]
    if not solved:
        return rows
    best = min(priced or solved, key=_weight)
    proved = any(
        row.status == SOLVED_OPTIMALLY and not row.condition and _weight(row) == _weight(best) for row in priced
    )
    return [_settled(row, best, proved) for row in rows]


def settle_tasks(runs: Iterable[R]) -> list[R]:
    """Return runs on several tasks in their order, settled for each task and objective."""
    runs = list(runs)
    groups: dict[tuple[str, str, str], list[int]] = {}
    for number, run in enumerate(runs):
        groups.setdefault((run.domain, run.task, run.objective), []).append(number)
    for numbers in groups.values():
        for number, run in zip(numbers, settle(runs[number] for number in numbers), strict=True):
            runs[number] = run
    return runs


def _weight(row: Any) -> int:
    return weigh(row.objective, row.cost or 0, row.pushes or 0)


def _settled(row: R, best: R, proved: bool) -> R:
    if row.status == UNSOLVABLE:
        return _refuted(row, best, GAVE_UP)
    if row.status != SOLVED_OPTIMALLY or row.cost is None:
        return row
    if _weight(row) > _weight(best):
        return _refuted(row, best, SOLVED)
    if proved and row.condition:
        return replace(row, condition=None, message="")
    return row


def _refuted(row: R, best: R, status: str) -> R:
    pushes = "" if row.objective == MOVES or best.pushes is None else f", {count(best.pushes, 'push', 'pushes')}"
    why = f"it is false that {row.condition}" if row.condition else f"the proof of {row.name} is wrong"
    message = f"refuted by {best.name}, whose plan costs {best.cost}{pushes}: {why}"
    return replace(row, status=status, message=message, condition=None, refuted_by=best.name)
