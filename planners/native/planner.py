"""The planner `native`, which grounds a task and searches in the C++ core, and its configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter, process_time

from unpuzzle.base.errors import DependencyMissing, LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Run, current, driven, phase
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.planners.native import schedule as schedules
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.schedule import BOXES, REFUSAL, Schedule, Stage, StageOutcome, symmetries_after
from unpuzzle.planning.planner import MOVES, OBJECTIVES, USUAL, Planner, PlannerKind, Progress, SearchOptions
from unpuzzle.planning.result import Result

if TYPE_CHECKING:
    from unpuzzle.planners.native.grounding import CoreGrounding
    from unpuzzle.planners.native.pushes import Walks

    AnyOutcome = _core.SearchResult | StageOutcome

# By name: algorithm and heuristic. The name of a heuristic alone is A* with it.
SEARCHES = {
    "astar": ("astar", "lmcut"),
    "bfs": ("bfs", "blind"),
    "bidirectional": ("bidirectional", "blind"),
    "wastar": ("astar", "lmcut"),
    "lazywastar": ("lazywastar", "ff,landmarks"),
    "gbfs": ("gbfs", "ff,landmarks"),
    "bfws": ("bfws", "ff,goalcount"),
    "idastar": ("idastar", "lmcut"),
    "orbits": ("astar", "blind"),
    "boxes": ("boxes", "blind"),
}
SYMMETRIC = ("orbits", "bidirectional")  # use symmetries
INFORMED = ("astar", "wastar", "lazywastar", "gbfs", "bfws", "idastar", "orbits")  # take a heuristic in parentheses
WEIGHTED = ("wastar", "lazywastar")  # take a weight
TAKING_TWO = ("lazywastar", "gbfs", "bfws")  # take two heuristics, too, with a comma between them
WEIGHT, MOST_WEIGHT = 3, 1000
MOST_WORK = 1 << 62
"""No limit on the work for finding pairs of facts."""
COMPILE = "UNPUZZLE_REQUIRE_NATIVE=1 pip install --force-reinstall --no-deps --no-cache-dir unpuzzle"
"""The command that compiles the core, or reports why it cannot be compiled."""
UNFINISHED = "the plan may not be the best: a limit ended the search for a proof or a better plan"
MESSAGES = {
    TIMEOUT: "the time limit was reached while searching",
    MEMOUT: "the memory limit was reached while searching",
    GAVE_UP: "the limit of expanded states was reached while searching",
}


def missing() -> str | None:
    """Return None if the C++ core is available, otherwise a sentence that says how to get it."""
    try:
        from unpuzzle.planners.native import _core  # noqa: F401
    except ImportError:
        return (
            "the native planner's core was not compiled when unpuzzle was installed; "
            f"to compile it with a C++20 compiler: {COMPILE} (in a clone, write . instead of unpuzzle)"
        )
    return None


def heuristics() -> tuple[str, ...]:
    """Return the names of the heuristics in the C++ core; an empty tuple if the core is not available."""
    if missing():
        return ()
    return tuple(_core.heuristics())


def configurations() -> tuple[str, ...]:
    """Return the names of all configurations; without the C++ core, of those that need no heuristic."""
    return ("auto", *heuristics(), *SEARCHES)


def prunings() -> tuple[str, ...]:
    """Return the names of all configurations with pruning: `+h2`, `+stubborn` or `+h2+stubborn`."""
    names = [name for name in (*heuristics(), *SEARCHES) if name != "boxes"]
    stubborn = [name for name in names if name not in (*TAKING_TWO, *SYMMETRIC)]
    kinds = {"h2": names, "stubborn": stubborn, "h2+stubborn": stubborn}
    return tuple([f"{name}+{kind}" for kind, able in kinds.items() for name in able])


def parse(config: str) -> tuple[str, str, int, str]:
    """Split a configuration other than `auto` into algorithm, heuristic, weight and pruning methods.

    The form is `NAME[=WEIGHT][(HEURISTIC)][+h2][+stubborn]`. Raises UsageError for an invalid configuration.
    """
    from unpuzzle.planning.registry import ConfigurationSyntax, NumberSyntax, read_configuration, unknown_name

    weight, known = NumberSyntax("weight", 1, MOST_WEIGHT), heuristics()
    forms = {
        name: ConfigurationSyntax(weight if name in WEIGHTED else None, (name in INFORMED) + (name in TAKING_TWO))
        for name in (*known, *SEARCHES)
    }
    search, plus, pruning = config.partition("+")
    configuration = read_configuration("native", search, forms, known=known)
    if plus and (pruned := f"{configuration.name}+{pruning}") not in prunings():
        raise UsageError(unknown_name(f"configuration 'native:{config}'", pruned, prunings()))
    algorithm, heuristic = SEARCHES.get(configuration.name, ("astar", configuration.name))
    usual = WEIGHT if configuration.name in WEIGHTED else 1
    return algorithm, ",".join(configuration.arguments) or heuristic, int(configuration.number or usual), pruning


class Native(Planner):
    """The planner `native`, which searches in the C++ core; the package's docstring lists its configurations."""

    improves: bool = True
    reports: bool = True
    grounds: bool = True

    def __init__(self, config: str | None = None) -> None:
        self.name: str = "native" if config is None else f"native:{config}"
        self.config: str = "auto" if config is None else config
        plain = self.config == "auto" or missing()  # without the core, `solve` says so
        self.search: tuple[str, str, int, str] | None = None if plain else parse(self.config)
        self.objectives: tuple[str, ...] = OBJECTIVES if self._folds() else (MOVES,)

    def _folds(self) -> bool:
        """Return whether this configuration can minimize pushes instead of steps."""
        if self.search is None:
            return True
        algorithm, _, weight, pruning = self.search
        if algorithm == "boxes":
            return True
        return (algorithm, weight, pruning) == ("astar", 1, "") and self.config.partition("(")[0] not in SYMMETRIC

    def solve(self, subject: Task, options: SearchOptions = USUAL) -> Result:
        """Ground a task, then search for a plan. Raises DependencyMissing and UnsupportedFeature."""
        return next(self._answers(subject, options))

    def improving(self, subject: Task, options: SearchOptions = USUAL) -> Iterator[Result]:
        """Yield a result for each better plan that is found, then the final result. Raises as `solve` does."""
        return self._answers(subject, options, anytime=True)

    def solve_beside(self, schedule: Schedule, task: Task, options: SearchOptions) -> tuple[Result, list[int] | None]:
        """Solve a task in turns with the search in `schedule`; plans of both searches must have the same costs.

        Return the result, and the first part's plan if that was found sooner; then the result has none.
        """
        return next(self._answers(task, options, beside=schedule)), schedule.first_plan

    def _answers(
        self, task: Task, options: SearchOptions, *, anytime: bool = False, beside: Schedule | None = None
    ) -> Iterator[Result]:
        """Yield the answer or, if `anytime` is true, each better plan; unreachable goals are not searched for."""
        if absent := missing():
            raise DependencyMissing(absent, dependency=self.name)
        start, status, message = perf_counter(), "", ""
        try:
            from unpuzzle.planners.native.grounding import CoreGrounding

            with phase("grounding"):
                ground = CoreGrounding(task)
                compiled = ground.task()
                if not ground.goal_possible:
                    from unpuzzle.planners.native.proofs import BY_GROUNDING

                    status, message = UNSOLVABLE, BY_GROUNDING
        except LimitReached as reached:
            status, message = reached.status, str(reached)
        except MemoryError:
            status, message = MEMOUT, "the memory ran out while grounding"
        began, cpu = perf_counter(), process_time()
        if status:
            # Grounding has proved it without a search, or was interrupted.
            counts = dict.fromkeys(("expanded", "evaluated", "generated"), 0 if status == UNSOLVABLE else None)
            seconds = {"ground": began - start}
            yield Result(status, self.name, message=message, seconds=seconds, peak_memory=current().peak(), **counts)
            return
        searches, usual = _Searches(self, ground, compiled, options, beside), options.objective == MOVES
        results = (
            searches.improving() if anytime and usual and not self.search else searches.answer(None if usual else task)
        )
        for result in driven(Run(phase="searching"), results):
            yield result.lasting(ground=began - start, search=perf_counter() - began, search_cpu=process_time() - cpu)


