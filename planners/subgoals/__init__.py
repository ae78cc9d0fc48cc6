"""Search by subgoals: what is wanted is achieved group by group, and the stages are joined (R. E. Korf, Planning as
search: a quantitative approach, 1987). Not for plans of least cost, but for plans where other searches find none.

subgoals              the stages as they are found, joined
subgoals:shorten      and moves that are undone at once removed, in one pass
subgoals:loop-free    and all loops cut out: no position is visited twice
subgoals:windows      and each window of the plan solved again at least cost, until none gets shorter; `windows=STATES`
                      says how many states that may expand at the most

    Puzzle.subgoals() ───stages.py──► moves ──trails.py, windows.py──► fewer moves
    task, goal groups ───tasks.py───► plan  ──the same───────────────► fewer actions

A puzzle names its subgoals and what each stage must look at (`puzzle.Subgoal`); a stage is A* on that. At the PDDL
level a stage is a task of its own, for any planner: `tasks.solve_by_subgoals`. A stage may have spoilt what a later one
needs. Then the search gives up, which proves nothing.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import ParseError, PlannerMissing
from unpuzzle.planners.subgoals.stages import Stages
from unpuzzle.planners.subgoals.trails import shorten, walk, without_loops
from unpuzzle.planners.watch import LimitReachedError, Watch, peak_memory
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Limits, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.puzzle import Puzzle

CONFIGURATIONS = ("shorten", "loop-free", "windows")
CONFIGURATIONS_HELP = f"[:{'|:'.join(CONFIGURATIONS)}[=STATES]]"


def make(config: str | None) -> BySubgoals:
    """The planner `subgoals:config`. Raises ParseError for an unknown configuration."""
    return BySubgoals(config)


def missing() -> str | None:
    """None: the stages need nothing but Python. (Windows need the compiled core, and say so.)"""
    return None


def parse(config: str) -> tuple[str, int | None]:
    """The name of a configuration, and its number of states, if it has one."""
    from unpuzzle.pddl.complaints import suggestion

    name, equals, number = config.partition("=")
    if name not in CONFIGURATIONS:
        hint = suggestion(name, CONFIGURATIONS) or f"; known are {', '.join(CONFIGURATIONS)}"
        raise ParseError(f"unknown configuration 'subgoals:{config}'{hint}")
    if not equals:
        return name, None
    if name != "windows" or not (number.isascii() and number.isdigit() and len(number) < 16):
        raise ParseError(f"'subgoals:{config}': only windows takes a number, of states to expand at the most")
    return name, int(number)


class BySubgoals:
    """See the module's docstring.

    Attributes:
        ties: which of several best views is first in a stage; see `graph_search.best_first`. The default gives the
            shortest plans for Korf's 15-puzzles.
        progress: told now and then how far the search is.

    Results have, as `details`, `stages`, for each its `group`, `expanded` and `length`; `shortened` and `loop_free`, how
    many moves are left then, whether that was asked for or not; and with windows `windowed`, how many are left then,
    `windows`, how many were solved, and `window_states`, how many states they expanded.
    """

    reads = "rules"

    def __init__(self, config: str | None = None) -> None:
        self.name = "subgoals" if config is None else f"subgoals:{config}"
        self.improvement, self.budget = (None, None) if config is None else parse(config)
        self.ties = "path-lexicographic"
        self.progress: Callable[[str], None] | None = None

    def solve(self, puzzle: Puzzle, limits: Limits) -> Result:
        """Raises ParseError for a puzzle that names no subgoals and for unknown ties, PlannerMissing where windows want
        the compiled core.
        """
        start = perf_counter()
        self._require_core()
        reason = puzzle.impossible()
        if reason is not None:
            return Result(UNSOLVABLE, self.name, message=reason)
        watch = Watch(limits, "searching")
        stages = Stages(puzzle, self.name, self.ties, watch, self.progress)
        status, message = _ran(stages)
        result = Result(
            status,
            self.name,
            expanded=stages.expanded,
            evaluated=stages.evaluated,
            generated=stages.generated,
            seconds={"search": perf_counter() - start},
            message=message,
            details={"stages": [stage.told() for stage in stages.done]},
        )
        if result.solved:
            self._improve(result, stages, watch)
        result.peak_memory = peak_memory()
        return result

    def _require_core(self) -> None:
        from unpuzzle.planners import native

        absent = native.missing() if self.improvement == "windows" else None
        if absent is not None:
            raise PlannerMissing(f"{self.name}: {absent}", planner="native")

    def _improve(self, result: Result, stages: Stages, watch: Watch) -> None:
        """Put the moves into the result, improved as far as the configuration says."""
        start, trail = perf_counter(), walk(stages.puzzle, stages.moves)
        shortened, loop_free = shorten(trail).steps, without_loops(trail).steps
        result.details |= {"shortened": len(shortened), "loop_free": len(loop_free)}
        result.moves = {None: trail.steps, "shorten": shortened}.get(self.improvement, loop_free)
        if self.improvement == "windows":
            result.moves = self._windowed(loop_free, stages.puzzle, result, watch)
        result.seconds["improve"] = perf_counter() - start

    def _windowed(self, moves: tuple[str, ...], puzzle: Puzzle, result: Result, watch: Watch) -> tuple[str, ...]:
        from unpuzzle.planners.subgoals.windows import BUDGET, optimise

        budget = BUDGET if self.budget is None else self.budget
        better = optimise(puzzle.task(), moves, puzzle.decode, budget=budget, watch=watch)
        result.details |= {"windowed": len(better.steps), "windows": better.windows, "window_states": better.expanded}
        if better.optimal:
            result.status = SOLVED_OPTIMALLY
        return better.steps


def _ran(stages: Stages) -> tuple[str, str]:
    """Status and message."""
    try:
        failed = stages.run()
    except LimitReachedError as reached:
        return reached.status, str(reached)
    except MemoryError:
        return MEMOUT, "the memory ran out while searching"
    if failed is not None:
        number = len(stages.done) + 1
        return (
            GAVE_UP,
            f"stage {number} of {len(stages.subgoals)} ({failed.name}) has no solution after those before it",
        )
    return SOLVED_OPTIMALLY if stages.optimal else SOLVED, ""
