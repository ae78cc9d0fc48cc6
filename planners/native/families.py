"""Fast solving of many tasks that differ only in the initial state and the goal, by grounding them once together.

    family = Family(level.task(), starts=[position.atoms() for position in positions])
    family.solve(position.atoms())         a light answer: status, cost, plan (numbers), actions, expanded, generated
    family.solve_many(positions)           the same, one for each, on two threads, without Python's lock

All members have the domain, the objects and the static facts of one task; `Union` makes one task of several that differ
in these. Grounding covers the union of the starts known so far (`CommonGround`, also the basis of `StateSpace`), and
records its assumptions (`core/grounding/common.hpp`), which decide whether another start or goal fits it. If one does
not, the family grounds again, including the new one: the answer is correct in any case, but takes longer. So goals
other than the task's should be given first.

Conditions on a start for which the encoded task is equivalent to its own task, and where they are checked:

    its atoms are of the task: predicates, types of objects, no derived ones; static ones are true   `_Membership`
    no fact is true that grounding found impossible, and every fact that it found certain is         the core's `Packer`
    at most one fact of each mutex group is true, exactly one of an exact group                      the core's `Packer`
    the facts of its goal have a variable, or are certain, or impossible                             `CommonGround.goal`

Every step preserves the second and the third (`Basis` in `core/grounding/encoding.hpp`), so they hold in all states of
the search, where operators, axioms and goal are equivalent to the task's. A packed start has passed these tests for one
grounding, and is valid only there.

Searches are blind and optimal (`core/search/small_search.hpp`): they are meant for up to some hundred thousand states.
Plans are *not* replayed on the reference semantics, which takes many times as long as finding them, unless
`validate=True`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cached_property
from threading import RLock

from unpuzzle.base.errors import DependencyMissing, LimitReached, UsageError
from unpuzzle.base.run import Limits, Run, current, within_limits
from unpuzzle.base.text import count, listing
from unpuzzle.base.values import Record
from unpuzzle.model.position import Position
from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, conjuncts
from unpuzzle.pddl.nodes import Condition, Domain, GroundAction, Predicate, Task, TypedName
from unpuzzle.pddl.normal_form import fluent_predicates, restricted, restricted_effect
from unpuzzle.pddl.validation import validate
from unpuzzle.pddl.world import Types
from unpuzzle.planners.native.compiled import core
from unpuzzle.planners.native.grounding import CoreGrounding, ground, limit_reached
from unpuzzle.planners.native.grounding.flatten import Flat
from unpuzzle.planners.native.planner import missing

Start = frozenset[Atom]

FIRST_STARTS = 512
"""The number of starts in the first grounding; later ones are added only if they do not fit. Grounding takes 2.7 times
as long for 512 starts as for 16, no longer than grounding once or twice more.
"""
_EQUAL = (TypedName("?one", ("object",)), TypedName("?other", ("object",)))
PRESENT = "@present"
MANY_OBJECTS, RECENT = 100, 8
"""See `groups`."""


class CommonGround(CoreGrounding):
    """The grounding of a task together with several initial states, `starts`, and several goals.

    `starts` are sets of atoms, at least one; static facts that are not the task's do not count. `goals` are the
    conditions allowed in `goal`; with `any_goal` all conditions are allowed, and relevance prunes nothing. Facts of the
    `varying` predicates, which no action changes, come from the start. `faithful` keeps everything, even if it is
    irrelevant for the goal, so that states and transitions are the same as in the task. Raises as `ground` does.
    """

    def __init__(
        self,
        task: Task,
        starts: Sequence[Start],
        goals: Iterable[Condition],
        *,
        any_goal: bool = False,
        varying: frozenset[str] = frozenset(),
        faithful: bool = False,
    ) -> None:
        flat = Flat(task, starts=starts, goals=goals, varying=varying, faithful=faithful)
        self._keep(flat, ground(flat, common=True, any_goal=any_goal))

    @cached_property
    def actions(self) -> tuple[GroundAction, ...]:
        return tuple([self.action(number) for number in within_limits(range(self.operators))])

    @cached_property
    def arrays(self) -> dict[str, array[int]]:
        """The arrays of the grounded task; they must not be changed."""
        return self.buffers()

    def initial(self, start: int) -> list[int]:
        """Return the value of each variable in the initial state with the number `number`."""
        return self._grounding.initial(start)

    def goal(self, goal: Condition) -> tuple[bool, list[tuple[int, int]] | None]:
        """Return whether this grounding allows a goal, and the goal's facts (None for a goal that can never be true).

        Raises LimitReached.
        """
        limits = current().remaining()
        status, facts = self._grounding.goal(*self._flat.goal(goal), *limits)
        if status in ("timeout", "memout"):
            raise limit_reached(status, "grounding the goal")
        return status == "told", facts

    @cached_property
    def start_facts(self) -> list[tuple[Atom, tuple[int, int], bool]]:
        """The atoms that an initial state may have, each with its variable (or -1), its value, and whether it must."""
        predicates, objects = list(self._flat.predicates), self._flat.names
        return [
            (Atom(predicates[name[0]], tuple([objects[number] for number in name[1:]])), (variable, value), certain)
            for name, variable, value, certain in within_limits(self._grounding.start_facts())
        ]

    def certain(self) -> frozenset[Atom]:
        """Return the atoms that are true in all states and therefore have no variable."""
        return frozenset([atom for atom, (variable, _), certain in self.start_facts if certain and variable < 0])

    def action_numbers(self, meaning: Callable[[GroundAction], Hashable] | None = None) -> list[int]:
        """Return a number for each operator; operators share a number if `meaning` is equal for their actions."""
        numbers: dict[Hashable, int] = {}
        actions = within_limits(self.actions)
        return [numbers.setdefault(meaning(action) if meaning else action, len(numbers)) for action in actions]

    def family(self) -> core.Family:
        """Return the C++ object that solves tasks of this grounding; call once only, as it takes the arrays away."""
        facts = self.start_facts
        numbers = {atom: number for number, (atom, _, _) in enumerate(facts)}
        # All static facts share the number after the others: it does not matter which of them a start mentions.
        static = [atom for atom in self._flat.task.problem.init if atom.predicate not in self._flat.fluent]
        numbers |= dict.fromkeys(static, len(facts))
        return core.Family(self.task(), self._grounding, numbers, self.actions)


class Packed(Record):
    """An initial state, encoded by `Family.pack` so that repeated searches from it begin faster.

    The words are valid for one grounding of one family, which has this `mark`; elsewhere the atoms are used.
    """

    atoms: Start
    mark: object
    words: bytes


class InterruptedAnswer(Record):
    """The answer of a search that was cancelled or ran out of time; it has the same fields as `_core.Answer`."""

    status: str
    cost: int | None = None
    plan: list[int] | None = None
    actions: tuple[GroundAction, ...] | None = None
    expanded: int = 0
    generated: int = 0


class _Grounding:
    """The current grounding of a family of tasks; `numbers` maps each goal in the C++ object to its number there."""

    def __init__(self, common: CommonGround) -> None:
        self.common = common
        self.core = common.family()
        self.mark: object = object()
        self.numbers: dict[Condition, int] = {}

    def add(self, goal: Condition) -> bool:
        """Add a goal to this grounding; return False if the grounding does not allow this goal."""
        fits, facts = self.common.goal(goal)
        if fits:
            self.numbers[goal] = self.core.add_goal(facts)
        return fits


class _Membership:
    """A checker of initial states and goals: it tests whether they belong to the family of a task."""

    def __init__(self, task: Task, varying: frozenset[str]) -> None:
        domain, problem = task.domain, task.problem
        self.task = task
        self.derived: frozenset[str] = frozenset(axiom.head.name for axiom in domain.axioms)
        self.fluent: frozenset[str] = varying | fluent_predicates(domain)
        self.static: frozenset[Atom] = frozenset(atom for atom in problem.init if atom.predicate not in self.fluent)
        self.valid: frozenset[Atom] = frozenset()  # fluents that have been checked; threads may lose some
        self.types: Types = Types(task)
        self.parameters: dict[str, tuple[TypedName, ...]] = {each.name: each.parameters for each in domain.predicates}

    def fluents(self, start: Start) -> Start:
        """Return the changeable atoms of an initial state. Raises UsageError for a state of another family."""
        new = start - self.valid - self.static
        for atom in sorted(new, key=str):
            self.check(atom)
            if atom.predicate in self.derived:
                raise UsageError(f"{atom} is derived by axioms and cannot be part of an initial state")
            if atom.predicate not in self.fluent:
                raise UsageError(
                    f"{atom} is static and false in the family's task, so this initial state belongs to another family"
                )
        if new:
            self.valid |= new
        return start - self.static

    def check(self, condition: Condition, bound: frozenset[str] = frozenset()) -> None:
        """Raise UsageError if a condition has a predicate or an object that the task does not have."""
        if isinstance(condition, Exists | Forall):
            bound |= {parameter.name for parameter in condition.parameters}
        for part in condition.children():
            self.check(part, bound)
        if not isinstance(condition, Atom):
            return
        name, terms = condition.predicate, condition.arguments
        parameters = _EQUAL if name == "=" else self.parameters.get(name)
        if parameters is None:
            raise UsageError(f"{condition}: the domain has no predicate '{name}'")
        if len(parameters) != len(terms):
            raise UsageError(
                f"{condition}: '{name}' takes {count(len(parameters), 'argument')}, but {len(terms)} are given"
            )
        for term, parameter in zip(terms, parameters, strict=True):
            if term not in self.types and term not in bound:
                raise UsageError(f"{condition}: the family's task has no object '{term}'")
            if term not in bound and self.types.of(term).isdisjoint(parameter.types):
                raise UsageError(
                    f"{condition}: '{name}' takes {listing(parameter.types, 'or')}, but '{term}' is of another type"
                )

    def member(self, start: Start, goal: Condition | None) -> Task:
        domain, problem = self.task.domain, self.task.problem
        own = problem.replace(init=(*self.static, *self.fluents(start)), goal=problem.goal if goal is None else goal)
        return Task(domain, own.trusted(domain))


class Family:
    """All tasks that differ from one task only in the initial state and the goal; one grounding serves for all.

    `task` is one member: its initial state is a start, and its goal is the default goal. `starts` (sets of atoms,
    static ones or not, or positions) and `goals` are the expected ones. No action changes the `varying` predicates, but
    each start has its own facts of them. `limits` are for each grounding, the first and later ones; `groundings`
    counts them.

    Raises UsageError, with the reason, for a start of another family; LimitReached while grounding, and as grounding
    does; DependencyMissing without the compiled core.
    """

    def __init__(
        self,
        task: Task,
        starts: Iterable[Start | Position] | None = None,
        goals: Iterable[Condition] = (),
        *,
        varying: Iterable[str] = (),
        limits: Limits | None = None,
    ) -> None:
        if absent := missing():
            raise DependencyMissing(f"a family of tasks cannot be grounded: {absent}", dependency="native")
        self.task = task
        self.groundings: int = 0
        self._varying = frozenset(varying)
        self._goals: dict[Condition, None] = dict.fromkeys((task.problem.goal, *goals))
        self._any_goal = False
        self._membership = _Membership(task, self._varying)
        self._starts: dict[Start, None] = {}
        self._lock = RLock()  # locked while the grounding changes; answers come from a grounding that no longer changes
        first = [_atoms(start) for start in starts or ()]
        self._limits = limits
        self._ground([frozenset(task.problem.init), *first[:FIRST_STARTS]])
        self._pack(first)

    def _ground(self, starts: Iterable[Start]) -> None:
        self._starts.update(dict.fromkeys(self._membership.fluents(start) for start in starts))
        every, goals, varying = list(self._starts), self._goals, self._varying
        with Run(self._limits, "grounding"):
            common = CommonGround(self.task, every, goals, any_goal=self._any_goal, varying=varying)
        self.groundings += 1
        self._current = _Grounding(common)

    def _fit(self, starts: list[Start], goals: Collection[Condition]) -> tuple[_Grounding, bytes]:
        """Ground the task again until all initial states and goals fit; return the grounding and the encoded states."""
        with self._lock:
            while True:
                for goal in goals:
                    self._number(goal)
                words, ground = self._pack(starts), self._current
                if all(goal in ground.numbers for goal in goals):
                    return ground, words

    def _pack(self, starts: list[Start]) -> bytes:
        """Return the encoded initial states; if one does not fit the current grounding, ground the task again."""
        most, earlier = FIRST_STARTS, set[int]()
        while True:
            words, strangers = self._current.core.pack_many(starts)
            if not strangers:
                return words
            assert earlier.isdisjoint(strangers), "a grounding must fit the initial states for which it was made"
            earlier.update(strangers[:most])
            self._ground([starts[number] for number in strangers[:most]])
            most *= 2

    def _number(self, goal: Condition) -> None:
        """Return the number of a goal in the current grounding; if the goal does not fit, ground the task again."""
        if goal in self._current.numbers:
            return
        self._membership.check(goal)
        if not self._current.add(goal):
            self._goals[goal] = None
            self._any_goal = True
            self._ground(())
            fits = self._current.add(goal)
            assert fits, "a grounding must fit the goal for which it was made"

    def pack(self, init: Start | Position) -> Packed:
        """Encode an initial state, so that many calls of `solve` with it are faster."""
        atoms = _atoms(init)
        ground, words = self._fit([atoms], ())
        return Packed(atoms, ground.mark, words)

    def solve(
        self,
        init: Start | Position | Packed,
        goal: Condition | None = None,
        *,
        limits: Limits | None = None,
        max_expanded: int | None = None,
        validate: bool = False,
    ) -> core.Answer | InterruptedAnswer:
        """Solve the task with this initial state: return an optimal plan, `unsolvable`, or the limit that was reached.

        `init` are the atoms that are true (static ones may be left out), a position of a puzzle, or a result of `pack`;
        `limits` are for this search alone; after `max_expanded` states it gives up. `validate` replays the plan on the
        reference semantics (slow), and raises AssertionError if it fails.
        """
        ground, answer = self._current, None
        goal = self.task.problem.goal if goal is None else goal
        number = ground.numbers.get(goal)
        try:
            with _searching(limits):
                budget = _budget(limits, max_expanded)
                if number is not None:
                    fits = isinstance(init, Packed) and init.mark is ground.mark
                    start: Start | bytes = init.words if isinstance(init, Packed) and fits else _atoms(init)
                    answer = ground.core.solve(start, number, *budget)
                if answer is None:  # the start or the goal has atoms that this grounding lacks
                    ground, words = self._fit([_atoms(init)], [goal])
                    answer = ground.core.solve(words, ground.numbers[goal], *budget)
                    assert answer is not None
        except LimitReached as reached:
            return InterruptedAnswer(reached.status)
        if validate:
            self.check(_atoms(init), answer, goal)
        return answer

    def solve_many(
        self,
        inits: Iterable[Start | Position],
        goals: Sequence[Condition | None] | None = None,
        *,
        threads: int = 2,
        limits: Limits | None = None,
        max_expanded: int | None = None,
        validate: bool = False,
    ) -> Sequence[core.Answer | InterruptedAnswer]:
        """Solve the tasks with these initial states; return the answers in the same order.

        `goals` has one goal for each start, None for the task's own. The time limit is for the whole call (starts
        not reached are `timeout`), the memory limit for each search. Otherwise it works like `solve`. Answers do not
        depend on the number of threads.
        """
        starts = [_atoms(init) for init in inits]
        usual = self.task.problem.goal
        targets = [usual if goal is None else goal for goal in ([None] * len(starts) if goals is None else goals)]
        if len(targets) != len(starts):
            raise UsageError(
                f"each initial state needs one goal: there are {len(targets)} goals for {len(starts)} initial states"
            )
        try:
            with _searching(limits):
                ground, words = self._fit(starts, dict.fromkeys(targets))
                numbers = [ground.numbers[goal] for goal in targets]
                budget = _budget(limits, max_expanded)
                found = ground.core.solve_many(words, numbers, threads, *budget) if starts else []
                answers = [answer or _ended() for answer in found]
        except LimitReached as reached:
            return [InterruptedAnswer(reached.status)] * len(starts)
        if validate:
            for start, answer, goal in zip(starts, answers, targets, strict=True):
                self.check(start, answer, goal)
        return answers

    def check(self, init: Start, answer: core.Answer | InterruptedAnswer, goal: Condition | None = None) -> None:
        """Validate an answer's plan by the reference semantics. Raises AssertionError if plan or cost is wrong."""
        if answer.actions is None:
            return
        verdict = validate(self._membership.member(init, goal), answer.actions)
        if not verdict or verdict.cost != answer.cost:
            raise AssertionError(verdict.reason or f"the plan costs {verdict.cost}, not {answer.cost}")


