"""The nodes of PDDL domains and problems, and functions on type hierarchies and derived predicates.

`parse(write(x)) == x` holds for all domains and problems that were read, and for ones made in Python in normal form:

- `total-cost` is never among `Domain.functions`, and its initial value 0 never among `Problem.values`;
- an effect that is only `(increase ...)` is inside an `and`, as Fast Downward needs it;
- every type that is used as a parent is declared (without a parent of its own, if the text does not declare it), and
  `object` is not; a type that is declared several times has all of its parents; parents come before their children;
- a name that is declared twice in the same way is declared once; an object that is also a constant is a constant;
- a problem that is read together with its domain has the domain's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unpuzzle.base.distances import distances
from unpuzzle.base.run import within_limits
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.formulas import (
    OBJECT,
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Effect,
    FunctionTerm,
    Imply,
    Node,
    Not,
    Span,
    TypedName,
)

_set = object.__setattr__


class Predicate(Node):
    """The declaration of a predicate."""

    name: str
    parameters: tuple[TypedName, ...] = ()


class Function(Node):
    """The declaration of a numeric function: `total-cost`, or a function whose constant values are action costs."""

    name: str
    parameters: tuple[TypedName, ...] = ()


class Action(Node):
    """An action schema: its `name` and `parameters`, its `precondition` and its `effect`."""

    name: str
    parameters: tuple[TypedName, ...]
    precondition: Condition
    effect: Effect

    def binding(self, arguments: tuple[str, ...]) -> dict[str, str]:
        """Map the names of the action's parameters to the given objects."""
        return dict(zip([parameter.name for parameter in self.parameters], arguments, strict=True))


class Axiom(Node):
    """A rule for a derived predicate: its head is true if its body is true; several rules may have the same head."""

    head: Predicate
    body: Condition


class Value(Node):
    """The initial value of a function for certain objects, such as `(= (distance a b) 3)`."""

    term: FunctionTerm
    number: int


class Domain(Node):
    """A PDDL domain: its types, constants, predicates, functions, actions and axioms.

    `types` maps each declared type to its parents (`TypedName`), in the order of the text. `requirements` are the
    declared ones; they do not count when domains are compared. A predicate that is the head of an axiom is *derived*.
    """

    __slots__ = ("vocabulary",)
    _uncompared = ("requirements",)
    name: str
    requirements: tuple[str, ...]
    types: tuple[TypedName, ...]
    constants: tuple[TypedName, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Function, ...]
    actions: tuple[Action, ...]
    axioms: tuple[Axiom, ...]
    vocabulary: object
    """A note of `soundness`: False until the domain is found sound, then True or a table for quick lookups."""

    def __init__(
        self,
        name: str,
        requirements: tuple[str, ...] = (),
        types: tuple[TypedName, ...] = (),
        constants: tuple[TypedName, ...] = (),
        predicates: tuple[Predicate, ...] = (),
        functions: tuple[Function, ...] = (),
        actions: tuple[Action, ...] = (),
        axioms: tuple[Axiom, ...] = (),
        *,
        span: Span | None = None,
    ) -> None:
        self._fill(span, name, requirements, types, constants, predicates, functions, actions, axioms)
        _set(self, "vocabulary", False)

    def trusted(self) -> Domain:
        """Mark this domain as valid, so that no task checks it again; return the domain."""
        if not self.vocabulary:
            _set(self, "vocabulary", True)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), bool(self.vocabulary))

    def __setstate__(self, trusted: bool) -> None:
        _set(self, "vocabulary", trusted)


class Problem(Node):
    """A PDDL problem: the objects, the initial state, the goal and the metric for one domain.

    `init` are the atoms true at the start; `values` are the initial function values. `metric` is the function term to
    minimize, or None. Without a metric every action costs 1; with `(total-cost)` an action costs the amount that it
    adds.
    """

    __slots__ = ("domain",)
    _uncompared = ("requirements",)
    name: str
    domain_name: str
    requirements: tuple[str, ...]
    objects: tuple[TypedName, ...]
    init: tuple[Atom, ...]
    values: tuple[Value, ...]
    goal: Condition
    metric: FunctionTerm | None
    domain: Domain | None
    """The domain with which the problem was found sound."""

    def __init__(
        self,
        name: str,
        domain_name: str,
        requirements: tuple[str, ...] = (),
        objects: tuple[TypedName, ...] = (),
        init: tuple[Atom, ...] = (),
        values: tuple[Value, ...] = (),
        goal: Condition | None = None,
        metric: FunctionTerm | None = None,
        *,
        span: Span | None = None,
    ) -> None:
        goal = And() if goal is None else goal
        self._fill(span, name, domain_name, requirements, objects, init, values, goal, metric)
        _set(self, "domain", None)

    def trusted(self, domain: Domain) -> Problem:
        """Mark this problem as valid for `domain`, so that no task checks it again; return the problem."""
        _set(self, "domain", domain.trusted())
        return self


def type_names(domain: Domain) -> frozenset[str]:
    """Return the names of all types of a domain, including `object` and types that are used only as parents."""
    return frozenset(("object", *(name for item in domain.types for name in (item.name, *item.types))))


def type_parents(domain: Domain) -> dict[str, tuple[str, ...]]:
    """Return the parents of each declared type; repeated declarations of a type are merged."""
    parents: dict[str, tuple[str, ...]] = {}
    for item in domain.types:
        before = parents.get(item.name, ())
        parents[item.name] = tuple(dict.fromkeys((*before, *item.types)))
    return parents


