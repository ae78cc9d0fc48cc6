"""Search by subgoals: what is wanted is achieved group by group, and the stages are joined (R. E. Korf, Planning as
search: a quantitative approach, 1987). Not for plans of least cost, but for plans where other searches find none.

subgoals              the stages as they are found, joined
subgoals:shorten      and moves that are undone at once removed, in one pass
subgoals:loop-free    and all loops cut out: no position is visited twice
subgoals:windows      and each window of the plan solved again at least cost, until none gets shorter; `windows=STATES`
                      says how many states that may expand at the most

    Position.subgoals() ───stages.py──► moves ──trails.py, windows.py──► fewer moves
    task, goal groups ───tasks.py───► plan  ──the same───────────────► fewer actions

A puzzle names its subgoals and what each stage must look at (`puzzle.Subgoal`); a stage is A* on that. At the PDDL
level a stage is a task of its own, for any planner: `tasks.solve_by_subgoals`. A stage may have spoilt what a later one
needs. Then the search gives up, which proves nothing.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.planners.subgoals.improvement import IMPROVEMENTS, check, improve
from unpuzzle.planners.subgoals.stages import Stages
from unpuzzle.planners.subgoals.trails import walk
from unpuzzle.planning.configuration import Form, Number, read_configuration, require_ties
from unpuzzle.planning.planner import RULES, USUAL, Planner, SearchOptions
from unpuzzle.puzzle.capabilities import subgoals_of
from unpuzzle.puzzle.position import Position
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result

CONFIGURATIONS_HELP = f"[:{'|:'.join(IMPROVEMENTS)}[=STATES]]"
SETTINGS = ("ties",)

FORMS = {name: Form(Number("number of states") if name == "windows" else None) for name in IMPROVEMENTS}


def make(config: str | None, **settings: Any) -> BySubgoals:
    """Return the planner `subgoals:config`. Raises UsageError for an unknown configuration."""
    return BySubgoals(config, **settings)


def missing() -> str | None:
    """Return None: the stages need nothing but Python. (Windows need the compiled core, and say so.)"""
    return None


class BySubgoals(Planner):
    """The planner; see the package's docstring.

    Args:
        config: one of `IMPROVEMENTS`, or None to keep the plan as it is.
        ties: which of several best views is first in a stage, see `rules.best_first`. With the default, Korf's
            15-puzzles have the shortest solutions.

    Results have, as `details`, `stages`, for each its `group`, `expanded` and `length`; `shortened` and `loop_free`,
    how many moves are left then, whether that was asked for or not; and with windows `windowed`, how many are left
    then, `windows`, how many were solved, and `window_states`, how many states they expanded.

    Raises UsageError for an unknown configuration and unknown ties.
    """

    reads = (RULES,)
    reports = True

    def __init__(self, config: str | None = None, *, ties: str = "path-lexicographic") -> None:
        self.name = "subgoals" if config is None else f"subgoals:{config}"
        chosen = None if config is None else read_configuration("subgoals", config, FORMS)
        self.improvement: str | None = None if chosen is None else chosen.name
        self.budget: int | None = None if chosen is None or chosen.number is None else int(chosen.number)
        self.ties: str = require_ties(ties)

    def require(self, subject: Position) -> None:
        """Raise UsageError for a puzzle without subgoals."""
        if subgoals_of(subject) is None:
            raise UsageError(f"planner '{self.name}': {subject.game.name} names no subgoals")

    def solve(self, subject: Position, limits: Limits, options: SearchOptions = USUAL) -> Result:
        """Raises UsageError for a puzzle without subgoals, DependencyMissing where windows want the compiled core."""
        self.require(subject)
        start = perf_counter()
        check(self.improvement, self.name)
        watch = Deadline(limits, "searching")
        stages = Stages(subject, self.ties, watch, options)
        status, message = _run(stages)
        result = Result(
            status,
            self.name,
            seconds={"search": perf_counter() - start},
            message=message,
            details={"stages": [stage.to_dict() for stage in stages.done]},
        ).replace(**stages.counts())
        if result.solved:
            try:
                trail = walk(subject, stages.moves, watch.look)  # positions with much in them fill the memory
                result, moves = improve(result, trail, self.improvement, subject, self.budget, watch)
                result = result.replace(moves=moves)
            except LimitReached as reached:
                result = result.replace(status=reached.status, message=str(reached))
        return result.replace(peak_memory=watch.peak())


def _run(stages: Stages) -> tuple[str, str]:
    """Search, and return status and message."""
    reason = stages.puzzle.impossible()
    if reason is not None:
        return UNSOLVABLE, reason
    try:
        failed = stages.run()
    except LimitReached as reached:
        return reached.status, str(reached)
    except MemoryError:
        return MEMOUT, "the memory ran out while searching"
    if failed is not None:
        return GAVE_UP, f"{stages.number(failed)} has no solution after those before it"
    return SOLVED_OPTIMALLY if stages.optimal else SOLVED, ""