def _ended() -> InterruptedAnswer:
    """Return the answer for a search that was cancelled or has used up the processor time."""
    try:
        current().interrupt()
    except LimitReached as reached:
        return InterruptedAnswer(reached.status)
    raise AssertionError("the core reported that the search was interrupted, but no limit of the run was reached")


def _budget(limits: Limits | None, max_expanded: int | None) -> tuple[float | None, int | None, int | None]:
    """Return the limits of one search in the C++ core: seconds, bytes, and the number of expanded states."""
    seconds, memory = current().remaining()
    return seconds, memory if limits is None or limits.memory is None else limits.memory, max_expanded


def _searching(limits: Limits | None) -> Run:
    """Return a new `Run` with the given limits; without limits, return the current one, which is faster."""
    return current() if limits is None else Run(limits, "searching")


def _atoms(start: Start | Position | Packed) -> Start:
    if isinstance(start, Position):
        return start.atoms()
    return start.atoms if isinstance(start, Packed) else start


# Tasks of one domain merged into one family, although their objects and static facts differ:
#
#     union = Union(tasks)
#     family = Family(union.task, [union.start(task) for task in tasks], varying=union.varying)
#     family.solve(union.start(task), union.goal(task))
#
# The union has all objects. If an object is missing in some task, a new fact `(@present x)` is true in the starts of
# the tasks that have `x`, and quantifiers and parameters that could stand for such an object range over present
# objects. A parameter in an atom of the precondition needs no guard, since no true atom mentions an absent object.
# Static predicates with different facts become part of the starts. So grounding, which would take most of the time of a
# small level, is done once.
#
# Conditions on the tasks, all of which `groups` checks: they have one domain, one metric with equal values, and no
# object of two types. Then the steps of a task are the steps of the union from its start:
#
# - No true atom mentions an absent object. At the start none does. Parameters, and variables of quantifiers and of
#   effects, stand for present objects only, by a guard or by an atom of the precondition; so actions and axioms make no
#   such atom true.
# - So conditions mean the same as in the task, and guards are true for all objects that the task could choose.
# - No action changes static facts or `@present`, so they stay as they are at the start.


