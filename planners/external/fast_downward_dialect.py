"""Tasks rewritten or refused if Fast Downward gets them wrong, so that its proofs hold for the original task.

- `(either a b)`: the translator silently drops an axiom with it, and cannot read it elsewhere. A variable gets a new
  type above a and b; an object gets a new type below them.
- Several `increase` in one action: only the last counts. They become one; if terms were among them, its amount is a new
  function with the sums as values.
- `(forall (?v - a) (or))`: the translator takes a constant for the whole, also where a has no objects and the whole is
  true. Constants below quantifiers become tests of the variable.
- It counts in 32 bits, even heuristic values: with large costs it reports solvable tasks as unsolvable.

Names of actions and objects are unchanged, so a plan needs no translation.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.pddl.costs import increases
from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, FunctionTerm, Increase, Not, Or, When, conjuncts
from unpuzzle.pddl.node import Node
from unpuzzle.pddl.nodes import OBJECT, Action, Function, Task, TypedName, Value

Types = tuple[str, ...]

MOST_COST = 10**7
"""The largest cost of one action: some two hundred of them still fit into 32 bits."""
MOST_SUM = 2**31 - 1
MOST_SUMS = 100_000  # the largest number of values of a new function


def in_its_words(task: Task) -> Task:
    """Return an equal task that Fast Downward reads correctly. Raises UnsupportedFeature for costs that do not fit."""
    task = _without_constants(_without_either(task))
    if task.problem.metric is not None and any(len(increases(action)) > 1 for action in task.domain.actions):
        task = _Sums(task).task()
    require_small_costs(task)
    return task


def require_small_costs(task: Task) -> None:
    """Raise UnsupportedFeature for a task with costs too large for Fast Downward."""
    if task.problem.metric is None:
        return
    amounts = [each.amount for action in task.domain.actions for each in increases(action)]
    used = {amount.function for amount in amounts if isinstance(amount, FunctionTerm)}
    numbers = [value.number for value in task.problem.values if value.term.function in used]
    largest = max([0, *numbers, *[amount for amount in amounts if isinstance(amount, int)]])
    if largest > MOST_COST:
        message = f"Fast Downward counts in 32 bits: a cost of {largest:,} is too large for it"
        raise UnsupportedFeature(message, feature="large costs")


def _without_constants(task: Task) -> Task:
    domain, goal = task.domain, _tested(task.problem.goal)
    actions = [a.replace(precondition=_tested(a.precondition), effect=_tested(a.effect, None)) for a in domain.actions]
    axioms = [each.replace(body=_tested(each.body)) for each in domain.axioms]
    changed = domain.replace(actions=tuple(actions), axioms=tuple(axioms))
    found = Task(changed, task.problem.replace(goal=goal).trusted(changed))
    return task if found == task else found


def _tested(formula: Any, variable: str | None = "") -> Any:
    """Return a condition (or an effect, if the variable is None) with tests of variables for constants."""
    if variable and isinstance(formula, And | Or) and not formula.operands:
        same = Atom("=", (variable, variable))
        return same if isinstance(formula, And) else Not(same)
    if isinstance(formula, When):
        return When(_tested(formula.condition), _tested(formula.effect, None), span=formula.span)
    if isinstance(formula, Exists | Forall) and variable is not None and formula.parameters:
        variable = formula.parameters[0].name
    return formula.rebuilt([_tested(part, variable) for part in formula.children()])


def _without_either(task: Task) -> Task:
    domain, problem = task.domain, task.problem
    variables: list[TypedName] = []

    def look(item: TypedName) -> TypedName:
        variables.append(item)
        return item

    _rewrite((domain.predicates, domain.functions, domain.actions, domain.axioms, problem.goal), look)
    names = {item.name for item in domain.types} | {item.name for item in domain.predicates}
    parents = {item.name: item.types for item in domain.types}
    several = dict.fromkeys(item.types for item in variables if len(item.types) > 1)
    above = {types: _above(types, parents, names) for types in several}
    constants, objects = (_plain(items, parents, names) for items in (domain.constants, problem.objects))
    if not above and constants == domain.constants and objects == problem.objects:
        return task

    def typed(item: TypedName) -> TypedName:
        return TypedName(item.name, above.get(item.types, item.types), span=item.span)

    types = tuple([TypedName(name, own) for name, own in parents.items()])
    kinds = ("predicates", "functions", "actions", "axioms")
    schemas = {kind: _rewrite(getattr(domain, kind), typed) for kind in kinds}
    changed = domain.replace(types=types, constants=constants, **schemas)
    return Task(changed, problem.replace(objects=objects, goal=_rewrite(problem.goal, typed)).trusted(changed))


def _above(types: Types, parents: dict[str, Types], names: set[str]) -> Types:
    """Return a new type above all of these."""
    if "object" in types:
        return OBJECT
    union = _fresh("-or-".join(types), names)
    parents[union] = OBJECT
    for name in types:
        parents[name] = (*[parent for parent in parents.get(name, ()) if parent != "object"], union)
    return (union,)


def _plain(items: tuple[TypedName, ...], parents: dict[str, Types], names: set[str]) -> tuple[TypedName, ...]:
    """Return the objects with one type each: several types become a new one below them."""
    below: dict[Types, Types] = {}
    for item in items:
        if len(item.types) > 1 and item.types not in below:
            both = _fresh("-and-".join(item.types), names)
            parents[both] = tuple([name for name in item.types if name != "object"])
            below[item.types] = (both,)
    return tuple([TypedName(item.name, below.get(item.types, item.types), span=item.span) for item in items])


def _rewrite(node: Any, typed: Any) -> Any:
    """Return a node with each declaration of a variable changed by `typed`."""
    if isinstance(node, TypedName):
        return typed(node)
    if isinstance(node, tuple):
        return tuple([_rewrite(part, typed) for part in node])
    if not isinstance(node, Node):
        return node
    kind: Any = type(node)
    return kind(*[_rewrite(getattr(node, name), typed) for name in node._fields], span=node.span)


class _Sums:
    """A task in which each action adds to total-cost once at most."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._names = {function.name for function in task.domain.functions}
        self._functions: list[Function] = []
        self._values: list[Value] = []

    def task(self) -> Task:
        domain, problem = self._task.domain, self._task.problem
        actions = tuple([self._action(action) for action in domain.actions])
        changed = domain.replace(functions=(*domain.functions, *self._functions), actions=actions)
        return Task(changed, problem.replace(values=(*problem.values, *self._values)).trusted(changed))

    def _action(self, action: Action) -> Action:
        costs = increases(action)
        if len(costs) < 2:
            return action
        terms = [each.amount for each in costs if isinstance(each.amount, FunctionTerm)]
        number = sum(each.amount for each in costs if isinstance(each.amount, int))
        amount = self._sum(action.name, terms, number) if terms else number
        rest = [part for part in conjuncts(action.effect) if not isinstance(part, Increase)]
        return action.replace(effect=And((*rest, Increase(costs[0].target, amount))))

    def _sum(self, name: str, terms: list[FunctionTerm], number: int) -> FunctionTerm:
        """Return a term of a new function whose values are the sums of all terms and the number."""
        every = self._task.problem.values
        tables = [[value for value in every if value.term.function == each.function] for each in terms]
        size = prod(map(len, tables))
        if size > MOST_SUMS:
            message = f"Fast Downward takes one cost of an action, and the sum of those of '{name}' has {size:,} values"
            raise UnsupportedFeature(message, feature="several costs of one action")
        function = _fresh(f"cost-of-{name}", self._names)
        arguments = tuple([argument for term in terms for argument in term.arguments])
        self._functions.append(Function(function, tuple([TypedName(f"?a{n}") for n in range(len(arguments))])))
        for values in product(*tables):
            objects = tuple([argument for value in values for argument in value.term.arguments])
            self._values.append(Value(FunctionTerm(function, objects), number + sum(value.number for value in values)))
        return FunctionTerm(function, arguments)


def _fresh(name: str, names: set[str]) -> str:
    while name in names:
        name += "-x"
    names.add(name)
    return name
