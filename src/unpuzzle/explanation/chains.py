"""Explain an unreachable fact by a chain of unreachable conditions that ends at a fact that is false at the start.

    (lies k d)     only unload makes it true, and it needs (at ?t d) for some ?t
    (at truck d)   drive and pass make it true, and need (at truck c) or (key truck)
    (key truck)    is false at the start, and no action changes it

The *achievers* of a fact are the effects and axioms that make it true, each with its conditions. Such a way is
*possible* if its static conditions hold for some objects: without a road, there is no way to drive.

A deleted fact counts as true and as false (`planners.native.grounding.survey`), so the explanation is certain: a fact
that is unreachable even then is unreachable. If a fact has several ways, each has a missing condition, and
the chain follows the one with the shortest way to an end. If all ways lead in circles, as between two separate
parts of a graph, the chain ends with the circle and with the facts of the same form that can become true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import prod

from unpuzzle.base.distances import Explorer
from unpuzzle.base.text import count, listing
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import conjuncts, free_variables, walk
from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Imply, Not, Or, Task, TypedName
from unpuzzle.pddl.normal_form import single_effects, substituted
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl.writer import text, typed
from unpuzzle.planners.native.grounding import survey

MOST_LINKS = 12
"""The most facts of a chain that are shown."""
MOST_LOOKED_AT = 60
"""The most facts that are tried while a chain is searched for."""
MOST_LACKS, MOST_ALIKE, MOST_ENDS = 4, 8, 2
"""The most missing conditions, similar objects and ends that a sentence lists."""
MOST_INSTANCES, MOST_NEARLY, MOST_ALTERNATIVES = 2_000, 200, 16
"""Limits on the tried choices of an action's objects; on the choices for which a single fact is
missing; and on the ways to fulfil an `or`."""


class Literal(Record):
    """A ground fact or, if `sign` is False, its negation."""

    atom: Atom
    sign: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.sign else f"(not {self.atom})"

    @property
    def condition(self) -> Condition:
        return self.atom if self.sign else Not(self.atom)


Fact = Literal | Condition
"""The links of a chain of reasons: literals, and other conditions without free variables."""


class Achiever(Record):
    """An effect of an action or an axiom that can make a fact true, with its free parameters and its conditions."""

    action: str
    parameters: tuple[TypedName, ...]
    needs: tuple[Condition, ...]

    def closed(self) -> list[Condition]:
        """Return the achiever's conditions, each with `exists` over its free parameters."""
        return [_closed(part, self.parameters) for part in self.needs]


