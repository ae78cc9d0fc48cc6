"""Find the action and the literal in which two PDDL tasks differ, and describe the difference in one sentence.

    point(reference, other, report.difference)     Pointer(action, literal, sentence)

If both tasks have the same object names, and the actions of one are among the other's actions, both are run side by
side by name, breadth first. The first disagreement is reported: an atom at the start, a goal, an action that only one
of them allows, the cost of an action, or an atom after it. If each has its own actions, an action is reported that is
split into several of the other's. Otherwise only the difference found by `same` is known: a step of one task without an
answer in the other. Then the other task's state is searched for the nearest action: by its name, by earlier answers to
such steps, by the number of its parameters, and by the fewest missing conditions.

The reported difference is true of the two tasks; it is the likeliest fault of the author, not a certain one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Action, And, Atom, Condition, Forall, GroundAction, Task
from unpuzzle.pddl.normal_form import substituted
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import executed
from unpuzzle.pddl.writer import write
from unpuzzle.verification.report import GOAL, MISSING, GameDifference

STATES, INSTANCES, PARTS = 2_000, 20_000, 3
"""The most states that are run side by side, ground actions tried as the nearest one, and parts of a split action."""

AUTHORS = "this domain"
"""The name of a task in sentences to its author."""

State = frozenset[Atom]


class Pointer(Record):
    """The action, or another part of a task, in which two tasks differ.

    Attributes:
        action: the ground action, such as `(stack a b)`; None if they differ at the start or only in the goal.
        literal: the condition or effect that makes the difference, such as `(clear b)`; None for costs, and if the
            other task has no near action.
        sentence: both in words.
    """

    action: str | None
    literal: str | None
    sentence: str


def point(
    reference: Task, other: Task, difference: GameDifference, *, names: tuple[str, str] = ("the reference", AUTHORS)
) -> Pointer:
    """Return the action and literal in which two tasks differ, given the difference that `same` found.

    Args:
        difference: of two tasks, so that its steps are ground actions.
        names: the names of the two in the sentence.
    """
    pointer = point_by_names(reference, other, names=names)
    if pointer is not None:
        return pointer
    return _up_to_names(Semantics(reference), Semantics(other), difference, names)


def point_by_names(
    reference: Task, other: Task, *, names: tuple[str, str] = ("the reference", AUTHORS), facts: bool = True
) -> Pointer | None:
    """Return the first difference between two tasks with the same object names; None if none is found.

    Without `facts` only goals, applicable actions and their costs are compared.
    """
    objects = [{each.name for each in (*task.domain.constants, *task.problem.objects)} for task in (reference, other)]
    if objects[0] != objects[1]:
        return None
    return NamedWalk(Semantics(reference), Semantics(other), names, facts).pointer()


def failing(semantics: Semantics, state: State, condition: Condition) -> str | None:
    """Return a false literal of a ground condition; None if the condition is true."""
    if semantics.holds(state, condition):
        return None
    if isinstance(condition, And):
        return next(filter(None, (failing(semantics, state, part) for part in condition.operands)))
    if isinstance(condition, Forall):
        for binding in semantics.types.assignments(condition.parameters, {}):
            part = failing(semantics, state, substituted(condition.body, binding))
            if part is not None:
                return part
    return " ".join(write(condition).split())


class NamedWalk:
    """A breadth-first search through two tasks with the same object names, for their first difference.

    If each has its own actions, only an action that is split into a few of the other is a difference.
    """

    def __init__(self, one: Semantics, two: Semantics, names: tuple[str, str], facts: bool) -> None:
        self._one, self._two, self._names, self._facts = one, two, names, facts
        declared = [{(each.name, len(each.parameters)) for each in side.task.domain.predicates} for side in (one, two)]
        self._shared = {name for name, _ in declared[0] & declared[1]}
        self._common = self._shared & (one.fluent_predicates | two.fluent_predicates)
        ours, theirs = ({(each.name, len(each.parameters)) for each in side.task.domain.actions} for side in (one, two))
        self._known = {name for name, _ in ours & theirs}
        self._nested = ours <= theirs or theirs <= ours

    def pointer(self) -> Pointer | None:
        """Return the first difference; None if the first STATES states show no difference."""
        start = self._one.initial, self._two.initial
        pointer = self._atoms("at the start", *start, self._shared) if self._nested else None
        if pointer is not None:
            return pointer
        waiting: list[tuple[State, State, tuple[str, ...]]] = [(*start, ())]
        seen = {start}
        for one, two, way in waiting:  # the list grows meanwhile
            pointer = self._compared(one, two, way) if self._nested else self._split(one, two, way)
            if pointer is not None:
                return pointer
            for action in [each for each in self._one.applicable(one) if each in self._two.applicable(two)]:
                pair = self._one.apply(one, action), self._two.apply(two, action)
                pointer = self._step(action, *pair, way) if self._nested else None
                if pointer is not None:
                    return pointer
                if pair not in seen and len(seen) < STATES:
                    seen.add(pair)
                    waiting.append((*pair, (*way, str(action))))
        return None

    def _compared(self, one: State, two: State, way: tuple[str, ...]) -> Pointer | None:
        """Return the first difference in the goals or applicable actions of two states; None without a difference."""
        goals = self._one.solved(one), self._two.solved(two)
        if goals[0] != goals[1]:
            return _goal_pointer((self._one, self._two), (one, two), goals, self._names, _after(way))
        mine, theirs = (set(side.applicable(state)) for side, state in ((self._one, one), (self._two, two)))
        for action in sorted(mine ^ theirs, key=str):
            allows, forbids = self._names if action in mine else self._names[::-1]
            side, state = (self._two, two) if action in mine else (self._one, one)
            precondition = _precondition(side.task, action)
            literal = None if precondition is None else failing(side, state, precondition)
            why = f"because its precondition needs {literal}" if literal else "because of the arguments"
            why = f"because it has no action {action.name}" if precondition is None else why
            sentence = f"{_after(way)}, {allows} allows {action} and {forbids} does not, {why}"
            return Pointer(str(action), literal, sentence)
        return None

    def _split(self, one: State, two: State, way: tuple[str, ...]) -> Pointer | None:
        """Return the difference that one action of a task equals several actions of the other task, or None."""
        sides, common = ((self._one, one), (self._two, two)), self._common
        for (side, state), (other, there), names in ((*sides, self._names), (*sides[::-1], self._names[::-1])):
            if not self._known or not side.fluent_predicates <= common or _of(state, common) != _of(there, common):
                continue
            for action in [each for each in side.applicable(state) if each.name not in self._known]:
                after, cost = _of(side.apply(state, action), common), side.cost(action)
                found = (self._steps_to(other, there, after, cost, most) for most in range(1, PARTS + 1))
                steps = next(filter(None, found), ()) if after != _of(state, common) else ()
                if len(steps) > 1:
                    parts = "`, then `".join(step.name for step in steps)
                    whose = ["your " if name == AUTHORS else "" for name in names]
                    lacks = (
                        f"{names[0]} allows {action} and {names[1]} does not, because it has no action {action.name}"
                    )
                    does = f"{whose[1]}`{parts}`, does what {whose[0]}`{action.name}` does"
                    return Pointer(str(action), None, f"{_after(way)}, {lacks}: {does}")
        return None

    def _steps_to(self, side: Semantics, state: State, goal: State, cost: int, most: int) -> tuple[GroundAction, ...]:
        """Return up to `most` actions that lead to the atoms `goal` at exactly the cost `cost`; empty if none do."""
        for action in [each for each in side.applicable(state) if each.name not in self._known]:
            left, after = cost - side.cost(action), side.apply(state, action)
            if left == 0 and _of(after, self._common) == goal:
                return (action,)
            rest = self._steps_to(side, after, goal, left, most - 1) if most > 1 and left >= 0 else ()
            if rest:
                return (action, *rest)
        return ()

    def _step(self, action: GroundAction, one: State, two: State, way: tuple[str, ...]) -> Pointer | None:
        """Return the difference in an action's cost or resulting atoms; None without a difference."""
        first, second = self._names
        costs = self._one.cost(action), self._two.cost(action)
        if costs[0] != costs[1]:
            sentence = f"{_after(way)}, {action} costs {costs[0]} in {first} and {costs[1]} in {second}"
            return Pointer(str(action), None, sentence)
        return self._atoms(f"after {' '.join((*way, str(action)))}", one, two, self._common, str(action))

    def _atoms(
        self, after: str, one: State, two: State, predicates: set[str], action: str | None = None
    ) -> Pointer | None:
        """Return a pointer to the first atom of `predicates` that is true in only one of two states, or None."""
        first, second = self._names
        for atom in sorted(_of(one ^ two, predicates), key=str) if self._facts else ():
            literal = str(atom) if atom in one else f"(not {atom})"
            words = ("true", "false") if atom in one else ("false", "true")
            sentence = f"{after}, {atom} is {words[0]} in {first} and {words[1]} in {second}"
            return Pointer(action, literal, sentence)
        return None


