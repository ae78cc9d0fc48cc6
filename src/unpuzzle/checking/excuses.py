"""Excuses: the fewest changes of a task for which a plan exists (Göbelbecker, Keller, Eyerich, Brenner and Nebel 2010).

The task is translated into another, which a planner solves with as few changes as it can: before the first action,
facts of the start may be added or deleted at a cost; after that only the task's actions are allowed, at no cost.
Facts that the goal names are no excuses: assuming the goal explains nothing. If no such change helps,
preconditions may be dropped, each for the whole plan.

    choosing:  assume-road a b   a cost   adds (road a b), once, if it is false
    begin:     playing
    playing:   the actions of the task
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from unpuzzle.checking.achievers import Literal
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline
from unpuzzle.pddl.formulas import conjuncts, effects, walk
from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Condition,
    Domain,
    Effect,
    Forall,
    Function,
    FunctionTerm,
    Increase,
    Not,
    Or,
    Predicate,
    Task,
    Value,
    When,
)
from unpuzzle.pddl.normal_form.single_effects import single_effects
from unpuzzle.record import Plain
from unpuzzle.result import GAVE_UP, LIMITS, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.solving import solve
from unpuzzle.words import listing

CHOOSING, PLAYING = "unpuzzle-choosing", "unpuzzle-playing"
ASSUME, DENY, DROP, BEGIN = "unpuzzle-assume-", "unpuzzle-deny-", "unpuzzle-drop-", "unpuzzle-begin"
GOAL_MARK = "unpuzzle-goal-"
_COST = FunctionTerm("total-cost")
CHANGE = 1_000_000
"""The cost of a change, far above the sum of all ranks."""
EFFORT, MOST_TRIED = 100_000, 8
"""States that the search for the fewest changes may expand; facts that are tried one by one."""


@dataclass(frozen=True, slots=True)
class Excuse(Plain):
    """Changes of a task that make it solvable: facts to add to the start, to delete from it, preconditions to drop.

    `fewest`: whether it was proved that fewer changes of that kind do not suffice.
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
            parts.append(f"if {listing(self.delete)} were false at the start")
        needs: dict[str, list[str]] = {}
        for condition, _, action in (each.rpartition(" of ") for each in self.drop):
            needs.setdefault(action, []).append(condition)
        parts += [f"if {action} did not need {listing(conditions)}" for action, conditions in needs.items()]
        return " and ".join(parts)


def excuses(
    task: Task,
    deadline: Deadline,
    held: frozenset[Atom] = frozenset(),
    effort: int = EFFORT,
    *,
    of_the_start: bool = True,
) -> tuple[Excuse, ...]:
    """Return the fewest changes of the start that make a task solvable, else the fewest dropped preconditions.

    `held` facts are not assumed, such as facts that would put one object in two places. If not `of_the_start`, only
    preconditions are dropped. Empty if no such change helps. Raises LimitReached if limits leave that open, and
    UnsupportedFeature.
    """
    ended = ""
    for changed in (*[_with_choices(task, held)] * of_the_start, _with_drops(task)):
        result = solve(changed, "native", limits=deadline.limits, max_expanded=effort)
        if result.status in (SOLVED, SOLVED_OPTIMALLY) and result.plan is not None:
            names = [(step.name, step.arguments) for step in result.plan]
            excuse = _excuse(task, names, result.status == SOLVED_OPTIMALLY)
            if excuse.add or excuse.delete or excuse.drop:
                return (excuse,)
        elif result.status != UNSOLVABLE:
            ended = result.status
            if ended in LIMITS:
                break
    if ended:
        raise LimitReached(ended, "no changes were found that mend the task")
    return ()


def first_that_helps(
    task: Task, lacking: Sequence[Literal], deadline: Deadline, held: frozenset[Atom], effort: int = EFFORT
) -> tuple[Excuse, ...]:
    """Return the first of some facts that alone makes the task solvable, if a short search shows it.

    Facts of the goal and `held` facts are not tried.
    """
    no_excuses, wanted = held.union(_goal_atoms(task)), _quantified(task)
    allowed = [each for each in lacking if each.atom not in no_excuses and each.atom.predicate not in wanted]
    for literal in allowed[:MOST_TRIED]:
        name = (str(literal.atom),)
        excuse = Excuse(add=name, fewest=True) if literal.sign else Excuse(delete=name, fewest=True)
        result = solve(excused(task, excuse), "native:gbfs", limits=deadline.limits, max_expanded=effort)
        if result.plan is not None:
            return (excuse,)
        if result.status not in (UNSOLVABLE, GAVE_UP):
            break
    return ()


