"""Explain why a task has no plan by the strongest reason that can be proved, and suggest changes.

    explain(task)                           kind no_achiever: "only open makes (open d1) true, and it needs (key)"
    explain(task, action="(move a b)")      why an action is not applicable now, and whether it ever is
    explain_level(position)                 in the words of a game: what of the goal can be reached, the nearest miss

Kinds of reasons, the strongest first:

    no_achiever    nothing can ever make a part of the goal true: the chain to a fact false at the start (chains.py)
    mutex          two parts of the goal exclude each other: invariants or pairs of facts prove it (exclusions.py)
    goal_set       some parts of the goal cannot all be reached, though fewer of them can
    search         every state that can be reached was searched, and the goal holds in none

Every reason is proved. If a limit ends the work, `status` names the limit and `unfinished` the part that it cut off;
the results so far are reported, and `solvable` is None only if there are none. *Excuses* are the fewest facts that the
start would have to add or remove for a plan to exist (Göbelbecker et al. 2010): see excuses.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from unpuzzle.base.distances import Explorer
from unpuzzle.base.errors import Interrupted, LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import CANCELLED, LIMITS, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, current, part
from unpuzzle.base.text import count, listing
from unpuzzle.base.values import Record
from unpuzzle.explanation.chains import Achievers, FactChains, Literal, literal_of
from unpuzzle.explanation.exclusions import BY_PAIRS, WORK, Exclusions
from unpuzzle.explanation.excuses import Excuse, Excusing, first_scarce, shown_predicate
from unpuzzle.model.position import Position
from unpuzzle.pddl.formulas import conjunction, conjuncts
from unpuzzle.pddl.nodes import Action, Condition, Exists, GroundAction, Task
from unpuzzle.pddl.normal_form import substituted
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.pddl.writer import text
from unpuzzle.planning.result import Result
from unpuzzle.solving import is_filled_in, solve
from unpuzzle.state_space.dead_ends import Shortfall, find_shortfall, searched
from unpuzzle.state_space.exploration import Exploration, explore
from unpuzzle.state_space.space import COMPLETE, reachable
from unpuzzle.table import notebook_html

PDDL = ".pddl"
NO_ACHIEVER, MUTEX, GOAL_SET, SEARCH = "no_achiever", "mutex", "goal_set", "search"
SECONDS = 20.0
"""The time limit of `explain` by default."""
SHARE_OF_EXCUSES, SHARE_OF_GOALS, SHARE_OF_PLANS = 0.3, 0.5, 0.3
"""Shares of the time left for finding excuses, a smaller set of goals, and any plan."""
MOST_STATES_COUNTED = 1_000_000
EFFORT, SMALL_EFFORT, EXCUSING = 500_000, 2_000, 100_000
"""The most states that each search expands: for `explain`, for the lines below `unsolvable`, and for excuses."""
SMALL_SECONDS = 5.0
"""The time limit for the lines below `unsolvable`."""
MOST_GOALS = 8
"""The largest set of goals that is reduced with SMALL_EFFORT."""
WHETHER, SMALLER, COUNTING, SCARCE, MENDING = (
    "whether there is a plan",
    "which of the goals cannot all be reached",
    "how many states can be reached",
    "whether something is used up too soon",
    "which change would make it solvable",
)
"""The parts of the work that a limit may cut off."""
NO_EXCUSE = (
    "no change of the start or of preconditions was found that makes it solvable without breaking an invariant or"
    " assuming the goal: look at the goal and at the effects of the actions"
)
GOAL = "the goal"
MOST_STATES = 200_000
"""The most positions of a level for which its nearest miss is searched for."""
SHARE = 0.5
"""The share of the time for exploring; the rest is for the reasons."""
FIRST_STATES = 40
"""States in which all actions are tried, before any of them is examined by itself."""


class Reason(Record):
    """A reason in one sentence, with the facts and actions that occur in the sentence."""

    text: str
    facts: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


class Explanation(Record):
    """An explanation why there is no plan, or why an action is not applicable.

    Attributes:
        solvable: whether there is a plan (or, asked for an action, whether it is ever applicable); None if unknown.
        kind: the kind of the reasons; empty if there is a plan.
        reasons: sentences, the first of them about the goal.
        excuses: changes of the start, or preconditions to drop, each enough for a plan to exist; the fewest first.
        step: the first action of a plan, if there is one; of a game without PDDL, the first move.
        move: for a level of a game with moves of its own, the move that `step` makes; None for PDDL tasks.
        status: `complete`, or the limit that ended the work.
        unfinished: the work that the limit cut off, such as `which change would make it solvable`; otherwise empty.
        states: the number of reachable states (of a level, its positions), if all were counted.
        shortfall: for an explored level, how much of its goal can be reached; see `state_space.dead_ends`.
        action: the action that is explained; empty if it is the task.
    """

    _repr_html_ = notebook_html

    solvable: bool | None
    kind: str = ""
    reasons: tuple[Reason, ...] = ()
    excuses: tuple[Excuse, ...] = ()
    step: str | None = None
    status: str = COMPLETE
    unfinished: str = ""
    states: int | None = None
    shortfall: Shortfall | None = None
    action: str = ""
    move: str | None = None

    schema = "explanation"

    @property
    def beginning(self) -> str:
        """The first step of a plan in words: the move of the game and the PDDL action, if known."""
        if self.move is None or self.move == self.step:
            return f"the move {self.move}" if self.move else self.step or ""
        return f"the move {self.move}, in PDDL {self.step}"

    def __repr__(self) -> str:
        answer = {True: "solvable", False: "not solvable", None: f"not known, {self.status}"}[self.solvable]
        reason = f": {self.reasons[0].text}" if self.reasons else ""
        return f"Explanation({answer}{f', {self.kind}' if self.kind else ''}{reason})"

    def __str__(self) -> str:
        lines = [reason.text for reason in self.reasons]
        lines += [f"it would be {'applicable' if self.action else 'solvable'} {excuse}" for excuse in self.excuses]
        if self.shortfall is not None:
            lines += self.shortfall.sentences([reason.facts for reason in self.reasons if reason.facts])
        return "\n".join(dict.fromkeys(lines))


def explain(
    subject: Position | Task, *, action: GroundAction | str | None = None, limits: Limits | None = None
) -> Explanation:
    """Explain why a position or a task has no plan, or why an action is not applicable.

    Without a time limit the work ends after 20 seconds. Raises ParseError for an action that the task does not have,
    UnsupportedFeature as planners do, and Interrupted, with the explanation so far, on Ctrl-C.
    """
    explainer = None
    try:
        with usually(limits, "explaining"):
            task = subject if isinstance(subject, Task) else subject.task()
            explainer = Explainer(task) if action is None else _OfAction(task, _parsed(action))
            return _with_move(subject, explainer.explanation())
    except LimitReached as reached:
        return _cut_off(explainer, reached.status)
    except KeyboardInterrupt as interrupt:
        raise Interrupted(_cut_off(explainer, CANCELLED)) from interrupt


def usually(limits: Limits | None, phase: str) -> Run:
    """Return a run with `limits`; if no time limit applies, the run gets the default time limit."""
    if (limits is None or limits.time is None) and current().time_left() is None:
        limits = (limits or current().limits).lasting(SECONDS)
    return Run(limits, phase)


def explain_unsolvable(task: Task) -> Explanation:
    """Explain, with little effort, why a task is unsolvable, as a planner claims. Raises LimitReached.

    The explanation is `solvable`, with the sentence, if the states that are searched refute the planner.
    """
    with Run(Limits(time=SMALL_SECONDS)):
        return Explainer(task, SMALL_EFFORT).explanation(proved=True)


def _with_move(subject: Position | Task, explanation: Explanation) -> Explanation:
    """Return the explanation with its first step as a move of the game, unless the levels of the game are PDDL."""
    step = explanation.step
    if step is None or isinstance(subject, Task) or subject.game.level_ending == PDDL:
        return explanation
    return explanation.replace(move=subject.decode(_parsed(step)) if step.startswith("(") else step)


def _cut_off(explainer: Explainer | _OfAction | None, status: str) -> Explanation:
    """Return the explanation as far as it was known when a limit ended the work, with the limit as its `status`."""
    if explainer is None:
        return Explanation(None, status=status, unfinished=WHETHER)
    return explainer.known.replace(status=status, unfinished=explainer.phase)


class Explainer:
    """A search for the reasons why a task has no plan; each planner call expands at most `effort` states.

    `wanting` names the owner of the goal, since a precondition may be examined like a goal. `known` is the proved part
    so far, `phase` the current part of the work.
    """

    def __init__(self, task: Task, effort: int = EFFORT, wanting: str = GOAL) -> None:
        self._task = task
        self._wanting = wanting
        self._effort = effort
        self._exclusions = Exclusions(task)
        self._goals: tuple[Condition, ...] = tuple(conjuncts(task.problem.goal))
        self.known: Explanation = Explanation(None)
        self.phase: str = WHETHER
        self._lacking: list[Literal] = []  # facts missing at the start, if known
        self._always = False  # whether the reason holds for every other start
        self.steps: int = 0
        """The number of steps of the plan, if there is one."""

    def explanation(self, proved: bool = False, mending: bool = True) -> Explanation:
        """Return the strongest reason why there is no plan; if `mending`, with changes that would allow a plan."""
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
            counted = self._counted(self.known)
            if counted.solvable:
                return counted
            found = self._goal_set() or counted
        if found.kind in (GOAL_SET, SEARCH) and not found.unfinished:
            self.known, self.phase = found, SCARCE
            found = self._with_scarce(found)
        self.known, self.phase = found, MENDING
        return self._with_excuses(found) if mending else found

    def _with_scarce(self, explanation: Explanation) -> Explanation:
        """Return an explanation that also names a scarce resource such as fuel, if the task has one."""
        try:
            used_up = self._exclusions.used_up()
            with Run(current().share(SHARE_OF_EXCUSES)):
                name = first_scarce(self._task, list(used_up), min(self._effort, EXCUSING) // 10)
        except LimitReached as reached:
            return explanation.replace(status=reached.status, unfinished=SCARCE)
        if name is None:
            return explanation
        predicate, users = shown_predicate(self._task, name), used_up[name]
        use = f"{listing(users)} {'uses' if len(users) == 1 else 'use'} it up, and no action restores it"
        said = f"there is too little of {predicate}: {use}; if it were never used up, there would be a plan"
        return explanation.replace(reasons=(*explanation.reasons, Reason(said, (), tuple(users))))

    def _with_excuses(self, explanation: Explanation) -> Explanation:
        """Return an explanation with changes that make the task solvable, or with the limit that ended this search."""
        excusing, effort = Excusing(self._task, self._exclusions), min(self._effort, EXCUSING)
        try:
            with Run(current().share(SHARE_OF_EXCUSES)):
                mending = excusing.first_that_helps(self._lacking, effort // 10)
                mending = mending or excusing.fewest(effort, of_the_start=not self._always)
        except LimitReached as reached:
            if explanation.unfinished:
                return explanation
            return explanation.replace(status=reached.status, unfinished=MENDING)
        return explanation.replace(excuses=mending)

    def _plan(self) -> Result:
        """Search for a plan with increasing effort, and return the last result."""
        for planner, effort in (("native", self._effort // 20), ("native:gbfs", self._effort // 20)):
            result = solve(self._task, planner, limits=current().share(SHARE_OF_PLANS), max_expanded=effort)
            if result.plan is not None or result.status == UNSOLVABLE:
                return result
        return solve(self._task, "native", max_expanded=self._effort)

    def _no_achiever(self) -> Explanation | None:
        """Return the explanation that a part of the goal can never become true, by a chain of facts; else None."""
        chain = FactChains(self._task)
        lost = chain.unreachable(self._goals)
        part = next((goal for goal in self._goals if goal in lost), None)
        if part is None:
            return None
        first = Reason(f"nothing can ever make {text(part, {})} true, which {self._wanting} needs", (text(part, {}),))
        self.known = Explanation(False, NO_ACHIEVER, (first,))
        self.phase = "why it cannot be reached"
        rest = [
            Reason(link.text, tuple(dict.fromkeys((link.fact, *link.lacks))), link.actions)
            for link in chain.links(part)
        ]
        self._lacking = chain.lacking(part)
        return Explanation(False, NO_ACHIEVER, (first, *rest))

    def _mutex(self) -> Explanation | None:
        """Return the explanation that two goals exclude each other by an invariant; None without such a pair."""
        goal = self._goals[0] if len(self._goals) == 1 else None
        pair = self._exclusions.pair(tuple(conjuncts(goal.body)) if isinstance(goal, Exists) else self._goals)
        if pair is None:
            return None
        self._always = True
        return self._both(*pair)

    def _pairs(self) -> Explanation | None:
        """Return the explanation that one or two goals are unreachable by h^2; None if this is not proved."""
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
        of_goal = self._wanting == GOAL
        said = "can never be reached, regardless of the other parts" if of_goal else "can never be true"
        said = f"{text(goal, {})} {said}{proof}"
        return Explanation(False, GOAL_SET, (Reason(said, (text(goal, {}),)), *self._why_alone(goal)))

    def _why_alone(self, goal: Condition) -> Iterator[Reason]:
        """Yield the reasons why a goal is unreachable: each action for it needs two facts that exclude each other."""
        literal = literal_of(goal)
        ways = [] if literal is None else list(Achievers(self._task).ways(literal))
        pairs = {self._exclusions.pair(way.needs) for way in ways}
        if len(pairs) == 1 and (pair := pairs.pop()) is not None:
            names, facts = tuple(dict.fromkeys(way.action for way in ways)), (text(pair[0], {}), text(pair[1], {}))
            verb = "can achieve it, and needs" if len(names) == 1 else "can achieve it, and they need"
            yield Reason(f"only {listing(names)} {verb} {listing(facts)}, but {pair[2]}", facts, names)

    def _goal_set(self) -> Explanation | None:
        """Return the explanation that the goals of a minimal set cannot all be reached; None if no set was computed."""
        if len(self._goals) < 2 or (self._effort == SMALL_EFFORT and len(self._goals) > MOST_GOALS):
            return None
        self.phase = SMALLER
        kept, ended = list(self._goals), ""
        with Run(current().share(SHARE_OF_GOALS)):
            for goal in self._goals:
                others = [each for each in kept if each is not goal]
                if not others:
                    break
                result = solve(with_goal(self._task, others), "native", max_expanded=self._effort)
                if result.status == UNSOLVABLE:
                    kept = others
                    self.known = self._set_of(kept, sure=False)
                elif result.plan is None:
                    ended = ended or result.status
                    if result.status in LIMITS:
                        break
        explanation = self._set_of(kept, sure=not ended)
        return explanation.replace(status=ended, unfinished=SMALLER) if ended else explanation

    def _set_of(self, goals: Sequence[Condition], *, sure: bool) -> Explanation:
        """Return the explanation that goals are unreachable together; if `sure`, each smaller set is reachable."""
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
        """Return the explanation that the whole goal is unreachable; the goal replaces `{}` in the text `sentence`."""
        goal = text(with_goal(self._task, self._goals).problem.goal, {})
        named = goal if self._wanting == GOAL else self._wanting
        return Explanation(False, SEARCH, (Reason(sentence.format(named), (goal,)),))

    def _counted(self, explanation: Explanation) -> Explanation:
        """Return the explanation with the number of reachable states, unless this number is too large to count."""
        self.phase = COUNTING
        most = min(MOST_STATES_COUNTED, self._effort)
        space = reachable(self._task, limits=current().share(SHARE_OF_GOALS), max_states=most)
        if not space.complete:
            return explanation
        goal = explanation.reasons[0].facts
        if any(space.goals):
            said = f"the proof that there is no plan is wrong: {goal[0]} holds in a state that can be reached"
            return Explanation(True, reasons=(Reason(said, goal),))
        named = goal[0] if self._wanting == GOAL else self._wanting
        said = f"all {space.states:,} states that can be reached were searched, and {named} holds in none"
        if space.states == 1:
            said = f"no action leads away from the start, where {named} does not hold"
        return explanation.replace(reasons=(Reason(said, goal),), states=space.states)


def with_goal(task: Task, goals: Sequence[Condition]) -> Task:
    """Return a task with the goal replaced by `goals`, without checking types."""
    goal = conjunction(goals)
    return Task(task.domain, task.problem.replace(goal=goal).trusted(task.domain))


def _parsed(action: GroundAction | str) -> GroundAction:
    """Return the action in a text. Raises UsageError unless there is exactly one."""
    if isinstance(action, GroundAction):
        return action

    steps = parse_plan(action, "action").steps
    if len(steps) != 1:
        raise UsageError(f"expected exactly one action, such as '(move a b)', not {action!r:.60}")
    return steps[0]


class _OfAction:
    """A search for the reasons why an action is not applicable at the start, or is never applicable."""

    def __init__(self, task: Task, action: GroundAction) -> None:
        self._task = task
        self._action = action
        self.known: Explanation = Explanation(None, action=str(action))
        self.phase: str = "whether the action is ever applicable"

    def explanation(self) -> Explanation:
        """Explain why the action is not applicable at the start, and whether it is ever applicable."""
        action, name = self._action, (str(self._action),)
        semantics = Semantics(self._task)
        obstacles = semantics.obstacles(semantics.initial, action)
        if not obstacles:
            said = Reason(f"{action} is applicable at the start", (), name)
            return Explanation(True, "", (said,), step=str(action), action=str(action))
        reasons = tuple([Reason(f"at the start {part.reason}", (part.condition,), name) for part in obstacles])
        self.known = self.known.replace(reasons=reasons)
        schema, binding = semantics.schema(action)
        goal = substituted(schema.precondition, binding)
        inner = Explainer(with_goal(self._task, [goal]), wanting="its precondition")
        try:
            later = inner.explanation()
        finally:
            self._store_never(reasons, inner)
        if later.solvable:
            way = f"it becomes applicable: {count(inner.steps, 'action')} from here, the first of them {later.step}"
            return self.known.replace(solvable=True, reasons=(*reasons, Reason(way, (), name)), step=later.step)
        later = later.replace(action=str(action))
        if later.solvable is None:
            return later.replace(reasons=reasons, unfinished=self.phase)
        return later.replace(reasons=(*reasons, Reason(f"{action} is never applicable", (), name), *later.reasons))

    def _store_never(self, reasons: tuple[Reason, ...], inner: Explainer) -> None:
        """Store the explanation that the action is never applicable, if this is proved."""
        if inner.known.solvable is False:
            never = Reason(f"{self._action} is never applicable", (), (str(self._action),))
            self.known = inner.known.replace(reasons=(*reasons, never, *inner.known.reasons), action=str(self._action))
            self.phase = inner.phase


# Levels of games: all reachable positions are explored, and the parts of the goal that they fulfil are reported
# (`state_space.dead_ends`). The reasons from the PDDL are added if the parts explain nothing, since there is only one,
# or if the game names no parts. If the level is too large to explore, only the reasons are given; so is the game's own
# reason for a level that consists of constraints.


def explain_level(position: Position, *, limits: Limits | None = None) -> Explanation:
    """Explain why a level has no solution; for a solvable level, return the first step of a solution.

    Without a time limit the work ends after 20 seconds. Raises Interrupted as `explain` does, and UnsupportedFeature if
    neither the rules nor the PDDL of the game can be searched.
    """
    with usually(limits, "explaining"):
        try:
            said = position.impossible()
        except LimitReached as reached:
            return Explanation(None, status=reached.status, unfinished=WHETHER)
        if said is not None and is_filled_in(position):
            return Explanation(False, SEARCH, (Reason(said),))
        exploration, shortfall = _searched(position)
        if exploration is not None and exploration.cost is not None:
            plan = exploration.space.plan() or ()
            return _with_move(position, Explanation(True, step=str(plan[0]) if plan else None))
        try:
            told = shortfall is not None and len(shortfall.parts) > 1 and bool(position.goal_parts())
            explanation = None if told else explain(position)
        except UnsupportedFeature:  # there is no PDDL: only the rules can explain
            if exploration is None:
                raise
            explanation = None
        if explanation is None or (explanation.solvable is None and shortfall is not None):
            explanation = _by_rules(position, exploration, said)
        explanation = _with_impossible(said, explanation)
        if position.game.level_ending == PDDL and explanation.solvable is False and not explanation.excuses:
            complete = explanation.status == COMPLETE
            explanation = explanation.replace(reasons=(*explanation.reasons, *[Reason(NO_EXCUSE)] * complete))
        if shortfall is None:
            return explanation
        return explanation.replace(shortfall=shortfall, states=explanation.states or shortfall.states)


def _with_impossible(said: str | None, explanation: Explanation) -> Explanation:
    """Return an explanation that begins with the game's own reason `said`; unchanged if `said` is None."""
    if said is None or explanation.solvable:
        return explanation
    reasons = (Reason(said), *[reason for reason in explanation.reasons if reason.text != said])
    if explanation.solvable is None:
        explanation = explanation.replace(solvable=False, kind=SEARCH, status=COMPLETE, unfinished="")
    return explanation.replace(reasons=reasons)


