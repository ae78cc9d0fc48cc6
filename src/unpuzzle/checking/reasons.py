"""Why there is no plan: the strongest true reason, which anybody can check, and what would mend it.

    explain(task)                           kind no_achiever: "only open makes (open d1) true, and it needs (key)"
    explain(task, action="(move a b)")      why an action is not applicable now, and whether it ever is

Kinds of reasons, the strongest first:

    no_achiever    nothing can ever make a part of the goal true: the chain down to what the start lacks (chains.py)
    mutex          two parts of the goal exclude each other: groups and pairs of facts prove it (exclusions.py)
    goal_set       some parts of the goal cannot all be reached, though fewer of them can
    search         every state that can be reached was searched, and the goal holds in none

What is said was proved. Where limits end the work, `status` names the limit and `unfinished` what they cut off; what
was known by then is told, and `solvable` is None only where nothing was. *Excuses* are the fewest facts that the start
would have to add or lack for a plan to exist (Göbelbecker et al. 2010): see excuses.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unpuzzle.checking.achievers import Literal, substituted
from unpuzzle.checking.chains import Chain
from unpuzzle.checking.exclusions import BY_PAIRS, WORK, Exclusions
from unpuzzle.checking.excuses import Excuse, excuses, first_scarce, first_that_helps, shown_predicate
from unpuzzle.errors import Interrupted, LimitReached, UsageError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Condition, GroundAction, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Plain, Shown
from unpuzzle.result import CANCELLED, UNSOLVABLE, Result
from unpuzzle.solving import solve
from unpuzzle.spaces.by_task import reachable
from unpuzzle.spaces.shortfalls import Shortfall
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count, listing

NO_ACHIEVER, MUTEX, GOAL_SET, SEARCH = "no_achiever", "mutex", "goal_set", "search"
SECONDS = 20.0
"""The time that `explain` takes at most where no other time is asked for."""
SHARE_OF_EXCUSES, SHARE_OF_GOALS, SHARE_OF_PLANS = 0.3, 0.5, 0.3
"""Of the time that is left: what looking for excuses, for a smaller set of goals, and for any plan may take."""
MOST_STATES_COUNTED = 1_000_000
EFFORT, SMALL_EFFORT, EXCUSING = 500_000, 2_000, 100_000
"""States that each search may expand: for `explain`, and for the lines below `unsolvable`; at most, for excuses."""
SMALL_SECONDS = 5.0
"""The time that the lines below `unsolvable` take at most."""
MOST_GOALS = 8
"""With little effort, larger sets of goals are not made smaller."""
WHETHER, SMALLER, COUNTING, SCARCE, MENDING = (
    "whether there is a plan",
    "which of the goals cannot all be reached",
    "how many states can be reached",
    "whether something is used up too soon",
    "what would mend it",
)
"""What limits may cut off."""


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
        unfinished: what that limit cut off, such as `what would mend it`; empty where nothing was.
        states: of kind `search` how many states can be reached, if all were counted.
        shortfall: of a level that was explored what of its goal it can reach; see `explained_levels.py`.
    """

    solvable: bool | None
    kind: str = ""
    reasons: tuple[Reason, ...] = ()
    excuses: tuple[Excuse, ...] = ()
    step: str | None = None
    status: str = COMPLETE
    unfinished: str = ""
    states: int | None = None
    shortfall: Shortfall | None = None

    schema = "explanation"

    def __repr__(self) -> str:
        answer = {True: "solvable", False: "not solvable", None: f"not known, {self.status}"}[self.solvable]
        reason = f": {self.reasons[0].text}" if self.reasons else ""
        return f"Explanation({answer}{f', {self.kind}' if self.kind else ''}{reason})"

    def __str__(self) -> str:
        lines = [reason.text for reason in self.reasons]
        lines += [f"it would be solvable {excuse}" for excuse in self.excuses]
        if self.shortfall is not None:
            lines += self.shortfall.sentences([reason.facts for reason in self.reasons if reason.facts])
        return "\n".join(dict.fromkeys(lines))


