"""Why nothing can ever make a fact true: what every way to it needs, down to a fact that the start lacks.

    (at truck c)   only drive makes it true, from d: that needs (at truck d)
    (at truck d)   only drive makes it true, from c: that needs (at truck c), which stands above; none of them is true

Delete effects are ignored, as grounding does (`planners.native.grounding.survey`), so all of it is certain: whatever is
out of reach with them ignored is out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unpuzzle.limits import Deadline
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Atom, Condition, Effect, Exists, Forall, Not, Task, TypedName, When
from unpuzzle.pddl.query import Query, free_variables
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.planners.native.grounding import survey
from unpuzzle.record import Plain
from unpuzzle.words import listing

MOST_LINKS = 30
"""A chain that is longer is told up to here."""
MOST_BINDINGS = 40
"""So many ways to instantiate an action are looked at one by one."""

Binding = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Literal:
    """A ground fact that should be true or, with `sign` False, false."""

    atom: Atom
    sign: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.sign else f"(not {self.atom})"

    @property
    def condition(self) -> Condition:
        return self.atom if self.sign else Not(self.atom)


@dataclass(frozen=True, slots=True)
class Way:
    """An effect, or the axiom, that may make a fact true: the name of the action, open parameters, what it needs."""

    action: str
    parameters: tuple[TypedName, ...]
    needs: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Lack:
    """What a way needs and nothing can make true: as text, and one fact of it to follow, if it has any."""

    text: str
    literal: Literal | None = None


@dataclass(frozen=True, slots=True)
class Link(Plain):
    """A step of the chain: a fact that is out of reach, the actions that could make it true, and what they lack."""

    fact: str
    actions: tuple[str, ...]
    lacks: tuple[str, ...]
    text: str


class Chain:
    """Follows what is out of reach in a task. Raises LimitReached, as grounding does."""

    def __init__(self, task: Task, deadline: Deadline) -> None:
        self._task = task
        self._deadline = deadline
        self._semantics = Semantics(task, limits=deadline)
        start = self._semantics.initial
        self._types = self._semantics.types
        self._tables = fact_tables(start)
        self._world = World(self._types, self._tables, ())
        self._start = start

    def unreachable(self, conditions: Sequence[Condition]) -> frozenset[Condition]:
        """Return the conditions that nothing can make true."""
        if not conditions:
            return frozenset()
        return frozenset(survey.unreachable(self._task, list(conditions), self._deadline)[1])

    def links(self, goal: Condition) -> list[Link]:
        """Return the chain from a goal that is out of reach down to a fact that the start lacks."""
        literal = _literal(goal)
        if literal is None:
            said = f"no actions make {text(goal, {})} true"
            return [Link(text(goal, {}), (), (), said)]
        links: list[Link] = []
        seen: dict[Literal, None] = {}
        while literal is not None and literal not in seen and len(links) < MOST_LINKS:
            seen[literal] = None
            ways = list(self._ways(literal))
            culprits = self._culprits(ways)
            following = next((lack.literal for lack in culprits if lack.literal is not None), None)
            links.append(self._link(literal, ways, culprits, following in seen))
            literal = following
        return links

    def _link(self, literal: Literal, ways: Sequence[Way], culprits: Sequence[Lack], again: bool) -> Link:
        actions = tuple(dict.fromkeys(way.action for way in ways))
        lacks = tuple(dict.fromkeys([lack.text for lack in culprits]))
        state = "false" if literal.sign else "true"
        if not ways:
            said = f"{literal.atom} is {state} at the start, and "
            said += "no action changes it" if self._static(literal) else "nothing can change that"
        else:
            needs = " or ".join(lacks) if lacks else "what can never hold together"
            made = "true" if literal.sign else "false"
            if len(actions) == 1:
                said = f"only {actions[0]} makes {literal.atom} {made}, and it needs {needs}"
            else:
                said = f"{listing(actions, 'and')} make {literal.atom} {made}, and need {needs}"
            if again:
                said += "; that leads round in a circle, and nothing in it holds at the start"
        return Link(str(literal), actions, lacks, said)

    def _static(self, literal: Literal) -> bool:
        return literal.atom.predicate in self._semantics.static_predicates

    def _ways(self, literal: Literal) -> Iterator[Way]:
        """Yield all effects and axioms that may make a fact true (or false)."""
        for schema in self._task.domain.actions:
            parameters = tuple(schema.parameters)
            for effect, extra, conditions, sign in _literals(schema.effect, (), (), True):
                if sign != literal.sign or effect.predicate != literal.atom.predicate:
                    continue
                yield from self._way(
                    schema.name, (*parameters, *extra), effect, literal, (schema.precondition, *conditions)
                )
        for axiom in self._task.domain.axioms if literal.sign else ():
            if axiom.head.name == literal.atom.predicate:
                head = Atom(axiom.head.name, tuple([named.name for named in axiom.head.parameters]))
                yield from self._way(
                    f"the rule for {axiom.head.name}", tuple(axiom.head.parameters), head, literal, (axiom.body,)
                )

    def _way(
        self, name: str, parameters: tuple[TypedName, ...], effect: Atom, literal: Literal, needs: Iterable[Condition]
    ) -> Iterator[Way]:
        binding: dict[str, str] = {}
        for term, value in zip(effect.arguments, literal.atom.arguments, strict=True):
            if binding.setdefault(term, value) != value or (not term.startswith("?") and term != value):
                return
        domains = self._types.domains(parameters)
        if any(value not in domains[term] for term, value in binding.items() if term.startswith("?")):
            return
        parts = [substituted(part, binding) for need in needs for part in conjuncts(need)]
        yield Way(name, tuple([each for each in parameters if each.name not in binding]), tuple(parts))

    def _culprits(self, ways: Sequence[Way]) -> list[Lack]:
        """Return for each way a part of what it needs that is out of reach."""
        closed = [[_closed(part, way.parameters) for part in way.needs] for way in ways]
        lost = self.unreachable([condition for conditions in closed for condition in conditions])
        culprits: list[Lack] = []
        for way, conditions in zip(ways, closed, strict=True):
            parts = [part for part, condition in zip(way.needs, conditions, strict=True) if condition in lost]
            if parts:
                culprits.append(self._instance(parts, way.parameters))
            else:
                culprits.extend(self._together(way))
        return culprits

    def _instance(self, parts: Sequence[Condition], parameters: Sequence[TypedName]) -> Lack:
        """Return one of some parts that are all out of reach, preferably one that actions change.

        Its open variables stand for any object; the fact to follow has the first object that fits, since none will do.
        """
        domains = self._types.domains(parameters)
        first = {name: objects[0] for name, objects in domains.items() if objects}
        lacks = [(part, _literal(substituted(part, first))) for part in parts]
        fluent = [lack for lack in lacks if lack[1] is not None and not self._static(lack[1])]
        closed = [lack for lack in lacks if not free_variables(lack[0])]
        part, literal = (fluent or closed or [(parts[0], None)])[0]
        free = sorted(free_variables(part))
        return Lack(f"{text(part, {})} for some {', '.join(free)}" if free else text(part, {}), literal)

    def _together(self, way: Way) -> Iterator[Lack]:
        """Yield what is out of reach for each way to choose the objects so that the static facts hold."""
        static = [part for part in way.needs if self._only_static(part)]
        query = Query(way.parameters, And(tuple(static)), self._types, self._tables)
        names = [parameter.name for parameter in way.parameters]
        rows = sorted(query.answers(self._world))
        instances = [
            [substituted(part, dict(zip(names, row, strict=True))) for part in way.needs if part not in static]
            for row in rows[:MOST_BINDINGS]
        ]
        lost = self.unreachable([part for parts in instances for part in parts])
        if not rows:
            yield Lack(f"{' and '.join(text(part, {}) for part in static)} together")
        for parts in instances:
            culprit = next((part for part in parts if part in lost), None)
            needed = parts if culprit is None else [culprit]
            yield Lack(" and ".join(text(part, {}) for part in needed), None if culprit is None else _literal(culprit))
        if len(rows) > MOST_BINDINGS:
            yield Lack("the same of other objects")

    def _only_static(self, part: Condition) -> bool:
        changing = self._semantics.fluent_predicates | self._semantics.derived_predicates
        return not any(isinstance(each, Atom) and each.predicate in changing for each in _walked(part))


def _walked(condition: Condition) -> Iterator[Condition]:
    from unpuzzle.pddl.formulas import walk

    return walk(condition)


def _literal(condition: Condition) -> Literal | None:
    """Return a ground literal; None for other conditions."""
    atom, sign = (condition.operand, False) if isinstance(condition, Not) else (condition, True)
    if not isinstance(atom, Atom) or atom.predicate == "=" or any(term.startswith("?") for term in atom.arguments):
        return None
    return Literal(atom, sign)


def _literals(
    effect: Effect, parameters: tuple[TypedName, ...], conditions: tuple[Condition, ...], sign: bool
) -> Iterator[tuple[Atom, tuple[TypedName, ...], tuple[Condition, ...], bool]]:
    """Yield the atoms that an effect changes, with its quantified variables, its conditions, and whether it adds."""
    if isinstance(effect, Atom):
        yield effect, parameters, conditions, sign
    elif isinstance(effect, Not):
        yield from _literals(effect.operand, parameters, conditions, not sign)  # type: ignore[arg-type]
    elif isinstance(effect, And):
        for operand in effect.operands:
            yield from _literals(operand, parameters, conditions, sign)
    elif isinstance(effect, When):
        yield from _literals(effect.effect, parameters, (*conditions, effect.condition), sign)
    elif isinstance(effect, Forall):
        yield from _literals(effect.body, (*parameters, *effect.parameters), conditions, sign)


def substituted(condition: Condition, binding: Binding) -> Condition:
    """Return a condition with objects for some of its free variables."""
    if isinstance(condition, Atom):
        return Atom(condition.predicate, tuple([binding.get(term, term) for term in condition.arguments]))
    if isinstance(condition, Exists | Forall):
        bound = {parameter.name for parameter in condition.parameters}
        binding = {name: value for name, value in binding.items() if name not in bound}
    return condition.rebuilt([substituted(part, binding) for part in condition.children()])


def _closed(condition: Condition, parameters: Sequence[TypedName]) -> Condition:
    """Return a condition without free variables: there are objects for which it holds."""
    free = free_variables(condition)
    names = tuple([parameter for parameter in parameters if parameter.name in free])
    return Exists(names, condition) if names else condition
