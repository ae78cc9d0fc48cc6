"""Tasks for Fast Downward: those that it would misread are rewritten or refused, so that its proofs are valid.

- `(either a b)`: the translator silently drops an axiom with it, and cannot read it elsewhere. A variable gets a new
  type above a and b; an object gets a new type below them.
- Several `increase` in one action: only the last counts. They become one; if terms were among them, its amount is a new
  function with the sums as values.
- `(forall (?v - a) (or))`: the translator takes a constant for the whole, also where a has no objects and the whole is
  true. Constants below quantifiers become tests of the variable.
- An axiom that needs its own head below `forall`: the translator makes a negated axiom of `forall`, and then refuses
  the cycle. Such a `forall` becomes a conjunction of instances of a new derived predicate.
- `(when c (forall (?v - a) e))`: it breaks if e has several parts, and mixes up variables of the same name. Effects
  become single ones.
- It counts in 32 bits, even heuristic values: with large costs it reports solvable tasks as unsolvable. Costs beyond
  MOST_COST are refused; `costs_fit` says whether sums of smaller ones may have been too large.

Names of actions and objects are unchanged, so a plan needs no translation.
"""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import Any

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.pddl.declarations import atoms, closures
from unpuzzle.pddl.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Node,
    Not,
    Or,
    When,
    conjuncts,
    effects,
    free_variables,
)
from unpuzzle.pddl.nodes import OBJECT, Action, Axiom, Function, Predicate, Task, TypedName, Value
from unpuzzle.pddl.normal_form import quantified_effects, rewritten, typed_names
from unpuzzle.pddl.world import Types, increases
from unpuzzle.planners.external.fast_downward_mutexes import flat_effect, with_actions

TypeNames = tuple[str, ...]

MOST_COST = 10**7
"""The largest cost of one action: some two hundred of them still fit into 32 bits."""
MOST_SUM = 2**31 - 1
MOST_ABSTRACT_STATES = 2 * 10**7
_TERMS = tuple(
    re.compile(rf"{words}: (\d+)", re.M)
    for words in ("Number of registered states", "^Translator operators", "^Translator facts")
)
MOST_INSTANCES = 10_000
"""The largest number of instances of a condition below `forall`."""
MOST_SUMS = 100_000  # the largest number of values of a new function


def in_its_words(task: Task) -> Task:
    """Return an equal task that Fast Downward reads correctly. Raises UnsupportedFeature if costs are too large."""
    task = _without_nested_effects(_without_recursion_below_forall(_without_constants(_without_either(task))))
    if task.problem.metric is not None and any(len(increases(action)) > 1 for action in task.domain.actions):
        task = _Sums(task).task()
    require_small_costs(task)
    return task


def require_small_costs(task: Task) -> None:
    """Raise UnsupportedFeature for a task with costs too large for Fast Downward."""
    largest = largest_cost(task)
    if largest > MOST_COST:
        message = f"Fast Downward counts in 32 bits: a cost of {largest:,} is too large for it"
        raise UnsupportedFeature(message, feature="large costs")


def largest_cost(task: Task) -> int:
    """Return an upper bound for the cost of every action."""
    if task.problem.metric is None:
        return 1
    numbers: dict[str, int] = {}
    for value in task.problem.values:
        numbers[value.term.function] = max(value.number, numbers.get(value.term.function, 0))

    def most(amount: FunctionTerm | int) -> int:
        return amount if isinstance(amount, int) else numbers.get(amount.function, 0)

    return max((sum(most(each.amount) for each in increases(action)) for action in task.domain.actions), default=0)


def costs_fit(log: str, task: Task, *, small_sums: bool) -> bool:
    """Return whether the log shows that all numbers in a search fit into 32 bits; False if this is unclear.

    A path visits no state twice. An estimate is a sum of costs, too: of operators and facts, each once at most, if
    `small_sums`, otherwise also of as many abstract states as Fast Downward keeps. Some searches add 1 to each cost.
    """
    terms = 0 if small_sums else MOST_ABSTRACT_STATES
    for pattern in _TERMS:
        numbers = pattern.findall(log)
        if not numbers:
            return False
        terms += sum(map(int, numbers))
    return terms * (largest_cost(task) + 1) < MOST_SUM


