"""The finite-domain task of the C++ grounding as Python objects: `FDRTask.buffers()` backwards."""

from __future__ import annotations

from unpuzzle.pddl.nodes import Atom

from .fdr import Effect, FDRTask, Operator, Rule, Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator

    from unpuzzle.pddl.nodes import GroundAction

    from .._core import Grounding
    from .fdr import Fact
    from .flatten import Flat


def fdr_of(numbers: dict[str, array[int]], variables: list[Variable], action: Callable[[int], GroundAction]) -> FDRTask:
    """Return the core's task, from its arrays."""
    goal = iter(numbers["goal"])
    operators = iter(numbers["operators"])
    axioms = iter(numbers["axioms"])
    mutexes = iter(numbers["mutexes"])
    return FDRTask(
        tuple(variables),
        tuple(numbers["initial"]),
        tuple(zip(goal, goal, strict=True)),
        tuple([_operator(operators, action(number), cost) for number, cost in enumerate(numbers["costs"])]),
        tuple([Rule(head, _facts(axioms)) for head in axioms]),
        tuple([tuple([(next(mutexes), next(mutexes)) for _ in range(size)]) for size in mutexes]),
    )


def variables_of(grounding: Grounding, flat: Flat, domains: array[int], layers: array[int]) -> Iterator[Variable]:
    """Yield the variables, by the names of their values."""
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
