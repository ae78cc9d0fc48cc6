"""The built-in planner: grounding and search in C++ (`core/`, seen from here as `_core`).

native          the default: a schedule of the others, see `schedule`; always optimal
native:blind    A* with the blind heuristic
native:bfs      breadth-first; optimal in the number of steps, so `solved` only, where costs differ
native:lmcut    A* with landmark cuts
native:hmax     A* with h^max
native:pdb      A* with additive pattern databases, chosen automatically; no axioms. Long searches share costs among
                them by saturated cost partitioning, too, where that says clearly more
native:hadd, native:ff, native:goalcount
                A* with h^add, h^FF or the number of open goals: `solved` only, since these may overestimate
native:wastar   A* with weighted landmark cuts: a plan of at most 3 times the least cost; `wastar=5`: 5 times
native:lazywastar
                weighted A* that evaluates states only when they come up, with h^FF and landmarks in turn and their
                preferred operators: a plan of any cost; `lazywastar=5`: sooner
native:gbfs     greedy best-first with the same two: soon some plan, of any cost
native:idastar  IDA* with landmark cuts: next to no memory
native:orbits   A* that takes states for one that a symmetry of the ground task maps on each other
native:bidirectional
                breadth-first from both ends; where all operators cost the same, the goal leaves few states open,
                and operators tell what was before them

A heuristic in parentheses takes the place of the usual one: `native:gbfs(goalcount)`, `native:wastar=2(pdb)`,
`native:orbits(lmcut)`; `gbfs` and `lazywastar` take two as well: `native:gbfs(hadd,landmarks)`.

Symmetries are looked for, once a search is not a short one, by the default, `orbits` and `bidirectional`: permutations
of facts that keep operators, costs and the goal. The others expand exactly what textbooks say they do.

schedule.py     what the default does    grounding/  from PDDL to a finite-domain task
anytime.py      ever better plans        families/   many small tasks that share a grounding
"""

from __future__ import annotations

from time import perf_counter, process_time

from unpuzzle.errors import DependencyMissing, LimitReached, UnsupportedFeature, UsageError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.nodes import Plan
from unpuzzle.planning.planner import Planner
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, TIMEOUT, UNSOLVABLE, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from unpuzzle.pddl.nodes import Task

    from . import _core
    from ._core import Outcome
    from .anytime import Found
    from .grounding import CoreGrounding
    from .schedule import Smaller, Stage

HEURISTICS = ("blind", "goalcount", "hmax", "hadd", "ff", "landmarks", "lmcut", "pdb")

# By name: algorithm and heuristic.
SEARCHES = {
    "blind": ("astar", "blind"),
    "bfs": ("bfs", "blind"),
    "hmax": ("astar", "hmax"),
    "lmcut": ("astar", "lmcut"),
    "hadd": ("astar", "hadd"),
    "ff": ("astar", "ff"),
    "goalcount": ("astar", "goalcount"),
    "pdb": ("astar", "pdb"),
    "bidirectional": ("bidirectional", "blind"),
    "wastar": ("astar", "lmcut"),
    "lazywastar": ("lazywastar", "ff,landmarks"),
    "gbfs": ("gbfs", "ff,landmarks"),
    "idastar": ("idastar", "lmcut"),
    "orbits": ("astar", "blind"),
}
SYMMETRIC = ("orbits", "bidirectional")  # use symmetries
INFORMED = ("wastar", "lazywastar", "gbfs", "idastar", "orbits")  # take a heuristic in parentheses
WEIGHTED = ("wastar", "lazywastar")  # take a weight
TAKING_TWO = ("lazywastar", "gbfs")  # take two heuristics, too, with a comma between them
WEIGHT, MOST_WEIGHT = 3, 1000
CONFIGURATIONS = ("auto", *SEARCHES)

CONFIGURATIONS_HELP = f"[:{'|:'.join(CONFIGURATIONS)}]"


def make(config: str | None) -> Native:
    """The planner `native:config`. Raises UsageError for an unknown configuration."""
    return Native(config)


def parse(config: str) -> tuple[str, str, int]:
    """Algorithm, heuristic and its weight, of a configuration other than `auto`: `NAME[=WEIGHT][(HEURISTIC)]`."""
    name, parenthesis, inner = config.partition("(")
    name = name.partition("=")[0]
    if name not in SEARCHES:
        from unpuzzle.words import suggestion

        hint = suggestion(name, CONFIGURATIONS) or f"; known are {', '.join(CONFIGURATIONS)}"
        raise UsageError(f"unknown configuration 'native:{config}'{hint}")
    algorithm, heuristic = SEARCHES[name]
    if parenthesis:
        heuristic = inner.removesuffix(")")
        if name not in INFORMED or not inner.endswith(")"):
            raise UsageError(f"'native:{config}': only {', '.join(INFORMED)} take a heuristic, in parentheses")
        several = heuristic.split(",", 1) if name in TAKING_TWO else [heuristic]
        for one in several:
            if one not in HEURISTICS:
                raise UsageError(f"'native:{config}': unknown heuristic '{one}'; known are {', '.join(HEURISTICS)}")
    return algorithm, heuristic, weight_of(f"native:{config}")


