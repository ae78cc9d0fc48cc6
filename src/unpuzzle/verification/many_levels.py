"""Compare a game's rules with its PDDL on many levels, in separate processes or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.errors import LimitReached, UnpuzzleError, WorkersFailed
from unpuzzle.base.outcomes import ERROR, GAVE_UP, UNSUPPORTED
from unpuzzle.base.run import Limits, Run
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.model.position import Position
from unpuzzle.processes.parallel import each
from unpuzzle.processes.worker import CallOutcome
from unpuzzle.state_space.space import COMPLETE
from unpuzzle.verification.report import Check, Difference
from unpuzzle.verification.side_by_side import check


class LevelCheck(Record):
    """The result of comparing rules with PDDL on one of several levels.

    Attributes:
        level: its name.
        same: whether rules and PDDL are the same; None if no difference was found, but only a part was compared.
        status: as in `Check`; `unsupported` if the level has no PDDL, `error` if its process broke.
        exhaustive, states, transitions, difference: as in `Check`.
        message: why there is no answer.
    """

    level: str
    same: bool | None
    status: str
    exhaustive: bool = False
    states: int = 0
    transitions: int = 0
    difference: Difference | None = None
    message: str = ""


class LevelChecks(Record):
    """The results of comparing rules with PDDL on several levels.

    Attributes:
        levels: a check for each.
    """

    levels: tuple[LevelCheck, ...]

    schema = "check-levels"

    @property
    def same(self) -> bool | None:
        """Whether rules and PDDL are the same on all levels; None if a partial comparison found no difference."""
        verdicts = [row.same for row in self.levels]
        return False if False in verdicts else None if None in verdicts else True

    @property
    def status(self) -> str:
        """`complete` if every level has a verdict, otherwise the status of a level that has none."""
        ends = [row.status for row in self.levels if row.same is None]
        return next((end for end in ends if end != GAVE_UP), GAVE_UP if ends else COMPLETE)


def check_levels(
    levels: Mapping[str, Position],
    *,
    max_states: int = MAX_STATES,
    seed: int = 0,
    limits: Limits | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    on_row: Callable[[LevelCheck], None] | None = None,
) -> LevelChecks:
    """Compare rules with PDDL on several levels, each as `check` does; `levels` maps names to positions.

    Args:
        limits: of all levels together; levels that are not reached in time are undecided.
        workers, scheduler: the number of levels at a time; or the address of a Dask cluster that checks them.
        on_row: called with the check of each level, in their order.

    A process that breaks costs only its own level. Raises WorkersFailed if the cluster cannot be used.
    """
    with Run(limits, "checking levels"):
        rows: list[LevelCheck] = []
        function = partial(check, max_states=max_states, seed=seed)
        jobs = ((position,) for position in levels.values())
        ends = each(function, jobs, workers=workers, scheduler=scheduler)
        for name, outcome in zip(levels, ends, strict=False):
            rows.append(_row(name, outcome))
            if on_row is not None:
                on_row(rows[-1])
        rows += [  # levels that were not reached before the end of the run
            LevelCheck(name, None, "cancelled", message="it was not checked") for name in list(levels)[len(rows) :]
        ]
        return LevelChecks(tuple(rows))


def _row(name: str, outcome: CallOutcome) -> LevelCheck:
    """Return the result of a comparison that was made in a separate process, which may have failed."""
    try:
        found: Check = outcome.value()
    except LimitReached as reached:
        return LevelCheck(name, None, reached.status, message=str(reached))
    except WorkersFailed as failed:
        return LevelCheck(name, None, ERROR, message=str(failed))
    except UnpuzzleError as error:
        return LevelCheck(name, None, UNSUPPORTED, message=str(error))
    counts = found.exhaustive, found.states, found.transitions
    ended = f"{found.status} after {count(found.states, 'state')}"
    message = "" if found.same is not None or found.status == GAVE_UP else ended
    return LevelCheck(name, found.same, found.status, *counts, found.difference, message)
