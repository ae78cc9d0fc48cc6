"""Tasks for Fast Downward, rewritten so that its translator finds no wrong mutex groups.

The translator (Helmert 2009, section 5) proves that at most one atom of a group is true: whatever an action adds to the
group must be balanced by an atom of the group that was true and that the action deletes. It overlooks that *another*
effect may add the deleted atom again. Then the add wins, nothing is deleted, and the group grows:

    (:action a :parameters (?p ?q ?r) :precondition (and (f ?p) (f ?q))
     :effect (and (not (f ?p)) (f ?q) (f ?r)))            where ?p is ?q, (f ?p) stays, and (f ?r) is one more

A *threat* is such a delete, with the add that may meet it and the add that it would balance. Then the delete is written
so that the translator no longer sees that the deleted atom was true: `(not (f ?same))`, with a new last parameter and
the precondition `(= ?same ?p)`. So the ground actions are the old ones, and have no conditional effects; in plans, the
last object is left out. (In two actions, one for ?p = ?q without the delete, the translator accepts no more groups.)
A delete with a condition or a quantifier, or without arguments, gets a condition that always holds.

The translator overlooks the types of quantified variables, too. A *narrow* delete does not happen to the atom that was
true, so the group grows without any other add:

    (:action a :parameters (?x ?y) :precondition (g ?x)
     :effect (and (g ?y) (forall (?e - t) (not (g ?e)))))                      where ?x is no t, (g ?x) stays

The same applies to variables in the condition of a delete, also those of `exists`. It is a threat without a second add,
and gets the condition that always holds.

Threats that cannot deceive are left unchanged: a search over the groups that the translator may accept looks for one
that contains the delete and the balanced add, has one atom in the initial state, and does not forbid the threat itself
by two atoms that must be true before. In doubt, a threat counts: the translator may accept fewer groups than it.

SymK, Scorpion and other planners have inherited the translator, and with it the mistake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations
from typing import Any

from unpuzzle.pddl.declarations import atoms
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Not, conjuncts, walk
from unpuzzle.pddl.nodes import OBJECT, Action, Plan, Predicate, Task, TypedName
from unpuzzle.pddl.normal_form import (
    SingleEffect,
    fresh,
    quantified_effects,
    single_effects,
    substituted,
    unused,
)
from unpuzzle.pddl.world import Types, increases

MOST_GROUPS = 1000
"""The number of groups to look at for one threat, beyond which it counts as a threat."""

Terms = tuple[str, ...]
Find = Callable[[str], str]
"""A function from a term to the representative of all terms equal to it."""
Group = Mapping[str, tuple[int, ...]]
"""For each predicate of a group the number of the group's parameter at each place, or COUNTED."""
COUNTED = -1


def without_false_mutexes(task: Task) -> tuple[Task, Mapping[str, int]]:
    """Return an equal task without wrong mutex groups, and the old number of parameters of each extended action.

    It is the same task if there are no threats.
    """
    finder, always = _Threats(task), unused("always", {each.name for each in task.domain.predicates})
    actions = [finder.changed(action, Atom(always)) for action in task.domain.actions]
    changed = with_actions(task, actions)
    if changed is task:
        return task, {}
    domain = changed.domain.replace(predicates=(*task.domain.predicates, Predicate(always)))
    problem = task.problem.replace(init=(*task.problem.init, Atom(always)))
    pairs = zip(task.domain.actions, actions, strict=True)
    arities = {old.name: len(old.parameters) for old, new in pairs if old.parameters != new.parameters}
    return Task(domain, problem.trusted(domain)), arities


def original_plan(plan: Plan | None, arities: Mapping[str, int]) -> Plan | None:
    """Return a plan without the arguments of parameters that were added to the actions of the task."""
    if plan is None or not arities:
        return plan
    steps = [
        step.replace(arguments=step.arguments[: arities.get(step.name, len(step.arguments))]) for step in plan.steps
    ]
    return plan.replace(steps=tuple(steps))


def flat_effect(action: Action, singles: Sequence[SingleEffect]) -> And:
    """Return an action's effect that consists of the given single effects and the action's cost effects."""
    return And((*(each.formula for each in singles), *increases(action)))


def with_actions(task: Task, actions: Any) -> Task:
    actions = tuple(actions)
    domain = task.domain.replace(actions=actions)
    return task if actions == task.domain.actions else Task(domain, task.problem.trusted(domain))


