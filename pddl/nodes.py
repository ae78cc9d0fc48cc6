"""The classes `Task`, `GroundAction` and `Plan`; other node classes are imported here, too.

    Task ── Domain ── types, constants, predicates, functions, actions, axioms
        └── Problem ─ objects, init, fluent values, goal, metric

Terms (objects, constants, variables) are plain lower-case strings; a variable begins with `?`. A type expression is a
tuple of type names: `("block",)`, or `("a", "b")` for `(either a b)`; untyped is `("object",)`.

Two nodes are equal if they mean the same text: spans and declared requirements do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.text import count
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.formulas import (
    OBJECT,
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Node,
    Not,
    Or,
    Source,
    Span,
    TypedName,
    When,
)
from unpuzzle.table import notebook_html

__all__ = [
    "OBJECT", "Action", "And", "Atom", "Axiom", "Condition", "Domain", "Effect", "Exists", "Forall", "Function",
    "FunctionTerm", "GroundAction", "Imply", "Increase", "Node", "Not", "Or", "Plan", "Predicate", "Problem",
    "Source", "Span", "Task", "TypedName", "Value", "When",
]  # fmt: skip


STEPS_SHOWN = 6
"""The number of a plan's steps shown on one line."""


class Task(Node):
    """A domain and a problem: the input of a planner. Raises ParseError if the problem does not fit the domain."""

    _repr_html_ = notebook_html

    domain: Domain
    problem: Problem

    def __init__(self, domain: Domain, problem: Problem, *, span: Span | None = None) -> None:
        self._fill(span, domain, problem)
        if getattr(problem, "domain", None) is not domain or domain is None:
            from unpuzzle.pddl.linting.soundness import require

            require(domain, problem)
            problem.trusted(domain)

    def __repr__(self) -> str:
        actions, objects = count(len(self.domain.actions), "action"), count(len(self.problem.objects), "object")
        facts = count(len(self.problem.init), "fact")
        return f"Task({self.domain.name!r}, {self.problem.name!r}, {actions}, {objects}, {facts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _joined, (self.domain, self.problem)


def _joined(domain: Domain, problem: Problem) -> Task:
    return Task(domain, problem.trusted(domain))


class GroundAction(Node):
    """The name of an action schema, with objects as arguments; `str()` gives a line of a plan file: `(move a b)`."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"


class Plan(Node):
    """A sequence of ground actions; `cost` is the cost that the plan file states, or None.

    `together` has the steps that the source gives the same time, as the numbers of the first one and of the one after
    the last. `timing` is a sentence about the source's times, empty if it has none.
    """

    _repr_html_ = notebook_html

    _uncompared = ("cost", "together", "timing")
    steps: tuple[GroundAction, ...] = ()
    cost: int | None = None
    together: tuple[tuple[int, int], ...] = ()
    timing: str = ""

    def __iter__(self) -> Iterator[GroundAction]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        steps = " ".join(map(str, self.steps[:STEPS_SHOWN])) + (" ..." if len(self) > STEPS_SHOWN else "")
        cost = "" if self.cost is None else f", cost {self.cost}"
        return f"Plan({count(len(self), 'step')}{cost}{': ' if steps else ''}{steps})"