def _searched(position: Position) -> tuple[Exploration | None, Shortfall | None]:
    """Explore a level; return a complete exploration, and which goal parts an unsolvable level can achieve."""
    exploration = shortfall = None
    with suppress(LimitReached), part("exploring", share=SHARE):
        explored = explore(position, max_states=MOST_STATES)
        if explored.complete:
            exploration = explored
            shortfall = None if explored.cost is not None else find_shortfall(explored)
    return exploration, shortfall


def _by_rules(position: Position, exploration: Exploration | None, said: str | None) -> Explanation:
    """Explain by the explored state space why a level has no solution; without a state space, do as `explain` does."""
    if exploration is None:
        return explain(position)
    reason = Reason(said or searched(exploration.states))
    return Explanation(False, SEARCH, (reason,), states=exploration.states)


# Explain which actions of a task are never applicable: `explain DOMAIN PROBLEM --actions`.
#
# Most actions apply in one of the first states. Each of the others is explained like a goal: that some objects fulfil
# its precondition (`reasons`).


def explain_actions(subject: Position | Task, *, limits: Limits | None = None) -> tuple[Explanation, ...]:
    """Explain for each action schema that is never applicable why that is so.

    It is not `solvable`, or None if a limit left that open. Without a time limit the work ends after 20 seconds. Raises
    UnsupportedFeature as planners do.
    """
    with usually(limits, "explaining"):
        task = subject if isinstance(subject, Task) else subject.task()
        seen = set[str]()
        try:
            _add_applicable(Semantics(task), seen)
        except LimitReached:
            pass  # each action that was not seen reports it
        actions = [each for each in task.domain.actions if each.name not in seen]
        explanations = []
        for number, action in enumerate(actions):
            share = (current().time_left() or SECONDS) / (len(actions) - number)
            explanations.append(_explained(task, action, share))
        return tuple([each for each in explanations if not each.solvable])