class _Effects:
    """The single effects of an action, with quantified variables renamed so that no two have the same name.

    `meeting` are the adds once more, with their own variables.
    """

    def __init__(self, action: Action, types: Types) -> None:
        self.action: Action = action
        parts = (*walk(action.precondition), *walk(action.effect), action)
        taken = {each.name: each.name for part in parts for each in getattr(part, "parameters", ())}

        def own(each: SingleEffect) -> SingleEffect:
            bound, inner = fresh(each.parameters, taken)
            taken.update({named.name: named.name for named in bound})
            condition, literal = (substituted(part, inner) for part in (each.condition, each.literal))
            return SingleEffect(bound, (condition,), literal) if bound else each

        # A delete for each object of a type without objects never happens, but the translator reads it.
        idle_deletes = [
            each
            for each in single_effects(action)
            if isinstance(each.literal, Not) and not all(types.members(named.types) for named in each.parameters)
        ]
        self.singles: list[SingleEffect] = list(map(own, (*quantified_effects(action, types), *idle_deletes)))
        plain = [each for each in self.singles if not each.parameters and each.condition == And()]
        literals = [each.literal for each in plain]
        # The translator itself drops a delete that is also an add word for word, but only one of its kind.
        idle = [id(each) for each in plain if each.atom in literals and literals.count(each.literal) == 1]
        self.deletes: list[SingleEffect] = [
            each for each in self.singles if isinstance(each.literal, Not) and id(each) not in idle
        ]
        self.adds: list[SingleEffect] = [each for each in self.singles if isinstance(each.literal, Atom)]
        self.meeting: list[SingleEffect] = list(map(own, self.adds))

    def pairs(self) -> Iterator[tuple[SingleEffect, SingleEffect]]:
        """Yield each pair of add effects of an action; one with quantified variables also forms a pair with itself."""
        for number, meeting in enumerate(self.meeting):
            yield from ((meeting, add) for place, add in enumerate(self.adds) if place != number or add.parameters)

    def balancing(self, add: SingleEffect) -> list[SingleEffect]:
        """Return the delete effects for which the translator may prove that they balance an add effect."""
        return [each for each in self.deletes if all(pairs for _, pairs in self._said(each, add))]

    def _said(self, delete: SingleEffect, add: SingleEffect) -> Iterator[tuple[Atom, list[Terms]]]:
        """Yield each atom that `delete` requires, with the arguments of possibly equal atoms that `add` requires."""
        parts = chain(walk(self.action.precondition), walk(add.condition))
        said = [part for part in parts if isinstance(part, Atom)]
        free = {each.name for each in delete.parameters}
        for atom in (delete.atom, *[each for each in conjuncts(delete.condition) if isinstance(each, Atom)]):
            alike = [each.arguments for each in said if each.predicate == atom.predicate]
            yield (
                atom,
                [
                    terms
                    for terms in alike
                    if all(t in free or t == u for t, u in zip(atom.arguments, terms, strict=True))
                ],
            )

    def is_narrow(self, delete: SingleEffect, add: SingleEffect, types: Types) -> bool:
        """Return whether the type of a variable in a delete effect may exclude objects that the add effect allows."""
        everything = set(types.members(OBJECT))
        for part in walk(delete.condition):
            if isinstance(part, Exists | Forall) and any(
                everything - {*types.members(v.types)} for v in part.parameters
            ):
                return True
        sources = (self.action, add, *walk(self.action.precondition), *walk(add.condition))
        declared = [named for part in sources for named in getattr(part, "parameters", ())]

        def domain(term: str) -> set[str]:
            members = [types.members(named.types) for named in declared if named.name == term]
            return set(chain.from_iterable(members)) if term[0] == "?" else {term}

        for variable in delete.parameters:
            own, met = set(types.members(variable.types)), set[str]()
            for atom, alike in self._said(delete, add):
                places = [place for place, term in enumerate(atom.arguments) if term == variable.name]
                met |= {terms[place] for terms in alike for place in places}
            if not own or not (set[str]().union(*map(domain, met)) if met else everything) <= own:
                return True
        return False


class _Threat:
    """A delete effect that seems to balance an add effect, but that another add effect cancels."""

    def __init__(self, delete: SingleEffect, true: set[Terms], find: Find) -> None:
        self.delete, self.true, self.find = delete, true, find

    def values(self, group: Group) -> list[str]:
        return list(map(self.find, _values(group, self.delete.atom.predicate, self.delete.atom.arguments)))

    def forbidden(self, group: Group) -> bool:
        """Return whether this threat requires two atoms of a group to be true before the action."""
        others = [atom for atom in self.true if atom[0] in group and atom[0] != self.delete.atom.predicate]
        return any(_values(group, predicate, terms) == self.values(group) for predicate, *terms in others)