def weight_of(planner: str) -> int:
    """Return the weight in the name of a planner, such as `native:wastar=5(pdb)`. Raises UsageError for a wrong one."""
    name, equals, weight = planner.partition(":")[2].partition("(")[0].partition("=")
    if not equals:
        return WEIGHT if name in WEIGHTED else 1
    if name not in WEIGHTED or not (weight.isascii() and weight.isdigit() and 1 <= int(weight[:9]) <= MOST_WEIGHT):
        takers = " and ".join(WEIGHTED)
        raise UsageError(f"'{planner}': only {takers} take a weight, a whole number from 1 to {MOST_WEIGHT}")
    return int(weight)


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


class Native(Planner):
    """See the module's docstring."""

    improves = True
    reports = True
    grounds = True

    def __init__(self, config: str | None = None) -> None:
        self.name = "native" if config is None else f"native:{config}"
        self.config = "auto" if config is None else config
        self.search = None if self.config == "auto" else parse(self.config)
        self.progress: Callable[[str], None] | None = None  # told now and then how far the search is
        self.max_expanded = None  # states that all stages together may expand; equal on every machine

    def solve(self, subject: Task, limits: Limits) -> Result:
        """Ground, then search. Raises DependencyMissing without the core, UnsupportedFeature as grounding does,
        or for what the heuristic does not support.
        """
        for result in self._answers(subject, limits, anytime=False):
            final = result
        return final

    def improving(self, subject: Task, limits: Limits) -> Iterator[Result]:
        """Ever better plans, each `solved`; the last result is what `solve` gives. Raises what `solve` raises."""
        return self._answers(subject, limits, anytime=True)

    def _answers(self, task: Task, limits: Limits, anytime: bool) -> Iterator[Result]:
        absent = missing()
        if absent is not None:
            raise DependencyMissing(absent, dependency=self.name)
        start = perf_counter()
        watch = Deadline(limits, "grounding")
        try:
            found = self._ground(task, watch)
            compiled = found.task()
        except LimitReached as reached:
            yield self._ended(reached.status, str(reached), {"ground": perf_counter() - start}, watch)
            return
        except MemoryError:
            yield self._ended(MEMOUT, "the memory ran out while grounding", {"ground": perf_counter() - start}, watch)
            return
        if not found.goal_possible:
            from .proofs import BY_GROUNDING

            yield self._ended(UNSOLVABLE, BY_GROUNDING, {"ground": perf_counter() - start}, watch, searched=0)
            return
        grounded, cpu = perf_counter(), process_time()
        for result in self._search(found, compiled, watch, anytime):
            result.seconds = {
                "ground": grounded - start,
                "search": perf_counter() - grounded,
                "search_cpu": process_time() - cpu,
            }
            yield result

    def _ground(self, task: Task, watch: Deadline) -> CoreGrounding:
        from .grounding import CoreGrounding

        return CoreGrounding(task, watch)

    def _search(self, found: CoreGrounding, task: _core.Task, watch: Deadline, anytime: bool) -> Iterator[Result]:
        if anytime and not self.search:
            yield from self._improving(found, task, watch)
            return
        from .schedule import Smaller

        smaller = Smaller(task, watch)
        outcomes: list[tuple[Stage, Outcome]] = []
        for stage in self._stages(found):
            if stage.after_memout and outcomes[-1][1].status != MEMOUT:
                break
            budget = self._budget(stage, outcomes)
            if budget == 0 and outcomes:
                break
            outcome = self._run(smaller.before(stage), stage, budget, watch, outcomes)
            if outcome is None:
                continue
            outcomes.append((stage, outcome))
            if outcome.status not in (GAVE_UP, MEMOUT):
                break
        yield self._result(found, outcomes, smaller, watch)

    def _improving(self, found: CoreGrounding, task: _core.Task, watch: Deadline) -> Iterator[Result]:
        from .anytime import Anytime
        from .schedule import Smaller

        smaller = Smaller(task, watch)
        outcomes: list[tuple[Stage, Outcome | Found]] = []

        def left() -> int | None:
            return self._left(outcomes)

        def run(stage: Stage, states: int | None, bound: int | None) -> Outcome | None:
            return self._run(smaller.before(stage), stage, states, watch, outcomes, bound)

        least: int | None = None
        for stage, outcome in Anytime(found, task, run, left, watch).turns():
            outcomes.append((stage, outcome))
            if outcome.status == SOLVED and outcome.cost is not None and (least is None or outcome.cost < least):
                least = outcome.cost
                better = self._result(found, outcomes, smaller, watch)
                better.intermediate = True
                yield better
        yield self._result(found, outcomes, smaller, watch)

    def _stages(self, found: CoreGrounding) -> list[Stage]:
        from .schedule import Stage, schedule, symmetries_after

        if not self.search:
            return schedule(found)
        algorithm, heuristic, weight = self.search
        after = symmetries_after(found, heuristic) if self.config.partition("(")[0] in SYMMETRIC else None
        return [Stage(self.config, algorithm, heuristic, None, "", weight=weight, symmetries_after=after)]

    def _left(self, outcomes: Sequence[tuple[Stage, Outcome | Found]]) -> int | None:
        """States that may still be expanded; None if any number may."""
        if self.max_expanded is None:
            return None
        return max(self.max_expanded - sum(outcome.expanded for _, outcome in outcomes), 0)

    def _budget(self, stage: Stage, outcomes: Sequence[tuple[Stage, Outcome | Found]]) -> int | None:
        """States that a stage may expand, after those of the stages before."""
        left = self._left(outcomes)
        if left is None or stage.most_expanded is None:
            return stage.most_expanded if left is None else left
        return min(left, stage.most_expanded)

    def _run(
        self,
        task: _core.Task,
        stage: Stage,
        budget: int | None,
        watch: Deadline,
        before: Sequence[tuple[Stage, Outcome | Found]],
        bound: int | None = None,
    ) -> Outcome | None:
        """The outcome of a stage after those `before`; None if it is optional and does not support the task.

        Some searches leave out plans that cost `bound` or more.
        """
        from . import _core
        from .schedule import left_before_symmetries

        try:
            return task.search(
                stage.algorithm,
                stage.heuristic,
                watch.time_left(),
                watch.memory_left(),
                budget,
                progress=self._told if self.progress else None,
                weight=stage.weight,
                symmetries_after=left_before_symmetries(stage, before),
                symmetric_start=stage.symmetric_start,
                bound=bound,
            )
        except _core.UnsupportedTask as error:
            if stage.optional:
                return None
            feature = str(error).partition(" do not support ")[2]
            raise UnsupportedFeature(f"{self.name}: {error}", feature=feature) from None

    def _told(self, expanded: int, evaluated: int, generated: int, f: int, seconds: float) -> None:
        if self.progress is not None:
            self.progress(
                f"{self.name}: {expanded:,} expanded, {generated:,} generated, estimated cost {f}, {seconds:.1f} s"
            )

    def _result(
        self,
        found: CoreGrounding,
        outcomes: Sequence[tuple[Stage, Outcome | Found]],
        smaller: Smaller,
        watch: Deadline,
    ) -> Result:
        """The result of all stages together; `smaller` is what was searched."""
        last = outcomes[-1][1]
        plan = None
        if last.plan is not None:
            plan = Plan(tuple([found.action(number) for number in last.plan]))
        messages: dict[str, str] = {
            TIMEOUT: "the time limit was reached while searching",
            MEMOUT: "the memory limit was reached while searching",
            GAVE_UP: "the limit of expanded states was reached while searching",
        }
        told = [
            f"{stage.name} {'ran out of memory' if outcome.status == MEMOUT else 'gave up'}"
            f" after {outcome.expanded:,} states"
            for stage, outcome in outcomes[:-1]
        ]
        if told:
            told.append(f"then {outcomes[-1][0].name}: {outcomes[-1][0].reason}")
        return Result(
            last.status,
            self.name,
            plan=plan,
            cost=None if plan is None else last.cost,
            expanded=sum(outcome.expanded for _, outcome in outcomes),
            evaluated=sum(outcome.evaluated for _, outcome in outcomes),
            generated=sum(outcome.generated for _, outcome in outcomes),
            peak_memory=watch.peak(),
            message=smaller.proof(*outcomes[-1]) if last.status == UNSOLVABLE else messages.get(last.status, ""),
            log="\n".join(told),
        )

    def _ended(
        self, status: str, message: str, seconds: dict[str, float], watch: Deadline, searched: int | None = None
    ) -> Result:
        """The answer without a search; `searched` is how many states are counted as expanded."""
        return Result(
            status,
            self.name,
            expanded=searched,
            evaluated=searched,
            generated=searched,
            message=message,
            seconds=seconds,
            peak_memory=watch.peak(),
        )