def explain(
    subject: Position | Task, *, action: GroundAction | str | None = None, limits: Limits | Deadline | None = None
) -> Explanation:
    """Return why a position or a task has no plan, or why an action is not applicable.

    Without a time limit the work ends after 20 seconds. Raises ParseError for an action that the task does not have,
    UnsupportedFeature as planners do, and Interrupted, with the explanation as far as it came, on Ctrl-C.
    """
    deadline = Deadline.of(limits, "explaining")
    deadline = _bounded(deadline, SECONDS) if deadline.time_left() is None else deadline
    explainer = None
    try:
        task = subject if isinstance(subject, Task) else subject.task()
        explainer = _Explainer(task, deadline) if action is None else _OfAction(task, _parsed(action), deadline)
        return explainer.explanation()
    except LimitReached as reached:
        return _cut_off(explainer, reached.status)
    except KeyboardInterrupt as interrupt:
        raise Interrupted(_cut_off(explainer, CANCELLED)) from interrupt


def explain_unsolvable(task: Task, deadline: Deadline) -> Explanation:
    """Return the reasons for a task that is known to have no plan, with little effort. Raises LimitReached."""
    return _Explainer(task, _bounded(deadline, SMALL_SECONDS), SMALL_EFFORT).explanation(proved=True)


def _bounded(deadline: Deadline, most: float) -> Deadline:
    """Return a deadline of the same run that ends after some seconds at the latest."""
    left = deadline.time_left()
    return deadline if left is not None and left <= most else Deadline(deadline.limits.lasting(most), deadline.phase)


def _cut_off(explainer: _Explainer | _OfAction | None, status: str) -> Explanation:
    """Return what is known where a limit ends the work."""
    if explainer is None:
        return Explanation(None, status=status, unfinished=WHETHER)
    return replace(explainer.known, status=status, unfinished=explainer.phase)


