"""Names in translations: unchanged, or simplified if they may be any text; and tasks with renamed parts.

PDDL does not distinguish capital letters from small ones, and allows no blanks, brackets or semicolons in names; the
other libraries do. `ExactNames` refuses names that are invalid in PDDL; `PlainNames` finds another name, so plans must
be translated back by a table. `Renamed` gives all parts of a task such names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.pddl.formulas import TOTAL_COST, Atom, Exists, Forall, Increase
from unpuzzle.pddl.nodes import (
    Action,
    Axiom,
    Domain,
    Function,
    FunctionTerm,
    GroundAction,
    Predicate,
    Problem,
    Task,
    TypedName,
    Value,
)  # fmt: skip
from unpuzzle.pddl.normal_form.single_effects import unused

_RESERVED = frozenset(
    "action actions adl all always and assign at axiom condition conditions constants constraints contingent decrease "
    "define derived domain duration effect effects either end equality event exists false fluents forall goal imply "
    "increase init maximize metric minimize not number object objects observe oneof or over parameters precondition "
    "preconditions predicates preference preferences problem process requirements sometime start strips time true "
    "types typing undefined unknown when within".split()
)

Scope = Mapping[Any, str]
"""The new name of each parameter or variable."""


def refused(message: str, feature: str) -> UnsupportedFeature:
    """Return the error for a feature that one side cannot express."""
    return UnsupportedFeature(message, feature=feature)


class PlainNames:
    """Names made from arbitrary texts: a letter, then letters, digits or underscores; never a keyword of PDDL."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken: set[str] = {*_RESERVED, *taken}

    def name(self, text: str, letter: str) -> str:
        """Return an unused name similar to the text; it begins with `letter` if the text begins with no letter."""
        plain = "".join(char if char.isascii() and char.isalnum() else "_" for char in text.lower())
        if not plain[:1].isalpha():
            plain = f"{letter}_{plain.lstrip('_')}"
        name, number = plain, 2
        while name in self._taken:
            name, number = f"{plain}_{number}", number + 1
        self._taken.add(name)
        return name

    def variables(self, taken: Iterable[str]) -> PlainNames:
        """Return a new source of names for variables, which avoids the given names."""
        return PlainNames(taken)


class ExactNames:
    """Names that stay unchanged, in small letters, so that plans need no table. Each kind of thing has its own names.

    Raises UnsupportedFeature for a name that is invalid in PDDL, and for two that differ only in capital letters.
    """

    def __init__(self) -> None:
        self._taken: dict[str, dict[str, str]] = {}

    def name(self, text: str, letter: str) -> str:
        """Return the name in small letters; `letter` stands for the kind of the named thing."""
        name = text.lower()
        if not sayable(name):
            raise refused(f"'{text}' cannot be a name in PDDL", "names that PDDL cannot say")
        taken = self._taken.setdefault(letter, {})
        if name in taken:
            raise refused(f"'{taken[name]}' and '{text}' are the same name in PDDL", "names that differ in capitals")
        taken[name] = text
        return name

    def variables(self, taken: Iterable[str]) -> FreshNames:
        return FreshNames(taken)


