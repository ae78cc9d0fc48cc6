"""Find facts that are never true together, and why: by invariants and by pairs of facts (h^2).

    invariants   numbers of facts that no action increases, as lint uses them: 1 at the start is 1 at most for ever
    pairs        h^2: two facts are reached together only by an action that pairs of facts allow (Haslum, Geffner 2000)

Invariants are described by the form of their facts, "at most one fact of the form (at truck …)". A pair that only h^2
excludes is explained by its actions if these alone keep it apart; otherwise h^2 is named as the proof.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, product

from unpuzzle.limits import Deadline, looked, ticked, ticking
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.nodes import And, Atom, Condition, Task, TypedName
from unpuzzle.pddl.normal_form.invariants import Invariant, Invariants, Part, counted, invariants_of_task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.types import Types
from unpuzzle.planners.native.grounding import limits_of
from unpuzzle.planners.native.grounding.common_ground import CommonGround
from unpuzzle.planners.native.grounding.fdr import Fact, Operator, Variable
from unpuzzle.result import UNSOLVABLE
from unpuzzle.words import listing

MOST_HELD = 20_000
MOST_OPERATORS, MOST_NEEDS = 20_000, 10
"""The most operators for which the cause of an exclusion is searched for, and the most needed facts tried for each."""
WORK = 2**25
"""Word operations that h^2 may use for a set of goals, about a nanosecond each."""

BY_PAIRS = " (proved by looking at all pairs of facts, h^2)"

Key = tuple[str, ...]


class Exclusions:
    """The mutually exclusive facts of a task. Every method raises LimitReached, and the errors of grounding."""

    def __init__(self, task: Task, deadline: Deadline) -> None:
        self._task = task
        self._deadline = deadline

    @cached_property
    def _ground(self) -> CommonGround:
        init = frozenset(self._task.problem.init)
        return CommonGround(self._task, [init], [], any_goal=True, faithful=True, watch=self._deadline)

    @cached_property
    def invariants(self) -> list[tuple[Invariant, dict[Key, list[Atom]]]]:
        """The invariants of the task, each with the atoms of the start that it counts."""
        of_domain = Invariants(self._task.domain, self._deadline)
        proved = invariants_of_task(Semantics(self._task, limits=self._deadline), of_domain)
        return [(each, counted(each, self._task.problem.init)) for each in proved]

    def pair(self, goals: Sequence[Condition]) -> tuple[Atom, Atom, str] | None:
        """Return two of the goals that an invariant excludes from being true together, and why in words."""
        wanted = [goal for goal in goals if isinstance(goal, Atom)]
        for invariant, start in ticked(self.invariants, self._deadline):
            for key, atoms in counted(invariant, wanted).items():
                if len(atoms) > 1 and len(start.get(key, ())) < 2:
                    return atoms[0], atoms[1], _in_words(invariant, key)
        return None

    def held(self) -> frozenset[Atom]:
        """Return the facts that exclude a fact of the start: assuming them would put one object in two places."""
        types, held = Types(self._task, self._deadline), set[Atom]()
        declared = {predicate.name: predicate.parameters for predicate in self._task.domain.predicates}
        for invariant, start in self.invariants:
            for key in [key for key, atoms in start.items() if len(atoms) == 1]:
                for part in [each for each in invariant if each.counted is not None]:  # others say how it is
                    held.update(_instances(part, key, declared[part.predicate], types))
        return frozenset(held)

    def unreachable_set(self, goals: Sequence[Condition], work: int = WORK) -> list[Condition]:
        """Return a minimal subset of goals that h^2 proves unreachable together; empty without a proof.

        `work` is the limit for each proof.
        """
        if not self.prove(goals, work):
            return []
        kept = list(goals)
        for goal in looked(goals, self._deadline):
            others = [each for each in kept if each is not goal]
            if others and self.prove(others, work):
                kept = others
        return kept

    def prove(self, goals: Sequence[Condition], work: int = WORK) -> bool:
        """Return whether h^2 proves that no reachable state has all goals."""
        expressible, facts = self._ground.goal(And(tuple(goals)))
        return expressible and facts is not None and self._prove(facts, work)

    def _prove(self, facts: Iterable[Fact], work: int = WORK) -> bool:
        from unpuzzle.planners.native import _core

        arrays = {**self._ground.arrays, "goal": array("i", chain.from_iterable(facts))}
        limits = self._deadline.time_left(), self._deadline.memory_left()
        with ticking(self._deadline), limits_of(self._deadline.phase):
            compiled = _core.Task(**arrays, time_limit=limits[0], memory_limit=limits[1])
            smaller, _ = compiled.pruned(work, *limits)
        if smaller is None or smaller.operators:
            return False
        return smaller.search("bfs", max_expanded=1).status == UNSOLVABLE  # no actions: only the start is left to test

    def never_both(self, one: Condition, two: Condition) -> str:
        """Return in words why two facts that h^2 excludes are never true together."""
        names, sides = (text(one, {}), text(two, {})), (self._keeper(one, two), self._keeper(two, one))
        if sides == ("", ""):
            return (
                "they are never true together: not both at the start, and every action that makes one of them true"
                " makes the other false or needs it to be false"
            )
        if None in sides:
            return f"no state that can be reached has both{BY_PAIRS}"
        parts = [
            f"every action that makes {name} true needs {side}, which excludes {other}"
            if side
            else f"every action that makes {name} true makes {other} false or needs it to be false"
            for name, other, side in zip(names, reversed(names), sides, strict=True)
        ]
        return f"they are never true together (proved by h^2): {' and '.join(parts)}"

    def _keeper(self, one: Condition, two: Condition) -> str | None:
        """Return a fact that all actions adding `one` need and that h^2 proves exclusive with `two`.

        Empty if each of these actions leaves `two` false by itself; None if neither is the case.
        """
        first, second = (self._ground.goal(part)[1] or [] for part in (one, two))
        if self._ground.operators > MOST_OPERATORS or len(first) != 1 or len(second) != 1:
            return None
        (variable, value), (other, true) = *first, *second
        needs: set[Fact] | None = None
        for operator in ticked(self._operators, self._deadline):
            before, after = dict(operator.precondition), {each.variable: each.value for each in operator.effects}
            if after.get(variable) == value and after.get(other, before.get(other, true)) == true:
                if other in after:
                    return None
                needs = set(before.items()) if needs is None else needs & set(before.items())
        if needs is None:
            return ""
        variables = self._ground.variables()
        named = [(fact, variables[fact[0]].values[fact[1]]) for fact in sorted(needs)]
        for fact, atom in named[:MOST_NEEDS]:
            if atom is not None and self._prove([fact, *second]):
                return str(atom)
        return None

    def used_up(self) -> dict[str, list[str]]:
        """Return the predicates whose facts never come back, each with the actions that end them; none in large tasks.

        A fact may give way to another of its predicate, as the fuel levels of a tank do, but never in a circle.
        """
        if len(self._operators) > MOST_OPERATORS:
            return {}
        users: dict[str, dict[str, None]] = {}
        steps: dict[Atom, set[Atom]] = {}
        restored: set[str] = set()
        for operator in ticked(self._operators, self._deadline):
            lost, gained = self._changes(operator)
            for atom in lost:
                users.setdefault(atom.predicate, {})[operator.action.name] = None
                steps.setdefault(atom, set()).update(each for each in gained if each.predicate == atom.predicate)
            restored |= {atom.predicate for atom in gained} - {atom.predicate for atom in lost}
        never = [name for name in users if name not in restored]
        return {
            name: list(users[name])
            for name in never
            if not _has_circle({atom: after for atom, after in steps.items() if atom.predicate == name})
        }

    def _changes(self, operator: Operator) -> tuple[list[Atom], list[Atom]]:
        """Return the facts that an action always deletes, and the facts that it may add."""
        variables, before = self._variables, dict(operator.precondition)
        lost, gained = [], []
        for effect in operator.effects:
            values, old = variables[effect.variable].values, before.get(effect.variable)
            if old is not None and not effect.conditions and (atom := values[old]) is not None:
                lost.append(atom)
            if (atom := values[effect.value]) is not None:
                gained.append(atom)
        return lost, gained

    @cached_property
    def _variables(self) -> Sequence[Variable]:
        return self._ground.variables()

    @cached_property
    def _operators(self) -> Sequence[Operator]:
        return self._ground.fdr().operators


def _has_circle(steps: dict[Atom, set[Atom]]) -> bool:
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(steps).prepare()
    except CycleError:
        return True
    return False


def _in_words(invariant: Invariant, key: Key) -> str:
    shown = [str(Atom(part.predicate, part.pattern(key, "…"))) for part in sorted(invariant)]
    return f"at most one fact of the form {listing(shown, 'or')} is true at a time"


def _instances(part: Part, key: Key, parameters: Sequence[TypedName], types: Types) -> Iterator[Atom]:
    """Yield the facts that a part of an invariant counts for an object; none if it is of another type."""
    members = [types.members(each.types) for each in parameters]
    pairs = zip(part.pattern(key, ""), members, strict=True)
    choices = [[name] if name in own else own if not name else () for name, own in pairs]
    for arguments in islice(product(*choices), MOST_HELD):
        yield Atom(part.predicate, arguments)
