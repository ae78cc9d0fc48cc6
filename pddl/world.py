"""Evaluation of PDDL in states: objects by type, tables of facts, conditions, and costs of actions.

The types of an object are `object`, the declared types, and all their ancestors. For `either` and for parameters that
occur twice see `reading.reader`.

A world stores the argument tuples for which each predicate is true: static predicates (shared by all worlds of a task),
fluent ones, and derived ones, which `query.Axioms` adds. All other atoms are false (closed world).

Without a metric every action costs 1, otherwise what it adds to `total-cost`: see `Costs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import count, listing, suggestion
from unpuzzle.pddl.declarations import ancestors, type_parents
from unpuzzle.pddl.formulas import TOTAL_COST, Effect, FunctionTerm, Increase, conjuncts, effects
from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Condition,
    Exists,
    Forall,
    GroundAction,
    Imply,
    Not,
    Or,
    Task,
    TypedName,
)
from unpuzzle.pddl.syntax import expected, parse_error, unsupported

_TOTAL_COST = FunctionTerm(TOTAL_COST)
MOST_NAMED = 8
"""The largest number of actions that an error about an unknown action lists."""


class Types:
    """The objects of a task by type, in the order of the text, with the constants first."""

    def __init__(self, task: Task) -> None:
        parents = type_parents(task.domain)
        self._of: dict[str, set[str]] = {}
        for named in within_limits((*task.domain.constants, *task.problem.objects)):
            self._of.setdefault(named.name, {"object"}).update(ancestors(named.types, parents))
        self.order: Mapping[str, int] = {name: number for number, name in enumerate(self._of)}
        self._members: dict[tuple[str, ...], tuple[str, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._of

    def of(self, name: str) -> frozenset[str]:
        """Return all types that an object belongs to."""
        return frozenset(self._of[name])

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """Return the objects that belong to at least one of the given types, in the order of the text."""
        if types not in self._members:
            self._members[types] = tuple(name for name, own in self._of.items() if not own.isdisjoint(types))
        return self._members[types]

    def domains(self, parameters: Sequence[TypedName]) -> dict[str, tuple[str, ...]]:
        """Map each parameter of an action or axiom to the objects of its type."""
        domains: dict[str, tuple[str, ...]] = {}
        for parameter in parameters:
            members = self.members(parameter.types)
            if parameter.name in domains:
                members = tuple(name for name in domains[parameter.name] if name in members)
            domains[parameter.name] = members
        return domains

    def assignments(self, parameters: Sequence[TypedName], binding: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield all extensions of a binding in which each parameter has an object of its type."""
        names = [parameter.name for parameter in parameters]
        for objects in within_limits(product(*[self.members(parameter.types) for parameter in parameters])):
            yield {**binding, **dict(zip(names, objects, strict=True))}


class FactTable:
    """The argument tuples for which a predicate is true, with indexes that are built on first use."""

    __slots__ = ("_indexes", "tuples")

    def __init__(self) -> None:
        self.tuples: set[tuple[str, ...]] = set()
        self._indexes: dict[tuple[int, ...], dict[tuple[str, ...], list[tuple[str, ...]]]] = {}

    def update(self, tuples: Iterable[tuple[str, ...]]) -> None:
        self.tuples.update(tuples)
        self._indexes.clear()

    def index(self, positions: tuple[int, ...]) -> Mapping[tuple[str, ...], Collection[tuple[str, ...]]]:
        """Return a map from values at the given argument positions to the tuples with these values."""
        if not positions:
            return {(): self.tuples}
        index = self._indexes.get(positions)
        if index is None:
            index = self._indexes[positions] = {}
            for arguments in self.tuples:
                index.setdefault(tuple([arguments[i] for i in positions]), []).append(arguments)
        return index

    def expected(self, positions: tuple[int, ...]) -> float:
        """Return the average number of tuples with the same values at the given argument positions."""
        return len(self.tuples) / max(len(self.index(positions)), 1)


_EMPTY = FactTable()


def fact_tables(atoms: Iterable[Atom]) -> dict[str, FactTable]:
    by_predicate: dict[str, FactTable] = {}
    for atom in atoms:
        if atom.predicate not in by_predicate:
            by_predicate[atom.predicate] = FactTable()
        by_predicate[atom.predicate].tuples.add(atom.arguments)
    return by_predicate