def excused(task: Task, excuse: Excuse) -> Task:
    """Return a task with the changes of an excuse; actions cost 1, since some of the added ones may lack a cost."""
    denied, names = set(excuse.delete), {str(atom) for atom in task.problem.init}
    init = [atom for atom in task.problem.init if str(atom) not in denied]
    for fact in excuse.add:
        predicate, *arguments = fact.strip("()").split()
        init += [] if fact in names else [Atom(predicate, tuple(arguments))]
    dropped, actions = set(excuse.drop), []
    for action in task.domain.actions:
        parts = [part for part in conjuncts(action.precondition) if f"{_shown(part)} of {action.name}" not in dropped]
        actions.append(action.replace(precondition=And(tuple(parts))))
    return Task(task.domain.replace(actions=tuple(actions)), task.problem.replace(init=tuple(init), metric=None))


def first_scarce(task: Task, used_up: Sequence[str], deadline: Deadline, effort: int) -> str | None:
    """Return the first predicate for which there is a plan once no action deletes its facts; None if none is found.

    Predicates of the goal are left out. Each search expands at most `effort` states.
    """
    wanted = {part.predicate for part in walk(task.problem.goal) if isinstance(part, Atom)}
    for name in [each for each in used_up if each not in wanted][:MOST_TRIED]:
        result = solve(with_kept(task, name), "native:gbfs", limits=deadline.limits, max_expanded=effort)
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
    """Return a task in which no action makes facts of a predicate false."""

    def kept(effect: Effect) -> Effect:
        if isinstance(effect, Not) and isinstance(effect.operand, Atom):
            return And() if effect.operand.predicate == predicate else effect
        if isinstance(effect, And):
            return And(tuple([kept(part) for part in effect.operands]))
        if isinstance(effect, Forall):
            return effect.replace(body=kept(effect.body))
        return effect.replace(effect=kept(effect.effect)) if isinstance(effect, When) else effect

    actions = tuple([action.replace(effect=kept(action.effect)) for action in task.domain.actions])
    return Task(task.domain.replace(actions=actions), task.problem)


def _excuse(task: Task, steps: list[tuple[str, tuple[str, ...]]], fewest: bool) -> Excuse:
    def named(prefix: str) -> tuple[str, ...]:
        return tuple(
            [str(Atom(name.removeprefix(prefix), arguments)) for name, arguments in steps if name.startswith(prefix)]
        )

    drops = []
    for name, _ in steps:
        if name.startswith(DROP):
            number, place = map(int, name.removeprefix(DROP).split("-"))
            action = task.domain.actions[number]
            drops.append(f"{_shown(list(conjuncts(action.precondition))[place])} of {action.name}")
    return Excuse(named(ASSUME), named(DENY), tuple(drops), fewest)


def _shown(condition: Condition) -> str:
    from unpuzzle.pddl.failures import text

    return text(condition, {})


def _with_choices(task: Task, held: frozenset[Atom]) -> Task:
    """Return the task in which the start may be changed first, at cost 1 a fact."""
    domain, goal_atoms = task.domain, {*_goal_atoms(task), *held}
    derived = {axiom.head.name for axiom in domain.axioms}
    needed = {name for name, _ in _tested(task)} - derived - _quantified(task) - {"="}
    actions, ranks = [], _ranks(task)
    for predicate in domain.predicates:
        if predicate.name not in needed:
            continue
        atom = Atom(predicate.name, tuple([parameter.name for parameter in predicate.parameters]))
        mark = Atom(GOAL_MARK + predicate.name, atom.arguments)
        for prefix, before, after in ((ASSUME, Not(atom), atom), (DENY, atom, Not(atom))):
            if (predicate.name, prefix == ASSUME) not in _tested(task):
                continue
            distinct = _distinct(task, predicate) if prefix == ASSUME else ()
            condition = And((Atom(CHOOSING), before, Not(mark), *distinct))
            change = And((after, _one(ranks.index(predicate.name))))
            actions.append(Action(prefix + predicate.name, predicate.parameters, condition, change))
    marks = tuple([Predicate(GOAL_MARK + p.name, p.parameters) for p in domain.predicates if p.name in needed])
    marked = tuple(
        [
            Atom(GOAL_MARK + atom.predicate, atom.arguments)
            for atom in sorted(goal_atoms, key=str)
            if atom.predicate in needed
        ]
    )
    begin = Action(BEGIN, (), Atom(CHOOSING), And((Not(Atom(CHOOSING)), Atom(PLAYING))))
    own = [Action(a.name, a.parameters, And((Atom(PLAYING), a.precondition)), _free(a.effect)) for a in domain.actions]
    names = (Predicate(CHOOSING), Predicate(PLAYING), *marks)
    return _task(task, names, (*actions, begin, *own), (Atom(CHOOSING), *marked))


