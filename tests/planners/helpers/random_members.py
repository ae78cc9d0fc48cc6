"""Random members of families: starts and goals that fit a random task."""

from __future__ import annotations

from itertools import product
from random import Random

from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Not, Or, Task, TypedName
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Types


def ground_fluents(task: Task) -> list[Atom]:
    """All atoms over the fluent predicates that fit their types."""
    semantics, types = Semantics(task), Types(task)
    return [
        Atom(predicate.name, names)
        for predicate in task.domain.predicates
        if predicate.name in semantics.fluent_predicates
        for names in product(*[types.members(parameter.types) for parameter in predicate.parameters])
    ]


def random_starts(rng: Random, task: Task, count: int) -> list[frozenset[Atom]]:
    """States near the task's own, and states that have nothing to do with it."""
    atoms, semantics = ground_fluents(task), Semantics(task)
    starts = []
    for number in range(count):
        if number % 2:
            starts.append(frozenset(atom for atom in atoms if rng.random() < rng.choice((0.1, 0.4, 0.8))))
        else:
            changed = rng.sample(atoms, min(len(atoms), rng.randint(0, 2)))
            starts.append(semantics.fluents(semantics.initial).symmetric_difference(changed))
    return starts


def random_goal(rng: Random, task: Task) -> Condition:
    """Literals, a disjunction of them, or something with a quantifier; derived atoms among them."""
    atoms = [*ground_fluents(task), *sorted(Semantics(task).derived(Semantics(task).initial), key=str)]

    def literal() -> Condition:
        atom = rng.choice(atoms)
        return Not(atom) if rng.random() < 0.4 else atom

    kind = rng.randrange(4)
    if kind == 0:
        return task.problem.goal
    if kind == 1:
        return And(tuple(literal() for _ in range(rng.randint(0, 3))))
    if kind == 2:
        return Or((And((literal(), literal())), literal()))
    variable = (TypedName("?v", ("object",)),)
    quantifier = rng.choice((Exists, Forall))
    return quantifier(variable, Or((Atom("=", ("?v", task.domain.constants[0].name)), literal())))
