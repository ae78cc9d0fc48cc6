"""Why there is no plan: the strongest true reason, which anybody can check, and what would mend it.

    explain(task)                           kind no_achiever: "only open makes (open d1) true, and it needs (key)"
    explain(task, action="(move a b)")      why an action is not applicable now, and whether it ever is

Kinds of reasons, the strongest first:

    no_achiever    nothing can ever make a part of the goal true: the chain down to what the start lacks (achievers.py)
    mutex          two parts of the goal exclude each other: facts of which at most one is true at a time
    goal_set       some parts of the goal cannot all be reached, though fewer of them can
    search         every state that can be reached was searched, and the goal holds in none

What is said was proved; where limits end the work, `solvable` is None and `status` names the limit. *Excuses* are the
fewest facts that the start would have to add or lack for a plan to exist (Göbelbecker et al. 2010): see excuses.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

from unpuzzle.checking.achievers import Chain, substituted
from unpuzzle.checking.excuses import Excuse, excuses
from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Atom, Condition, GroundAction, Task, TypedName
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.types import Types
from unpuzzle.planners.native.grounding.common_ground import CommonGround
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Plain, Shown
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result
from unpuzzle.solving import solve
from unpuzzle.spaces.by_task import reachable
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count, listing

NO_ACHIEVER, MUTEX, GOAL_SET, SEARCH = "no_achiever", "mutex", "goal_set", "search"
SHARE_OF_EXCUSES, SHARE_OF_GOALS = 0.4, 0.5
"""Of the time that is left: what looking for excuses, and for a smaller set of goals, may take."""
MOST_STATES_COUNTED = 1_000_000
MOST_GROUP_SHOWN = 6
MOST_HELD = 20_000
EFFORT, SMALL_EFFORT, EXCUSING = 500_000, 2_000, 100_000
"""States that each search may expand: for `explain`, and for the lines below `unsolvable`; at most, for excuses."""
MOST_GOALS = 8
"""With little effort, larger sets of goals are not made smaller."""


@dataclass(frozen=True, slots=True)
class Reason(Plain):
    """A sentence, the facts that it is about, and the actions in it."""

    text: str
    facts: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Shown, Plain):
    """Why there is no plan, or no such action.

    Attributes:
        solvable: whether there is a plan (or, asked for an action, whether it is ever applicable); None if unknown.
        kind: the kind of the reasons; empty where there is a plan.
        reasons: sentences, the first of them about the goal.
        excuses: changes of the start, or preconditions to drop, each enough for a plan to exist; the fewest first.
        step: the first action of a plan, where there is one.
        status: `complete`, or the limit that ended the work.
    """

    solvable: bool | None
    kind: str = ""
    reasons: tuple[Reason, ...] = ()
    excuses: tuple[Excuse, ...] = ()
    step: str | None = None
    status: str = COMPLETE

    schema = "explanation"

    def __repr__(self) -> str:
        answer = {True: "solvable", False: "not solvable", None: f"not known, {self.status}"}[self.solvable]
        reason = f": {self.reasons[0].text}" if self.reasons else ""
        return f"Explanation({answer}{f', {self.kind}' if self.kind else ''}{reason})"

    def __str__(self) -> str:
        lines = [reason.text for reason in self.reasons]
        return "\n".join([*lines, *[f"it would be solvable {excuse}" for excuse in self.excuses]])


def explain(
    subject: Position | Task, *, action: GroundAction | str | None = None, limits: Limits | Deadline | None = None
) -> Explanation:
    """Return why a position or a task has no plan, or why an action is not applicable.

    Raises ParseError for an action that the task does not have, and UnsupportedFeature as planners do.
    """
    deadline = Deadline.of(limits, "explaining")
    try:
        task = subject if isinstance(subject, Task) else subject.task()
        if action is not None:
            return _of_action(task, _parsed(action), deadline)
        return _Explainer(task, deadline).explanation()
    except LimitReached as reached:
        return Explanation(None, status=reached.status)


def explain_unsolvable(task: Task, deadline: Deadline) -> Explanation:
    """Return the reasons for a task that is known to have no plan, with little effort. Raises LimitReached."""
    return _Explainer(task, deadline, SMALL_EFFORT).explanation(proved=True)


class _Explainer:
    """Looks for the reasons of one task; each of its searches expands at most so many states as its effort.

    `wanting` names who wants the goal: a precondition may be asked for as a goal is.
    """

    def __init__(self, task: Task, deadline: Deadline, effort: int = EFFORT, wanting: str = "the goal") -> None:
        self._task = task
        self._wanting = wanting
        self._deadline = deadline
        self._effort = effort
        self._goals: tuple[Condition, ...] = tuple(conjuncts(task.problem.goal))
        self.steps: int = 0
        """The steps of the plan, where there is one."""

    def explanation(self, proved: bool = False) -> Explanation:
        """Return the strongest reason, with excuses; `proved`: it is known that there is no plan."""
        found = self._no_achiever() or self._mutex()
        if found is None and proved:
            found = self._goal_set() or self._searched()
        if found is None:
            result = self._solve(self._task)
            if result.status in (SOLVED, SOLVED_OPTIMALLY):
                assert result.plan is not None
                steps = [str(action) for action in result.plan.steps]
                self.steps = len(steps)
                return Explanation(True, step=steps[0] if steps else None)
            if result.status != UNSOLVABLE:
                return Explanation(None, status=result.status)
            found = self._goal_set() or self._searched()
        return replace(found, excuses=self._excuses())

    def _excuses(self) -> tuple[Excuse, ...]:
        try:
            return excuses(self._task, self._part(SHARE_OF_EXCUSES), self._held(), min(self._effort, EXCUSING))
        except LimitReached:
            return ()

    def _held(self) -> frozenset[Atom]:
        """Return the facts that exclude a fact of the start: to assume them would put one thing in two places."""
        start = frozenset(self._task.problem.init)
        types, held = Types(self._task, self._deadline), set[Atom]()
        declared = {predicate.name: predicate.parameters for predicate in self._task.domain.predicates}
        for group in self._groups():
            if not start.isdisjoint(group):
                for predicate, pattern in _shapes(group):
                    held.update(_instances(predicate, pattern, declared[predicate], types))
        return frozenset(held)

    def _part(self, share: float) -> Deadline:
        """Return a deadline with a part of the time that is left."""
        left = self._deadline.time_left()
        return Deadline(Limits(None if left is None else left * share, self._deadline.memory_left()), "explaining")

    def _solve(self, task: Task, share: float = 1) -> Result:
        return solve(task, "native", limits=self._part(share).limits, max_expanded=self._effort)

    def _no_achiever(self) -> Explanation | None:
        chain = Chain(self._task, self._deadline)
        lost = chain.unreachable(self._goals)
        part = next((goal for goal in self._goals if goal in lost), None)
        if part is None:
            return None
        links = chain.links(part)
        first = Reason(f"nothing can ever make {text(part, {})} true, which {self._wanting} needs", (text(part, {}),))
        rest = [Reason(link.text, (link.fact, *link.lacks), link.actions) for link in links]
        return Explanation(False, NO_ACHIEVER, (first, *rest))

    def _mutex(self) -> Explanation | None:
        """Return two facts of the goal that one group of facts excludes from being true together."""
        wanted = [goal for goal in self._goals if isinstance(goal, Atom)]
        if len(wanted) < 2:
            return None
        groups = [list(group) for group in self._groups()]
        for group in groups:
            pair = next(((one, two) for one, two in combinations(wanted, 2) if one in group and two in group), None)
            if pair is not None and pair[0] != pair[1]:
                one, two = pair
                others = [fact for each in groups for fact in each if fact not in group]
                said = f"{self._wanting} wants {one} and {two}, but {_invariant(group, others)}"
                return Explanation(False, MUTEX, (Reason(said, (str(one), str(two))),))
        return None

    def _groups(self) -> Iterable[Sequence[Atom]]:
        """Return groups of facts of which at most one is true in every state that can be reached."""
        init = frozenset(self._task.problem.init)
        common = CommonGround(self._task, [init], [], any_goal=True, faithful=True, watch=self._deadline)
        for variable in common.variables():
            facts = [fact for fact in variable.values if isinstance(fact, Atom)]
            if facts:
                yield facts

    def _goal_set(self) -> Explanation | None:
        """Return a set of goals that cannot all be reached, from which none can be left out."""
        if len(self._goals) < 2 or (self._effort == SMALL_EFFORT and len(self._goals) > MOST_GOALS):
            return None
        kept, sure = list(self._goals), True
        for goal in self._goals:
            others = [each for each in kept if each is not goal]
            if not others:
                break
            status = self._solve(with_goal(self._task, others), SHARE_OF_GOALS).status
            if status == UNSOLVABLE:
                kept = others
            elif status not in (SOLVED, SOLVED_OPTIMALLY):
                sure = False
        if len(kept) == 1:
            said = f"{text(kept[0], {})} can never be reached, whatever becomes of the other goals"
            return replace(self._searched(kept), kind=GOAL_SET, reasons=(Reason(said, (text(kept[0], {}),)),))
        names = tuple([text(goal, {}) for goal in kept])
        said = f"{listing(names)} cannot all be reached"
        said += ", though all but any one of them can" if sure else "; whether fewer of them can is not known"
        return Explanation(False, GOAL_SET, (Reason(said, names),))

    def _searched(self, goals: Sequence[Condition] | None = None) -> Explanation:
        """Return what a search of all states says."""
        task = self._task if goals is None else with_goal(self._task, goals)
        space = reachable(task, limits=self._part(SHARE_OF_GOALS), max_states=min(MOST_STATES_COUNTED, self._effort))
        goal = text(task.problem.goal, {})
        if space.complete:
            said = f"all {count(space.states, 'state')} that can be reached were searched, and {goal} holds in none"
        else:
            said = f"a search proved that no state that can be reached satisfies {goal}"
        return Explanation(False, SEARCH, (Reason(said, (goal,)),))


Pattern = tuple[str | None, ...]


def _shapes(group: Sequence[Atom]) -> list[tuple[str, Pattern]]:
    """Return the forms of the facts of a group: the predicates with the objects that all facts share, None elsewhere.

    Empty where the group has no form, but just is a list of facts.
    """
    shared = {name for name in group[0].arguments if all(name in atom.arguments for atom in group)}
    shapes = [(atom.predicate, tuple([n if n in shared else None for n in atom.arguments])) for atom in group]
    distinct = list(dict.fromkeys(shapes))
    return distinct if shared and len(distinct) < len(group) else []


def _instances(predicate: str, pattern: Pattern, parameters: Sequence[TypedName], types: Types) -> Iterator[Atom]:
    """Yield the facts of a form."""
    choices = [
        types.members(named.types) if name is None else (name,) for name, named in zip(pattern, parameters, strict=True)
    ]
    for arguments in islice(product(*choices), MOST_HELD):
        yield Atom(predicate, arguments)


def _matches(atom: Atom, predicate: str, pattern: Pattern) -> bool:
    parts = zip(pattern, atom.arguments, strict=True)
    return atom.predicate == predicate and all(name in (None, argument) for name, argument in parts)


def _invariant(group: Sequence[Atom], others: Sequence[Atom]) -> str:
    """Return in words that at most one of some facts is true; by their form, if no others are of that form."""
    shapes = _shapes(group)
    forms = [f"({' '.join((predicate, *[name or '…' for name in pattern]))})" for predicate, pattern in shapes]
    if forms and not any(_matches(atom, *shape) for atom in others for shape in shapes):
        return f"at most one fact of the form {listing(forms, 'or')} is true at a time"
    shown = [str(atom) for atom in group[:MOST_GROUP_SHOWN]]
    more = "" if len(group) <= MOST_GROUP_SHOWN else f" and {len(group) - MOST_GROUP_SHOWN} more"
    return f"at most one of {', '.join(shown)}{more} is true at a time"


def with_goal(task: Task, goals: Sequence[Condition]) -> Task:
    """Return a task with another goal."""
    goal = goals[0] if len(goals) == 1 else And(tuple(goals))
    return Task(task.domain, task.problem.replace(goal=goal))


def _parsed(action: GroundAction | str) -> GroundAction:
    if isinstance(action, GroundAction):
        return action
    from unpuzzle.pddl.plans import parse_plan

    steps = parse_plan(action, "action").steps
    if len(steps) != 1:
        raise UsageError(f"one action is asked for, such as '(move a b)', not {action!r:.60}")
    return steps[0]


def _of_action(task: Task, action: GroundAction, deadline: Deadline) -> Explanation:
    """Return why an action is not applicable at the start, and whether it ever is."""
    semantics = Semantics(task, limits=deadline)
    obstacles = semantics.obstacles(semantics.initial, action)
    if not obstacles:
        return Explanation(
            True, "", (Reason(f"{action} is applicable at the start", (), (str(action),)),), step=str(action)
        )
    reasons = [Reason(f"at the start {part.reason}", (part.condition,), (str(action),)) for part in obstacles]
    schema, binding = semantics.schema(action)
    goal = substituted(schema.precondition, binding)
    inner = _Explainer(with_goal(task, [goal]), deadline, wanting="its precondition")
    later = inner.explanation()
    if later.solvable:
        said = f"it becomes applicable: {count(inner.steps, 'action')} from here, the first of them {later.step}"
        return Explanation(True, "", (*reasons, Reason(said, (), (str(action),))), step=later.step)
    never = (
        () if later.solvable is None else (Reason(f"{action} is never applicable", (), (str(action),)), *later.reasons)
    )
    return replace(later, reasons=(*reasons, *never))
