"""A PDDL task as flat arrays of 32-bit numbers: what crosses into the C++ grounding.

Names become places: objects (constants first) and predicates in the order of the text. Conditions are brought into
negation normal form and written prefix first; each variable of a schema, quantified ones included, has a *slot* of its
own, so that no scopes are left. A term is a slot, or `~object`; `k` numbers are written `k, ...`.

    formula   0 predicate terms  |  1 predicate terms (negated)  |  2 term term (=)  |  3 term term (not =)
              4 k formulas (and)  |  5 k formulas (or)  |  6 k slots, formula (exists)  |  7 k slots, formula (forall)
    scope     k domains (one a slot), k slots of parameters, each once, k slots of arguments
    action    scope, formula, k effects, k costs
    effect    1 or 0 (add or delete), k slots of its `forall`s, formula, predicate, terms
    cost      0 number  |  1 function terms
    axiom     scope (its arguments are the head's), predicate, formula
    goal      scope, formula
    start     k facts, by their places in `initial`
"""

from __future__ import annotations

from array import array

from unpuzzle.limits import ticked
from unpuzzle.planners.native.grounding.schemas import Schema, Vocabulary, checked_cost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unpuzzle.pddl.nodes import Atom, Condition, Predicate, Task
    from unpuzzle.planners.native.grounding.schemas import Domains