class _Explainer:
    """Looks for the reasons of one task; each of its searches expands at most so many states as its effort.

    `wanting` names who wants the goal: a precondition may be asked for as a goal is. `known` is what was proved so far,
    `phase` what is being looked for.
    """

    def __init__(self, task: Task, deadline: Deadline, effort: int = EFFORT, wanting: str = "the goal") -> None:
        self._task = task
        self._wanting = wanting
        self._deadline = deadline
        self._effort = effort
        self._exclusions = Exclusions(task, deadline)
        self._goals: tuple[Condition, ...] = tuple(conjuncts(task.problem.goal))
        self.known: Explanation = Explanation(None)
        self.phase: str = WHETHER
        self._lacking: list[Literal] = []  # what the start lacks, where that is known
        self._always = False  # whether the reason holds whatever else were true at the start
        self.steps: int = 0
        """The steps of the plan, where there is one."""

    def explanation(self, proved: bool = False) -> Explanation:
        """Return the strongest reason, with excuses; `proved`: it is known that there is no plan."""
        found = self._no_achiever() or self._mutex() or self._pairs()
        if found is None:
            proved = proved or self.known.solvable is False
            result = None if proved else self._plan()
            if result is not None and result.plan is not None:
                steps = [str(action) for action in result.plan.steps]
                self.steps = len(steps)
                return Explanation(True, step=steps[0] if steps else None)
            if result is not None and result.status != UNSOLVABLE:
                return Explanation(None, status=result.status, unfinished=WHETHER)
            if self.known.solvable is None:
                self.known = self._of_all("a search proved that no state that can be reached satisfies {}")
            found = self._goal_set() or self._counted(self.known)
        if found.kind in (GOAL_SET, SEARCH) and not found.unfinished:
            self.known, self.phase = found, SCARCE
            found = self._with_scarce(found)
        self.known, self.phase = found, MENDING
        return self._mended(found)

    def _with_scarce(self, explanation: Explanation) -> Explanation:
        """Return an explanation that also names the first resource, such as fuel, of which there is too little."""
        try:
            used_up = self._exclusions.used_up()
            part, effort = self._part(SHARE_OF_EXCUSES), min(self._effort, EXCUSING) // 10
            name = first_scarce(self._task, list(used_up), part, effort)
        except LimitReached as reached:
            return replace(explanation, status=reached.status, unfinished=SCARCE)
        if name is None:
            return explanation
        predicate, users = shown_predicate(self._task, name), used_up[name]
        use = f"{listing(users)} {'uses' if len(users) == 1 else 'use'} it up, and nothing brings it back"
        said = f"there is too little of {predicate}: {use}; were it never used up, there would be a plan"
        return replace(explanation, reasons=(*explanation.reasons, Reason(said, (), tuple(users))))

    def _mended(self, explanation: Explanation) -> Explanation:
        """Return an explanation with excuses, or with what limits cut off."""
        part, effort = self._part(SHARE_OF_EXCUSES), min(self._effort, EXCUSING)
        try:
            held = self._exclusions.held()
            mending = first_that_helps(self._task, self._lacking, part, held, effort // 10)
            mending = mending or excuses(self._task, part, held, effort, of_the_start=not self._always)
        except LimitReached as reached:
            if explanation.unfinished:
                return explanation
            return replace(explanation, status=reached.status, unfinished=MENDING)
        return replace(explanation, excuses=mending)

    def _part(self, share: float) -> Deadline:
        """Return a deadline with a part of the time that is left."""
        left = self._deadline.time_left()
        return Deadline(self._deadline.limits.lasting(None if left is None else left * share), "explaining")

    def _plan(self) -> Result:
        """Return a plan, a short one if that is found soon, or the proof that there is none."""
        for planner, effort in (("native", self._effort // 20), ("native:gbfs", self._effort // 20)):
            result = solve(self._task, planner, limits=self._part(SHARE_OF_PLANS).limits, max_expanded=effort)
            if result.plan is not None or result.status == UNSOLVABLE:
                return result
        return self._solve(self._task)

    def _solve(self, task: Task, deadline: Deadline | None = None) -> Result:
        limits = (deadline or self._deadline).limits
        return solve(task, "native", limits=limits, max_expanded=self._effort)

    def _no_achiever(self) -> Explanation | None:
        chain = Chain(self._task, self._deadline)
        lost = chain.unreachable(self._goals)
        part = next((goal for goal in self._goals if goal in lost), None)
        if part is None:
            return None
        first = Reason(f"nothing can ever make {text(part, {})} true, which {self._wanting} needs", (text(part, {}),))
        self.known = Explanation(False, NO_ACHIEVER, (first,))
        self.phase = "why it is out of reach"
        rest = [Reason(link.text, (link.fact, *link.lacks), link.actions) for link in chain.links(part)]
        self._lacking = chain.lacking(part)
        return Explanation(False, NO_ACHIEVER, (first, *rest))

    def _mutex(self) -> Explanation | None:
        """Return two facts of the goal that a group of facts excludes from being true together."""
        pair = self._exclusions.pair(self._goals)
        if pair is None:
            return None
        self._always = True
        return self._both(*pair)

    def _pairs(self) -> Explanation | None:
        """Return what h^2 proves: a goal, two or more that cannot be reached together."""
        work = WORK if self._effort > SMALL_EFFORT else WORK // 16
        goals = self._exclusions.unreachable_set(self._goals, work)
        if len(goals) == 2:
            one, two = goals
            return self._both(one, two, self._exclusions.never_both(one, two))
        if len(goals) == 1 and len(self._goals) > 1:
            return self._alone(goals[0], BY_PAIRS)
        if goals:
            self._goals = tuple(goals)  # searches may leave out more
            self.known = self._of_all(f"no state that can be reached satisfies {{}}{BY_PAIRS}")
        return None

    def _both(self, one: Condition, two: Condition, why: str) -> Explanation:
        names = text(one, {}), text(two, {})
        said = f"{self._wanting} asks for both {names[0]} and {names[1]}, but {why}"
        return Explanation(False, MUTEX, (Reason(said, names),))

    def _alone(self, goal: Condition, proof: str = "") -> Explanation:
        said = f"{text(goal, {})} can never be reached, whatever becomes of the other goals{proof}"
        return Explanation(False, GOAL_SET, (Reason(said, (text(goal, {}),)),))

    def _goal_set(self) -> Explanation | None:
        """Return a set of goals that cannot all be reached, from which none can be left out."""
        if len(self._goals) < 2 or (self._effort == SMALL_EFFORT and len(self._goals) > MOST_GOALS):
            return None
        self.phase = SMALLER
        kept, ended, part = list(self._goals), "", self._part(SHARE_OF_GOALS)
        for goal in self._goals:
            others = [each for each in kept if each is not goal]
            if not others:
                break
            result = self._solve(with_goal(self._task, others), part)
            if result.status == UNSOLVABLE:
                kept = others
                self.known = self._set_of(kept, sure=False)
            elif result.plan is None:
                ended = ended or result.status
        explanation = self._set_of(kept, sure=not ended)
        return replace(explanation, status=ended, unfinished=SMALLER) if ended else explanation

    def _set_of(self, goals: Sequence[Condition], *, sure: bool) -> Explanation:
        """Return that goals cannot all be reached; `sure`: all but any one of them can."""
        if len(goals) == 1:
            return self._alone(goals[0])
        names = tuple([text(goal, {}) for goal in goals])
        if not sure:
            said = f"{listing(names)} cannot all be reached; whether fewer of them can is not known"
        elif len(goals) == 2:
            said = f"{listing(names)} cannot both be reached by one plan, though each of them alone can"
        else:
            said = f"{listing(names)} cannot all be reached by one plan; without any one of them, the others can"
        return Explanation(False, GOAL_SET, (Reason(said, names),))

    def _of_all(self, sentence: str) -> Explanation:
        """Return what is known of the goal as a whole."""
        goal = text(with_goal(self._task, self._goals).problem.goal, {})
        return Explanation(False, SEARCH, (Reason(sentence.format(goal), (goal,)),))

    def _counted(self, explanation: Explanation) -> Explanation:
        """Return what a search proved, with the number of states that can be reached, if they are few enough."""
        self.phase = COUNTING
        most = min(MOST_STATES_COUNTED, self._effort)
        space = reachable(self._task, limits=self._part(SHARE_OF_GOALS), max_states=most)
        if not space.complete:
            return explanation
        goal = explanation.reasons[0].facts
        said = f"all {count(space.states, 'state')} that can be reached were searched, and {goal[0]} holds in none"
        return replace(explanation, reasons=(Reason(said, goal),), states=space.states)


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


class _OfAction:
    """Looks for why an action is not applicable at the start, and whether it ever is."""

    def __init__(self, task: Task, action: GroundAction, deadline: Deadline) -> None:
        self._task = task
        self._action = action
        self._deadline = deadline
        self.known: Explanation = Explanation(None)
        self.phase: str = "whether the action is ever applicable"

    def explanation(self) -> Explanation:
        """Return the explanation, with the reasons at the start first."""
        action, name = self._action, (str(self._action),)
        semantics = Semantics(self._task, limits=self._deadline)
        obstacles = semantics.obstacles(semantics.initial, action)
        if not obstacles:
            said = Reason(f"{action} is applicable at the start", (), name)
            return Explanation(True, "", (said,), step=str(action))
        reasons = tuple([Reason(f"at the start {part.reason}", (part.condition,), name) for part in obstacles])
        self.known = Explanation(None, "", reasons)
        schema, binding = semantics.schema(action)
        goal = substituted(schema.precondition, binding)
        inner = _Explainer(with_goal(self._task, [goal]), self._deadline, wanting="its precondition")
        try:
            later = inner.explanation()
        finally:
            self._keep(reasons, inner)
        if later.solvable:
            way = f"it becomes applicable: {count(inner.steps, 'action')} from here, the first of them {later.step}"
            return Explanation(True, "", (*reasons, Reason(way, (), name)), step=later.step)
        if later.solvable is None:
            return replace(later, reasons=reasons, unfinished=self.phase)
        return replace(later, reasons=(*reasons, Reason(f"{action} is never applicable", (), name), *later.reasons))

    def _keep(self, reasons: tuple[Reason, ...], inner: _Explainer) -> None:
        """Remember what was found about the precondition."""
        if inner.known.solvable is False:
            never = Reason(f"{self._action} is never applicable", (), (str(self._action),))
            self.known = replace(inner.known, reasons=(*reasons, never, *inner.known.reasons))
            self.phase = inner.phase
