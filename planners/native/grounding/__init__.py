"""Grounding by the C++ core, which converts a PDDL task to a finite-domain (FDR) task.

The work is done in C++: flat arrays in, a task for the search out (`core/grounding/ground.hpp`). Names are looked up
only for plans; `CoreGrounding.fdr` returns the whole result as an `FDRTask`, for tests and inspection.

flatten.py    a task as flat arrays          survey.py    unreachable actions and goals: lint
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.base.run import current
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.pddl.world import cost_term, undefined_cost
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.grounding.flatten import Flat

Fact = tuple[int, int]
"""(variable, value)."""


def ground(
    flat: Flat, *, instances_only: bool = False, common: bool = False, any_goal: bool = False
) -> _core.Grounding:
    """Ground a task in the C++ core; `flat` is the task encoded as arrays of numbers.

    Raises LimitReached, which names the schema with the most instances, UnsupportedFeature for costs that depend on the
    state or are too large and for conditions of too many variables, ParseError for axioms that cannot be stratified and
    for an applicable action without a cost. (With several starts, it is unknown from which of them it is applicable;
    then it is left out. With `instances_only`, callers check this themselves.)
    """
    buffers = flat.buffers()  # first, so that only the remaining memory counts
    try:
        grounding = _core.ground(
            len(flat.objects),
            **buffers,
            instances_only=instances_only,
            common=common,
            any_goal=any_goal,
            faithful=flat.faithful,
            time_limit=current().time_left(),
            memory_limit=current().memory_left(),
        )
    except ValueError as error:
        if "more than" not in str(error):
            raise
        raise UnsupportedFeature(f"the native planner does not support {error}", feature="long conditions") from None
    if grounding.status == "large_cost":
        name = flat.task.domain.actions[grounding.large_cost].name
        raise UnsupportedFeature(f"the action '{name}' costs more than 2^31-1", feature="large costs")
    if grounding.status != "ground":
        raise limit_reached(grounding.status, _work(flat, grounding))
    if grounding.missing_costs and not instances_only and len(flat.starts) < 2:
        raise next(undefined_costs(flat, grounding))
    return grounding


def undefined_costs(flat: Flat, grounding: _core.Grounding) -> Iterator[ParseError]:
    """Yield an error for each action cost that has no value, with the first ground action that has this cost."""
    for number, place, objects in grounding.missing_costs:
        action = flat.task.domain.actions[number]
        yield undefined_cost(action, cost_term(action, place), tuple([flat.names[each] for each in objects]))


def limit_reached(status: str, work: str) -> LimitReached:
    """Return the LimitReached for the status `timeout` or `memout` of the core; `work` is the interrupted work."""
    limit = "time" if status == "timeout" else "memory"
    return LimitReached(status, f"the {limit} limit was reached while {work}")


class limits_of:
    """A context manager that converts the C++ core's errors at limits to LimitReached; its message names `work`.

    It is a class, since planning a small task must not load `contextlib`.
    """

    __slots__ = ("_work",)

    def __init__(self, work: str) -> None:
        self._work = work

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InterruptedError):
            raise LimitReached(CANCELLED, f"the run was cancelled while {self._work}") from None
        if isinstance(error, (MemoryError, TimeoutError)):
            raise limit_reached(MEMOUT if isinstance(error, MemoryError) else TIMEOUT, self._work) from None


def _work(flat: Flat, grounding: _core.Grounding) -> str:
    """Return a phrase that says how far an interrupted grounding got."""
    phase, schema, largest, instances, facts = grounding.progress
    domain = flat.task.domain
    message = "grounding"
    if phase == "axioms":
        message += f" the axioms of '{domain.axioms[schema].head.name}'"
    elif phase == "actions":
        message += f" the action '{domain.actions[schema].name}'"
    elif phase == "goal":
        message += " the goal"
    if largest >= 0 and instances > 0:
        message += f": the action '{domain.actions[largest].name}' has the most instances, {instances:,} so far"
    return f"{message} (facts reached: {facts:,})" if facts else message


class CoreGrounding:
    """A grounded task, stored in the C++ core, with the names of its operators and facts.

    Attributes:
        goal_possible: False if grounding proved that the goal is unreachable.
        operators: the number of operators.
    """

    def __init__(self, task: Task) -> None:
        """Ground a task within the limits of the run. Raises the same exceptions as the function `ground`."""
        flat = Flat(task)
        self._keep(flat, ground(flat))

    def _keep(self, flat: Flat, grounding: _core.Grounding) -> None:
        self._flat, self._grounding, self._handed_over = flat, grounding, False
        self.goal_possible: bool = grounding.goal_possible
        self.operators: int = grounding.operators

    def buffers(self) -> dict[str, array[int]]:
        """Return the grounded task as arrays, as `FDRTask.buffers` does. Raises UsageError after a call of `task`."""
        self._require_arrays()
        arrays = {}
        for name, data in self._grounding.buffers().items():
            arrays[name] = array("q" if name == "costs" else "i")
            arrays[name].frombytes(data)
        return arrays

    def task(self) -> _core.Task:
        """Return the task for searches in the core; it takes the arrays away, so this object has none afterwards.

        Raises UsageError if called twice, LimitReached if the limits are too small.
        """
        self._require_arrays()
        self._handed_over = True
        with limits_of("the ground task was compiled for the search"):
            return self._grounding.task()

    def _require_arrays(self) -> None:
        if self._handed_over:
            raise UsageError(
                "task() can be called only once, as the search takes the ground task: ground the task again"
            )

    def action(self, operator: int) -> GroundAction:
        number, *arguments = self._grounding.action(operator)
        names = self._flat.names
        return GroundAction(self._flat.task.domain.actions[number].name, tuple([names[a] for a in arguments]))

    def fdr(self) -> FDRTask:
        """Return the finite-domain task as Python objects."""
        return fdr_of(self.buffers(), self.variables(), self.action)

    def variables(self) -> list[Variable]:
        numbers = self.buffers()
        return list(variables_of(self._grounding, self._flat, numbers["domains"], numbers["layers"]))


# The finite-domain task (FDR; called SAS+ by Fast Downward): the interface between grounding (Python) and search (C++).
#
#     grounding ──► FDRTask ──► _core.Task(buffers) ──► _core.search(...)
#
# A state gives every variable one of its values 0..size-1. An operator is applicable if its preconditions hold; all its
# effects' conditions are tested in the state before it, then all effects are written. If two effects that fire set one
# variable, the later one in the list wins (grounding orders deletes before adds, as PDDL requires).
#
# A *derived* variable (`layer >= 0`) has two values and is never set by operators: 0 in every state unless an axiom
# says 1. Axioms are evaluated layer by layer, each to its fixpoint; the body of an axiom of layer k may test derived
# variables of layers <= k for the value 1, and of layers < k for the value 0.
#
# `mutexes` are groups of facts of two or more variables; at most one fact of a group holds in any reachable state.
# Example: the contents of a cell, if the variables are the places of tiles. Searches do not need them; abstractions do.
#
# All literals are positive (`variable = value`). If a task tests that a fact of a variable with more than two values is
# *false*, grounding adds a variable with two values for this fact.


class Effect(Record):
    """A conditional effect of a ground action: it sets `variable` to `value` if all `conditions` hold."""

    conditions: Sequence[Fact]
    variable: int
    value: int


class Operator(Record):
    """A ground action in the finite-domain task, with a cost of 0 or more."""

    action: GroundAction
    precondition: Sequence[Fact]
    effects: Sequence[Effect]
    cost: int


class Rule(Record):
    """A ground axiom: the derived variable `variable` becomes 1 if all facts in `body` hold."""

    variable: int
    body: Sequence[Fact]


class Variable(Record):
    """A finite-domain variable: the atom `values[i]` is true if the variable's value is i (no atom if it is None)."""

    values: Sequence[Atom | None]
    layer: int = -1