class World:
    """The true atoms of a state, as one table for each predicate; worlds share the tables of static predicates."""

    __slots__ = ("_tables", "types")

    def __init__(self, types: Types, static: Mapping[str, FactTable], fluents: Iterable[Atom]) -> None:
        self.types: Types = types
        self._tables = {**static, **fact_tables(fluents)}

    def changed(self, deleted: Iterable[Atom], added: Iterable[Atom]) -> World:
        """Return a copy of this world without the `deleted` and with the `added` atoms."""
        world = World(self.types, self._tables, ())
        less, more = fact_tables(deleted), fact_tables(added)
        for predicate in {**less, **more}:
            table = world._tables[predicate] = FactTable()
            gone, new = (tables.get(predicate, _EMPTY).tuples for tables in (less, more))
            table.tuples = (self.facts(predicate).tuples - gone) | new
        return world

    def facts(self, predicate: str) -> FactTable:
        return self._tables.get(predicate, _EMPTY)

    def add(self, predicate: str, tuples: Iterable[tuple[str, ...]]) -> None:
        """Add the given argument tuples to the facts of a derived predicate."""
        self._tables.setdefault(predicate, FactTable()).update(tuples)

    def holds(self, condition: Condition, binding: Mapping[str, str]) -> bool:
        """Return whether a condition is true after its variables are replaced as in `binding`."""
        if isinstance(condition, Atom):
            arguments = tuple([binding.get(term, term) for term in condition.arguments])
            if condition.predicate == "=":
                return arguments[0] == arguments[1]
            return arguments in self.facts(condition.predicate).tuples
        if isinstance(condition, Not):
            return not self.holds(condition.operand, binding)
        if isinstance(condition, And):
            return all(self.holds(operand, binding) for operand in condition.operands)
        if isinstance(condition, Or):
            return any(self.holds(operand, binding) for operand in condition.operands)
        if isinstance(condition, Imply):
            return not self.holds(condition.premise, binding) or self.holds(condition.conclusion, binding)
        if isinstance(condition, Exists | Forall):
            decide = any if isinstance(condition, Exists) else all
            assignments = self.types.assignments(condition.parameters, binding)
            return decide(self.holds(condition.body, inner) for inner in assignments)
        raise TypeError(f"{condition!r} is not a condition")


# Costs of actions. With `(:metric minimize (total-cost))` an action costs the sum of its `increase` effects, or 0
# without any; the amounts are numbers or values given in `:init`. Many tasks give lengths only to the roads that exist,
# which is fine as long as preconditions exclude all others. A task with an applicable action that has no cost is
# refused. (Fast Downward leaves such actions out.) An `increase` under `when` or `forall` is refused: a cost must not
# depend on the state. (Fast Downward refuses it, too; of several `increase` effects it counts only the last.)


class Costs:
    """The costs of a task's actions. Raises UnsupportedFeature for numbers that are not action costs."""

    def __init__(self, task: Task) -> None:
        metric = task.problem.metric
        if metric is not None and metric != _TOTAL_COST:
            raise unsupported(
                f"only (total-cost) can be minimized, not {metric}", feature=":numeric-fluents", span=metric.span
            )
        self._unit = metric is None
        self._amounts = {action.name: [each.amount for each in increases(action)] for action in task.domain.actions}
        self._values = {value.term: value.number for value in task.problem.values}

    def missing(self, action: Action, binding: Mapping[str, str]) -> FunctionTerm | None:
        """Return the first function term in an action's cost that has no value; None if all have a value."""
        if self._unit:
            return None
        terms = (_ground(amount, binding) for amount in self._amounts[action.name] if not isinstance(amount, int))
        return next((term for term in terms if term not in self._values), None)

    def require(self, action: Action, arguments: tuple[str, ...]) -> None:
        """Raise ParseError if the cost of an applicable action has no value."""
        binding = action.binding(arguments)
        term = self.missing(action, binding)
        if term is not None:
            amount = next(each for each in _terms(action) if _ground(each, binding) == term)
            raise undefined_cost(action, amount, arguments)

    def of(self, action: Action, binding: Mapping[str, str]) -> int:
        """Return the cost of a ground action. Raises ParseError if a part of the cost has no value at the start."""
        if self._unit:
            return 1
        return sum(self._amount(amount, binding) for amount in self._amounts[action.name])

    def _amount(self, amount: FunctionTerm | int, binding: Mapping[str, str]) -> int:
        """Return the value of an amount. Raises ParseError if it is undefined, UnsupportedFeature if negative."""
        if isinstance(amount, int):
            number = amount
        else:
            term = _ground(amount, binding)
            if term not in self._values:
                raise parse_error(f"an action costs {term}, but the initial state gives it no value", amount.span)
            number = self._values[term]
        if number < 0:
            span = amount.span if isinstance(amount, FunctionTerm) else None
            raise unsupported(
                f"an action has the negative cost {number}, which is not supported",
                feature=":numeric-fluents",
                span=span,
            )
        return number