class _Threats:
    """A search for the delete effects of a task that the translator would wrongly count as balancing."""

    def __init__(self, task: Task) -> None:
        self._types = Types(task)
        self._declared = {each.name: each.types for each in (*task.domain.constants, *task.problem.objects)}
        self._effects = {action.name: _Effects(action, self._types) for action in task.domain.actions}
        self._adding: dict[str, dict[str, _Effects]] = {}
        for name, effects in self._effects.items():
            for add in effects.adds:
                self._adding.setdefault(add.atom.predicate, {})[name] = effects
        changing = {each.atom.predicate for effects in self._effects.values() for each in effects.singles}
        changing |= {axiom.head.name for axiom in task.domain.axioms}
        self._start: dict[str, list[Terms]] = {predicate.name: [] for predicate in task.domain.predicates}
        for fact in task.problem.init:
            self._start[fact.predicate].append(fact.arguments)
        self._static = {name: facts for name, facts in self._start.items() if name not in changing}

    def changed(self, action: Action, always: Atom) -> Action:
        """Return an action in which the delete effects that the translator would misjudge are rewritten."""
        effects, singles, parameters = self._effects[action.name], list[SingleEffect](), list(action.parameters)
        overrated, equal, declared = self._overrated(effects), list[Condition](), {**self._declared}
        declared.update({each.name: each.types for each in parameters})
        for each in effects.singles:
            if id(each) not in overrated:
                singles.append(each)
            elif each.parameters or each.condition != And() or not each.atom.arguments:
                singles.append(each.replace(conditions=(And((always, each.condition)),)))
            else:
                first, *others = each.atom.arguments
                same = unused("?same", declared)
                declared[same] = declared[first]
                parameters.append(TypedName(same, declared[first]))
                equal.append(Atom("=", (same, first)))
                singles.append(each.replace(literal=Not(Atom(each.atom.predicate, (same, *others)))))
        if not overrated:
            return action
        precondition = And((*equal, action.precondition))
        effect = flat_effect(action, singles)
        return action.replace(parameters=tuple(parameters), precondition=precondition, effect=effect)

    def _overrated(self, effects: _Effects) -> set[int]:
        """Return the ids of delete effects that the translator may count as balancing, although an add cancels them."""
        found: set[int] = set()

        def look(threat: _Threat | None, add: SingleEffect) -> None:
            if threat is not None and id(threat.delete) not in found:
                groups = [more for group in _groups(add.atom) for more in _extended(group, add, threat.delete)]
                if any(self._accepted(each, threat, set()) for each in groups):
                    found.add(id(threat.delete))

        for add in effects.adds:
            for delete in effects.balancing(add):
                if effects.is_narrow(delete, add, self._types):
                    look(self._threat(effects.action, delete, None, add), add)
        for meeting, add in effects.pairs():
            for delete in effects.balancing(add):
                if delete.atom.predicate == meeting.atom.predicate and id(delete) not in found:
                    look(self._threat(effects.action, delete, meeting, add), add)
        return found

    def _threat(
        self, action: Action, delete: SingleEffect, meeting: SingleEffect | None, add: SingleEffect
    ) -> _Threat | None:
        """Return the threat if one add effect may cancel a delete effect while another add makes a false atom true.

        Without the first add, the delete is narrow, and its own variables and conditions prove nothing.
        """
        happening = () if meeting is None else (delete, meeting)
        conditions = (action.precondition, add.condition, *[each.condition for each in happening])
        parts = list(chain.from_iterable(map(conjuncts, conditions)))
        holds = [part for part in parts if isinstance(part, Atom)] + [delete.atom]
        fails = [part.operand for part in parts if isinstance(part, Not) and isinstance(part.operand, Atom)] + [
            add.atom
        ]
        pairs = [atom.arguments for atom in holds if atom.predicate == "="]
        if meeting is not None:
            pairs += zip(delete.atom.arguments, meeting.atom.arguments, strict=True)
        variables = [named for each in (action, add, *happening) for named in each.parameters]
        find = self._unified(pairs, variables)
        if find is None:
            return None
        true, false = ({_ground(atom, find) for atom in each} for each in (holds, fails))
        if true & false or any(each[0] == "=" and each[1] == each[2] for each in false):
            return None
        for predicate, *terms in true:
            if predicate in self._static and not any(_matches(terms, fact) for fact in self._static[predicate]):
                return None
        return _Threat(delete, true, find)

    def _unified(self, pairs: Sequence[Terms], variables: Sequence[TypedName]) -> Find | None:
        """Return a substitution of `variables` that makes the terms of each pair equal; None if there is none."""
        above: dict[str, str] = {}
        members = {name: set(objects) for name, objects in self._types.domains(variables).items()}

        def find(term: str) -> str:
            while term in above:
                term = above[term]
            return term

        for pair in pairs:
            first, second = sorted(map(find, pair), key=members.__contains__)
            if first == second:
                continue
            common = members.get(second, set())
            common = common if first[0] == "?" and first not in members else common & members.get(first, {first})
            if not common:
                return None
            above[second] = first
            if first in members:
                members[first] = common
        return find

    def _accepted(self, group: Group, threat: _Threat, seen: set[Any]) -> bool:
        """Return whether the translator may accept a group, or one that extends it, for which the threat is real."""
        key = frozenset(group.items())
        if key in seen or threat.forbidden(group):
            return False
        seen.add(key)
        adding = {name: each for predicate in group for name, each in self._adding.get(predicate, {}).items()}
        if any(self._too_heavy(group, effects) for effects in adding.values()):
            return False
        for effects in adding.values():
            for add in effects.adds:
                if add.atom.predicate in group:
                    able = effects.balancing(add)
                    more = [each for delete in able for each in _extended(group, add, delete)]
                    if group not in more:
                        return len(seen) > MOST_GROUPS or any(self._accepted(each, threat, seen) for each in more)
        facts = [(predicate, fact) for predicate in group for fact in self._start[predicate]]
        counts = Counter(tuple(_values(group, predicate, fact)) for predicate, fact in facts)
        return any(count == 1 and _matches(threat.values(group), names) for names, count in counts.items())

    def _too_heavy(self, group: Group, effects: _Effects) -> bool:
        """Return whether the translator certainly rejects a group because an action can add two atoms of it at once."""
        for meeting, add in effects.pairs():
            both = meeting.atom, add.atom
            if both[0].predicate in group and both[1].predicate in group:
                values = zip(*[_values(group, each.predicate, each.arguments) for each in both], strict=True)
                find = self._unified(list(values), (*meeting.parameters, *add.parameters))
                conditions = (effects.action.precondition, meeting.condition, add.condition)
                said = [*chain.from_iterable(map(atoms, conditions)), *[(atom, False) for atom in both]]
                if find is not None and _is_consistent(said, find) and len({_ground(each, find) for each in both}) == 2:
                    return True
        return False