class FDRTask(Record):
    """A finite-domain task: all facts in `goal` must be true, and `initial` has a value for each variable."""

    variables: Sequence[Variable]
    initial: Sequence[int]
    goal: Sequence[Fact]
    operators: Sequence[Operator]
    axioms: Sequence[Rule] = ()
    mutexes: Sequence[Sequence[Fact]] = ()

    def buffers(self) -> dict[str, array[int]]:
        """Return the task as arrays of numbers, the form in which the C++ core gets tasks.

        `domains`, `layers`, `initial`: one int32 a variable. `goal`: pairs. `costs`: one int64 an operator.
        `operators`: for each  P, P pairs (precondition), E, then E times  C, C pairs (conditions), variable, value.
        `axioms`: for each  variable, B, B pairs (body). `mutexes`: for each  M, M pairs.
        """
        operators = array("i")
        for operator in self.operators:
            operators.extend((*_flat(operator.precondition), len(operator.effects)))
            for effect in operator.effects:
                operators.extend((*_flat(effect.conditions), effect.variable, effect.value))
        return {
            "domains": array("i", [len(variable.values) for variable in self.variables]),
            "layers": array("i", [variable.layer for variable in self.variables]),
            "initial": array("i", self.initial),
            "goal": array("i", chain.from_iterable(self.goal)),
            "costs": array("q", [operator.cost for operator in self.operators]),
            "operators": operators,
            "axioms": array("i", [number for rule in self.axioms for number in (rule.variable, *_flat(rule.body))]),
            "mutexes": array("i", [number for group in self.mutexes for number in _flat(group)]),
        }