class Achievers:
    """A search for the achievers of facts: the action effects and axioms that make a fact true."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._semantics = Semantics(task)
        self._types = self._semantics.types
        self._tables = fact_tables(self._semantics.initial)
        self._world = World(self._types, self._tables, ())
        self._possible: dict[Literal, bool] = {}

    def static(self, predicate: str) -> bool:
        """Return whether a predicate is static, so that no action changes its facts."""
        return predicate in self._semantics.static_predicates

    def derived(self, predicate: str) -> bool:
        return predicate in self._semantics.derived_predicates

    def well_typed(self, atom: Atom) -> bool:
        """Return whether the objects of a fact are of the types that its predicate allows."""
        parameters = next(each.parameters for each in self._task.domain.predicates if each.name == atom.predicate)
        pairs = zip(atom.arguments, parameters, strict=True)
        return all(name in self._types.members(parameter.types) for name, parameter in pairs)

    def shown(self, condition: Condition, parameters: Sequence[TypedName]) -> str:
        """Return the free variables of a condition as text, with their types if these are narrower than declared."""
        free = sorted([each for each in parameters if each.name in free_variables(condition)], key=lambda one: one.name)
        atom = next(each for each in walk(condition) if isinstance(each, Atom))
        taken = next(each.parameters for each in self._task.domain.predicates if each.name == atom.predicate)
        wide = {term: self._types.members(own.types) for term, own in zip(atom.arguments, taken, strict=True)}
        same = all(set(wide[each.name]) <= set(self._types.members(each.types)) for each in free)
        return listing([each.name for each in free]) if same else " ".join(typed(free))

    def ways(self, literal: Literal | Condition) -> Iterator[Achiever]:
        """Yield the achievers of a literal or, for a compound condition, each of its alternatives as an achiever."""
        if not isinstance(literal, Literal):
            yield from self._expanded("", (), tuple(self.instances_of(literal)))
            return
        for schema in self._task.domain.actions:
            parameters = tuple(schema.parameters)
            for effect in single_effects(schema):
                if effect.adds == literal.sign and effect.atom.predicate == literal.atom.predicate:
                    needs = (schema.precondition, *effect.conditions)
                    yield from self._unify(schema.name, (*parameters, *effect.parameters), effect.atom, literal, needs)
        for axiom in self._task.domain.axioms if literal.sign else ():
            if axiom.head.name == literal.atom.predicate:
                head = Atom(axiom.head.name, tuple([named.name for named in axiom.head.parameters]))
                name, parameters = f"the rule for {axiom.head.name}", tuple(axiom.head.parameters)
                yield from self._unify(name, parameters, head, literal, (axiom.body,))

    def never(self, literal: Literal) -> str:
        """Return what no action does to a literal without achievers: to it, or to any fact of its predicate."""
        name, made = literal.atom.predicate, [each for one in self._task.domain.actions for each in single_effects(one)]
        if self.static(name):
            return f"changes it{self._narrower(literal)}"
        if literal.atom.arguments and not any(
            each.adds == literal.sign and each.atom.predicate == name for each in made
        ):
            return f"makes any fact of {name} {_state(literal.sign)}"
        return f"makes it {_state(literal.sign)}{self._narrower(literal)}"

    def _narrower(self, literal: Literal) -> str:
        """Return a note on actions that achieve a literal only for types that its objects lack; empty without any."""
        found = []
        for schema in self._task.domain.actions:
            types = {each.name: each.types for each in schema.parameters}
            for effect in single_effects(schema):
                if effect.adds == literal.sign and effect.atom.predicate == literal.atom.predicate:
                    for term, name in zip(effect.atom.arguments, literal.atom.arguments, strict=True):
                        if name not in self._types.members(types.get(term, ())) and term in types:
                            found.append(f"{schema.name} does so only for {term} - {' or '.join(types[term])}")
        return f" ({listing(list(dict.fromkeys(found)))})" if found else ""

    def _unify(
        self, name: str, parameters: tuple[TypedName, ...], effect: Atom, literal: Literal, needs: Iterable[Condition]
    ) -> Iterator[Achiever]:
        """Yield the achiever that makes a literal true by an effect, with the literal's objects as arguments."""
        binding: dict[str, str] = {}
        for term, value in zip(effect.arguments, literal.atom.arguments, strict=True):
            if binding.setdefault(term, value) != value or (not term.startswith("?") and term != value):
                return
        domains = self._types.domains(parameters)
        if any(value not in domains[term] for term, value in binding.items() if term.startswith("?")):
            return
        parts = tuple([substituted(part, binding) for need in needs for part in conjuncts(need)])
        free = tuple([each for each in parameters if each.name not in binding])
        yield from self._expanded(name, free, parts)

    def _expanded(self, name: str, free: tuple[TypedName, ...], parts: tuple[Condition, ...]) -> list[Achiever]:
        ways = [Achiever(name, *each) for each in islice(_alternatives(free, parts), MOST_ALTERNATIVES + 1)]
        return ways if len(ways) <= MOST_ALTERNATIVES else [Achiever(name, free, parts)]

    def possible(self, literal: Literal) -> bool:
        """Return whether a literal has an achiever whose static conditions are true of some objects."""
        if literal not in self._possible:
            self._possible[literal] = any(self.fits(way) for way in self.ways(literal))
        return self._possible[literal]

    def fits(self, way: Achiever) -> bool:
        """Return whether the static conditions of an achiever are true of some objects."""
        static = self._static_parts(way)
        free = {name for part in static for name in free_variables(part)}
        parameters = tuple([each for each in way.parameters if each.name in free])
        if self._size(parameters, static) > MOST_INSTANCES:
            return True
        query = Query(parameters, And(tuple(static)), self._types, self._tables)
        return bool(query.answers(self._world)) and self.populated(way)

    def populated(self, way: Achiever) -> bool:
        return not any(self.unpopulated(way))

    def unpopulated(self, way: Achiever) -> Iterator[str]:
        """Yield the parameter types of an achiever that have no objects."""
        domains = self._types.domains(way.parameters)
        return (" or ".join(each.types) for each in way.parameters if not domains[each.name])

    def instances(self, way: Achiever) -> tuple[list[Condition], list[list[Condition]]]:
        """Return an achiever's static conditions and, for each choice of objects that meets them, its other conditions.

        If there are more than MOST_INSTANCES choices, the other conditions are returned once, with their parameters
        open.
        """
        static = self._static_parts(way)
        others = [part for part in way.needs if part not in static]
        free = {name for part in way.needs for name in free_variables(part)}
        parameters = tuple([each for each in way.parameters if each.name in free])
        if self._size(parameters, static) > MOST_INSTANCES:
            return static, [others]
        rows = sorted(Query(parameters, And(tuple(static)), self._types, self._tables).answers(self._world))
        names = [parameter.name for parameter in parameters]
        bindings = [dict(zip(names, row, strict=True)) for row in rows[:MOST_INSTANCES]]
        return static, [[substituted(part, binding) for part in others] for binding in bindings]

    def nearly(self, way: Achiever) -> list[tuple[Literal, list[Condition]]]:
        """Return false static facts that each alone block an achiever, with its conditions that are not static."""
        static, pairs = self._static_parts(way), list[tuple[Literal, list[Condition]]]()
        for part in static:
            others = [each for each in static if each is not part]
            if literal_of(part, ground=False) is None or self._size(way.parameters, others) > MOST_INSTANCES:
                continue
            rows = Query(way.parameters, And(tuple(others)), self._types, self._tables).answers(self._world)
            for row in sorted(rows)[:MOST_NEARLY]:
                binding = dict(zip([each.name for each in way.parameters], row, strict=True))
                literal = literal_of(substituted(part, binding))
                if literal is not None and self._lacking(literal):
                    pairs.append((literal, [substituted(each, binding) for each in way.needs if each not in static]))
        return pairs

    def _lacking(self, literal: Literal) -> bool:
        """Return whether a literal is false in the initial state, although it looks plausible there."""
        if (literal.atom in self._semantics.initial) == literal.sign:
            return False
        return self.plausible(literal)

    def plausible(self, literal: Literal) -> bool:
        """Return whether a static literal resembles the initial facts, so that the author may have forgotten it.

        A literal is not plausible if it relates an object to itself and no fact of its predicate does, if it gives an
        object a second kind, or if it adds a second value where every other object has one.
        """
        atom = literal.atom
        same = [each for each in self._task.problem.init if each.predicate == atom.predicate]
        if not literal.sign or not atom.arguments:
            return True
        if len(atom.arguments) == 1:
            return not self._kinds_of(atom.arguments[0])
        twice = len(set(atom.arguments)) < len(atom.arguments)
        if twice and not any(len(set(each.arguments)) < len(each.arguments) for each in same):
            return False
        firsts = [each.arguments[0] for each in same]
        return len(atom.arguments) > 2 or atom.arguments[0] not in firsts or len(set(firsts)) < len(firsts)

    def _kinds_of(self, name: str) -> list[str]:
        """Return the static unary predicates that are true of an object."""
        facts = [atom for atom in self._task.problem.init if atom.arguments == (name,)]
        return [atom.predicate for atom in facts if self.static(atom.predicate)]

    def instances_of(self, condition: Condition) -> list[Condition]:
        """Return the conjuncts of a condition, with each `forall` expanded over the objects."""
        if not isinstance(condition, Forall):
            return list(conjuncts(condition))
        bindings = islice(self._types.assignments(condition.parameters, {}), MOST_INSTANCES)
        bodies = [substituted(condition.body, binding) for binding in bindings]
        return [part for body in bodies for part in self.instances_of(body)]

    def _size(self, parameters: Sequence[TypedName], static: Sequence[Condition]) -> int:
        """Return an upper bound for the number of choices of objects for parameters under `static` conditions."""
        atoms = [part for part in static if isinstance(part, Atom) and part.predicate != "="]
        bound = {name for atom in atoms for name in atom.arguments}
        domains = self._types.domains(parameters)
        return prod([len(domains[each.name]) for each in parameters if each.name not in bound])

    def choices(self, condition: Condition, parameters: Sequence[TypedName]) -> list[Literal]:
        """Return a condition's ground literals: one per object if exactly one variable is free, else at most one."""
        free = [each for each in parameters if each.name in free_variables(condition)]
        domains = self._types.domains(free)
        if not free or len(free) > 1:
            first = {name: objects[0] for name, objects in domains.items() if objects}
            return [each for each in [literal_of(substituted(condition, first))] if each is not None]
        name = free[0].name
        made = [literal_of(substituted(condition, {name: each})) for each in domains[name][:MOST_INSTANCES]]
        return sorted([each for each in made if each is not None], key=lambda each: not self.well_typed(each.atom))

    def alike(self, literal: Literal, place: int) -> list[Literal]:
        """Return the literals made from a literal by replacing one argument by each object of the argument's type."""
        predicate = next(each for each in self._task.domain.predicates if each.name == literal.atom.predicate)
        before, after = literal.atom.arguments[:place], literal.atom.arguments[place + 1 :]
        names = self._types.members(predicate.parameters[place].types)
        return [Literal(Atom(literal.atom.predicate, (*before, name, *after)), literal.sign) for name in names]

    def _static_parts(self, way: Achiever) -> list[Condition]:
        changing = self._semantics.fluent_predicates | self._semantics.derived_predicates
        return [
            part
            for part in way.needs
            if not any(isinstance(each, Atom) and each.predicate in changing for each in walk(part))
        ]