def _of(state: State, predicates: set[str]) -> State:
    return frozenset([atom for atom in state if atom.predicate in predicates])


def _up_to_names(one: Semantics, two: Semantics, difference: GameDifference, names: tuple[str, str]) -> Pointer:
    """Return the difference of tasks with different names, and the most similar action that is not applicable."""
    here, there = _after_steps(one, difference.moves), _after_steps(two, difference.counterparts)
    steps = [f"{move} ~ {other}" for move, other in zip(difference.moves, difference.counterparts, strict=True)]
    after = _after(steps)
    if difference.kind == GOAL:
        goals = one.solved(here), two.solved(there)
        return _goal_pointer((one, two), (here, there), goals, names, after)
    step = difference.step or ""
    missing = difference.kind == MISSING
    allows, forbids = names if missing else names[::-1]
    pairs = zip(*(difference.moves, difference.counterparts)[:: 1 if missing else -1], strict=True)
    partners = {parsed_step(move).name: parsed_step(other).name for move, other in pairs}
    side, state = (two, there) if missing else (one, here)
    nearest = _nearest(side, state, parsed_step(step), partners)
    sentence = f"{after}, {allows} allows {step}, and {forbids} has no such step of that cost"
    if nearest is None:
        return Pointer(step, None, sentence)
    action, literal = nearest
    shown = str(action) if missing else step
    return Pointer(shown, literal, f"{sentence}: the nearest, {action}, needs {literal}")


