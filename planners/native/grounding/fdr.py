"""The finite-domain task (FDR; called SAS+ by Fast Downward): the interface between grounding (Python) and search
(C++).

    grounding ──► FDRTask ──► _core.Task(buffers) ──► _core.search(...)

A state gives every variable one of its values 0..size-1. An operator is applicable if its preconditions hold; all its
effects' conditions are tested in the state before it, then all effects are written. If two effects that fire set one
variable, the later one in the list wins (grounding orders deletes before adds, as PDDL requires).

A *derived* variable (`layer >= 0`) has two values and is never set by operators: 0 in every state unless an axiom says
1. Axioms are evaluated layer by layer, each to its fixpoint; the body of an axiom of layer k may test derived variables
of layers <= k for the value 1, and of layers < k for the value 0.

`mutexes` are groups of facts of two or more variables; at most one fact of a group holds in any reachable state.
Example: the contents of a cell, if the variables are the places of tiles. Searches do not need them; abstractions do.

All literals are positive (`variable = value`). If a task tests that a fact of a variable with more than two values is
*false*, grounding adds a variable with two values for this fact.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Atom, GroundAction
from unpuzzle.planners.native.compiled import core
from unpuzzle.planners.native.grounding.flatten import Flat

Fact = tuple[int, int]
"""(variable, value)."""


class Effect(Record):
    """An effect `variable := value`, which happens if all `conditions` hold in the state before the operator."""

    conditions: Sequence[Fact]
    variable: int
    value: int


class Operator(Record):
    """A ground action. `cost` is a whole number, 0 or more."""

    action: GroundAction
    precondition: Sequence[Fact]
    effects: Sequence[Effect]
    cost: int


class Rule(Record):
    """A ground axiom: the derived `variable` becomes 1 if all facts of `body` hold."""

    variable: int
    body: Sequence[Fact]


class Variable(Record):
    """A variable: `values[i]` is the atom that is true at value i, or None if no atom of the variable is true then."""

    values: Sequence[Atom | None]
    layer: int = -1


class FDRTask(Record):
    """A ground task. `goal` is a list of facts, all of which must hold; `initial` has one value for each variable."""

    variables: Sequence[Variable]
    initial: Sequence[int]
    goal: Sequence[Fact]
    operators: Sequence[Operator]
    axioms: Sequence[Rule] = ()
    mutexes: Sequence[Sequence[Fact]] = ()

    def buffers(self) -> dict[str, array[int]]:
        """Return the task as flat arrays, the only form in which tasks are passed to C++.

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
    """Return the number of facts, followed by the two numbers (variable, value) of each fact."""
    return len(facts), *chain.from_iterable(facts)


def fdr_of(numbers: dict[str, array[int]], variables: list[Variable], action: Callable[[int], GroundAction]) -> FDRTask:
    """Return the task of `variables` and the arrays of `FDRTask.buffers()`; `action` gives each operator's action."""
    goal, operators, axioms, mutexes = [iter(numbers[name]) for name in ("goal", "operators", "axioms", "mutexes")]
    return FDRTask(
        tuple(variables),
        tuple(numbers["initial"]),
        tuple(zip(goal, goal, strict=True)),
        tuple([_operator(operators, action(number), cost) for number, cost in enumerate(numbers["costs"])]),
        tuple([Rule(head, _facts(axioms)) for head in axioms]),
        tuple([tuple([(next(mutexes), next(mutexes)) for _ in range(size)]) for size in mutexes]),
    )


def variables_of(grounding: core.Grounding, flat: Flat, domains: array[int], layers: array[int]) -> Iterator[Variable]:
    """Yield the variables, with the atoms of their values."""
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