def groups(tasks: Sequence[Task]) -> list[list[int]]:
    """Divide tasks into groups that should be grounded together; return each group as a list of task indices.

    If each task has many objects that others do not have, such as the numbers it may reach, grounding the union would
    take longer than grounding each task: with more than `MANY_OBJECTS`, a union has at most a quarter more than its
    smallest task. Only the most `RECENT` groups are tried, as there may be as many groups as tasks.
    """
    by_domain: dict[Hashable, list[tuple[dict[str, frozenset[str]], list[int]]]] = {}
    for number, task in enumerate(tasks):
        problem = task.problem
        types = {item.name: frozenset(item.types) for item in problem.objects}
        # Without a metric, costs do not matter, so tasks that differ only in them go together.
        costs = None if problem.metric is None else (problem.metric, frozenset(problem.values))
        candidates = by_domain.setdefault((task.domain, costs), [])
        for objects, members in candidates[-RECENT:]:
            fits = all(objects.get(name, own) == own for name, own in types.items())
            if fits and _is_worth_merging(objects, types, (tasks[member] for member in members)):
                objects.update(types)
                members.append(number)
                break
        else:
            candidates.append((types, [number]))
    return [members for candidates in by_domain.values() for _, members in candidates]


def _is_worth_merging(
    objects: dict[str, frozenset[str]], types: dict[str, frozenset[str]], members: Iterable[Task]
) -> bool:
    """Return whether it saves time to add a task to a group; `types` and `objects` map objects to their types."""
    new = len(types.keys() - objects.keys())
    if len(objects) + new <= MANY_OBJECTS or (len(objects) == len(types) and not new):
        return True
    smallest = min(len(types), *[len(member.problem.objects) for member in members])
    return 4 * (len(objects) + new) <= 5 * smallest


