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

from unpuzzle.errors import LimitReached, ParseError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.planners.subgoals.improvement import IMPROVEMENTS, check, improve
from unpuzzle.planners.subgoals.stages import Stages
from unpuzzle.planners.subgoals.trails import walk
from unpuzzle.planning.planner import RULES, TIES, Planner
from unpuzzle.puzzle.capabilities import subgoals_of
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.puzzle.position import Position

CONFIGURATIONS_HELP = f"[:{'|:'.join(IMPROVEMENTS)}[=STATES]]"


def make(config: str | None) -> BySubgoals:
    """The planner `subgoals:config`. Raises ParseError for an unknown configuration."""
    return BySubgoals(config)


def missing() -> str | None:
    """None: the stages need nothing but Python. (Windows need the compiled core, and say so.)"""
    return None


def parse(config: str) -> tuple[str, int | None]:
    """The name of a configuration, and its number of states, if it has one."""
    from unpuzzle.words import suggestion

    name, equals, number = config.partition("=")
    if name not in IMPROVEMENTS:
        hint = suggestion(name, IMPROVEMENTS) or f"; known are {', '.join(IMPROVEMENTS)}"
        raise ParseError(f"unknown configuration 'subgoals:{config}'{hint}")
    if not equals:
        return name, None
    if name != "windows" or not (number.isascii() and number.isdigit() and len(number) < 16):
        raise ParseError(f"'subgoals:{config}': only windows takes a number, of states to expand at the most")
    return name, int(number)


class BySubgoals(Planner):
    """See the module's docstring.

    Attributes:
        progress: told at the beginning of each stage.

    Results have, as `details`, `stages`, for each its `group`, `expanded` and `length`; `shortened` and `loop_free`,
    how many moves are left then, whether that was asked for or not; and with windows `windowed`, how many are left
    then, `windows`, how many were solved, and `window_states`, how many states they expanded.
    """

    reads = (RULES,)
    reports = True
    breaks_ties = True

    def __init__(self, config: str | None = None) -> None:
        self.name = "subgoals" if config is None else f"subgoals:{config}"
        self.improvement: str | None = None
        self.budget: int | None = None
        if config is not None:
            self.improvement, self.budget = parse(config)
        self.ties = "path-lexicographic"
        self.progress: Callable[[str], None] | None = None

    @property
    def ties(self) -> str:
        """Which of several best views is first in a stage, see `rules.best_first`. Raises ParseError when set to
        an unknown one. With the default, Korf's 15-puzzles have the shortest solutions.
        """
        return self._ties

    @ties.setter
    def ties(self, name: str) -> None:
        from unpuzzle.words import suggestion

        if name not in TIES:
            raise ParseError(f"unknown ties '{name}'{suggestion(name, TIES) or '; known are ' + ', '.join(TIES)}")
        self._ties = name

    def require(self, puzzle: Position) -> None:
        """Raises ParseError for a puzzle without subgoals."""
        if subgoals_of(puzzle) is None:
            raise ParseError(f"planner '{self.name}': {puzzle.game.name} names no subgoals")

    def solve(self, puzzle: Position, limits: Limits) -> Result:
        """Raises ParseError for a puzzle without subgoals, DependencyMissing where windows want the compiled core."""
        start = perf_counter()
        check(self.improvement, self.name)
        watch = Deadline(limits, "searching")
        stages = Stages(puzzle, self.name, self.ties, watch, self.progress)
        status, message = _ran(stages)
        result = Result(
            status,
            self.name,
            expanded=stages.expanded,
            evaluated=stages.evaluated,
            generated=stages.generated,
            frontier=stages.frontier,
            seconds={"search": perf_counter() - start},
            message=message,
            details={"stages": [stage.told() for stage in stages.done]},
        )
        if result.solved:
            try:
                trail = walk(puzzle, stages.moves, watch.look)  # positions with much in them fill the memory
                result.moves = improve(result, trail, self.improvement, puzzle, self.budget, watch)
            except LimitReached as reached:
                result.status, result.message = reached.status, str(reached)
        result.peak_memory = watch.peak()
        return result


def _ran(stages: Stages) -> tuple[str, str]:
    """Status and message."""
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
        number = len(stages.done) + 1
        return (
            GAVE_UP,
            f"stage {number} of {len(stages.subgoals)} ({failed.name}) has no solution after those before it",
        )
    return SOLVED_OPTIMALLY if stages.optimal else SOLVED, ""