def _nearest(
    side: Semantics, state: State, like: GroundAction, partners: Mapping[str, str]
) -> tuple[GroundAction, str] | None:
    """Return the inapplicable action that is most similar to `like`, and a false literal of its precondition."""
    best: tuple[tuple[int, int], GroundAction, Condition] | None = None
    for action, schema in islice(_candidates(side, like, partners), INSTANCES):
        precondition = substituted(schema.precondition, schema.binding(action.arguments))
        parts = precondition.operands if isinstance(precondition, And) else (precondition,)
        failures = sum(not side.holds(state, part) for part in parts)
        if failures:
            rank = failures, -len(set(action.arguments) & set(like.arguments))
            if best is None or rank < best[0]:
                best = rank, action, precondition
    if best is None:
        return None
    literal = failing(side, state, best[2])
    return None if literal is None else (best[1], literal)


def _candidates(
    side: Semantics, like: GroundAction, partners: Mapping[str, str]
) -> Iterator[tuple[GroundAction, Action]]:
    """Yield ground actions similar to `like`: with its name or its partner's name, else with as many arguments."""
    schemas: Sequence[Action] = side.task.domain.actions
    for fits in (
        lambda each: each.name == like.name,
        lambda each: each.name == partners.get(like.name),
        lambda each: len(each.parameters) == len(like.arguments),
        lambda each: True,
    ):
        chosen = [each for each in schemas if fits(each)]
        if chosen:
            break
    for schema in chosen:
        names = [each.name for each in schema.parameters]
        domains = side.types.domains(schema.parameters)
        for arguments in product(*(domains[name] for name in names)):
            if len(dict(zip(names, arguments, strict=True))) == len(names):
                yield GroundAction(schema.name, arguments), schema


def _goal_pointer(
    sides: tuple[Semantics, Semantics],
    states: tuple[State, State],
    goals: tuple[bool, bool],
    names: tuple[str, str],
    after: str,
) -> Pointer:
    """Return a pointer to a goal literal that is false in one task's state, while the other task is at a goal."""
    solved, unsolved = names if goals[0] else names[::-1]
    side = 1 if goals[0] else 0  # the one that is not at a goal
    literal = failing(sides[side], states[side], sides[side].task.problem.goal)
    sentence = f"{after}, {solved} is at a goal and {unsolved} is not, because its goal needs {literal}"
    return Pointer(None, literal, sentence)


def _precondition(task: Task, action: GroundAction) -> Condition | None:
    schema = next((each for each in task.domain.actions if each.name == action.name), None)
    return None if schema is None else substituted(schema.precondition, schema.binding(action.arguments))


def _after_steps(side: Semantics, steps: Iterable[str]) -> State:
    states = [after for _, _, after in executed(side, map(parsed_step, steps))]
    return states[-1] if states else side.initial


def parsed_step(step: str) -> GroundAction:
    """Return the ground action in a text such as `(move a b)`."""
    name, *arguments = step.strip("()").split()
    return GroundAction(name, tuple(arguments))


def _after(way: Sequence[str]) -> str:
    return f"after {', '.join(way)}" if way else "at the start"