def _alternatives(
    parameters: tuple[TypedName, ...], needs: tuple[Condition, ...]
) -> Iterator[tuple[tuple[TypedName, ...], tuple[Condition, ...]]]:
    """Yield the parameters and conditions of an achiever for each alternative of its top-level `or` conditions."""
    names = {each.name for each in parameters}
    for place, part in enumerate(needs):
        before, after = needs[:place], needs[place + 1 :]
        if isinstance(part, Or | Imply):
            either = part.operands if isinstance(part, Or) else (Not(part.premise), part.conclusion)
            for operand in either:
                yield from _alternatives(parameters, (*before, *conjuncts(operand), *after))
            return
        if isinstance(part, Exists) and names.isdisjoint(each.name for each in part.parameters):
            yield from _alternatives((*parameters, *part.parameters), (*before, *conjuncts(part.body), *after))
            return
    yield parameters, needs


def literal_of(condition: Condition, *, ground: bool = True) -> Literal | None:
    """Return a condition as a literal; None if it is no literal or, with `ground`, if it has variables."""
    atom, sign = (condition.operand, False) if isinstance(condition, Not) else (condition, True)
    if not isinstance(atom, Atom) or atom.predicate == "=":
        return None
    if ground and any(term.startswith("?") for term in atom.arguments):
        return None
    return Literal(atom, sign)


