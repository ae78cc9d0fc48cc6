"""Search by subgoals, achieved group by group; the plans of the stages are joined (R. E. Korf, Planning as search: a
quantitative approach, 1987). It finds plans where other searches fail, but not cheapest ones.

subgoals              the stages as they are found, joined
subgoals:shorten      and moves that are undone at once removed, in one pass
subgoals:loop-free    and all loops cut out: no position is visited twice
subgoals:windows      and each window of the plan solved again at least cost, until none gets shorter; `windows=STATES`
                      says how many states that may expand at the most

    Position.subgoals() ───stages.py──► moves ──trails.py──► fewer moves
    task, goal groups ───tasks.py───► plan  ──the same───────────────► fewer actions

A puzzle gives its subgoals and a view of the position for each stage (`puzzle.Subgoal`); a stage is A* on these views.
In PDDL a stage is its own task, for any planner: `tasks.solve_by_subgoals`. If a stage destroys something that a later
one needs, the search gives up, which proves nothing. Windows need the compiled core, and raise an error without it.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, UsageError
from unpuzzle.base.outcomes import MEMOUT, SOLVED_OPTIMALLY
from unpuzzle.base.run import current, part, phase
from unpuzzle.base.text import suggestion
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.subgoals.stages import Stages
from unpuzzle.planners.subgoals.trails import BUDGET, Trail, Windowed, optimise, shorten, walk, without_loops
from unpuzzle.planning.configuration import Form, Number, read_configuration, require_ties
from unpuzzle.planning.planner import RULES, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.puzzle.capabilities import subgoals_of
from unpuzzle.puzzle.position import Position

IMPROVEMENTS = ("shorten", "loop-free", "windows")
TIME_FOR_WINDOWS = 0.8
"""The share of the remaining time for windows: the plan has to be validated afterwards."""

FORMS = {name: Form(Number("number of states") if name == "windows" else None) for name in IMPROVEMENTS}


class BySubgoals(Planner):
    """The planner `subgoals`, which achieves the subgoals of a puzzle group by group.

    Args:
        config: one of `IMPROVEMENTS`, or None to keep the plan unchanged.
        ties: which of several best views is first in a stage, see `rules.strategies.Frontier`. With the default, Korf's
            15-puzzles have the shortest solutions.

    Results have these `details`: `stages`, each with `group`, `expanded` and `length`; `shortened` and `loop_free`, the
    numbers of moves after these improvements, even if they were not asked for; and with windows `windowed`, the number
    of moves, `windows`, the number of windows solved, and `window_states`, the states expanded in them.

    Raises UsageError for an unknown configuration and unknown ties.
    """

    reads: tuple[str, ...] = (RULES,)
    reports: bool = True

    def __init__(self, config: str | None = None, *, ties: str = "path-lexicographic") -> None:
        self.name: str = "subgoals" if config is None else f"subgoals:{config}"
        chosen = None if config is None else read_configuration("subgoals", config, FORMS)
        self.improvement: str | None = None if chosen is None else chosen.name
        self.budget: int | None = None if chosen is None or chosen.number is None else int(chosen.number)
        self.ties: str = require_ties(ties)

    def require(self, subject: Position) -> None:
        if subgoals_of(subject) is None:
            raise UsageError(f"planner '{self.name}': {subject.game.name} defines no subgoals")

    def solve(self, subject: Position, options: SearchOptions = USUAL) -> Result:
        """Solve a puzzle in stages, one for each group of subgoals.

        Raises UsageError for a puzzle without subgoals, DependencyMissing for windows without the compiled core.
        """
        self.require(subject)
        start = perf_counter()
        check(self.improvement, self.name)
        with phase("searching"):
            stages = Stages(subject, self.ties, options)
            try:
                status, message = stages.run()
            except LimitReached as reached:
                status, message = reached.status, str(reached)
            except MemoryError:
                status, message = MEMOUT, "the memory ran out while searching"
            result = Result(
                status,
                self.name,
                seconds={"search": perf_counter() - start},
                message=message,
                condition=stages.condition,
                details={"stages": [stage.to_dict() for stage in stages.done]},
            ).replace(**stages.counts())
            if result.solved:
                try:
                    trail = walk(subject, stages.moves)  # large positions fill the memory
                    result, moves = improve(result, trail, self.improvement, subject, self.budget)
                    result = result.replace(moves=moves)
                except LimitReached as reached:
                    result = result.replace(status=reached.status, message=str(reached))
            return result.replace(peak_memory=current().peak())


def check(improvement: str | None, planner: str) -> None:
    """Raise UsageError for an unknown improvement, DependencyMissing for `windows` without the compiled core."""
    if improvement not in (None, *IMPROVEMENTS):
        hint = suggestion(improvement, IMPROVEMENTS) or f"; it must be one of {', '.join(IMPROVEMENTS)}"
        raise UsageError(f"{planner}: unknown improvement '{improvement}'{hint}")
    if improvement == "windows":
        from unpuzzle.planners import native

        if absent := native.missing():
            raise DependencyMissing(f"{planner} with windows: {absent}", dependency="native")


def improve(
    result: Result, trail: Trail, improvement: str | None, subject: Position | Task, budget: int | None
) -> tuple[Result, tuple[Any, ...]]:
    """Improve the plan of a trail; return the result with details of the improvement, and the improved steps.

    The `result` is from the search that found the trail, a plan for `subject`; `budget` is the number of states for
    windows, None for the default.
    """
    start = perf_counter()
    trails = {None: trail, "shorten": shorten(trail), "loop-free": without_loops(trail)}
    details = {"shortened": len(trails["shorten"].steps), "loop_free": len(trails["loop-free"].steps)}
    best = trails.get(improvement, trails["loop-free"])
    steps = best.steps
    if improvement == "windows":
        better = Windowed(steps)
        if result.status != SOLVED_OPTIMALLY:
            own = part("optimising windows", share=TIME_FOR_WINDOWS)
            with suppress(LimitReached, MemoryError), own:  # while the task is grounded
                better = optimise(subject, best, budget=BUDGET if budget is None else budget)
        steps = better.steps
        details |= {"windowed": len(steps), "windows": better.windows, "window_states": better.expanded}
        result = result.replace(status=SOLVED_OPTIMALLY) if better.optimal else result
    return result.replace(details={**result.details, **details}).lasting(improve=perf_counter() - start), steps


class SubgoalsKind(PlannerKind):
    """The planner kind `subgoals`, whose planners achieve the subgoals of a puzzle group by group."""

    name: str = "subgoals"
    configurations: str = f"[:{'|:'.join(IMPROVEMENTS)}[=STATES]]"
    settings: tuple[str, ...] = ("ties",)
    planner = BySubgoals