def _ground(atom: Atom, find: Find) -> Terms:
    return (atom.predicate, *map(find, atom.arguments))


def _is_consistent(said: Sequence[tuple[Atom, bool]], find: Find) -> bool:
    """Return whether literals can be true together if all parameters of the action are different objects."""
    literals = {(_ground(atom, find), positive) for atom, positive in said}
    equations = [(atom[1] == atom[2], positive) for atom, positive in literals if atom[0] == "="]
    return len({atom for atom, _ in literals}) == len(literals) and not any(chain.from_iterable(equations))


def _groups(atom: Atom) -> Iterator[Group]:
    """Yield each mutex group that has only the predicate of an atom, and counts at most one argument."""
    size = len(atom.arguments)
    yield {atom.predicate: tuple(range(size))}
    for place in range(size):
        yield {atom.predicate: (*range(place), COUNTED, *range(place, size - 1))}


def _extended(group: Group, add: SingleEffect, delete: SingleEffect) -> Iterator[Group]:
    """Yield a group, or its extensions by the predicate of a delete effect, in which this effect balances an add."""
    values = _values(group, add.atom.predicate, add.atom.arguments)
    free = {each.name for each in delete.parameters}
    predicate, terms = delete.atom.predicate, delete.atom.arguments
    counted = len(terms) - len(values)
    orders: Iterable[tuple[int, ...]] = [group[predicate]] if predicate in group else ()
    if predicate not in group and counted in (0, 1):
        orders = permutations((*range(len(values)), *[COUNTED] * counted))
    for order in orders:
        places = zip(order, terms, strict=True)
        if all(place == COUNTED or term in free or term == values[place] for place, term in places):
            yield group if predicate in group else {**group, predicate: order}


def _values(group: Group, predicate: str, terms: Sequence[str]) -> list[str]:
    """Return the arguments of an atom as values for the parameters of a group."""
    return [term for place, term in sorted(zip(group[predicate], terms, strict=True)) if place != COUNTED]


def _matches(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the variables of a pattern can be replaced so that the pattern equals the given names."""
    bound: dict[str, str] = {}
    return all(
        bound.setdefault(term, name) == name if term[0] == "?" else term == name
        for term, name in zip(pattern, names, strict=True)
    )
