"""What may be a start or a goal of a family, and why something else may not."""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.errors import UsageError
from unpuzzle.pddl.nodes import And, Atom, Condition, Effect, Forall, Imply, Not, Or, Task, When

Start = frozenset[Atom]


class Membership:
    """Of a family with the domain, objects and static facts of `task`; `varying` as in `Family`."""

    def __init__(self, task: Task, varying: frozenset[str]) -> None:
        domain, problem = task.domain, task.problem
        self.task = task
        self.objects: frozenset[str] = frozenset(item.name for item in (*domain.constants, *problem.objects))
        self.derived: frozenset[str] = frozenset(axiom.head.name for axiom in domain.axioms)
        self.fluent: frozenset[str] = varying | {name for action in domain.actions for name in changed(action.effect)}
        self.static: frozenset[Atom] = frozenset(atom for atom in problem.init if atom.predicate not in self.fluent)
        self.known: frozenset[Atom] = frozenset()  # fluents that have been looked at
        self.arity: dict[str, int] = {predicate.name: len(predicate.parameters) for predicate in domain.predicates}

    def fluents(self, start: Start) -> Start:
        """Return the start without its static facts. Raises UsageError for what cannot be true in a member."""
        new = start - self.known - self.static
        for atom in sorted(new, key=str):
            self._check_atom(atom, frozenset())
            if atom.predicate in self.derived:
                raise UsageError(f"{atom} is derived by axioms and cannot be part of a start")
            if atom.predicate not in self.fluent:
                raise UsageError(f"{atom} is static and false in the family's task, so this start is of another family")
        if new:
            self.known |= new
        return start & self.known

    def check_goal(self, goal: Condition) -> None:
        """Raise UsageError for a goal that mentions what the task does not have."""
        self._check(goal, frozenset())

    def member(self, start: Start, goal: Condition | None) -> Task:
        """Return the task of one member."""
        domain, problem = self.task.domain, self.task.problem
        own = problem.replace(init=(*self.static, *self.fluents(start)), goal=problem.goal if goal is None else goal)
        return Task(domain, own.trusted(domain))

    def _check(self, condition: Condition, bound: frozenset[str]) -> None:
        if isinstance(condition, Atom):
            self._check_atom(condition, bound)
        elif isinstance(condition, Not):
            self._check(condition.operand, bound)
        elif isinstance(condition, Imply):
            self._check(condition.premise, bound)
            self._check(condition.conclusion, bound)
        elif isinstance(condition, And | Or):
            for part in condition:
                self._check(part, bound)
        else:
            self._check(condition.body, bound | {parameter.name for parameter in condition.parameters})

    def _check_atom(self, atom: Atom, bound: frozenset[str]) -> None:
        arity = 2 if atom.predicate == "=" else self.arity.get(atom.predicate)
        if arity is None:
            raise UsageError(f"{atom}: the domain has no predicate '{atom.predicate}'")
        if arity != len(atom.arguments):
            raise UsageError(f"{atom}: '{atom.predicate}' has {arity} arguments, not {len(atom.arguments)}")
        for term in atom.arguments:
            if term not in self.objects and term not in bound:
                raise UsageError(f"{atom}: the family's task has no object '{term}'")


def changed(effect: Effect) -> Iterator[str]:
    """Yield the predicates of all atoms that an effect may change."""
    if isinstance(effect, Atom):
        yield effect.predicate
    elif isinstance(effect, Not):
        assert isinstance(effect.operand, Atom), "an effect can only negate an atom"
        yield effect.operand.predicate
    elif isinstance(effect, And):
        for part in effect:
            yield from changed(part)
    elif isinstance(effect, When):
        yield from changed(effect.effect)
    elif isinstance(effect, Forall):
        yield from changed(effect.body)