def _closed(condition: Condition, parameters: Sequence[TypedName]) -> Condition:
    """Return a condition with its free variables bound by `exists`."""
    free = free_variables(condition)
    names = tuple([parameter for parameter in parameters if parameter.name in free])
    return Exists(names, condition) if names else condition


class MissingCondition(Record):
    """An unreachable condition of an achiever, as text, and as a fact that can be explained in turn.

    `hopeless`: static facts exclude every way to it, so no action makes it true. `ends`: facts that nothing changes,
    any one of which would do; `open_`: other facts of the same form would do as well; `end`: why no fact of the form
    ever holds; `action`: the action of the way; `narrow`: conditions that only one choice of its objects fulfils;
    `one_of_several`: there are other facts of the same form.
    """

    text: str
    literal: Fact | None
    hopeless: bool
    ends: tuple[Literal, ...] = ()
    open_: bool = False
    end: str = ""
    action: str = ""
    narrow: str = ""
    one_of_several: bool = False


class Link(Record):
    """A step of an explanation: an unreachable fact, its actions, and the missing conditions of these actions."""

    fact: str
    actions: tuple[str, ...]
    lacks: tuple[str, ...]
    text: str


class _Node(Record):
    """An unreachable fact with its achievers, and the unreachable conditions of these achievers."""

    literal: Fact
    ways: tuple[Achiever, ...]
    lacks: tuple[MissingCondition, ...]

    def following(self) -> list[Fact]:
        """Return the facts that can follow this node's fact in the chain."""
        lacks = [lack for lack in self.lacks if lack.literal is not None and lack.literal != self.literal]
        return [lack.literal for lack in [each for each in lacks if not each.hopeless] or lacks if lack.literal]

    def ends(self) -> list[Literal]:
        """Return facts that would each make this node's fact reachable."""
        if self.ways:
            return [end for lack in self.lacks for end in lack.ends]
        return [self.literal] if isinstance(self.literal, Literal) else []