def ancestors(types: Iterable[str], parents: dict[str, tuple[str, ...]]) -> set[str]:
    """Return the given types and all their ancestors; `parents` maps types to their parents and may contain cycles."""
    return set(distances(types, lambda name: parents.get(name, ())))


def folded_domain(domain: Domain) -> Domain:
    return domain.replace(
        types=_folded_types(domain),
        constants=_folded(domain.constants),
        predicates=_folded(domain.predicates),
        functions=tuple([function for function in _folded(domain.functions) if function.name != TOTAL_COST]),
    )


def folded_problem(problem: Problem, domain: Domain | None) -> Problem:
    """Return a problem without repeated objects, and without objects that are constants of its domain."""
    constants = {constant.name for constant in domain.constants} if domain else set()
    objects = within_limits(_folded(problem.objects))
    return problem.replace(
        domain_name=domain.name if domain else problem.domain_name,
        objects=tuple([item for item in objects if item.name not in constants]),
        values=tuple([value for value in problem.values if value.term.function != TOTAL_COST]),
    )


def _folded_types(domain: Domain) -> tuple[TypedName, ...]:
    """Return all types of a domain except `object`; parents come before their children."""
    parents = type_parents(domain)
    spans = {item.name: item.span for item in reversed(domain.types)}
    types = []
    for name in dict.fromkeys((*parents, *(name for above in parents.values() for name in above))):
        if name != "object":
            above = tuple([parent for parent in parents.get(name, ()) if parent != "object"]) or OBJECT
            types.append(TypedName(name, above, span=spans.get(name)))
    return parents_first(tuple(types))


def parents_first(types: tuple[TypedName, ...]) -> tuple[TypedName, ...]:
    """Sort types so that each parent comes before its children, as some PDDL parsers require."""
    waiting = {item.name: item for item in types}
    begun: dict[str, TypedName] = {}
    ordered: dict[str, TypedName] = {}
    path = [item.name for item in reversed(types)]  # no recursion: a chain of types may be long
    while path:
        item = waiting.pop(path[-1], None)
        if item is not None:
            begun[item.name] = item
            path.extend(reversed(item.types))
        else:
            name = path.pop()
            if name in begun:
                ordered.setdefault(name, begun[name])
    return tuple(ordered.values())


def _folded(declared: tuple[Any, ...]) -> tuple[Any, ...]:
    first: dict[str, Any] = {}
    for node in within_limits(declared):
        first.setdefault(node.name, node)
    return declared if len(first) == len(declared) else tuple(first.values())


# Strata of derived predicates. A derived predicate may be recursive, but not through a negation: "p unless p" has no
# meaning. So the derived predicates are divided into *strata*: p and q share a stratum if each depends on the other,
# and a stratum comes after all strata that it depends on (Apt, Blair and Walker 1988).


def atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Yield each atom in a condition with a bool: True if the atom is under an even number of negations."""
    if isinstance(condition, Atom):
        yield condition, positive
    elif isinstance(condition, Imply):
        yield from atoms(condition.premise, not positive)
        yield from atoms(condition.conclusion, positive)
    else:
        for part in condition.children():
            yield from atoms(part, positive != isinstance(condition, Not))


def closures(domain: Domain) -> dict[str, frozenset[str]]:
    """Map each derived predicate to all derived predicates on which it depends, directly or indirectly."""
    direct: dict[str, set[str]] = {axiom.head.name: set() for axiom in domain.axioms}
    for axiom in domain.axioms:
        direct[axiom.head.name].update(atom.predicate for atom, _ in atoms(axiom.body) if atom.predicate in direct)
    return {name: frozenset(distances(direct[name], direct.__getitem__)) for name in direct}


def strata(domain: Domain) -> list[frozenset[str]]:
    """Return the strata of the derived predicates, in the order in which the strata must be evaluated."""
    # If p depends on q, then q's closure is smaller than p's, or the two depend on each other and are one group.
    groups: dict[frozenset[str], list[str]] = {}
    for name, closure in closures(domain).items():
        groups.setdefault(closure | {name}, []).append(name)
    return [frozenset(groups[names]) for names in sorted(groups, key=len)]


def dependency_chain(domain: Domain, start: str, goal: str) -> list[str]:
    """Return a shortest list of derived predicates from `start` to `goal`, each of which depends on the next one."""
    before: dict[str, str] = {}
    queue = [start]
    for name in queue:
        for axiom in domain.axioms:
            for atom, _ in atoms(axiom.body) if axiom.head.name == name else ():
                if atom.predicate not in before:
                    before[atom.predicate] = name
                    queue.append(atom.predicate)
    names = [goal]
    while names[-1] != start or len(names) == 1:
        names.append(before[names[-1]])
    return names[::-1]


def negative_cycles(domain: Domain) -> Iterator[tuple[Axiom, Atom]]:
    """Yield each axiom whose body negates an atom of a predicate that depends on the axiom's head, with this atom."""
    reached = closures(domain)
    for axiom in domain.axioms:
        head = axiom.head.name
        for atom, positive in atoms(axiom.body):
            if not positive and (atom.predicate == head or head in reached.get(atom.predicate, ())):
                yield axiom, atom