def _flat(facts: Sequence[Fact]) -> tuple[int, ...]:
    """Encode facts as numbers: the length of the list, then variable and value of each fact."""
    return len(facts), *chain.from_iterable(facts)


def fdr_of(numbers: dict[str, array[int]], variables: list[Variable], action: Callable[[int], GroundAction]) -> FDRTask:
    """Convert the arrays of `FDRTask.buffers` to a task; `action` maps operator numbers to ground actions."""
    goal, operators, axioms, mutexes = [iter(numbers[name]) for name in ("goal", "operators", "axioms", "mutexes")]
    return FDRTask(
        tuple(variables),
        tuple(numbers["initial"]),
        tuple(zip(goal, goal, strict=True)),
        tuple([_operator(operators, action(number), cost) for number, cost in enumerate(numbers["costs"])]),
        tuple([Rule(head, _facts(axioms)) for head in axioms]),
        tuple([tuple([(next(mutexes), next(mutexes)) for _ in range(size)]) for size in mutexes]),
    )


def variables_of(grounding: _core.Grounding, flat: Flat, domains: array[int], layers: array[int]) -> Iterator[Variable]:
    """Yield the variables of a grounded task, each with the atoms that its values stand for."""
    predicates, start = list(flat.predicates), 0
    for size, layer in zip(domains, layers, strict=True):
        yield Variable(tuple([_atom(grounding.value(start + i), flat, predicates) for i in range(size)]), layer)
        start += size


def _atom(name: list[int], flat: Flat, predicates: list[str]) -> Atom | None:
    if not name:
        return None
    predicate, *objects = name
    if predicate < 0:
        return Atom(f"@or{objects[0]}")
    return Atom(predicates[predicate], tuple([flat.names[number] for number in objects]))


def _operator(numbers: Iterator[int], action: GroundAction, cost: int) -> Operator:
    precondition = _facts(numbers)
    effects = tuple([Effect(_facts(numbers), next(numbers), next(numbers)) for _ in range(next(numbers))])
    return Operator(action, precondition, effects, cost)


def _facts(numbers: Iterator[int]) -> tuple[Fact, ...]:
    return tuple([(next(numbers), next(numbers)) for _ in range(next(numbers))])