class FactChains:
    """A search for chains of unreachable facts in a task. Raises LimitReached, as grounding does."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._achievers = Achievers(task)
        self._nodes: dict[Fact, _Node] = {}

    def unreachable(self, conditions: Iterable[Condition]) -> frozenset[Condition]:
        """Return which of the given conditions can never become true."""
        distinct = list(dict.fromkeys(conditions))
        return frozenset(survey.unreachable(self._task, distinct)[1]) if distinct else frozenset()

    def links(self, goal: Condition) -> list[Link]:
        """Return the chain of explanations from an unreachable goal to a fact that is false at the start."""
        path, again = self._path(goal)
        links = [self._link(self._nodes[each]) for each in path[:MOST_LINKS]]
        for number, (one, other) in enumerate(pairwise(path[:MOST_LINKS]), 1):
            if any(lack.literal == other and lack.one_of_several for lack in self._nodes[one].lacks):
                links[number] = links[number].replace(text=f"for instance, {links[number].text}")
        if again is not None and len(path) <= MOST_LINKS:
            links.append(self._cycle_link(path[path.index(again) :]))
        last = self._nodes[path[-1]]
        ends = [lack for lack in last.lacks if lack.end and not last.following()][:MOST_ENDS]
        if again is None and not ends and any(lack.literal == last.literal for lack in last.lacks):
            links.append(self._cycle_link(path[-1:]))
        return links + [Link(lack.text, (), (), lack.end) for lack in ends]

    def lacking(self, goal: Condition) -> list[Literal]:
        """Return facts that are false at the start and whose truth might make an unreachable goal reachable."""
        path = self._path(goal)[0]
        nodes = [self._nodes[each] for each in dict.fromkeys([*reversed(path), *self._nodes])]
        ends = [end for node in nodes for end in node.ends() if not self._achievers.derived(end.atom.predicate)]
        nearly = [pair for node in nodes for way in node.ways for pair in self._achievers.nearly(way)]
        lost = self.unreachable(part for _, parts in nearly for part in parts)
        found = dict.fromkeys([*ends, *[each for each, parts in nearly if lost.isdisjoint(parts)]])
        return [literal for literal in found if self._achievers.well_typed(literal.atom)]

    def _path(self, goal: Condition) -> tuple[list[Fact], Fact | None]:
        """Return the shortest chain of facts from `goal` to a fact that ends it; else a chain that enters a cycle."""
        first: Fact = literal_of(goal) or goal
        explorer = Explorer(first, lambda fact: [(None, each, each) for each in self._nodes[fact].following()])
        while level := explorer.states[len(explorer.edges) :]:
            self._analyse(level)
            end = next((each for each in level if not self._nodes[each].following()), None)
            if end is not None:
                return [first, *explorer.way(explorer.numbers[end])], None
            for _ in level:
                explorer.expand(MOST_LOOKED_AT)
        return self._path_into_cycle(first)

    def _path_into_cycle(self, first: Fact) -> tuple[list[Fact], Fact | None]:
        """Follow one unreachable condition after the other; return the path, and the fact that it meets again."""
        path = [first]
        while len(path) <= MOST_LINKS:
            self._analyse([path[-1]])
            following = self._nodes[path[-1]].following()
            if not following:
                return path, None
            again = next((each for each in following if each in path), None)
            if again is not None:
                return path, again
            path.append(following[0])
        return path, None

    def _analyse(self, literals: Sequence[Fact]) -> None:
        """Find the missing conditions of all achievers of `literals`, by a single reachability analysis."""
        fresh = [literal for literal in literals if literal not in self._nodes]
        ways = {literal: tuple(self._achievers.ways(literal)) for literal in fresh}
        lost = self.unreachable(part for each in ways.values() for way in each for part in way.closed())
        instances = {
            way: self._achievers.instances(way)
            for each in ways.values()
            for way in each
            if lost.isdisjoint(way.closed())
        }
        parts = (part for _, rows in instances.values() for row in rows for part in row)
        lost |= self.unreachable(part for part in parts if not free_variables(part))
        for literal, each in ways.items():
            choices = [(way.action, lacks) for way in each for lacks in self._missing(way, instances.get(way), lost)]
            lacks = [_hardest(lacks).replace(action=action) for action, lacks in choices]
            common = [lack for lack in choices[0][1] if all(lack in own for _, own in choices)] if choices else []
            if common and _hardest(common).hopeless == all(lack.hopeless for lack in lacks):
                lacks = [_hardest(common).replace(action=action) for action, _ in choices]
            self._nodes[literal] = _Node(literal, each, tuple(dict.fromkeys(lacks)))

    def _missing(
        self, way: Achiever, instances: tuple[list[Condition], list[list[Condition]]] | None, lost: frozenset[Condition]
    ) -> Iterator[list[MissingCondition]]:
        """Yield the unreachable conditions of an achiever, separately for each choice of objects."""
        if not self._achievers.populated(way):
            types = listing(list(dict.fromkeys(self._achievers.unpopulated(way))))
            yield [MissingCondition(f"an object of type {types} (there is none)", None, True)]
            return
        if instances is None:
            parts = [part for part, closed in zip(way.needs, way.closed(), strict=True) if closed in lost]
            lacks = [self._missing_condition(part, way) for part in parts]
            only = lacks[0].literal if len(parts) == 1 and isinstance(lacks[0].literal, Literal) else None
            if only is not None and self._achievers.static(only.atom.predicate):
                # only one fact at the start is missing
                lacks = [lacks[0].replace(hopeless=not (only.sign and self._achievers.plausible(only)))]
            yield lacks
            return
        static, rows = instances
        if not rows:
            yield [
                MissingCondition(
                    f"objects with {listing([text(part, {}) for part in static])} (there are none)", None, True
                )
            ]
        narrow = listing([text(part, {}) for part in static if free_variables(part)] if len(rows) == 1 else ())
        for row in rows:
            lacks = [self._missing_condition(part, way) for part in row if part in lost]
            together = MissingCondition(f"{listing([text(part, {}) for part in row])} together", None, False)
            yield [lack.replace(narrow=narrow) for lack in lacks or [together]]

    def _missing_condition(self, part: Condition, way: Achiever) -> MissingCondition:
        """Describe an unreachable condition of an achiever, for use in an explanation."""
        literals = self._achievers.choices(part, way.parameters)
        free = sorted(free_variables(part))
        names = self._achievers.shown(part, way.parameters) if literals else listing(free)
        said = f"{text(part, {})} for some {names}" if free else text(part, {})
        if isinstance(part, Not) and isinstance(part.operand, Atom) and part.operand.predicate == "=":
            return MissingCondition(f"{listing(part.operand.arguments)} that differ (there are none)", None, True)
        if not literals:  # the part is no literal
            return MissingCondition(said, None if free else part, False)
        static = self._achievers.static(literals[0].atom.predicate)
        if len(free) > 1 and not static:  # other facts would do as well
            return MissingCondition(said, literals[0], False, open_=True, one_of_several=len(literals) > 1)
        if free and (static or not any(True for each in literals for _ in self._achievers.ways(each))):
            sign = literals[0].sign
            atom = text(part if sign else part.children()[0], {})
            never = self._achievers.never(literals[0])
            end = f"{atom} is {_state(not sign)} at the start for every {names}, and no action {never}"
            return MissingCondition(said, None, True, tuple(literals) if len(free) == 1 else (), end=end)
        possible = [literal for literal in literals if self._achievers.possible(literal)]
        several = len(literals) > 1
        return MissingCondition(said, (possible or literals)[0], not possible, open_=bool(free), one_of_several=several)

    def _link(self, node: _Node) -> Link:
        """Return one step of an explanation: an unreachable fact, with the missing conditions of its actions."""
        literal, actions = node.literal, tuple(dict.fromkeys(way.action for way in node.ways if way.action))
        hopeful = [lack for lack in node.lacks if not lack.hopeless or not actions]
        lacks = tuple(dict.fromkeys(lack.text for lack in hopeful or node.lacks))
        if isinstance(literal, Literal) and not node.ways:
            return Link(str(literal), (), (), self._never(literal))
        shown = list(lacks)
        if len(lacks) > MOST_LACKS + 1:
            shown = [*lacks[:MOST_LACKS], f"one of {len(lacks) - MOST_LACKS:,} other facts"]
        needs = listing(shown, "or")
        never = [each for each in actions if hopeful and all(lack.action != each for lack in hopeful)]
        if hopeful and len(hopeful) < len(node.lacks) and not never:
            needs += " (no alternative can become true)"
        elif len(node.lacks) == 1 and node.lacks[0].narrow:
            needs += f", since no other objects fulfil {node.lacks[0].narrow}"
        if not isinstance(literal, Literal):
            said = f"that needs {needs}" if node.ways else "that is false in all states"
        elif never:
            others = [each for each in actions if each not in never]
            said = (
                f"only {listing(actions)} make {literal.atom} {_state(literal.sign)}; {listing(never)} never can, and "
            )
            said += f"{listing(others)} {'needs' if len(others) == 1 else 'need'} {needs}"
        elif len(actions) == 1:
            said = f"only {actions[0]} makes {literal.atom} {_state(literal.sign)}, and it needs {needs}"
        else:
            said = f"only {listing(actions)} make {literal.atom} {_state(literal.sign)}, and they need {needs}"
        return Link(_text(literal), actions, lacks, said)

    def _never(self, literal: Literal) -> str:
        """Return a sentence which says that nothing ever makes a literal true."""
        atom = literal.atom
        if self._achievers.derived(atom.predicate):
            return (
                f"no rule makes {atom} true" if literal.sign else f"{atom} is true in every state that can be reached"
            )
        return f"{atom} is {_state(not literal.sign)} at the start, and no action {self._achievers.never(literal)}"

    def _cycle_link(self, literals: Sequence[Fact]) -> Link:
        """Return the last step of a cyclic explanation, in which each fact requires another fact of the cycle."""
        closed = self._closure(literals[0])
        names = tuple(map(_text, closed or literals))
        if closed and len(closed) > 1:
            said = f"so each of {_some(names)} needs one of them first, and none of them is true at the start"
        elif closed:
            said = f"so {names[0]} needs itself first, and is not true at the start"
        elif len(literals) == 1:
            said = "so one such fact must be true first, and none is true at the start"
        else:
            said = "these facts need each other, and none of them is true at the start"
        form = self._form(literals)
        return Link(names[0], (), names, f"{said}; {form}" if form else said)

    def _closure(self, first: Fact) -> list[Fact]:
        """Return a fact and all facts on which it depends; empty if the analysis of these facts is incomplete."""
        closed, at = [first], 0
        while at < len(closed):
            node = self._nodes.get(closed[at])
            if node is None or any(lack.literal is None or lack.open_ for lack in node.lacks if not lack.hopeless):
                return []
            closed += [each for each in dict.fromkeys(node.following()) if each not in closed]
            at += 1
        return closed

    def _form(self, facts: Sequence[Fact]) -> str:
        """Return a sentence about reachable facts that differ in one object from the facts of a cycle; may be empty."""
        lacks = [lack for fact in facts for lack in self._nodes[fact].lacks if not lack.hopeless]
        led = [lack.literal for lack in lacks if lack.literal is not None]
        literals = [each for each in (*facts, *led) if isinstance(each, Literal)]
        if len(literals) < len(facts) + len(led):
            return ""
        one, *others = [literal.atom for literal in literals]
        if any(atom.predicate != one.predicate for atom in others) or not all(each.sign for each in literals):
            return ""
        pairs = [set(arguments) for arguments in zip(*[atom.arguments for atom in (one, *others)], strict=True)]
        places = [place for place, names in enumerate(pairs) if len(names) > 1]
        if len(places) != 1:  # facts that differ in several arguments have no common form
            return ""
        place = places[0]
        alike = self._achievers.alike(literals[0], place)
        lost = self.unreachable(literal.condition for literal in alike)
        can = [literal.atom.arguments[place] for literal in alike if literal.condition not in lost]
        cannot = [literal.atom.arguments[place] for literal in alike if literal.condition in lost]
        form = f"({' '.join((one.predicate, *one.arguments[:place], '…', *one.arguments[place + 1 :]))})"
        if not can:
            return f"no fact {form} can be true"
        few = len(can) <= len(cannot)
        return (
            f"{form} can only be true for {_some(can)}" if few else f"{form} can be true, but not for {_some(cannot)}"
        )


def _hardest(lacks: Sequence[MissingCondition]) -> MissingCondition:
    """Return the condition hardest to fulfil: the first that nothing fulfils, else the first that is a literal."""
    hopeless = [lack for lack in lacks if lack.hopeless]
    followed = [lack for lack in lacks if lack.literal is not None]
    return (hopeless or followed or lacks)[0]


def _some(names: Sequence[str]) -> str:
    """Return names as a list in words; if there are many, the first names and the number of the remaining ones."""
    if len(names) <= MOST_ALIKE:
        return listing(names)
    return f"{', '.join(names[:MOST_ALIKE])} and {count(len(names) - MOST_ALIKE, 'other')}"


def _text(fact: Fact) -> str:
    return str(fact) if isinstance(fact, Literal) else text(fact, {})


def _state(sign: bool) -> str:
    return "true" if sign else "false"
