"""Parts that all translations share: tables of names, tasks with renamed parts, and a builder of problems.

PDDL does not distinguish capital letters from small ones, and allows no blanks, brackets or semicolons in names; the
other libraries do. `ExactNames` refuses names that are invalid in PDDL; `PlainNames` finds another name, so plans must
be translated back by a table. `Renamed` gives all parts of a task such names. All libraries refuse `either`, types with
several parents, and a parameter that occurs twice. No variable hides another.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from unpuzzle.base.text import count, suggestion
from unpuzzle.pddl.declarations import folded_domain
from unpuzzle.pddl.formulas import TOTAL_COST, Atom, Exists, Forall, Increase
from unpuzzle.pddl.nodes import Action, Axiom, Domain, FunctionTerm, GroundAction, Predicate, Problem, Task, TypedName
from unpuzzle.pddl.normal_form import quantified_effects, substituted, unused
from unpuzzle.pddl.plain_names import PlainNames, is_pddl_name, plain_name
from unpuzzle.pddl.syntax import parse_error, unsupported
from unpuzzle.pddl.world import Types

Scope = Mapping[str, Any]
"""The library's object for each name of a parameter or variable."""


class ExactNames:
    """The PDDL names of a translation: the old names in small letters, unique among types, among predicates and so on.

    Raises UnsupportedFeature for a name that is invalid in PDDL, and for two that differ only in capital letters.
    """

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], str] = {}

    def name(self, text: str, letter: str) -> str:
        """Return `text` in small letters; `letter` is `t` for a type, `p` for a predicate and so on."""
        name = text.lower()
        if not is_pddl_name(name):
            raise unsupported(f"'{text}' cannot be a name in PDDL", feature="names that PDDL cannot say")
        other = self._taken.setdefault((letter, name), text)
        if other != text:
            raise unsupported(
                f"'{other}' and '{text}' are the same name in PDDL", feature="names that differ in capitals"
            )
        return name

    def variable(self, text: str, taken: set[str]) -> str:
        """Return `text` in small letters as the name of a variable, changed if it is invalid in PDDL or in `taken`."""
        name = text.lower()
        return unused(name if is_pddl_name(name) else plain_name(name, "v"), taken)


