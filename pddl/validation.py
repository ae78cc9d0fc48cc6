"""Validation of plans by the reference semantics: where and why a plan fails.

verdict = validate(task, plan)
verdict.valid, verdict.cost        True, 14
verdict.step, verdict.reason       3, "step 3, (stack b a), is not applicable: (clear a) is false"
verdict.false[0].since             2, the step that made it false

Steps that begin at the same time may be executed in any order if they are independent, each of each: neither changes a
fact that the other one reads, or that it changes in the other way. Otherwise all orders of a few steps are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.run import Limits, Run, within_limits
from unpuzzle.base.text import listing
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import walk
from unpuzzle.pddl.nodes import Atom, GroundAction, Plan, Task
from unpuzzle.pddl.normal_form import changes, single_effects, substituted
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.table import notebook_html

if TYPE_CHECKING:
    from unpuzzle.pddl.writer import Failure

MOST_TRIED = 8
"""The most steps of which all orders are tried: 1,024 steps in 256 states at most."""
UNCHANGED = "; it was so at the start, and no step before changed it"
CURE = "give each of them a different time"


class FalsePart(Record):
    """A false part of a precondition or of the goal.

    Attributes:
        condition: the part as PDDL.
        reason: a sentence about it.
        since: the number, from 1, of the last step that changed it; None if no step did, or several facts decide it.
    """

    condition: str
    reason: str
    since: int | None = None

    def __str__(self) -> str:
        return self.reason if self.since is None else f"{self.reason}; step {self.since} made it so"


class Validation(Record):
    """The result of validating a plan; its truth value says whether the plan is valid.

    Attributes:
        valid: whether every step was applicable and the goal holds at the end.
        cost: the cost of the steps up to the one that failed.
        step: the number, from 1, of the step that failed; None if the plan is valid or only the goal fails.
        reason: a sentence about the failure; empty if the plan is valid.
        state: the state before the failing step, or at the end; `to_dict()` leaves it out.
        false: all parts of the failing step's precondition that are false.
        missing: all false parts of the goal, if every step is applicable.
    """

    _repr_html_ = notebook_html

    schema = "validation"

    valid: bool
    cost: int | None
    step: int | None
    reason: str
    state: State
    false: tuple[FalsePart, ...] = ()
    missing: tuple[FalsePart, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        del data["state"]
        return data

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"Validation(valid, cost {self.cost})" if self.valid else f"Validation(not valid, {self.reason})"

    def __str__(self) -> str:
        return f"the plan is valid, its cost is {self.cost}" if self.valid else f"the plan is not valid: {self.reason}"


def validate(
    task: Task | Semantics, plan: Plan | Iterable[GroundAction], *, limits: Limits | None = None
) -> Validation:
    """Run a plan from the initial state; return whether it is valid and, if not, which step fails and why.

    Raises ParseError and UnsupportedFeature for faults of the task: among them is an applicable step without a cost,
    since plans of such a task are neither right nor wrong. Raises ParseError, too, for steps at the same time whose
    order matters, LimitReached, and UsageError for a text.
    """
    if isinstance(plan, str | bytes):
        raise UsageError("expected a plan, from parse_plan(text) or read_plan(file), not a text")
    with Run(limits, "validating the plan"):
        semantics = task if isinstance(task, Semantics) else Semantics(task)
        state, cost = semantics.initial, 0
        together = dict(getattr(plan, "together", ()))
        actions = tuple(plan)
        for step, action in enumerate(within_limits(actions), 1):
            if step - 1 in together:
                require_any_order(semantics, state, actions[step - 1 : together[step - 1]])
            try:
                obstacle = semantics.why_not(state, action)
            except ParseError as error:
                return Validation(False, cost, step, f"step {step}: {error.message}", state)
            if obstacle is not None:
                false = _parts(semantics, actions[: step - 1], semantics.obstacles(state, action), UNCHANGED)
                reason = f"step {step}, {action}, is not applicable: {obstacle}"
                return Validation(False, cost, step, reason, state, false)
            state = semantics.apply(state, action)
            cost += semantics.cost(action)
        unmet = semantics.why_unsolved(state)
        if unmet is None:
            return Validation(True, cost, None, "", state)
        missing = _parts(semantics, actions, semantics.missing(state))
        return Validation(False, cost, None, f"the goal is not reached: {unmet}", state, (), missing)


def _parts(
    semantics: Semantics, actions: Sequence[GroundAction], failures: Iterable[Failure], unchanged: str = ""
) -> tuple[FalsePart, ...]:
    """Return the parts of a condition that are false after `actions`, each with the last step that changed its atom.

    The reason ends with `unchanged` if actions can change the atom and no step did.
    """
    failures = tuple(failures)
    wanted = {failure.atom for failure in failures}
    since: dict[Atom | None, int] = {}
    for step, (_, before, after) in enumerate(executed(semantics, actions), 1):
        since.update(dict.fromkeys(wanted & (before ^ after), step))
    fluent = {atom for atom in wanted if atom is not None and atom.predicate in semantics.fluent_predicates}
    same = fluent - since.keys()
    return tuple(
        [
            FalsePart(each.condition, each.reason + unchanged * (each.atom in same), since.get(each.atom))
            for each in failures
        ]
    )


def executed(semantics: Semantics, actions: Iterable[GroundAction]) -> Iterator[tuple[GroundAction, State, State]]:
    """Apply actions one after the other from the initial state; yield each with the state before and after it."""
    before = semantics.initial
    for action in within_limits(actions):
        after = semantics.apply(before, action)
        yield action, before, after
        before = after


# ---- Steps that begin at the same time


class Access(Record):
    """The atoms that a step may read, add and delete."""

    reads: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    def disturbs(self, other: Access) -> bool:
        """Return whether this step may change an atom that `other` reads, or reverse a change that `other` makes."""
        changed = (*self.adds, *self.deletes)
        pairs = ((changed, other.reads), (self.adds, other.deletes), (self.deletes, other.adds))
        return any(_may_be_equal(one, two) for ones, twos in pairs for one in ones for two in twos)


def _may_be_equal(one: Atom, other: Atom) -> bool:
    pairs = zip(one.arguments, other.arguments, strict=False)
    return one.predicate == other.predicate and all(a == b or "?" in (a[0], b[0]) for a, b in pairs)


def require_any_order(semantics: Semantics, state: State, actions: Sequence[GroundAction]) -> None:
    """Raise ParseError if steps with the same start time give different results in different orders.

    If no order of them can be carried out, this is not an error here.
    """
    try:
        accesses = [_access(semantics, action) for action in actions]
    except ParseError:
        return  # an unknown action, or wrong arguments: no order of them can be carried out
    if not any(one.disturbs(other) for one, other in within_limits(permutations(accesses, 2))):
        return
    names = f"{listing(map(str, actions))} begin at the same time"
    if len(actions) > MOST_TRIED:
        raise parse_error(f"{names}, but only {MOST_TRIED} steps can be tried in all orders: {CURE}", actions[0].span)
    states: dict[frozenset[int], set[State]] = {frozenset(): {state}}
    stuck = False
    for _ in actions:
        after: dict[frozenset[int], set[State]] = {}
        for taken, reached in states.items():
            for number in set(range(len(actions))) - taken:
                for before in reached:
                    if semantics.why_not(before, actions[number]) is None:
                        after.setdefault(taken | {number}, set()).add(semantics.apply(before, actions[number]))
                    else:
                        stuck = True
        states = after
    ends = set().union(*states.values())
    if ends and (stuck or len(ends) > 1):
        raise parse_error(f"{names}, but their order matters: {CURE}", actions[0].span)


def _access(semantics: Semantics, action: GroundAction) -> Access:
    """Return the atoms that an action may read, add and delete."""
    schema, binding = semantics.schema(action)
    effect, precondition = substituted(schema.effect, binding), substituted(schema.precondition, binding)
    effects = list(single_effects(schema.replace(parameters=(), effect=effect)))
    conditions = [precondition, *(each for effect in effects for each in effect.conditions)]
    reads = [atom for condition in conditions for atom in walk(condition) if isinstance(atom, Atom)]
    if any(atom.predicate in semantics.derived_predicates for atom in reads):  # it may read all that axioms read
        named = [atom for axiom in semantics.task.domain.axioms for atom in walk(axiom.body) if isinstance(atom, Atom)]
        reads += [Atom(atom.predicate, ("?",) * len(atom.arguments)) for atom in named]
    return Access(tuple(reads), *map(tuple, changes(effects)))
