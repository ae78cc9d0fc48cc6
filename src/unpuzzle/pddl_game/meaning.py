"""The meaning of a level of a PDDL game: which moves are applicable in a state, and what they change.

States are integers with a bit for each fluent atom, numbered here. The ground actions are listed when somebody asks
which of them are applicable. Playing given moves needs none but these, so that a plan of a large task is replayed at
once. Threads take turns, since atoms get their numbers while a level is used.
"""

from __future__ import annotations

from functools import wraps
from threading import RLock

from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.pddl.compiled import CompiledSemantics, Operator
from unpuzzle.pddl.nodes import Atom, Problem, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl_game.spelling import action_of, move_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Method = TypeVar("Method", bound=Callable[..., Any])


def _in_turn(method: Method) -> Method:
    """Return a method that one thread runs at a time."""

    @wraps(method)
    def run(self: Meaning, *arguments: Any) -> Any:
        with self._lock:
            return method(self, *arguments)

    return run  # type: ignore[return-value]


class Meaning:
    """The compiled semantics of a task, asked for moves. Attribute: `start`, its first state as an integer."""

    def __init__(self, task: Task) -> None:
        self._semantics = Semantics(task)
        self._states = CompiledSemantics(self._semantics)
        self.start: int = self._states.initial
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
    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluent atoms that are true in a state."""
        return self._states.atoms(state)