class Flat(Vocabulary):
    """The arrays of a task, and the names that their numbers stand for.

    `starts` are initial states other than the task's, without static atoms; `goals` what is asked for, by default the
    task's own. No action changes the `varying` predicates, but each start has facts of its own of them. `faithful` as
    in `Vocabulary`; `tick` is called often, and may raise to end the work.
    """

    __slots__ = ("_declared", "_members", "goals", "names", "starts", "task", "tick", "varying")

    def __init__(
        self,
        task: Task,
        *,
        starts: Iterable[frozenset[Atom]] = (),
        goals: Iterable[Condition] | None = None,
        varying: frozenset[str] = frozenset(),
        faithful: bool = False,
        tick: Callable[[], None] | None = None,
    ) -> None:
        self.tick = tick
        self.task: Task = task
        self.starts: tuple[frozenset[Atom], ...] = tuple(starts)
        self.goals: tuple[Condition, ...] = (task.problem.goal,) if goals is None else tuple(goals)
        self.varying: frozenset[str] = varying
        self.faithful = faithful
        self._members = _members(task, tick)
        self.objects = {name: number for number, name in enumerate(self._members["object"])}
        self._declared = _distinct((*task.domain.predicates, *[axiom.head for axiom in task.domain.axioms]))
        self.predicates = {name: number for number, name in enumerate(self._declared)}
        self.functions = {f.name: number for number, f in enumerate(task.domain.functions)}
        self.names: list[str] = list(self.objects)
        self.metric = None if task.problem.metric is None else task.problem.metric.function
        self.fluent = set(varying)
        self.priced = set()

    def buffers(self) -> dict[str, array[int]]:
        """Return the arrays for `_core.ground`.

        Raises UnsupportedFeature for costs that depend on the state or are out of range, ParseError for axioms that
        cannot be stratified.
        """
        domains: Domains = {}
        actions, axioms, goals = array("i"), array("i"), array("i")
        for action in self.task.domain.actions:
            Schema(self, domains, actions).action(action.parameters, action.precondition, action.effect)
        for axiom in self.task.domain.axioms:
            Schema(self, domains, axioms).axiom(axiom.head.name, axiom.head.parameters, axiom.body)
        for goal in self.goals:
            Schema(self, domains, goals).goal(goal)
        initial, starts = self._initial()
        return {
            "domains": self._domain_array(domains),
            "predicates": self._predicate_array(),
            "functions": array("i", [len(f.parameters) for f in self.task.domain.functions]),
            "initial": initial,
            "starts": starts,
            "values": self._values(),
            "actions": actions,
            "axioms": axioms,
            "goals": goals,
        }

    def goal(self, goal: Condition) -> tuple[array[int], array[int]]:
        """Return the arrays of a goal that comes later: domains of its own, and the goal."""
        domains: Domains = {}
        out = array("i")
        Schema(self, domains, out).goal(goal)
        return self._domain_array(domains), out

    def _domain_array(self, domains: Domains) -> array[int]:
        flat = array("i")
        for declarations, first in domains:
            members: Iterable[str] = self._of_types(declarations[0])
            for types in declarations[1:]:
                other = self._of_types(types)
                members = [name for name in members if name in other]
            numbers = [self.objects[name] for name in members]
            if first:
                numbers = numbers[:1]
            flat.append(len(numbers))
            flat.extend(numbers)
        return flat

    def _of_types(self, types: tuple[str, ...]) -> dict[str, None]:
        if len(types) == 1:
            return self._members.get(types[0], {})
        either = [self._members.get(name, {}) for name in types]
        return {name: None for name in self.objects if any(name in members for members in either)}

    def _predicate_array(self) -> array[int]:
        """Return triples: arity, layer or -1, and 1 where each start has its own facts."""
        layers: dict[str, int] = {}
        if self.task.domain.axioms:
            from .layers import stratify

            layers = stratify(self.task.domain.axioms)
        flat = array("i")
        for name, predicate in self._declared.items():
            flat.extend((len(predicate.parameters), layers.get(name, -1), name in self.varying))
        return flat

    def _initial(self) -> tuple[array[int], array[int]]:
        """Return the facts that are true in some start, and for each of several starts which of them it has."""
        facts: Iterable[Atom] = self.task.problem.init
        starts = array("i")
        if self.starts:
            places = {atom: 0 for atom in facts if atom.predicate not in self.fluent}
            places = {atom: place for place, atom in enumerate(places)}
            for start in self.starts:
                own = [places.setdefault(atom, len(places)) for atom in start if atom.predicate in self.fluent]
                starts.append(len(own))
                starts.extend(own)
            facts = places
        flat = array("i")
        predicates, objects = self.predicates, self.objects
        for atom in ticked(facts, self.tick):
            flat.append(predicates[atom.predicate])
            flat.extend([objects[name] for name in atom.arguments])
        return flat, starts

    def _values(self) -> array[int]:
        """Return function, arguments and number of each value that costs depend on."""
        flat = array("q")
        for value in ticked(self.task.problem.values, self.tick):
            if value.term.function in self.priced:
                flat.append(self.functions[value.term.function])
                flat.extend([self.objects[name] for name in value.term.arguments])
                flat.append(checked_cost(value.number))
        return flat


def _distinct(declarations: Iterable[Predicate]) -> dict[str, Predicate]:
    """Return the declarations by name, each as it came first."""
    first: dict[str, Predicate] = {}
    for declared in declarations:
        first.setdefault(declared.name, declared)
    return first


def _members(task: Task, tick: Callable[[], None] | None = None) -> dict[str, dict[str, None]]:
    """Return the objects of each type and of its subtypes, in the order of the text, constants first."""
    parents: dict[str, list[str]] = {}
    for declared in task.domain.types:
        parents.setdefault(declared.name, []).extend(declared.types)
    above: dict[tuple[str, ...], list[str]] = {}
    members: dict[str, dict[str, None]] = {"object": {}}
    for item in ticked((*task.domain.constants, *task.problem.objects), tick):
        types = above.get(item.types)
        if types is None:
            types = above[item.types] = _ancestors(item.types, parents)
        for name in types:
            members.setdefault(name, {})[item.name] = None
    return members


def _ancestors(types: tuple[str, ...], parents: dict[str, list[str]]) -> list[str]:
    above, pending = {"object": None}, list(types)
    while pending:
        name = pending.pop()
        if name not in above:
            above[name] = None
            pending.extend(parents.get(name, ()))
    return list(above)
