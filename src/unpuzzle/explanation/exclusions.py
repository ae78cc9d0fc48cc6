"""Find facts that exclude each other, by invariants or by h^2 (pairs of facts that are never reached together).

    invariants   numbers of facts that no action increases, as lint uses them: 1 at the start is 1 at most for ever
    pairs        h^2: two facts are reached together only by an action that pairs of facts allow (Haslum, Geffner 2000)

Invariants are described by the form of their facts, "at most one fact of the form (at truck …)". A pair that only h^2
excludes is explained by its actions if these alone keep it apart; otherwise h^2 is named as the proof.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations
from typing import NamedTuple

from unpuzzle.base.outcomes import UNSOLVABLE
from unpuzzle.base.run import current, within_limits
from unpuzzle.base.text import listing
from unpuzzle.pddl.invariants import Invariant, Invariants, counted, invariants_of_task
from unpuzzle.pddl.nodes import And, Atom, Condition, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.families import CommonGround
from unpuzzle.planners.native.grounding import Fact, Operator, Variable, limits_of

MOST_OPERATORS, MOST_NEEDS = 20_000, 10
"""The most operators for which the cause of an exclusion is searched for, and the most needed facts tried for each."""
WORK = 2**25
"""Word operations that h^2 may use for a set of goals, about a nanosecond each."""

NOTHING = "nothing"
BY_PAIRS = " (proved by looking at all pairs of facts, h^2)"

Key = tuple[str, ...]


class StartInvariant(NamedTuple):
    """An invariant of a task, with the atoms of the initial state that it counts.

    If it is `conserved`, no action decreases the number either.
    """

    invariant: Invariant
    start: dict[Key, list[Atom]]
    conserved: bool


class Exclusions:
    """A search for facts of a task that exclude each other. Methods raise LimitReached and errors of grounding."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @cached_property
    def _ground(self) -> CommonGround:
        init = frozenset(self._task.problem.init)
        return CommonGround(self._task, [init], [], any_goal=True, faithful=True)

    @cached_property
    def of_domain(self) -> Invariants:
        """The invariants that hold in every task of the domain."""
        return Invariants(self._task.domain)

    @cached_property
    def invariants(self) -> list[StartInvariant]:
        """The invariants of the task, with the atoms of the initial state that they count."""
        proved = invariants_of_task(Semantics(self._task), self.of_domain)
        init, conserved = self._task.problem.init, self.of_domain.conserved
        return [StartInvariant(each, counted(each, init), conserved(each)) for each in proved]

    def pair(self, goals: Sequence[Condition]) -> tuple[Atom, Atom, str] | None:
        """Return two goals that exclude each other by an invariant, and the reason in words; None without such a pair.

        Goals may have variables: two of them that may be the same fact are not excluded.
        """
        wanted = [goal for goal in goals if isinstance(goal, Atom)]
        for invariant, start, _ in within_limits(self.invariants):
            for key, atoms in counted(invariant, wanted).items():
                starts = start.values() if _open(key) else [start.get(key, ())]
                pairs = combinations(atoms if all(len(each) < 2 for each in starts) else (), 2)
                for one, other in pairs:
                    if one.predicate != other.predicate or not _open((*one.arguments, *other.arguments)):
                        return one, other, _in_words(invariant, key)
        return None

    def unreachable_set(self, goals: Sequence[Condition], work: int = WORK) -> list[Condition]:
        """Return a minimal set of goals that h^2 proves to be unreachable together; empty if h^2 proves nothing.

        `work` is the limit for each proof.
        """
        if not self.prove(goals, work):
            return []
        kept = list(goals)
        for goal in within_limits(goals, long=True):
            others = [each for each in kept if each is not goal]
            if others and self.prove(others, work):
                kept = others
        return kept

    def prove(self, goals: Sequence[Condition], work: int = WORK) -> bool:
        """Return whether h^2 (reachability of pairs of facts) proves that no state satisfies all goals."""
        expressible, facts = self._ground.goal(And(tuple(goals)))
        return expressible and facts is not None and self._prove(facts, work)

    def _prove(self, facts: Iterable[Fact], work: int = WORK) -> bool:
        """Return whether h^2 proves that facts are never true together."""
        arrays = {**self._ground.arrays, "goal": array("i", chain.from_iterable(facts))}
        limits = current().remaining()
        with limits_of(current().doing):
            compiled = _core.Task(**arrays, time_limit=limits[0], memory_limit=limits[1])
            smaller, _ = compiled.pruned(work, *limits)
        if smaller is None or smaller.operators:
            return False
        return smaller.search("bfs", max_expanded=1).status == UNSOLVABLE  # no actions: only the start is left to test

    def never_both(self, one: Condition, two: Condition) -> str:
        """Return a sentence that says why h^2 proves that two facts are never true together."""
        names, sides = (
            (text(one, {}), text(two, {})),
            (self._requirement(one, two), self._requirement(two, one)),
        )
        if sides == ("", ""):
            return (
                "they are never true together: not both at the start, and every action that makes one of them true"
                " makes the other false or needs it to be false"
            )
        if None in sides:
            return f"no state that can be reached has both{BY_PAIRS}"
        said = {
            "": "every action that makes {0} true makes {1} false or needs it to be false",
            NOTHING: "no action makes {0} true",
        }
        parts = [
            said.get(side or "", "every action that makes {0} true needs {2}, which excludes {1}").format(*pair, side)
            for pair, side in zip((names, reversed(names)), sides, strict=True)
        ]
        proof = "" if {*sides} <= said.keys() else " (proved by h^2)"
        return f"they are never true together, nor at the start{proof}: {', and '.join(parts)}"

    def _requirement(self, one: Condition, two: Condition) -> str | None:
        """Return a fact that each action for `one` requires and that excludes `two` by h^2; None if none is known.

        Empty if each of these actions leaves `two` false by itself, NOTHING if there are no such actions; None if
        neither is the case.
        """
        first, second = (self._ground.goal(part)[1] or [] for part in (one, two))
        if self._ground.operators > MOST_OPERATORS or len(first) != 1 or len(second) != 1:
            return None
        (variable, value), (other, true) = *first, *second
        needs: set[Fact] | None = None
        made = False
        for operator in within_limits(self._operators):
            before, after = dict(operator.precondition), {each.variable: each.value for each in operator.effects}
            made |= after.get(variable) == value
            # Every action that makes `one` true and leaves `two` alone must require the fact.
            if after.get(variable) == value and after.get(other, before.get(other, true)) == true:
                if other in after:
                    return None
                needs = set(before.items()) if needs is None else needs & set(before.items())
        if needs is None:
            return "" if made else NOTHING
        variables = self._ground.variables()
        named = [(fact, variables[fact[0]].values[fact[1]]) for fact in sorted(needs)]
        for fact, atom in named[:MOST_NEEDS]:
            if atom is not None and self._prove([fact, *second]):
                return str(atom)
        return None

    def used_up(self) -> dict[str, list[str]]:
        """Return the predicates whose facts are deleted but never restored, each with the actions that delete them.

        A fact may give way to another of its predicate, as the fuel levels of a tank do, but never in a circle.
        """
        if len(self._operators) > MOST_OPERATORS:
            return {}
        users: dict[str, dict[str, None]] = {}
        steps: dict[Atom, set[Atom]] = {}
        restored: set[str] = set()
        for operator in within_limits(self._operators):
            lost, gained = self._changes(operator)
            for atom in lost:
                users.setdefault(atom.predicate, {})[operator.action.name] = None
                steps.setdefault(atom, set()).update(each for each in gained if each.predicate == atom.predicate)
            restored |= {atom.predicate for atom in gained} - {atom.predicate for atom in lost}
        never = [name for name in users if name not in restored]
        return {
            name: list(users[name])
            for name in never
            if not _has_cycle({atom: after for atom, after in steps.items() if atom.predicate == name})
        }

    def _changes(self, operator: Operator) -> tuple[list[Atom], list[Atom]]:
        """Return the facts that an operator always deletes, and the facts that it may add."""
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


def _has_cycle(steps: dict[Atom, set[Atom]]) -> bool:
    try:
        TopologicalSorter(steps).prepare()
    except CycleError:
        return True
    return False


def _open(terms: Iterable[str]) -> bool:
    return any(term.startswith("?") for term in terms)


def _in_words(invariant: Invariant, key: Key) -> str:
    shown = [str(Atom(part.predicate, part.pattern(key, "…"))) for part in sorted(invariant)]
    return f"at most one fact of the form {listing(shown, 'or')} is true at a time"
