"""Excuses for an unsolvable task: the fewest changes that make it solvable (Göbelbecker and others, 2010).

The task is translated into another, which a planner solves with as few changes as it can: before the first action,
facts of the start may be added or deleted at a cost; after that only the task's actions are allowed, at no cost. The
changes keep the invariants of the start: a thing in one place is moved, not doubled. Facts that the goal names are no
excuses: assuming the goal explains nothing. If no such change helps, preconditions may be dropped, each for the whole
plan.

    choosing:  assume-road a b   a cost   adds (road a b), once, if it is false
    begin:     playing
    playing:   the actions of the task
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.outcomes import GAVE_UP, LIMITS, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record
from unpuzzle.explanation.chains import Literal
from unpuzzle.explanation.exclusions import Exclusions, StartInvariant
from unpuzzle.pddl.formulas import conjuncts, walk
from unpuzzle.pddl.invariants import InvariantPart, counted
from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Condition,
    Domain,
    Effect,
    Function,
    FunctionTerm,
    Imply,
    Increase,
    Not,
    Or,
    Predicate,
    Task,
    TypedName,
    Value,
)
from unpuzzle.pddl.normal_form import fluent_predicates, rewritten, single_effects
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Types
from unpuzzle.pddl.writer import text
from unpuzzle.solving import solve

CHOOSING, PLAYING = "unpuzzle-choosing", "unpuzzle-playing"
ASSUME, DENY, DROP, BEGIN = "unpuzzle-assume-", "unpuzzle-deny-", "unpuzzle-drop-", "unpuzzle-begin"
REPLACE, GOAL_MARK, COUNTED, STARTED = "unpuzzle-replace-", "unpuzzle-goal-", "unpuzzle-counted-", "unpuzzle-started-"
_COST = FunctionTerm("total-cost")
CHANGE, OF_WORLD, MOVE = 1_000_000, 10_000, 1_000
"""The cost of a change, the extra cost if no action changes such a fact, and the cost of replacing a fact."""
EFFORT, MOST_TRIED = 100_000, 8
"""The most states that the search for the fewest changes expands; the most facts tried one by one."""


class Excuse(Record):
    """Changes that make an unsolvable task solvable: facts to add or delete, and preconditions to drop.

    `fewest`: whether it was proved that fewer changes of that kind do not suffice, besides facts that replace others.
    """

    add: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    fewest: bool = False

    def __str__(self) -> str:
        parts = []
        if self.add:
            parts.append(f"if {listing(self.add)} were true at the start")
        if self.delete:
            if self.add:
                parts[0] += f" and {listing(self.delete)} false"
            else:
                parts.append(f"if {listing(self.delete)} were false at the start")
        needs: dict[str, list[str]] = {}
        for condition, _, action in (each.rpartition(" of ") for each in self.drop):
            needs.setdefault(action, []).append(condition)
        parts += [f"if {action} did not need {listing(conditions)}" for action, conditions in needs.items()]
        return " and ".join(parts)


def excuses(task: Task, effort: int = EFFORT, *, of_the_start: bool = True) -> tuple[Excuse, ...]:
    """Return the fewest initial facts to change so that a task becomes solvable, else the fewest preconditions to drop.

    They keep the invariants of the start, so nothing is put into two places unless an action does so. If several
    changes are needed that move things or put them into several places, and fewer preconditions would do, both are
    returned. If not `of_the_start`, only preconditions are dropped. Empty if no such change helps. Raises LimitReached
    if limits leave that open, and UnsupportedFeature.
    """
    return Excusing(task, Exclusions(task)).fewest(effort, of_the_start=of_the_start)


class Excusing:
    """A search for changes that make a task solvable; each planner call expands at most `effort` states."""

    def __init__(self, task: Task, exclusions: Exclusions) -> None:
        self._task = task
        self._exclusions = exclusions

    def fewest(self, effort: int, *, of_the_start: bool = True) -> tuple[Excuse, ...]:
        """Return the fewest changes that make the task solvable, as the function `excuses` does."""
        found, fewest, ended = list[Excuse](), 0, ""
        for choosing in (*[self._with_choices] * of_the_start, self._with_drops):
            result = solve(choosing(), "native", max_expanded=effort)
            if result.status in (SOLVED, SOLVED_OPTIMALLY) and result.plan is not None:
                names, changes = [(step.name, step.arguments) for step in result.plan], (result.cost or 0) // CHANGE
                excuse = _excuse(self._task, names, result.status == SOLVED_OPTIMALLY)
                if changes and not 0 < fewest <= changes:
                    found, fewest = [excuse, *found], changes
                if changes < 2 or not ((excuse.add and excuse.delete) or self._is_doubled(excuse)):
                    break
            elif result.status != UNSOLVABLE and not found:
                ended = result.status
                if ended in LIMITS:
                    break
        if ended and not found:
            raise LimitReached(ended, "no change was found that makes the task solvable")
        return tuple(found)

    def _is_doubled(self, excuse: Excuse) -> bool:
        """Return whether an excuse adds several facts of one predicate that actions change, such as two places."""
        changed = fluent_predicates(self._task.domain)
        names = [name for fact in excuse.add if (name := fact.strip("()").split()[0]) in changed]
        return len(set(names)) < len(names)

    def first_that_helps(self, lacking: Sequence[Literal], effort: int) -> tuple[Excuse, ...]:
        """Return the first fact whose change alone makes the task solvable, found by short searches.

        Facts of the goal, and facts that break an invariant of the start, are not tried.
        """
        no_excuses, wanted = {*_goal_atoms(self._task)}, _quantified(self._task)
        allowed = [each for each in lacking if each.atom not in no_excuses and each.atom.predicate not in wanted]
        for literal in [each for each in allowed if not self._breaks(each)][:MOST_TRIED]:
            name = (str(literal.atom),)
            excuse = Excuse(add=name, fewest=True) if literal.sign else Excuse(delete=name, fewest=True)
            changed = excused(self._task, excuse)
            result = solve(changed, "native:gbfs", max_expanded=effort)
            if result.plan is not None:
                return (excuse,)
            if result.status not in (UNSOLVABLE, GAVE_UP):
                break
        return ()

    def _breaks(self, literal: Literal) -> bool:
        """Return whether changing a fact breaks an invariant, for example that an object is in exactly one place."""
        for invariant, start, conserved in self._invariants:
            before = [atom for key in counted(invariant, [literal.atom]) for atom in start.get(key, ())]
            if before and (literal.sign or (conserved and len(before) == 1)):
                return True
        return False

    @cached_property
    def _invariants(self) -> list[StartInvariant]:
        """The invariants that changes must not break, for example that each object is in exactly one place.

        Numbers of all objects of a kind do not count if they count supplies, such as coins, or states, such as free
        cells. Nor do numbers that never change only because no action of this problem applies.
        """
        semantics, of_domain = Semantics(self._task), self._exclusions.of_domain.proved
        of_objects = [{part.predicate for part in each} for each in of_domain if next(iter(each)).kept]
        kept = []
        for each in self._exclusions.invariants:
            own, several = {part.predicate for part in each.invariant}, any(len(one) > 1 for one in each.start.values())
            whole = not next(iter(each.invariant)).kept
            supply = len(own) == 1 and not each.conserved and (several or whole)
            states = whole and any(own == other or (several and own < other) for other in of_objects)
            if not (supply or states) and (each.conserved or each.invariant in of_domain):
                kept.append(each)
        return [*kept, *_attributes(self._task, semantics.static_predicates, semantics.types)]

    @cached_property
    def _costs(self) -> dict[str, int]:
        """The cost of changing a fact, by predicate; changes that are less natural cost slightly more.

        Facts that nothing changes describe the world. Of the other predicates, one with many true facts is named,
        since one more is the smallest change.
        """
        task = self._task
        changed = fluent_predicates(task.domain)
        numbers = Counter(atom.predicate for atom in task.problem.init)
        names = sorted(task.domain.predicates, key=lambda each: (-numbers[each.name], len(each.parameters)))
        return {each.name: CHANGE + OF_WORLD * (each.name not in changed) + place for place, each in enumerate(names)}

    def _with_choices(self) -> Task:
        """Return the task with additional actions that change initial facts at a cost, before the plan begins.

        `unpuzzle-counted-N` is true of the objects of which an invariant counts an atom. One must be denied before
        another is assumed; if the number never changes, another must then replace it, nearly for nothing.
        """
        task, domain, needed = self._task, self._task.domain, list[Condition]()
        names = {each.name for each in domain.predicates}
        goal = [atom for atom in sorted(_goal_atoms(task), key=str) if atom.predicate in names]
        init = [Atom(GOAL_MARK + atom.predicate, atom.arguments) for atom in goal]
        marks = [Predicate(GOAL_MARK + each.name, each.parameters) for each in domain.predicates]
        for number, (invariant, start, conserved) in enumerate(self._invariants):
            places = tuple([TypedName(f"?{place}") for place in range(len(next(iter(invariant)).kept))])
            marks += [Predicate(f"{mark}{number}", places) for mark in (COUNTED, STARTED)]
            for key, atoms in start.items():
                init += [one := Atom(f"{COUNTED}{number}", key), Atom(f"{STARTED}{number}", key)]
                needed += [one if len(atoms) == 1 else Or((one, *atoms))] * conserved
        changes = [self._change(predicate, kind) for predicate, kind in self._helpful()]
        own = [
            Action(a.name, a.parameters, And((Atom(PLAYING), a.precondition)), _free(a.effect)) for a in domain.actions
        ]
        return _task(task, marks, [*changes, *own], And((Atom(CHOOSING), *needed)), init)

    def _helpful(self) -> Iterator[tuple[Predicate, str]]:
        """Yield pairs (predicate, kind of change) that may help; the kinds are to add, delete or replace facts."""
        domain, in_invariants = (
            self._task.domain,
            {part.predicate for each in self._invariants for part in each.invariant},
        )
        # A conserved invariant always counts one fact of an object, so that fact can only be replaced.
        conserving = {part.predicate for invariant, _, conserved in self._invariants if conserved for part in invariant}
        actions = [
            part
            for each in domain.actions
            for part in (each.precondition, *[one for effect in single_effects(each) for one in effect.conditions])
        ]
        rules = [Not(axiom.body) for axiom in domain.axioms]  # a rule may be wanted not to fire
        tested = [part for condition in (*actions, *rules) for part in walk(condition)]
        negated = [part for each in tested if isinstance(each, Not | Imply) for part in walk(each)]
        fixed = {axiom.head.name for axiom in domain.axioms} | _quantified(self._task)
        for kind, own, parts in (
            (ASSUME, in_invariants, tested),
            (DENY, in_invariants, negated),
            (REPLACE, conserving, []),
        ):
            names = own.union(part.predicate for part in parts if isinstance(part, Atom)) - fixed
            yield from [(each, kind) for each in domain.predicates if each.name in names]

    def _change(self, predicate: Predicate, kind: str) -> Action:
        """Return an action that changes a fact of a predicate; `kind` is to add, delete or replace the fact."""
        atom = Atom(predicate.name, tuple([parameter.name for parameter in predicate.parameters]))
        mark, denied = Atom(GOAL_MARK + atom.predicate, atom.arguments), kind == DENY
        conditions: list[Condition] = [Atom(CHOOSING), atom if denied else Not(atom), Not(mark)]
        changes, started = [atom], list[Condition]()
        for number, (invariant, _, conserved) in enumerate(self._invariants):
            for part in [part for part in invariant if part.predicate == predicate.name]:
                changes.append(one := Atom(f"{COUNTED}{number}", part.key(atom)))
                conditions += [Not(one)] * (not denied)
                started += [Atom(f"{STARTED}{number}", part.key(atom))] * conserved
        conditions += () if denied else _distinct(self._task, predicate)
        conditions += [Or(tuple(started))] * (kind == REPLACE)
        cost = MOVE if kind == REPLACE else self._costs[predicate.name]
        effect = And((*(map(Not, changes) if denied else changes), Increase(_COST, cost)))
        return Action(kind + predicate.name, predicate.parameters, And(tuple(conditions)), effect)

    def _with_drops(self) -> Task:
        """Return the task with additional actions that drop preconditions at a cost, before the plan begins."""
        actions, names = [], list[Predicate]()
        for number, action in enumerate(self._task.domain.actions):
            parts: list[Condition] = [Atom(PLAYING)]
            kept = list(conjuncts(action.precondition))
            for place, part in enumerate(kept):
                if self._needed(action, And((*kept[:place], *kept[place + 1 :]))):
                    parts.append(part)
                    continue
                dropped = f"{DROP}{number}-{place}"
                names.append(Predicate(dropped))
                change = And((Atom(dropped), Increase(_COST, CHANGE)))
                actions.append(Action(dropped, (), And((Atom(CHOOSING), Not(Atom(dropped)))), change))
                parts.append(Or((Atom(dropped), part)))
            actions.append(Action(action.name, action.parameters, And(tuple(parts)), _free(action.effect)))
        return _task(self._task, names, actions, Atom(CHOOSING), [])

    def _needed(self, action: Action, rest: Condition) -> bool:
        """Return whether an action that keeps an invariant would break it if its precondition were only `rest`."""
        keeps, changed = self._exclusions.of_domain.with_action, action.replace(precondition=rest)
        return any(keeps(each, action) and not keeps(each, changed) for each, _, _ in self._exclusions.invariants)


def excused(task: Task, excuse: Excuse) -> Task:
    """Return a task with the changes of an excuse, and without action costs."""
    denied, names = set(excuse.delete), {str(atom) for atom in task.problem.init}
    init = [atom for atom in task.problem.init if str(atom) not in denied]
    for fact in excuse.add:
        predicate, *arguments = fact.strip("()").split()
        init += [] if fact in names else [Atom(predicate, tuple(arguments))]
    dropped, actions = set(excuse.drop), []
    for action in task.domain.actions:
        parts = [part for part in conjuncts(action.precondition) if f"{_shown(part)} of {action.name}" not in dropped]
        actions.append(action.replace(precondition=And(tuple(parts))))
    domain = task.domain.replace(actions=tuple(actions))
    return Task(domain, task.problem.replace(init=tuple(init), metric=None).trusted(domain))


def first_scarce(task: Task, used_up: Sequence[str], effort: int) -> str | None:
    """Return the first predicate that is a scarce resource: if no action deletes its facts, the task has a plan.

    Predicates of the goal are left out. Each search expands at most `effort` states.
    """
    wanted = {part.predicate for part in walk(task.problem.goal) if isinstance(part, Atom)}
    for name in [each for each in used_up if each not in wanted][:MOST_TRIED]:
        result = solve(with_kept(task, name), "native:gbfs", max_expanded=effort)
        if result.plan is not None:
            return name
        if result.status in LIMITS:
            raise LimitReached(result.status, result.message)
    return None


def shown_predicate(task: Task, name: str) -> str:
    """Return a predicate with its parameters, such as `(at ?truck ?place)`."""
    declared = next(each for each in task.domain.predicates if each.name == name)
    return str(Atom(name, tuple([each.name for each in declared.parameters])))


def with_kept(task: Task, predicate: str) -> Task:
    """Return a task in which no action deletes facts of a predicate."""

    def kept(single: Effect) -> Effect:
        return And() if isinstance(single, Not) and single.operand.predicate == predicate else single  # type: ignore[union-attr]

    actions = [each.replace(effect=rewritten(each.effect, single=kept)) for each in task.domain.actions]
    domain = task.domain.replace(actions=tuple(actions))
    return Task(domain, task.problem.replace().trusted(domain))


def _excuse(task: Task, steps: list[tuple[str, tuple[str, ...]]], fewest: bool) -> Excuse:
    """Return the excuse in a plan: the changes to the task that the plan's additional actions represent."""

    def named(*kinds: str) -> tuple[str, ...]:
        found = [(name.removeprefix(kind), own) for name, own in steps for kind in kinds if name.startswith(kind)]
        return tuple([str(Atom(name, arguments)) for name, arguments in found])

    drops = []
    for name, _ in steps:
        if name.startswith(DROP):
            number, place = map(int, name.removeprefix(DROP).split("-"))
            action = task.domain.actions[number]
            drops.append(f"{_shown(list(conjuncts(action.precondition))[place])} of {action.name}")
    return Excuse(named(ASSUME, REPLACE), named(DENY), tuple(drops), fewest)


