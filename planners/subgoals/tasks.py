"""Search by subgoals for any PDDL task: groups of goal literals, achieved one after the other.

    stage 1    initial state                 ──► the literals of group 1
    stage 2    where stage 1 has ended       ──► the literals of groups 1 and 2
    ...        the last stage reaches the goal

Each stage is a separate task for a planner; it may destroy achieved literals if it achieves them again. An unsolvable
stage proves nothing, unless it begins in the initial state: its goal is part of the task's goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter

from unpuzzle.base.errors import (
    GAVE_UP,
    SOLVED,
    SOLVED_OPTIMALLY,
    UNSOLVABLE,
    LimitReached,
    UnsupportedFeature,
    UsageError,
)
from unpuzzle.base.run import Limits
from unpuzzle.base.text import suggestion
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Atom, Condition, GroundAction, Not, Plan, Task
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.planners.subgoals import check, improve
from unpuzzle.planners.subgoals.stages import SUMS, SolvedStage
from unpuzzle.planners.subgoals.trails import run as trail_of
from unpuzzle.planning import registry, running
from unpuzzle.planning.planner import TASK, Planner
from unpuzzle.planning.result import Result
from unpuzzle.planning.running import judge

Literal = Atom | Not
Group = tuple[Literal, ...]


def solve_by_subgoals(
    task: Task,
    groups: Iterable[Iterable[Literal]] | None = None,
    *,
    planner: str | Planner = "native",
    limits: Limits | None = None,
    improvement: str | None = None,
    budget: int | None = None,
) -> Result:
    """Return a result with a validated plan, which achieves the goal in stages.

    Args:
        task: its goal is a conjunction of ground literals.
        groups: of literals of the goal, in the order of achievement; the remaining literals are the last group. None:
          each literal alone, in the order of the goal.
        planner: reads tasks; solves the stages.
        limits: for all stages and the later work together.
        improvement: None, or `shorten`, `loop-free` or `windows`, as for the planner `subgoals`.
        budget: for windows; see `windows.optimise`.

    The result has the `details` of the planner `subgoals`; `expanded`, `evaluated` and `generated` are sums. Its status
    is `solved`, unless one stage was the whole task or the windows prove more; `unsolvable` if the first stage is
    unsolvable; and `gave_up` if a later one is.

    Raises UsageError for literals that are not of the goal and unknown planners, UnsupportedFeature for goals that are
    not conjunctions of literals, and the errors of the planner.
    """
    if not isinstance(task, Task):
        raise UsageError(f"only a pddl.Task can be solved by groups of goal literals, not {task!r:.60}")
    start, run = perf_counter(), running.begin(limits, None)
    chosen = registry.find(planner)
    if TASK not in chosen.reads:
        raise UsageError(f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task")
    check(improvement, "subgoals")
    stages = _TaskStages(task, _groups(task, groups), chosen)
    try:
        with run:
            result = stages.run()
            if result.solved:
                result, steps = improve(result, trail_of(task, stages.actions), improvement, task, budget)
                result = judge(result.replace(plan=Plan(steps)), task)
    except LimitReached as reached:
        result = stages.result(reached.status, str(reached))
    return result.replace(peak_memory=run.peak()).lasting(total=perf_counter() - start)


def _groups(task: Task, given: Iterable[Iterable[Literal]] | None) -> list[Group]:
    """Return the groups of literals, which together contain all literals of the goal."""
    goal = dict.fromkeys(_literals(task.problem.goal))
    groups: list[Group] = [(literal,) for literal in goal] if given is None else [tuple(group) for group in given]
    for literal in (literal for group in groups for literal in group):
        if literal not in goal:
            literals = {_text(other): None for other in goal}
            hint = suggestion(_text(literal), literals) or f"; its literals are {' '.join(literals)}"
            raise UsageError(f"{_text(literal)} is not a literal of the goal{hint}")
    rest = tuple(literal for literal in goal if not any(literal in group for group in groups))
    return [*groups, rest] if rest else groups


def _literals(goal: Condition) -> Iterator[Literal]:
    for part in conjuncts(goal):
        if not (isinstance(part, Atom) or (isinstance(part, Not) and isinstance(part.operand, Atom))):
            kind = f"'{type(part).__name__.lower()}'"
            message = f"subgoals are literals, but the goal has {kind} in it"
            raise UnsupportedFeature(message, feature=f"{kind} in a goal with subgoals")
        yield part


def _text(*literals: Literal) -> str:
    return " ".join(f"(not {each.operand})" if isinstance(each, Not) else str(each) for each in literals)


class _TaskStages:
    """One search by groups of literals; `actions` has the joined plans of all solved stages."""

    def __init__(self, task: Task, groups: list[Group], planner: Planner) -> None:
        self.began = perf_counter()
        self.task = task
        self.groups = groups
        self.planner = planner
        self.actions: list[GroundAction] = []
        self.done: list[SolvedStage] = []
        self.counts: dict[str, int | None] = dict.fromkeys(SUMS, 0)

    def run(self) -> Result:
        """Solve the stages; return a result without the plan, which is in `actions`."""
        goal: list[Literal] = []
        status, semantics = SOLVED_OPTIMALLY, Semantics(self.task)
        state: State = semantics.initial
        for group in self.groups:
            goal += group
            # The task that begins where the last stage has ended.
            domain, init = self.task.domain, tuple(sorted(state, key=str))
            stage = Task(domain, self.task.problem.replace(init=init, goal=And(tuple(goal))).trusted(domain))
            answer = running.run(self.planner, stage)
            for name, total in self.counts.items():
                more = getattr(answer, name)
                self.counts[name] = None if more is None or total is None else total + more
            if answer.plan is None:
                return self.result(*self._failure(answer, group)).replace(log=answer.log)
            for action in answer.plan:
                state = semantics.apply(state, action)
            self.actions += answer.plan
            self.done.append(SolvedStage(_text(*group), answer.expanded, len(answer.plan)))
            status = answer.status if len(self.groups) == 1 or not self.actions else SOLVED
        return self.result(status)

    def result(self, status: str, message: str = "") -> Result:
        """Return a result, without a plan, that sums up the stages so far."""
        return Result(
            status,
            f"subgoals by {self.planner.name}",
            seconds={"search": perf_counter() - self.began},
            message=message,
            details={"stages": [stage.to_dict() for stage in self.done]},
        ).replace(**self.counts)

    def _failure(self, answer: Result, group: Group) -> tuple[str, str]:
        """Return the status of the whole search after a stage without a plan, and a sentence about the failure."""
        number = f"stage {len(self.done) + 1} of {len(self.groups)}, {_text(*group)}"
        if answer.status != UNSOLVABLE:
            return answer.status, f"at {number}: {answer.message}"
        if not self.actions:  # it begins where the task does, and needs no more than the task
            return UNSOLVABLE, f"{number}, has no plan, so the task has none"
        return GAVE_UP, f"{number}, has no plan that begins where the stages before it have ended"