def _ranks(task: Task) -> list[str]:
    """Return the predicates in the order in which facts of them are named, if equally many changes suffice.

    First are those that actions change, since what nothing changes describes the world; of them those of which most is
    true at the start, since one more is the smallest change.
    """
    changed = {each.atom.predicate for action in task.domain.actions for each in single_effects(action)}
    numbers = Counter(atom.predicate for atom in task.problem.init)
    return sorted(
        [each.name for each in task.domain.predicates], key=lambda name: (name not in changed, -numbers[name])
    )


def _distinct(task: Task, predicate: Predicate) -> tuple[Condition, ...]:
    """Return conditions that a predicate's arguments differ, if they differ in all facts of the start."""
    atoms = [atom for atom in task.problem.init if atom.predicate == predicate.name]
    if not atoms or any(len(set(atom.arguments)) < len(atom.arguments) for atom in atoms):
        return ()
    names = [parameter.name for parameter in predicate.parameters]
    return tuple([Not(Atom("=", pair)) for pair in combinations(names, 2)])


def _with_drops(task: Task) -> Task:
    """Return the task in which preconditions may be dropped first, at cost 1 each."""
    actions, names = [], [Predicate(CHOOSING), Predicate(PLAYING)]
    for number, action in enumerate(task.domain.actions):
        parts: list[Condition] = [Atom(PLAYING)]
        for place, part in enumerate(conjuncts(action.precondition)):
            dropped = f"{DROP}{number}-{place}"
            names.append(Predicate(dropped))
            change = And((Atom(dropped), _one()))
            actions.append(Action(dropped, (), And((Atom(CHOOSING), Not(Atom(dropped)))), change))
            parts.append(Or((Atom(dropped), part)))
        actions.append(Action(action.name, action.parameters, And(tuple(parts)), _free(action.effect)))
    begin = Action(BEGIN, (), Atom(CHOOSING), And((Not(Atom(CHOOSING)), Atom(PLAYING))))
    return _task(task, tuple(names), (*actions, begin), (Atom(CHOOSING),))


def _task(task: Task, names: tuple[Predicate, ...], actions: tuple[Action, ...], init: tuple[Atom, ...]) -> Task:
    old, problem = task.domain, task.problem
    functions = (Function("total-cost"),)
    predicates = (*old.predicates, *names)
    domain = Domain(old.name, (), old.types, old.constants, predicates, functions, actions, old.axioms)
    goal, start = And((problem.goal, Atom(PLAYING))), (*problem.init, *init)
    changed = problem.replace(init=start, values=(Value(_COST, 0),), goal=goal, metric=_COST)
    return Task(domain, changed)


def _one(rank: int = 0) -> Increase:
    """Return the cost of a change; of equally many, those of smaller ranks are cheaper."""
    return Increase(_COST, CHANGE + rank)


def _free(effect: Effect) -> Effect:
    if isinstance(effect, And):
        return And(tuple([_free(part) for part in effect.operands if not isinstance(part, Increase)]))
    return And() if isinstance(effect, Increase) else effect


def _tested(task: Task) -> frozenset[tuple[str, bool]]:
    """Return the predicates that preconditions, conditions and axioms test, and whether they want them true."""
    tested: set[tuple[str, bool]] = set()
    for condition in _conditions(task):
        tested |= set(_signs(condition, True))
    return frozenset(tested)


def _conditions(task: Task) -> Iterator[Condition]:
    for action in task.domain.actions:
        yield action.precondition
        for part in effects(action.effect):
            if hasattr(part, "condition"):
                yield part.condition
    for axiom in task.domain.axioms:
        yield axiom.body
        yield Not(axiom.body)  # a rule may be wanted not to fire


def _signs(condition: Condition, sign: bool) -> Iterator[tuple[str, bool]]:
    from unpuzzle.pddl.nodes import Imply

    if isinstance(condition, Atom):
        yield condition.predicate, sign
    elif isinstance(condition, Not):
        yield from _signs(condition.operand, not sign)
    elif isinstance(condition, Imply):
        yield from _signs(condition.premise, not sign)
        yield from _signs(condition.conclusion, sign)
    else:
        for part in condition.children():
            yield from _signs(part, sign)


def _quantified(task: Task) -> set[str]:
    """Return the predicates of facts that the goal asks for of all objects, or of some."""
    return {part.predicate for part in walk(task.problem.goal) if isinstance(part, Atom) and _open(part)}


def _goal_atoms(task: Task) -> list[Atom]:
    return [part for part in walk(task.problem.goal) if isinstance(part, Atom) and not _open(part)]


def _open(atom: Atom) -> bool:
    return any(term.startswith("?") for term in atom.arguments)