class Renamed:
    """A task under new names (`task`), and tables of the new names of its types, predicates, functions and so on.

    The old names may be any keys, such as the objects of another library; `text` says what a key is called. The objects
    that actions and axioms mention become the constants.
    """

    def __init__(
        self, domain: Domain, problem: Problem, names: ExactNames | PlainNames, text: Callable[[Any], str] = str
    ) -> None:
        self._names, self._text = names, text
        objects = (*domain.constants, *problem.objects)
        self.types = self._table(domain.types, "t") | {"object": "object"}
        self.predicates = self._table(domain.predicates, "p") | {"=": "="}
        self.functions = self._table(domain.functions, "f") | {TOTAL_COST: TOTAL_COST}
        self.objects = self._table(objects, "o")
        self.actions = self._table(domain.actions, "a")
        self._objects_back = {name: key for key, name in self.objects.items()}
        self._actions_back = {name: key for key, name in self.actions.items()}
        self._mentioned: set[str] = set()
        actions = tuple(self._declared(each, self.actions) for each in domain.actions)
        axioms = tuple(map(self._axiom, domain.axioms))
        constants = frozenset(self._mentioned)
        renamed = self._typed(objects, self.objects)
        changed = Domain(
            domain.name,
            (),
            self._typed(domain.types, self.types),
            tuple(each for each in renamed if each.name in constants),
            tuple(self._declared(each, self.predicates) for each in domain.predicates),
            tuple(self._declared(each, self.functions) for each in domain.functions),
            actions,
            axioms,
        )
        others = tuple(each for each in renamed if each.name not in constants)
        init = tuple(self._node(atom, {}) for atom in problem.init)
        values = tuple(value.replace(term=self._node(value.term, {})) for value in problem.values)
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

    def _bound(
        self, parameters: Iterable[TypedName], scope: Mapping[Any, str]
    ) -> tuple[tuple[TypedName, ...], Mapping[Any, str]]:
        """Return parameters under their new names, and the new names of these parameters and of the scope."""
        own, taken = dict[Any, str](), {name[1:] for name in scope.values()}
        for each in parameters:
            name = self._names.variable(self._text(each.name).removeprefix("?"), taken)
            own[each.name] = f"?{name}"
            taken.add(name)
        return self._typed(parameters, own), {**scope, **own}

    def _declared(self, declared: Any, table: Mapping[Any, str]) -> Any:
        """Return a predicate, a function or an action under its new name."""
        bound, scope = self._bound(declared.parameters, {})
        name, _, *parts = [getattr(declared, field) for field in declared._fields]
        return type(declared)(table[name], bound, *[self._node(part, scope) for part in parts])

    def _axiom(self, axiom: Axiom) -> Axiom:
        bound, scope = self._bound(axiom.head.parameters, {})
        return Axiom(Predicate(self.predicates[axiom.head.name], bound), self._node(axiom.body, scope))

    def _node(self, node: Any, scope: Mapping[Any, str]) -> Any:
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

    def _terms(self, terms: Iterable[Any], scope: Mapping[Any, str]) -> tuple[str, ...]:
        names = tuple([scope.get(term) or self.objects[term] for term in terms])
        self._mentioned.update(names)
        return names


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
        for each in folded_domain(self.task.domain).types:  # parents come first
            if len(each.types) > 1:
                message = f"{self.library} allows only one parent for a type; '{each.name}' has several"
                raise unsupported(message, feature="several parents")
            self.types[each.name] = add(each.name, self.types.get(each.types[0]))

    def type_of(self, named: TypedName) -> Any:
        """Return the library's type of an object or a variable."""
        if len(named.types) > 1:
            raise unsupported(
                f"{self.library} has no types with 'either', but '{named.name}' has several types", feature="either"
            )
        return self.types[named.types[0]]

    @abstractmethod
    def variable(self, named: TypedName) -> Any:
        """Return a new variable of the library."""

    def bound(self, parameters: Iterable[TypedName], scope: Scope) -> tuple[list[Any], Scope]:
        """Return new variables of the library, and a scope that also contains them."""
        variables = {each.name: self.variable(each) for each in parameters}
        return list(variables.values()), {**scope, **variables}

    def condition(self, node: Any, scope: Scope) -> Any:
        """Build a condition with the library's classes; `scope` has the library's object for each free variable."""
        return self._condition(substituted(node, {name: name for name in scope}), scope)

    def effects(self, action: Action, scope: Scope) -> Iterator[tuple[list[Any], Any, Any, bool]]:
        """Yield the variables, condition and atom of each single effect, and whether the effect adds the atom."""
        if len(scope) < len(action.parameters):
            raise unsupported(f"a parameter of the action '{action.name}' occurs twice", feature="repeated parameters")
        for effect in quantified_effects(action, self.members):
            variables, inner = self.bound(effect.parameters, scope)
            yield variables, self._condition(effect.condition, inner), self.atom(effect.atom, inner), effect.adds

    def atom(self, atom: Atom, scope: Scope) -> Any:
        return self.predicates[atom.predicate](*self._terms(atom.arguments, scope))

    def term(self, term: FunctionTerm, scope: Scope) -> Any:
        return self.functions[term.function](*self._terms(term.arguments, scope))

    def _condition(self, node: Any, scope: Scope) -> Any:
        if isinstance(node, Atom):
            return self.atom(node, scope)
        variables, inner = self.bound(getattr(node, "parameters", ()), scope)
        return self.connectives[type(node)](*variables, *[self._condition(part, inner) for part in node.children()])

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
            raise parse_error(f"{step} has {count(len(arguments), 'argument')}, but '{step.name}' takes {takes}")
        yield action, [_known(name, objects, "object") for name in arguments]


def _known(name: str, things: Mapping[str, Any], kind: str) -> Any:
    if name not in things:
        raise parse_error(f"the problem has no {kind} '{name}'{suggestion(name, things)}")
    return things[name]
