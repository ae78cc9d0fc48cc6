"""A level of a PDDL game: what no action changes (objects, static facts, costs, the goal), and what it means.

States are integers with a bit for each fluent atom, numbered by the level; so a level is shared by all positions that
have it. The ground actions are listed when somebody asks which of them are applicable. Playing given moves needs none
but these, so that a plan of a large task is replayed at once. Threads take turns, since atoms get their numbers while a
level is used.
"""

from __future__ import annotations

from functools import wraps
from threading import RLock

from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.pddl.compiled import CompiledSemantics, Operator
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom, Domain, Problem, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl_game.spelling import action_of, move_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    Method = TypeVar("Method", bound=Callable[..., Any])


def _in_turn(method: Method) -> Method:
    """Return a method that one thread runs at a time."""

    @wraps(method)
    def run(self: Level, *arguments: Any) -> Any:
        with self._lock:
            return method(self, *arguments)

    return run  # type: ignore[return-value]


class Level:
    """What the positions of one problem have in common.

    Attributes: `task`, the task of the problem that the level was made from; `start`, its first state as an integer;
    `key`, which only equal levels have in common.
    """

    def __init__(self, domain: Domain, problem: Problem, key: Hashable) -> None:
        self.key: Hashable = key
        self.task: Task = Task(domain, problem)
        self._semantics = Semantics(self.task)
        self._states = CompiledSemantics(self._semantics)
        self.start: int = self._states.initial
        fluent = self._semantics.fluent_predicates
        self._statics = tuple([atom for atom in problem.init if atom.predicate not in fluent])
        self._operators: dict[str, Operator] = {}
        self._lock = RLock()

    @_in_turn
    def state(self, problem: Problem) -> int:
        """Return the first state of a problem of this level."""
        return self._states.state(self._semantics.fluents(frozenset(problem.init)))

    @_in_turn
    def moves(self, state: int) -> tuple[str, ...]:
        """Return the moves that are applicable in a state."""
        moves = []
        for operator in self._states.applicable(state):
            move = move_of(operator.action)
            self._operators[move] = operator
            moves.append(move)
        return tuple(moves)

    @_in_turn
    def after(self, state: int, move: str) -> int:
        """Return the state after a move. Raises IllegalMove, saying which literal of its precondition fails."""
        operator = self.operator(move)
        if not self._states.allows(state, operator):
            reason = self._semantics.why_not(self._states.atoms(state), operator.action)
            raise IllegalMove(f"{operator.action} is not applicable: {reason}", move=move)
        return self._states.successor(state, operator)

    @_in_turn
    def operator(self, move: str) -> Operator:
        """Return the ground action of a move. Raises IllegalMove where the task has none."""
        operator = self._operators.get(move)
        if operator is None:
            action = action_of(move)
            try:
                operator = self._states.operator(action)
            except ParseError as error:
                raise IllegalMove(error.message, move=move) from None
            self._operators[move] = operator
        return operator

    @_in_turn
    def cost(self, move: str) -> int:
        """Return the cost of a move."""
        return self._states.cost(self.operator(move))

    @_in_turn
    def solved(self, state: int) -> bool:
        """Return whether the goal is true in a state."""
        return self._states.solved(state)

    @_in_turn
    def missing(self, state: int) -> tuple[str, ...]:
        """Return the parts of the goal that are false in a state."""
        return tuple([part.condition for part in self._semantics.missing(self._states.atoms(state))])

    @_in_turn
    def goals(self, state: int) -> tuple[tuple[str, bool], ...]:
        """Return the conjuncts of the goal as PDDL, each with whether it is true in a state."""
        texts = [text(part, {}) for part in conjuncts(self.task.problem.goal)]
        return tuple(zip(texts, self._states.reached(state), strict=True))

    @_in_turn
    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluent atoms that are true in a state."""
        return self._states.atoms(state)

    def problem(self, state: int) -> Problem:
        """Return the problem that begins in a state: static facts as in the level's, then the others by name."""
        if state == self.start:
            return self.task.problem
        fluents = sorted(self.atoms(state), key=str)
        return self.task.problem.replace(init=(*self._statics, *fluents)).trusted(self.task.domain)


def level_key(problem: Problem, fluents: frozenset[str]) -> Hashable:
    """Return all of a problem but for its first state: problems with equal keys have the same level."""
    statics = frozenset([atom for atom in problem.init if atom.predicate not in fluents])
    return problem.name, problem.objects, statics, frozenset(problem.values), problem.goal, problem.metric