def _shown(condition: Condition) -> str:
    return text(condition, {})


def _attributes(task: Task, static: frozenset[str], types: Types) -> Iterator[StartInvariant]:
    """Yield invariants for static predicates that give each object exactly one value, such as its size.

    They hold at the start, and a second value would surprise.
    """
    for predicate in task.domain.predicates:
        members = [{*types.members(each.types)} for each in predicate.parameters]
        if predicate.name in static and len(members) == 2 and members[0].isdisjoint(members[1]):
            invariant = frozenset({InvariantPart(predicate.name, (0,), 1)})
            start = counted(invariant, task.problem.init)
            if len(start) > 1 and all(len(atoms) == 1 for atoms in start.values()):
                yield StartInvariant(invariant, start, True)


def _distinct(task: Task, predicate: Predicate) -> tuple[Condition, ...]:
    """Return conditions that a predicate's arguments differ, if they differ in all initial facts of the predicate."""
    atoms = [atom for atom in task.problem.init if atom.predicate == predicate.name]
    if not atoms or any(len(set(atom.arguments)) < len(atom.arguments) for atom in atoms):
        return ()
    names = [parameter.name for parameter in predicate.parameters]
    return tuple([Not(Atom("=", pair)) for pair in combinations(names, 2)])


def _task(
    task: Task, names: Iterable[Predicate], actions: Iterable[Action], begin: Condition, init: list[Atom]
) -> Task:
    """Return a task with two phases: first `actions`, which change the task, then the actions of the original task."""
    old, problem = task.domain, task.problem
    predicates = (*old.predicates, Predicate(CHOOSING), Predicate(PLAYING), *names)
    first = Action(BEGIN, (), begin, And((Not(Atom(CHOOSING)), Atom(PLAYING))))
    functions = (Function("total-cost"),)
    domain = Domain(old.name, (), old.types, old.constants, predicates, functions, (*actions, first), old.axioms)
    goal, start = And((problem.goal, Atom(PLAYING))), (*problem.init, Atom(CHOOSING), *init)
    changed = problem.replace(init=start, values=(Value(_COST, 0),), goal=goal, metric=_COST)
    return Task(domain, changed.trusted(domain))


def _free(effect: Effect) -> Effect:
    """Return an effect without its increase of the total cost."""
    free: Effect = rewritten(effect, single=lambda each: And() if isinstance(each, Increase) else each)
    return free


def _quantified(task: Task) -> set[str]:
    """Return the predicates that occur in the goal with variables, under `forall` or `exists`."""
    return {part.predicate for part in walk(task.problem.goal) if isinstance(part, Atom) and _open(part)}


def _goal_atoms(task: Task) -> list[Atom]:
    return [part for part in walk(task.problem.goal) if isinstance(part, Atom) and not _open(part)]


def _open(atom: Atom) -> bool:
    return any(term.startswith("?") for term in atom.arguments)
