"""Lifted conditions and effects, taken apart for grounding.

`alternatives` turns a condition into bodies for joins: what must at least be true for it to hold. Negation is pushed
inwards as it goes (`positive` is the polarity), a disjunction gives several bodies, an existential quantifier gives
variables of its own. A body may be weaker than the condition, never stronger: grounding tests the whole condition
afterwards. `flatten` turns an effect into single literals with their conditions.

Quantified variables are renamed apart; a *scope* maps the names in the text to the renamed ones.
"""

from __future__ import annotations

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, FunctionTerm, Imply, Increase, Node, Not, Or, When

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from unpuzzle.pddl.nodes import Condition, Effect, TypedName

Scope = dict[str, str]
NamedAtom = tuple[str, tuple[str, ...]]

MOST_ALTERNATIVES = 32
"""A condition with more alternatives than this keeps only what all of them share: its joins are weaker, not wrong."""


class Body:
    """Atoms to join, static filters, and the domains of the variables that quantifiers brought in."""

    __slots__ = ("atoms", "filters", "variables")

    def __init__(
        self,
        atoms: tuple[NamedAtom, ...] = (),
        filters: tuple[tuple[NamedAtom, bool], ...] = (),
        variables: tuple[TypedName, ...] = (),
    ) -> None:
        self.atoms = atoms
        self.filters = filters
        self.variables = variables

    def __add__(self, other: Body) -> Body:
        return Body(self.atoms + other.atoms, self.filters + other.filters, self.variables + other.variables)


class FreshNames:
    """Names for variables that no text can contain."""

    def __init__(self) -> None:
        self.count = 0

    def rename(self, parameters: tuple[TypedName, ...], scope: Scope) -> tuple[tuple[TypedName, ...], Scope]:
        """The parameters under new names, and the scope inside their quantifier.

        Of two equal names the second hides the first (as in Fast Downward).
        """
        own: Scope = {}
        renamed = []
        for parameter in visible(parameters):
            self.count += 1
            own[parameter.name] = f"{parameter.name}#{self.count}"
            renamed.append(type(parameter)(own[parameter.name], parameter.types))
        return tuple(renamed), {**scope, **own}


def visible(parameters: tuple[TypedName, ...]) -> tuple[TypedName, ...]:
    """A quantifier's variables: of equal names the last one only."""
    return tuple({parameter.name: parameter for parameter in parameters}.values())


def named(atom: Atom, scope: Scope) -> NamedAtom:
    """The atom with its variables renamed."""
    return atom.predicate, tuple([scope.get(term, term) for term in atom.arguments])


def alternatives(
    condition: Condition, scope: Scope, static: Callable[[str], bool], fresh: FreshNames, positive: bool = True
) -> list[Body]:
    """Bodies of which at least one must be true where the condition is (where it is false, if not `positive`)."""
    if isinstance(condition, Atom):
        atom = named(condition, scope)
        if condition.predicate == "=" or (not positive and static(condition.predicate)):
            return [Body(filters=((atom, positive),))]
        return [Body((atom,))] if positive else [Body()]
    if isinstance(condition, Not):
        return alternatives(condition.operand, scope, static, fresh, not positive)
    if isinstance(condition, Imply):
        condition = Or((Not(condition.premise), condition.conclusion))
    if isinstance(condition, And | Or):
        parts = (alternatives(part, scope, static, fresh, positive) for part in condition)
        return product(parts) if isinstance(condition, And) == positive else _union(parts)
    if isinstance(condition, Exists) == positive:
        renamed, inner = fresh.rename(condition.parameters, scope)
        return [_used(body, renamed) for body in alternatives(condition.body, inner, static, fresh, positive)]
    return [Body()]  # a universal quantifier: tested when ground


def product(parts: Iterable[list[Body]]) -> list[Body]:
    """Bodies of which at least one must be true where one of each list is."""
    result = [Body()]
    for part in parts:
        if len(result) * len(part) <= MOST_ALTERNATIVES:
            result = [one + other for one in result for other in part]
    return result


def _union(parts: Iterable[list[Body]]) -> list[Body]:
    result = [body for part in parts for body in part]
    return result if len(result) <= MOST_ALTERNATIVES else [Body()]


def _used(body: Body, variables: tuple[TypedName, ...]) -> Body:
    """The body with those of the variables that it mentions (or they would only multiply the environments)."""
    mentioned = {term for _, terms in body.atoms for term in terms}
    mentioned.update(term for (_, terms), _ in body.filters for term in terms)
    return Body(body.atoms, body.filters, body.variables + tuple(v for v in variables if v.name in mentioned))


class LiteralEffect:
    """One literal of an effect: `atom` becomes `add` where all conditions hold, for all values of `variables`.

    The atom and each condition have the scope in which they stood.
    """

    __slots__ = ("add", "atom", "conditions", "scope", "variables")

    def __init__(
        self,
        variables: tuple[TypedName, ...],
        conditions: tuple[tuple[Condition, Scope], ...],
        atom: Atom,
        scope: Scope,
        add: bool,
    ) -> None:
        self.variables = variables
        self.conditions = conditions
        self.atom = atom
        self.scope = scope
        self.add = add

    @property
    def simple(self) -> bool:
        return not self.variables and not self.conditions


def flatten(
    effect: Effect,
    scope: Scope,
    fresh: FreshNames,
    variables: tuple[TypedName, ...] = (),
    conditions: tuple[tuple[Condition, Scope], ...] = (),
) -> Iterator[LiteralEffect | Increase]:
    """The literals and cost terms of an effect. Raises UnsupportedFeature for a cost that depends on the state."""
    if isinstance(effect, Atom):
        yield LiteralEffect(variables, conditions, effect, scope, True)
    elif isinstance(effect, Not):
        assert isinstance(effect.operand, Atom)
        yield LiteralEffect(variables, conditions, effect.operand, scope, False)
    elif isinstance(effect, And):
        for part in effect:
            yield from flatten(part, scope, fresh, variables, conditions)
    elif isinstance(effect, Forall):
        renamed, inner = fresh.rename(effect.parameters, scope)
        yield from flatten(effect.body, inner, fresh, variables + renamed, conditions)
    elif isinstance(effect, When):
        yield from flatten(effect.effect, scope, fresh, variables, (*conditions, (effect.condition, scope)))
    elif variables or conditions:
        raise UnsupportedFeature(
            "a cost inside `when` or `forall` is not supported: costs may not depend on the state",
            feature="conditional cost",
        )
    else:
        yield effect


def amount(term: FunctionTerm | int, binding: dict[str, str], values: dict[tuple[str, ...], int]) -> int:
    """The number that an increase adds. Raises KeyError with the ground term if it has no value."""
    if isinstance(term, int):
        return term
    return values[(term.function, *[binding.get(name, name) for name in term.arguments])]


def mentioned(node: object) -> set[str]:
    """The terms that stand anywhere in a condition or an effect, whatever they are bound by."""
    if isinstance(node, Atom | FunctionTerm):
        return set(node.arguments)
    if not isinstance(node, Node):
        return set()
    found: set[str] = set()
    for field in node._fields:
        value = getattr(node, field)
        for part in value if isinstance(value, tuple) else (value,):
            found |= mentioned(part)
    return found