class NativeKind(PlannerKind):
    """The planner kind `native`, whose planners run searches in the C++ core."""

    name: str = "native"
    planner = Native

    @property
    def configurations(self) -> str:  # type: ignore[override]  # only the core knows its heuristics
        return f"[:{'|:'.join(configurations())}][+h2][+stubborn]"

    def missing(self) -> str | None:
        return missing()


class _Searches:
    """The searches for a task's plan in one run of the planner, one after the other."""

    def __init__(
        self, planner: Native, ground: CoreGrounding, task: _core.Task, options: SearchOptions, beside: Schedule | None
    ) -> None:
        self.planner, self.ground, self.task = planner, ground, task
        self.max_expanded = options.max_expanded
        self.progress = beside.progress if beside else Progress(planner.name, options.progress)
        self.beside = beside
        self.outcomes: list[tuple[Stage, AnyOutcome]] = []
        self.interruption: LimitReached | None = None
        self.objective = options.objective
        self.walks: Walks | None = None
        self.by_steps: Callable[[], Result | None] | None = None  # answers if it is unclear which actions are walks
        self.answered: Result | None = None
        self.fewer = False  # operators and values that pairs of facts rule out have been removed
        self.schedule: Schedule | None = None

    def _fold(self, task: Task) -> None:
        """Prepare a search that counts pushes. Raises UnsupportedFeature if the task has no proved walker."""
        from unpuzzle.planners.native.pushes import Walks, searched_by_steps

        self.by_steps = partial(searched_by_steps, task, self.objective, self.max_expanded)
        try:
            self.walks = Walks(task, self.ground, self.task)
        except LimitReached as reached:
            self.interruption = reached
        except UnsupportedFeature:
            self.answered = self.by_steps()
            if self.answered is None:
                raise

    def answer(self, folded: Task | None) -> Iterator[Result]:
        """Search and yield the result; if the task is given as `folded`, only its pushes count as steps, not its walks.

        Raises UnsupportedFeature.
        """
        if folded is not None:
            self._fold(folded)
        if self.answered is not None:
            yield self.answered.replace(planner=self.planner.name)
            return
        try:
            for stage, outcome in () if self.interruption else self._turns():
                self.outcomes.append((stage, outcome))
        except LimitReached as reached:
            self.interruption = reached
        yield self.result()

    def improving(self) -> Iterator[Result]:
        """Yield a result for each better plan, and then the final result."""
        status = SOLVED
        try:
            schedule = self._scheduled(anytime=True)
            while status == SOLVED:  # it continues after each better plan
                for stage, outcome in self._turn(schedule):
                    status = outcome.status
                    self.outcomes.append((stage, outcome))
                if status == SOLVED:
                    yield self.result().replace(intermediate=True)
        except LimitReached as reached:
            self.interruption = reached
        yield self.result()

    def _turns(self) -> Iterator[tuple[Stage, AnyOutcome]]:
        """Let the searches take turns; yield each stage with its outcome, until a search has the answer."""
        search, config = self.planner.search, self.planner.config
        if not search or search[0] == BOXES:
            yield from self._turn(self._scheduled(parts=(BOXES,) if search else ()))
            return
        algorithm, heuristic, weight, pruning = search
        stubborn = "stubborn" if pruning.endswith("stubborn") else ""
        if pruning.startswith("h2"):
            self._apply_h2_pruning()
        after = symmetries_after(self.task, heuristic) if config.partition("(")[0] in SYMMETRIC else None
        stage = Stage(config, algorithm, heuristic, "", weight, after, stubborn)
        yield stage, self._stage(stage, self._remaining_states())

    def _apply_h2_pruning(self) -> None:
        """Remove the operators and facts that h² mutexes exclude, as far as the limits of time and memory allow."""
        smaller, _ = self.task.pruned(MOST_WORK, *current().remaining())
        if smaller is not None:
            self.task, self.fewer = smaller, True

    def _turn(self, schedule: Schedule) -> Iterator[tuple[Stage, StageOutcome]]:
        """Run one turn of the schedule; yield each stage with its outcome. Raises UnsupportedFeature."""
        left = self._remaining_states()
        try:
            yield from schedule.turn(None if left is None else left + schedule.expanded)
        except UnsupportedFeature as error:
            if not self.planner.search:
                raise
            raise UnsupportedFeature(f"{self.planner.name}: {REFUSAL}", feature="other tasks") from error

    def _scheduled(self, anytime: bool = False, parts: tuple[str, ...] = ()) -> Schedule:
        """Create the schedule of searches or, if a search already has one, add the task to that schedule."""
        walks = self.walks.among if self.walks else None
        if self.beside:
            self.schedule = self.beside
            self.schedule.core.add(self.task)
        else:
            scale = schedules.SCALE
            core = _core.Schedule(self.task, self.objective, walks, parts, scale, plans=not anytime, anytime=anytime)
            self.schedule = Schedule(core, self.progress)
        return self.schedule

    def _remaining_states(self) -> int | None:
        """Return the number of states that may still be expanded; None for no limit."""
        if self.max_expanded is None:
            return None
        return max(self.max_expanded - sum(outcome.expanded for _, outcome in self.outcomes), 0)

    def _stage(self, stage: Stage, budget: int | None) -> AnyOutcome:
        """Run one stage of a configuration that has one search; return its outcome. Raises UnsupportedFeature."""
        try:
            outcome = self.task.search(
                stage.algorithm,
                stage.heuristic,
                *current().remaining(),
                budget,
                progress=self.progress,
                weight=stage.weight,
                symmetries_after=stage.symmetries_after,
                pruning=stage.pruned_by,
                objective=self.objective,
                walks=self.walks.among if self.walks else None,
            )
        except _core.UnsupportedTask as error:
            feature = str(error).partition(" do not support ")[2]
            raise UnsupportedFeature(f"{self.planner.name}: {error}", feature=feature) from None
        self.progress.counts = (0, 0, 0)  # the outcome has them now
        return outcome

    def result(self) -> Result:
        """Return one result for all stages that have been run."""
        outcomes = [outcome for _, outcome in self.outcomes]
        proved = bool(outcomes) and outcomes[-1].status == UNSOLVABLE and self.interruption is None
        core = self.schedule.core if self.schedule else None
        if proved and core and core.empty:  # the last search had no operators left
            outcomes = outcomes[:-1]
        expanded, evaluated, generated = self.progress.counts  # counts of an interrupted search
        shared = Result(
            GAVE_UP,
            self.planner.name,
            expanded=expanded + sum(outcome.expanded for outcome in outcomes),
            evaluated=evaluated + sum(outcome.evaluated for outcome in outcomes),
            generated=generated + sum(outcome.generated for outcome in outcomes),
            peak_memory=current().peak(),
            log="\n".join(self._log()),
            details={"parts": self.schedule.details()} if self.schedule else {},
        )
        status = self.outcomes[-1][1].status if self.interruption is None else self.interruption.status
        if status in (TIMEOUT, MEMOUT, GAVE_UP) and core and (unproved := core.unproved):
            steps, cost = unproved
            return shared.replace(status=SOLVED, message=UNFINISHED, plan=self._plan(steps), cost=cost)
        if self.interruption is not None:
            return shared.replace(status=self.interruption.status, message=str(self.interruption))
        stage, last = self.outcomes[-1]
        message, plan = MESSAGES.get(last.status, ""), None
        if last.status == UNSOLVABLE:
            from unpuzzle.planners.native.proofs import proof_of

            if core:  # the counts of a part are of all its turns
                ended = core.ended_by
                earlier = sum(part.expanded for part in core.parts) - (ended.expanded if ended else 0)
                folded = ended is not None and ended.folded
                message = proof_of(stage, ended or last, core.empty, core.smaller, folded, earlier)
            else:
                message = proof_of(stage, last, self.fewer and self.task.operators == 0, self.fewer, bool(self.walks))
        if last.plan is not None and (self.beside is None or self.beside.first_plan is None):
            plan = self._plan(last.plan)
        if plan and self.walks and status == SOLVED_OPTIMALLY and not self.walks.sure(last.plan or [], plan):
            from unpuzzle.planners.native.pushes import UNSURE

            if self.by_steps is not None and (answer := self.by_steps()) is not None:
                return answer.replace(planner=self.planner.name)
            status, message = SOLVED, UNSURE
        return shared.replace(status=status, message=message, plan=plan, cost=last.cost)

    def _plan(self, steps: Sequence[int]) -> Plan:
        return Plan(tuple([self.ground.action(number) for number in steps]))

    def _log(self) -> Iterator[str]:
        """Yield a sentence on how each stage ended, the last stage at the end."""
        for stage, outcome in self.outcomes[:-1]:
            ending = {MEMOUT: "ran out of memory", SOLVED: "found a plan"}.get(outcome.status, "gave up")
            yield f"{stage.name} {ending} ({outcome.expanded:,} expanded)"
        for stage, _ in self.outcomes[1:][-1:]:
            yield f"then {stage.name}" + (f": {stage.reason}" if stage.reason else "")