class FreshNames:
    """Names of variables: unchanged if valid and unused, else changed, because only the task itself uses them."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def name(self, text: str, letter: str) -> str:
        """Return the name, with a number added if it is in use; an invalid name is changed as in `PlainNames`."""
        name = text.lower().removeprefix("?")
        if not sayable(name):
            name = PlainNames().name(name, letter)
        fresh = unused(name, self._taken)
        self._taken.add(fresh)
        return fresh


def sayable(name: str) -> bool:
    """Return whether a name in small letters is valid in PDDL."""
    if not name or not name.isascii() or not name.isprintable() or name[0] in ":-?":
        return False
    return not set(" ();") & set(name)


def title(text: str | None, fallback: str) -> str:
    """Return the name of a domain or a problem; an invalid name is simplified, because nothing refers to it."""
    name = (text or fallback).lower()
    return name if sayable(name) else PlainNames().name(name, fallback[0])


class Renamed:
    """A task with renamed parts (`task`), and tables of the new names of types, predicates, functions and so on.

    The old names may be any keys, such as the objects of another library; `text` says what a key is called. The objects
    that actions and axioms mention become the constants.
    """

    def __init__(
        self, domain: Domain, problem: Problem, names: ExactNames | PlainNames, text: Callable[[Any], str] = str
    ) -> None:
        self._names, self._text = names, text
        self.types = self._table(domain.types, "t") | {"object": "object"}
        self.predicates = self._table(domain.predicates, "p") | {"=": "="}
        self.functions = self._table(domain.functions, "f") | {TOTAL_COST: TOTAL_COST}
        self.objects = self._table((*domain.constants, *problem.objects), "o")
        self.actions = self._table(domain.actions, "a")
        self._objects_back = {name: key for key, name in self.objects.items()}
        self._actions_back = {name: key for key, name in self.actions.items()}
        self._mentioned: set[str] = set()
        actions, axioms = tuple(map(self._action, domain.actions)), tuple(map(self._axiom, domain.axioms))
        constants = frozenset(self._mentioned)
        objects = self._typed((*domain.constants, *problem.objects), self.objects)
        changed = Domain(
            domain.name,
            (),
            self._typed(domain.types, self.types),
            tuple(each for each in objects if each.name in constants),
            tuple(Predicate(self.predicates[p.name], self._bound(p.parameters, {})[0]) for p in domain.predicates),
            tuple(Function(self.functions[f.name], self._bound(f.parameters, {})[0]) for f in domain.functions),
            actions,
            axioms,
        )
        others = tuple(each for each in objects if each.name not in constants)
        init = tuple(self._node(atom, {}) for atom in problem.init)
        values = tuple(Value(self._node(value.term, {}), value.number) for value in problem.values)
        goal = self._node(problem.goal, {})
        self.task = Task(changed, Problem(problem.name, changed.name, (), others, init, values, goal, problem.metric))

    def back(self, step: GroundAction) -> tuple[Any, tuple[Any, ...]]:
        """Return the old names of the action and the objects of a step. Raises KeyError for unknown names."""
        return self._actions_back[step.name], tuple([self._objects_back[name] for name in step.arguments])

    def _table(self, declared: Iterable[Any], letter: str) -> dict[Any, str]:
        return {key: self._names.name(self._text(key), letter) for key in dict.fromkeys(each.name for each in declared)}

    def _typed(self, declared: Iterable[TypedName], table: Mapping[Any, str]) -> tuple[TypedName, ...]:
        """Return declarations under their new names; an undeclared type becomes `object`."""
        types = {each.types: dict.fromkeys(self.types.get(name, "object") for name in each.types) for each in declared}
        return tuple(TypedName(table[each.name], tuple(types[each.types])) for each in declared)

    def _bound(self, parameters: Iterable[TypedName], scope: Scope) -> tuple[tuple[TypedName, ...], Scope]:
        names = self._names.variables(name[1:] for name in scope.values())
        own = {each.name: f"?{names.name(self._text(each.name), 'v')}" for each in parameters}
        return self._typed(parameters, own), {**scope, **own}

    def _action(self, action: Action) -> Action:
        bound, scope = self._bound(action.parameters, {})
        parts = self._node(action.precondition, scope), self._node(action.effect, scope)
        return Action(self.actions[action.name], bound, *parts)

    def _axiom(self, axiom: Axiom) -> Axiom:
        bound, scope = self._bound(axiom.head.parameters, {})
        return Axiom(Predicate(self.predicates[axiom.head.name], bound), self._node(axiom.body, scope))

    def _node(self, node: Any, scope: Scope) -> Any:
        if isinstance(node, Atom):
            return Atom(self.predicates[node.predicate], self._terms(node.arguments, scope))
        if isinstance(node, FunctionTerm):
            return FunctionTerm(self.functions[node.function], self._terms(node.arguments, scope))
        if isinstance(node, Increase):
            return node if isinstance(node.amount, int) else node.replace(amount=self._node(node.amount, scope))
        if isinstance(node, Exists | Forall):
            bound, inner = self._bound(node.parameters, scope)
            return type(node)(bound, self._node(node.body, inner))
        return node.rebuilt([self._node(part, scope) for part in node.children()])

    def _terms(self, terms: Iterable[Any], scope: Scope) -> tuple[str, ...]:
        names = tuple([scope.get(term) or self.objects[term] for term in terms])
        self._mentioned.update(names)
        return names