def _without_constants(task: Task) -> Task:
    """Return a task without empty `and` and `or` in conditions."""
    domain, goal = task.domain, _tested(task.problem.goal)
    actions = [
        each.replace(precondition=_tested(each.precondition), effect=rewritten(each.effect, condition=_tested))
        for each in domain.actions
    ]
    axioms = [each.replace(body=_tested(each.body)) for each in domain.axioms]
    changed = domain.replace(actions=tuple(actions), axioms=tuple(axioms))
    found = Task(changed, task.problem.replace(goal=goal).trusted(changed))
    return task if found == task else found


def _tested(condition: Any, variable: str = "") -> Any:
    """Return a condition in which tests of a quantified variable replace empty `and` and `or`."""
    if variable and isinstance(condition, And | Or) and not condition.operands:
        same = Atom("=", (variable, variable))
        return same if isinstance(condition, And) else Not(same)
    if isinstance(condition, Exists | Forall) and condition.parameters:
        variable = condition.parameters[0].name
    return condition.rebuilt([_tested(part, variable) for part in condition.children()])


def _without_nested_effects(task: Task) -> Task:
    """Return a task in which no effect has a `forall` inside a `when`."""

    def is_nested(action: Action) -> bool:
        whens = [part for part in effects(action.effect) if isinstance(part, When)]
        return any(isinstance(part, Forall) for when in whens for part in effects(when.effect))

    def flat(action: Action) -> Action:
        return action.replace(effect=flat_effect(action, list(quantified_effects(action, types))))

    types = Types(task)
    return with_actions(task, [flat(each) if is_nested(each) else each for each in task.domain.actions])


def _without_recursion_below_forall(task: Task) -> Task:
    """Return a task in which no axiom uses a predicate of its own stratum inside a `forall`."""
    if not task.domain.axioms:
        return task
    found = _Instances(task)
    axioms = [
        each.replace(body=found.condition(each.head.name, each.body, each.head.parameters)) for each in found.axioms
    ]
    if not found.predicates:
        return task
    predicates = (*task.domain.predicates, *found.predicates)
    constants = (*task.domain.constants, *task.problem.objects)  # it reads no other names in a domain
    domain = task.domain.replace(predicates=predicates, axioms=(*axioms, *found.new), constants=constants)
    return Task(domain, task.problem.replace(objects=()).trusted(domain))


class _Instances:
    """A rewriter of axioms: it replaces each `forall` around a predicate of the same stratum by all its instances.

    Each body gets its own derived predicate, or a disjunction below `forall` would be multiplied out.
    """

    def __init__(self, task: Task) -> None:
        self.axioms: tuple[Axiom, ...] = task.domain.axioms
        self.predicates: list[Predicate] = []
        self.new: list[Axiom] = []
        self._types = Types(task)
        self._names = {each.name for each in task.domain.predicates}
        self._needs = closures(task.domain)

    def condition(self, head: str, node: Any, scope: tuple[TypedName, ...], positive: bool = True) -> Any:
        """Return an axiom's condition with all recursive `forall` replaced; `scope` are the variables around it."""
        if isinstance(node, Imply):
            premise = self.condition(head, node.premise, scope, not positive)
            return Imply(premise, self.condition(head, node.conclusion, scope, positive))
        inner = (*scope, *node.parameters) if isinstance(node, Exists | Forall) else scope
        positive = positive != isinstance(node, Not)
        parts = [self.condition(head, part, inner, positive) for part in node.children()]
        again = any(head in self._needs.get(atom.predicate, ()) for atom, _ in atoms(node))
        if not (again and isinstance(node, Forall if positive else Exists)):
            return node.rebuilt(parts) if parts else node
        instances = self._instances(head, node, parts[0] if positive else Not(parts[0]), inner)
        return instances if positive else Not(instances)

    def _instances(self, head: str, node: Any, body: Any, scope: tuple[TypedName, ...]) -> And:
        """Return the conjunction of all instances of a `forall`, each as an atom of a new derived predicate."""
        if prod(len(self._types.members(each.types)) for each in node.parameters) > MOST_INSTANCES:
            message = (
                f"Fast Downward cannot read axioms of '{head}' that use '{head}' in a 'forall' over so many objects"
            )
            raise UnsupportedFeature(message, feature="recursion through forall")
        free = free_variables(body)
        own = tuple({each.name: each for each in scope if each.name in free}.values())
        predicate = Predicate(_fresh(f"each-of-{head}", self._names), own)
        self.predicates.append(predicate)
        self.new.append(Axiom(predicate, body))
        terms = [
            tuple([values.get(each.name, each.name) for each in own])
            for values in self._types.assignments(node.parameters, {})
        ]
        return And(tuple([Atom(predicate.name, each) for each in dict.fromkeys(terms)]))