def _add_applicable(semantics: Semantics, seen: set[str]) -> None:
    """Add to `seen` the names of the actions that are applicable in the first states of a breadth-first search."""

    def steps(state: State) -> Iterator[tuple[None, State, str]]:
        for action in semantics.applicable(state):
            seen.add(action.name)
            yield None, semantics.apply(state, action), action.name

    explorer = Explorer(semantics.initial, steps)
    while explorer.depth is not None and len(seen) < len(semantics.task.domain.actions):
        explorer.expand(FIRST_STATES)


def _explained(task: Task, action: Action, seconds: float) -> Explanation:
    """Explain within `seconds` why an action schema is never applicable."""
    precondition = Exists(action.parameters, action.precondition) if action.parameters else action.precondition
    explainer = Explainer(with_goal(task, [precondition]), SMALL_EFFORT, wanting="its precondition")
    try:
        with Run(Limits(time=seconds)):
            found = explainer.explanation(mending=False)
    except LimitReached as reached:
        found = explainer.known.replace(status=reached.status)
    unfinished = f"whether {action.name} is ever applicable" if found.solvable is None else found.unfinished
    never = [Reason(f"{action.name} is never applicable", (), (action.name,))] * (found.solvable is False)
    reasons = found.reasons[1:] if found.kind == NO_ACHIEVER else found.reasons
    return found.replace(action=action.name, reasons=(*never, *reasons), unfinished=unfinished)