class Union:
    """A task that combines several tasks, one of the `groups`; its initial state says which of them is meant.

    Attributes: `task`, `varying`, for `Family`.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        domain, problem = tasks[0].domain, tasks[0].problem
        self.fluent: frozenset[str] = fluent_predicates(domain)
        static = [frozenset(each for each in task.problem.init if each.predicate not in self.fluent) for task in tasks]
        common = static[0].intersection(*static)
        self.varying: frozenset[str] = frozenset(atom.predicate for atoms in static for atom in atoms - common)
        objects = {item.name: item for task in tasks for item in task.problem.objects}
        everywhere = set(objects).intersection(*[{item.name for item in task.problem.objects} for task in tasks])
        self.absent: frozenset[str] = frozenset(objects.keys() - everywhere)
        self.present: dict[str, Atom] = {
            name: Atom(PRESENT, (name,)) for name in (*objects, *[c.name for c in domain.constants])
        }
        init = tuple(sorted((atom for atom in common if atom.predicate not in self.varying), key=str))
        whole = problem.replace(domain_name=domain.name, requirements=(), objects=tuple(objects.values()), init=init)
        self.types: Types = Types(Task(domain, whole.trusted(domain)))
        if self.absent:
            self.varying |= {PRESENT}
            domain = self._domain(domain)
        init += tuple(sorted(self.start(tasks[0]), key=str))
        self.task: Task = Task(domain, whole.replace(init=init, goal=self.goal(tasks[0])).trusted(domain))

    def start(self, task: Task) -> frozenset[Atom]:
        """Convert the initial state of one task of the group to an initial state of the combined task."""
        own = [atom for atom in task.problem.init if atom.predicate in self.fluent or atom.predicate in self.varying]
        if self.absent:
            own += [self.present[item.name] for item in (*task.domain.constants, *task.problem.objects)]
        return frozenset(own)

    def goal(self, task: Task) -> Condition:
        """Convert the goal of one task of the group to a goal of the combined task."""
        return self._condition(task.problem.goal)

    def _domain(self, domain: Domain) -> Domain:
        """Return the domain with conditions that exclude objects which the selected task does not have."""
        axioms = [each.replace(body=self._guarded(each.head.parameters, each.body)) for each in domain.axioms]
        conditions = [self._guarded(action.parameters, action.precondition) for action in domain.actions]
        actions = [
            action.replace(precondition=condition, effect=restricted_effect(action.effect, self._present))
            for action, condition in zip(domain.actions, conditions, strict=True)
        ]
        predicates = (*domain.predicates, Predicate(PRESENT, (TypedName("?x"),)))
        return domain.replace(predicates=predicates, actions=tuple(actions), axioms=tuple(axioms))

    def _present(self, parameters: Iterable[TypedName]) -> tuple[Atom, ...]:
        """Return the atoms that say that the objects of parameters exist in the selected task."""
        return tuple(
            [Atom(PRESENT, (p.name,)) for p in parameters if not self.absent.isdisjoint(self.types.members(p.types))]
        )

    def _guarded(self, parameters: tuple[TypedName, ...], condition: Condition) -> Condition:
        atoms = [part for part in conjuncts(condition) if isinstance(part, Atom) and part.predicate != "="]
        mentioned = {term for atom in atoms for term in atom.arguments}
        guards, condition = self._present(p for p in parameters if p.name not in mentioned), self._condition(condition)
        return And((*guards, condition)) if guards else condition

    def _condition(self, condition: Condition) -> Condition:
        if self.absent:
            condition = restricted(condition, self._present)
        return condition