def _without_either(task: Task) -> Task:
    """Return a task in which no variable and no object has several types."""
    domain, problem = task.domain, task.problem
    variables = typed_names(domain.predicates, domain.functions, domain.actions, domain.axioms, problem.goal)
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


def _above(types: TypeNames, parents: dict[str, TypeNames], names: set[str]) -> TypeNames:
    """Return a common supertype of the given types: `object` if it is one of them, else a new type."""
    if "object" in types:
        return OBJECT
    union = _fresh("-or-".join(types), names)
    parents[union] = OBJECT
    for name in types:
        parents[name] = (*[parent for parent in parents.get(name, ()) if parent != "object"], union)
    return (union,)


def _plain(items: tuple[TypedName, ...], parents: dict[str, TypeNames], names: set[str]) -> tuple[TypedName, ...]:
    """Return objects with one type each; for an object with several types, that is a new common subtype."""
    below: dict[TypeNames, TypeNames] = {}
    for item in items:
        if len(item.types) > 1 and item.types not in below:
            both = _fresh("-and-".join(item.types), names)
            parents[both] = tuple([name for name in item.types if name != "object"])
            below[item.types] = (both,)
    return tuple([TypedName(item.name, below.get(item.types, item.types), span=item.span) for item in items])


def _rewrite(node: Any, typed: Any) -> Any:
    """Return a copy of a node in which the function `typed` has replaced each declaration of a variable."""
    if isinstance(node, TypedName):
        return typed(node)
    if isinstance(node, tuple):
        return tuple([_rewrite(part, typed) for part in node])
    if not isinstance(node, Node):
        return node
    kind: Any = type(node)
    return kind(*[_rewrite(getattr(node, name), typed) for name in node._fields], span=node.span)


class _Sums:
    """A task rewritten so that each action adds to `total-cost` at most once."""

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
        """Return an action with one cost effect, the sum of all its cost effects."""
        costs = increases(action)
        if len(costs) < 2:
            return action
        terms = [each.amount for each in costs if isinstance(each.amount, FunctionTerm)]
        number = sum(each.amount for each in costs if isinstance(each.amount, int))
        amount = self._sum(action.name, terms, number) if terms else number
        rest = [part for part in conjuncts(action.effect) if not isinstance(part, Increase)]
        return action.replace(effect=And((*rest, Increase(costs[0].target, amount))))

    def _sum(self, name: str, terms: list[FunctionTerm], number: int) -> FunctionTerm:
        """Return a term of a new function, whose values are the sums of `terms` and a number."""
        every = self._task.problem.values
        tables = [[value for value in every if value.term.function == each.function] for each in terms]
        size = prod(map(len, tables))
        if size > MOST_SUMS:
            message = f"Fast Downward allows one cost per action, but the sum of costs of '{name}' has {size:,} values"
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
