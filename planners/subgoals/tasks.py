"""Search by subgoals for any PDDL task: groups of goal literals, achieved one after the other.

    stage 1    initial state                 ──► the literals of group 1
    stage 2    where stage 1 has ended       ──► those of group 1 and group 2
    ...        the last stage reaches the goal

Each stage is a task of its own for a planner; it may undo what was achieved before, if it achieves it again. A stage
that cannot be solved proves nothing, unless it begins where the task does: it wants no more than the task.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Atom, Not, Plan, Problem, Task
from unpuzzle.planners.subgoals.improvement import check, improve
from unpuzzle.planners.subgoals.stages import SolvedStage
from unpuzzle.planners.subgoals.trails import run
from unpuzzle.planning.acceptance import judged
from unpuzzle.planning.planner import TASK
from unpuzzle.result import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result
from unpuzzle.words import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unpuzzle.pddl.nodes import Condition, GroundAction
    from unpuzzle.pddl.semantics import State
    from unpuzzle.planning.planner import Planner

    Literal = Atom | Not
    Group = tuple[Literal, ...]


def solve_by_subgoals(
    task: Task,
    groups: Iterable[Iterable[Literal]] | None = None,
    planner: str | Planner = "native",
    limits: Limits | None = None,
    *,
    improvement: str | None = None,
    budget: int | None = None,
) -> Result:
    """A plan in stages, validated.

    Args:
        task: its goal is a conjunction of ground literals.
        groups: of literals of the goal, in the order in which they are to be achieved; what they leave out is the last
            group. None: each literal alone, in the order of the goal.
        planner: reads tasks; solves the stages.
        limits: for all stages together, and for what comes after.
        improvement: None, or `shorten`, `loop-free` or `windows`, as for the planner `subgoals`.
        budget: for windows; see `windows.optimise`.

    Returns:
        A Result with the `details` of the planner `subgoals`; `expanded`, `evaluated` and `generated` are sums. The
        status is `solved`, unless one stage was the whole task or the windows prove more; `unsolvable` if the first
        stage is; and `gave_up` if a later one is.

    Raises ParseError for literals that are not of the goal and unknown planners, UnsupportedFeature for goals that are
    no conjunctions of literals, and as the planner does.
    """
    from unpuzzle.planning import registry

    start, limits = perf_counter(), Limits() if limits is None else limits
    chosen = registry.find(planner) if isinstance(planner, str) else planner
    if TASK not in chosen.reads:
        raise ParseError(f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task")
    check(improvement, "subgoals")
    stages = _Stages(task, _groups(task, groups), chosen, limits)
    result = stages.run()
    if result.solved:
        trail = run(task, stages.actions)
        steps = improve(result, trail, improvement, task, budget, stages.watch)
        result.plan = Plan(steps)
        result = judged(result, task)
    result.peak_memory = stages.watch.peak()
    result.seconds["total"] = perf_counter() - start
    return result


def _groups(task: Task, wanted: Iterable[Iterable[Literal]] | None) -> list[Group]:
    """The groups, together all literals of the goal."""
    goal = dict.fromkeys(_literals(task.problem.goal))
    groups: list[Group] = [(literal,) for literal in goal] if wanted is None else [tuple(group) for group in wanted]
    for literal in (literal for group in groups for literal in group):
        if literal not in goal:
            known = {_text(other): None for other in goal}
            hint = suggestion(_text(literal), known) or f"; its literals are {' '.join(known)}"
            raise ParseError(f"{_text(literal)} is no literal of the goal{hint}")
    rest = tuple(literal for literal in goal if not any(literal in group for group in groups))
    return [*groups, rest] if rest else groups


def _literals(goal: Condition) -> Iterator[Literal]:
    for part in conjuncts(goal):
        if not (isinstance(part, Atom) or (isinstance(part, Not) and isinstance(part.operand, Atom))):
            kind = type(part).__name__.lower()
            raise UnsupportedFeature(
                f"subgoals are literals, but the goal has '{kind}' in it", feature=f"'{kind}' in a goal with subgoals"
            )
        yield part


def _text(literal: Literal) -> str:
    return f"(not {literal.operand})" if isinstance(literal, Not) else str(literal)


def _name(group: Group) -> str:
    return " ".join(map(_text, group))


class _Stages:
    """One search. `actions` are those of all stages done."""

    def __init__(self, task: Task, groups: list[Group], planner: Planner, limits: Limits) -> None:
        from unpuzzle.pddl.semantics import Semantics

        self.task = task
        self.groups = groups
        self.planner = planner
        self.watch = Deadline(limits, "searching")
        self.semantics = Semantics(task)
        self.state: State = self.semantics.initial
        self.actions: list[GroundAction] = []
        self.done: list[SolvedStage] = []
        self.counts: dict[str, int | None] = {"expanded": 0, "evaluated": 0, "generated": 0}

    def run(self) -> Result:
        """A result without the plan, which is `actions`."""
        from unpuzzle.planning import running

        start = perf_counter()
        wanted: list[Literal] = []
        status, message, log = SOLVED_OPTIMALLY, "", ""
        for group in self.groups:
            wanted += group
            found = running.run(self.planner, self._stage(wanted), self.watch.limits)
            for name, sum_so_far in self.counts.items():
                more = getattr(found, name)
                self.counts[name] = None if more is None or sum_so_far is None else sum_so_far + more
            if found.plan is None:
                (status, message), log = self._failed(found, group), found.log
                break
            self._follow(found, group)
            status = found.status if len(self.groups) == 1 or not self.actions else SOLVED
        return Result(
            status,
            f"subgoals by {self.planner.name}",
            expanded=self.counts["expanded"],
            evaluated=self.counts["evaluated"],
            generated=self.counts["generated"],
            seconds={"search": perf_counter() - start},
            message=message,
            log=log,
            details={"stages": [stage.told() for stage in self.done]},
        )

    def _stage(self, wanted: list[Literal]) -> Task:
        """The task that begins where the last stage has ended."""
        problem = self.task.problem
        init = tuple(sorted(self.state, key=str))
        own = Problem(
            problem.name, problem.domain_name, problem.requirements, problem.objects, init, problem.values,
            And(tuple(wanted)), problem.metric,
        )  # fmt: skip
        return Task(self.task.domain, own.trusted(self.task.domain))

    def _follow(self, found: Result, group: Group) -> None:
        assert found.plan is not None
        for action in found.plan:
            self.state = self.semantics.apply(self.state, action)
        self.actions += found.plan
        self.done.append(SolvedStage(_name(group), found.expanded, len(found.plan)))

    def _failed(self, found: Result, group: Group) -> tuple[str, str]:
        number = f"stage {len(self.done) + 1} of {len(self.groups)}, {_name(group)}"
        if found.status != UNSOLVABLE:
            return found.status, f"at {number}: {found.message}"
        if not self.actions:  # it begins where the task does, and wants no more than the task
            return UNSOLVABLE, f"{number}, has no plan, so the task has none"
        return GAVE_UP, f"{number}, has no plan that begins where the stages before it have ended"
