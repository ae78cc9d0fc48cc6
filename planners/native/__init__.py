"""The built-in planner: grounding in Python (`grounding`), search in C++ (`core/`, seen from here as `_core`).

native          the default: breadth-first where all operators cost the same, otherwise A*; always optimal
native:blind    A* with the blind heuristic
native:bfs      breadth-first; optimal in the number of steps, so `solved` only, where costs differ
native:pdb      A* with additive pattern databases, chosen automatically; no axioms
"""

from __future__ import annotations

from time import perf_counter, process_time

from unpuzzle.errors import ParseError, PlannerMissing, UnsupportedFeature
from unpuzzle.pddl.nodes import Plan
from unpuzzle.result import MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, Limits, Result

from .watch import LimitReachedError, Watch, peak_memory, resident_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.pddl.nodes import Task

    from ._core import Outcome
    from .fdr import FDRTask

# By name: algorithm and heuristic. What `auto` does is decided by the task.
CONFIGURATIONS = {
    "auto": ("astar", "blind"),
    "blind": ("astar", "blind"),
    "bfs": ("bfs", "blind"),
    "hmax": ("astar", "hmax"),
    "lmcut": ("astar", "lmcut"),
    "hadd": ("astar", "hadd"),
    "ff": ("astar", "ff"),
    "pdb": ("astar", "pdb"),
    "bidirectional": ("bidirectional", "blind"),
    "idastar": ("idastar", "lmcut"),
}

CONFIGURATIONS_HELP = f"[:{'|:'.join(CONFIGURATIONS)}]"


def make(config: str | None) -> Native:
    """The planner `native:config`. Raises ParseError for an unknown configuration."""
    if config is not None and config not in CONFIGURATIONS:
        raise ParseError(f"unknown configuration 'native:{config}'; known are {', '.join(CONFIGURATIONS)}")
    return Native(config)


def missing() -> str | None:
    """None if the compiled core is there."""
    try:
        from . import _core  # noqa: F401
    except ImportError:
        return (
            "the native planner's core was not compiled when unpuzzle was installed; with a C++20 compiler, "
            "in a clone: UNPUZZLE_REQUIRE_NATIVE=1 pip install --force-reinstall --no-deps ."
        )
    return None


class Native:
    """See the module's docstring."""

    reads = "task"

    def __init__(self, config: str | None = None) -> None:
        self.name = "native" if config is None else f"native:{config}"
        self.config = config or "auto"
        self.progress: Callable[[str], None] | None = None  # told now and then how far the search is

    def solve(self, task: Task, limits: Limits) -> Result:
        """Ground, then search. Raises PlannerMissing without the core, UnsupportedFeature as `grounding.ground`,
        or for what the heuristic does not support.
        """
        absent = missing()
        if absent is not None:
            raise PlannerMissing(absent, planner=self.name)
        from .grounding import ground

        start = perf_counter()
        watch = Watch(limits, "grounding")
        try:
            fdr = ground(task, watch)
        except LimitReachedError as reached:
            return self._ended(reached.status, str(reached), {"ground": perf_counter() - start})
        except MemoryError:
            return self._ended(MEMOUT, "the memory ran out while grounding", {"ground": perf_counter() - start})
        grounded, cpu = perf_counter(), process_time()
        result = self._search(fdr, limits, watch)
        result.seconds = {
            "ground": grounded - start,
            "search": perf_counter() - grounded,
            "search_cpu": process_time() - cpu,
        }
        return result

    def _search(self, fdr: FDRTask, limits: Limits, watch: Watch) -> Result:
        from . import _core

        costs = {operator.cost for operator in fdr.operators}
        algorithm, heuristic = CONFIGURATIONS[self.config]
        if self.config == "auto" and len(costs) <= 1:
            algorithm = "bfs"
        budget = None
        if limits.memory is not None:
            budget = limits.memory - resident_memory()
            if budget <= 0:
                return self._ended(MEMOUT, "the memory limit was reached before the search", {})
        progress = self._told if self.progress else None
        try:
            outcome = _core.Task(**fdr.buffers()).search(
                algorithm, heuristic, watch.time_left(), budget, progress=progress
            )
        except _core.UnsupportedTask as error:
            raise UnsupportedFeature(f"{self.name}: {error}", feature=str(error).split()[-1]) from None
        return self._result(outcome, fdr)

    def _told(self, expanded: int, evaluated: int, generated: int, f: int, seconds: float) -> None:
        if self.progress is not None:
            self.progress(f"{self.name}: {expanded:,} expanded, {generated:,} generated, f = {f}, {seconds:.1f} s")

    def _result(self, outcome: Outcome, fdr: FDRTask) -> Result:
        status: str = outcome.status
        plan = None
        if outcome.plan is not None:
            plan = Plan(tuple([fdr.operators[number].action for number in outcome.plan]))
        messages = {
            UNSOLVABLE: "all reachable states were searched: there is no plan",
            TIMEOUT: "the time limit was reached while searching",
            MEMOUT: "the memory limit was reached while searching",
        }
        return Result(
            status,
            self.name,
            plan=plan,
            cost=None if plan is None else outcome.cost,
            expanded=outcome.expanded,
            evaluated=outcome.evaluated,
            generated=outcome.generated,
            peak_memory=peak_memory(),
            message=messages.get(status, ""),
        )

    def _ended(self, status: str, message: str, seconds: dict[str, float]) -> Result:
        return Result(status, self.name, message=message, seconds=seconds, peak_memory=peak_memory())