class Schemas:
    """The action schemas of a domain, by name."""

    def __init__(self, actions: Sequence[Action], types: Types) -> None:
        self._schemas = {action.name: action for action in actions}
        self._types = types

    def bind(self, action: GroundAction) -> tuple[Action, dict[str, str]]:
        """Return the schema of a ground action, and a map from its variables to objects.

        Raises ParseError for an unknown action or object, a wrong number of arguments, or an argument of the wrong
        type.
        """
        if not isinstance(action, GroundAction):
            raise expected("a ground action is expected", action)
        schema = self._schemas.get(action.name)
        if schema is None:
            hint = suggestion(action.name, self._schemas)
            if not hint and len(self._schemas) <= MOST_NAMED:
                hint = f": there are {listing(self._schemas)}" if len(self._schemas) > 1 else ""
            raise parse_error(f"unknown action '{action.name}'{hint}", action.span)
        if len(action.arguments) != len(schema.parameters):
            takes = count(len(schema.parameters), "argument")
            raise parse_error(
                f"{action} has {count(len(action.arguments), 'argument')}, but '{action.name}' takes {takes}",
                action.span,
            )
        binding: dict[str, str] = {}
        for parameter, name in zip(schema.parameters, action.arguments, strict=True):
            self._check(parameter, name, action)
            if binding.setdefault(parameter.name, name) != name:
                both = f"'{binding[parameter.name]}' and '{name}'"
                raise parse_error(
                    f"{both} in {action} are different values for the same parameter, {parameter.name}", action.span
                )
        return schema, binding

    def _check(self, parameter: TypedName, name: str, action: GroundAction) -> None:
        if name not in self._types:
            raise parse_error(f"unknown object '{name}' in {action}{suggestion(name, self._types.order)}", action.span)
        if self._types.of(name).isdisjoint(parameter.types):
            types = listing(parameter.types, "or")
            raise parse_error(f"'{name}' in {action} is not of type {types}, as {parameter.name} must be", action.span)


def plan_cost(task: Task, plan: Iterable[GroundAction]) -> int:
    """Return the sum of the costs of a plan's steps, without checking whether the plan can be executed.

    Raises ParseError for a step that the task does not have or gives no cost.
    """
    costs, schemas = Costs(task), Schemas(task.domain.actions, Types(task))
    return sum(costs.of(*schemas.bind(action)) for action in plan)


def undefined_cost(action: Action, term: FunctionTerm, arguments: tuple[str, ...]) -> ParseError:
    """Return the error for an applicable action whose cost has no value in the initial state."""
    step, cost = f"({' '.join((action.name, *arguments))})", _ground(term, action.binding(arguments))
    message = f"{step} can be applied, but its cost {cost} has no value in the initial state"
    return parse_error(message if term.span else f"in the effect of action '{action.name}': {message}", term.span)


def cost_term(action: Action, place: int) -> FunctionTerm:
    """Return the function term of the cost effect number `place` of an action."""
    amount = increases(action)[place].amount
    assert isinstance(amount, FunctionTerm)
    return amount


def may_lack_costs(task: Task) -> bool:
    """Return whether the cost of some action may have no value in the initial state."""
    if task.problem.metric is None:
        return False
    used = {term.function for action in task.domain.actions for term in _terms(action)}
    if not used:
        return False
    from math import prod

    types, values = Types(task), Counter({value.term: value.term.function for value in task.problem.values}.values())
    for function in task.domain.functions:
        terms = prod(len(types.members(parameter.types)) for parameter in function.parameters)
        if function.name in used and values[function.name] < terms:
            return True
    return False


def _terms(action: Action) -> list[FunctionTerm]:
    return [each.amount for each in increases(action) if isinstance(each.amount, FunctionTerm)]


def _ground(term: FunctionTerm, binding: Mapping[str, str]) -> FunctionTerm:
    return FunctionTerm(term.function, tuple([binding.get(name, name) for name in term.arguments]))


def increases(action: Action) -> list[Increase]:
    """Return the cost effects of an action. Raises UnsupportedFeature for a conditional one."""
    costs = []
    for effect in conjuncts(action.effect):
        for part in effects(effect):
            if not isinstance(part, Increase):
                continue
            if part.target != _TOTAL_COST:
                message = f"only (total-cost) can be increased, not {part.target}"
                raise unsupported(message, feature=":numeric-fluents", span=part.span)
            if part is not effect:
                message = f"action '{action.name}' increases (total-cost) under 'when' or 'forall'"
                raise unsupported(message, feature="conditional costs", span=part.span)
            costs.append(part)
    return costs


def amounts(action: Action) -> tuple[FunctionTerm | int, ...]:
    """Return the amounts that an action adds to the total cost: the sum of all numbers, and each function term."""
    parts = [each.amount for each in increases(action)]
    number = sum(part for part in parts if isinstance(part, int))
    return (*([number] if number else []), *(part for part in parts if isinstance(part, FunctionTerm)))


def adds_cost(effect: Effect) -> bool:
    """Return whether an effect increases `total-cost`."""
    return any(isinstance(part, Increase) for part in conjuncts(effect))
