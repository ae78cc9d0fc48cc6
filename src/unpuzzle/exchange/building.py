"""Build the parts of a problem that all libraries share: types, conditions, single effects, steps of plans.

All libraries refuse `either`, types with several parents, and a parameter that occurs twice. No variable hides another.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from unpuzzle.base.text import count, suggestion
from unpuzzle.exchange.names import refused
from unpuzzle.pddl.declarations import type_parents
from unpuzzle.pddl.formulas import Atom, Exists, Forall
from unpuzzle.pddl.nodes import Action, FunctionTerm, GroundAction, Task, TypedName
from unpuzzle.pddl.normal_form.single_effects import quantified_effects, substituted
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.world import Types

Scope = Mapping[str, Any]
"""The library's object for each name of a parameter or variable."""


class Builder(ABC):
    """A builder of a library's problem, with the library's object for each name; each library has a subclass.

    `connectives` has a function for each class of conditions: of the parts, or of the variables and the body.
    """

    library: str
    connectives: Mapping[type, Callable[..., Any]]

    def __init__(self, task: Task) -> None:
        self.task = task
        self.members = Types(task)
        self.types: dict[str, Any] = {}
        self.predicates: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        self.objects: dict[str, Any] = {}

    def add_types(self, add: Callable[[str, Any], Any]) -> None:
        """Declare the types by calling `add` with the name and the parent of each type."""
        for name, parents in type_parents(self.task.domain).items():  # parents come first
            if len(parents) > 1:
                message = f"{self.library} allows only one parent for a type; '{name}' has several"
                raise refused(message, "several parents")
            if parents[0] not in ("object", *self.types):
                raise refused(f"the types '{name}' and '{parents[0]}' are ancestors of each other", "circular types")
            self.types[name] = add(name, self.types.get(parents[0]))

    def type_of(self, named: TypedName) -> Any:
        """Return the library's type of an object or a variable."""
        if len(named.types) > 1:
            raise refused(f"{self.library} has no 'either'; '{named.name}' has several types", "either")
        return self.types[named.types[0]]

    @abstractmethod
    def variable(self, named: TypedName) -> Any:
        """Return a new variable of the library."""

    def parameters(self, action: Action, make: Callable[[TypedName], Any]) -> tuple[list[Any], Scope]:
        """Return the parameters of an action, and the scope, which maps names to these parameters."""
        if len({each.name for each in action.parameters}) < len(action.parameters):
            raise refused(f"a parameter of '{action.name}' occurs twice", "repeated parameters")
        scope = {each.name: make(each) for each in action.parameters}
        return list(scope.values()), scope

    def condition(self, node: Any, scope: Scope) -> Any:
        """Return the library's form of a condition; its bound variables may hide variables of the scope."""
        return self._condition(substituted(node, {name: name for name in scope}), scope)

    def effects(self, action: Action, scope: Scope) -> Iterator[tuple[list[Any], Any, Any, bool]]:
        """Yield, for each single effect, its variables, its condition, its atom, and whether the atom is added."""
        for effect in quantified_effects(action, self.members):
            variables, inner = self._bound(effect.parameters, scope)
            condition = self._condition(effect.condition, inner)
            yield variables, condition, self.atom(effect.atom, inner), effect.adds

    def atom(self, atom: Atom, scope: Scope) -> Any:
        return self.predicates[atom.predicate](*self._terms(atom.arguments, scope))

    def term(self, term: FunctionTerm, scope: Scope) -> Any:
        return self.functions[term.function](*self._terms(term.arguments, scope))

    def _condition(self, node: Any, scope: Scope) -> Any:
        if isinstance(node, Atom):
            return self.atom(node, scope)
        if isinstance(node, Exists | Forall):
            variables, inner = self._bound(node.parameters, scope)
            return self.connectives[type(node)](variables, self._condition(node.body, inner))
        return self.connectives[type(node)](*[self._condition(part, scope) for part in node.children()])

    def _bound(self, parameters: Iterable[TypedName], scope: Scope) -> tuple[list[Any], Scope]:
        bound = {each.name: self.variable(each) for each in parameters}
        return list(bound.values()), {**scope, **bound}

    def _terms(self, terms: Iterable[str], scope: Scope) -> list[Any]:
        return [scope[term] if term[0] == "?" else self.objects[term] for term in terms]


def bound_steps(
    plan: Iterable[GroundAction], actions: Mapping[str, Any], objects: Mapping[str, Any]
) -> Iterator[tuple[Any, list[Any]]]:
    """Yield, for each step, the action and the objects of the library. Raises ParseError for an unknown name."""
    for step in plan:
        action, arguments = _known(step.name, actions, "action"), step.arguments
        if len(arguments) != len(action.parameters):
            takes = count(len(action.parameters), "argument")
            raise parse_error(f"{step} has {len(arguments)}, but '{step.name}' takes {takes}")
        yield action, [_known(name, objects, "object") for name in arguments]


def _known(name: str, things: Mapping[str, Any], kind: str) -> Any:
    if name not in things:
        raise parse_error(f"the problem has no {kind} '{name}'{suggestion(name, things)}")
    return things[name]
