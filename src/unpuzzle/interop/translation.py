"""What all translations share: a normal form, names for both sides, tasks with renamed parts, how parts are built.

PDDL does not distinguish capital letters from small ones, and allows no blanks, brackets or semicolons in names; the
other libraries do. `ExactNames` refuses names that are invalid in PDDL; `PlainNames` finds another name, so plans must
be translated back by a table. `Renamed` gives all parts of a task such names. All libraries refuse `either`, types with
several parents, and a parameter that occurs twice. No variable hides another.

`normal_form` makes tasks in different words but with the same meaning equal, for comparison: it simplifies more than a
translation, but keeps states, applicable actions and costs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.text import count, suggestion
from unpuzzle.pddl import formulas
from unpuzzle.pddl.declarations import ancestors, type_parents
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
from unpuzzle.pddl.normal_form import quantified_effects, substituted, typed_names, unused
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.pddl.world import Types, amounts

_RESERVED = frozenset(
    "action actions adl all always and assign at axiom condition conditions constants constraints contingent decrease "
    "define derived domain duration effect effects either end equality event exists false fluents forall goal imply "
    "increase init maximize metric minimize not number object objects observe oneof or over parameters precondition "
    "preconditions predicates preference preferences problem process requirements sometime start strips time true "
    "types typing undefined unknown when within".split()
)

NewNames = Mapping[Any, str]
"""The new name of each parameter or variable."""
Scope = Mapping[str, Any]
"""The library's object for each name of a parameter or variable."""
TRUE, FALSE = formulas.And(), formulas.Or()
TOTAL = FunctionTerm(TOTAL_COST)


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

    def _bound(self, parameters: Iterable[TypedName], scope: NewNames) -> tuple[tuple[TypedName, ...], NewNames]:
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

    def _node(self, node: Any, scope: NewNames) -> Any:
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

    def _terms(self, terms: Iterable[Any], scope: NewNames) -> tuple[str, ...]:
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


def normal_form(task: Task) -> Task:
    """Return the normal form of a task; tasks that differ only in their wording have equal normal forms.

    Declarations, facts, effects, quantified variables and the parts of `and` and `or` are sorted; nested ones are
    merged; implications become disjunctions; no variable hides another; all objects are constants; types without
    objects and variables are left out. Costs are dropped without a metric, and if every action costs 1. Axioms of one
    predicate are merged.
    """
    domain, problem, types = task.domain, task.problem, Types(task)
    costs = _costs(task)
    actions = [
        action.replace(
            precondition=_normal(
                substituted(action.precondition, {each.name: each.name for each in action.parameters})
            ),
            effect=formulas.And((*_sorted(_effects(action, types)), *costs.get(action.name, ()))),
        )
        for action in domain.actions
    ]
    declared = {each.name: each for each in (*problem.objects, *domain.constants)}
    parents = type_parents(domain)
    whole = Task(
        Domain(
            domain.name,
            (),
            _sorted(TypedName(name, tuple(sorted(above))) for name, above in parents.items()),
            _sorted(TypedName(each.name, tuple(sorted(each.types))) for each in declared.values()),
            _sorted(_declaration(each) for each in domain.predicates),
            _sorted(_declaration(each) for each in domain.functions),
            _sorted(actions),
            _sorted(_axiom(each) for each in merged_axioms(domain.axioms)),
        ),
        Problem(
            problem.name,
            domain.name,
            (),
            (),
            _sorted(problem.init),
            _sorted(problem.values),
            _normal(substituted(problem.goal, {})),
            TOTAL if costs else None,
        ),
    )
    used = ancestors((name for each in typed_names(whole) for name in each.types), parents)
    types_used = tuple(each for each in whole.domain.types if each.name in used)
    return Task(whole.domain.replace(types=types_used), whole.problem)


def _costs(task: Task) -> dict[str, tuple[formulas.Increase, ...]]:
    """Return the costs of actions, by name; empty if every action costs 1."""
    if task.problem.metric is None:
        return {}
    costs = {action.name: amounts(action) for action in task.domain.actions}
    if all(parts == (1,) for parts in costs.values()):
        return {}
    return {name: tuple(formulas.Increase(TOTAL, part) for part in _sorted(parts)) for name, parts in costs.items()}


def _sorted(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(sorted(things, key=repr)))


def _declaration(node: Predicate | Function) -> Predicate | Function:
    """Return a declaration whose parameters are named by numbers, because the old names have no meaning."""
    return type(node)(
        node.name, tuple(TypedName(f"?{place}", each.types) for place, each in enumerate(node.parameters))
    )


def numbered(parameters: Iterable[TypedName]) -> tuple[tuple[TypedName, ...], dict[str, str]]:
    """Return parameters renamed to numbers, and a mapping from the old names to the new ones."""
    scope = {each.name: f"?{number}" for number, each in enumerate(parameters)}
    return tuple(TypedName(scope[each.name], each.types) for each in parameters), scope


def _effects(action: Action, types: Types) -> Iterator[formulas.Effect]:
    for each in quantified_effects(action, types):
        yield each.replace(parameters=_sorted(each.parameters), conditions=(_normal(each.condition),)).formula


def merged_axioms(axioms: Iterable[Axiom]) -> list[Axiom]:
    """Return one axiom for each predicate, with the parameters of the first axiom of the predicate."""
    heads: dict[str, Predicate] = {}
    bodies: dict[str, list[formulas.Condition]] = {}
    for axiom in axioms:
        head = heads.setdefault(axiom.head.name, axiom.head)
        places = zip(axiom.head.parameters, head.parameters, strict=True)
        names = {theirs.name: ours.name for theirs, ours in places}
        bodies.setdefault(head.name, []).append(substituted(axiom.body, names))
    return [Axiom(head, formulas.Or(tuple(bodies[name]))) for name, head in heads.items()]


def _axiom(axiom: Axiom) -> Axiom:
    bound, scope = numbered(axiom.head.parameters)
    return Axiom(Predicate(axiom.head.name, bound), _normal(substituted(axiom.body, scope)))


def _normal(condition: Any) -> Any:
    """Return a condition without implications, nested connectives and redundant constants."""
    if isinstance(condition, formulas.Imply):
        return _normal(formulas.Or((formulas.Not(condition.premise), condition.conclusion)))
    if isinstance(condition, formulas.Not):
        return _negated(_normal(condition.operand))
    if isinstance(condition, formulas.Exists | formulas.Forall):
        return type(condition)(_sorted(condition.parameters), _normal(condition.body))
    if not isinstance(condition, formulas.And | formulas.Or):
        return condition
    kind, other = (formulas.And, FALSE) if isinstance(condition, formulas.And) else (formulas.Or, TRUE)
    parts: list[Any] = []
    for part in map(_normal, condition.operands):
        parts += part.operands if isinstance(part, kind) else [part]
    ordered = _sorted(parts)
    if other in ordered:
        return other
    return ordered[0] if len(ordered) == 1 else kind(ordered)


def _negated(condition: Any) -> Any:
    if isinstance(condition, formulas.Not):
        return condition.operand
    return {TRUE: FALSE, FALSE: TRUE}.get(condition, formulas.Not(condition))
