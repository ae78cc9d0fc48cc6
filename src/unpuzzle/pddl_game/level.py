"""A level of a PDDL game: its semantics, and the objects, static facts, costs and goal that no action changes.

States are integers with a bit for each fluent atom, numbered by the level, so all positions of a level share it. The
semantics is computed when the level is played: a level that is only solved goes to the planner as it was read. The
ground actions are listed when the applicable ones are first asked for. Replaying given moves needs only these moves, so
a plan of a large task is replayed at once. Threads take turns, since atoms get their numbers while a level is used.
"""

from __future__ import annotations

import re
from _thread import RLock  # `threading` takes longer to load than a small task to solve
from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.drawing import Ground, Piece
from unpuzzle.pddl.compiled import CompiledSemantics, Operator
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom, Domain, Problem, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text
from unpuzzle.pddl_game.spelling import action_of, move_of
from unpuzzle.table import load

BlockText = tuple[str, str | None, bool]
"""A text with picture lines, its name, and whether it is a problem's text, which may name objects."""
MARK = "picture:"
LINE = re.compile(r"^[ \t]*;+[ \t]*picture:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
"""A picture line, which begins with the mark."""
Method = TypeVar("Method", bound=Callable[..., Any])


def has_block(text: str) -> bool:
    """Return whether a text has picture lines; this must be quick, because it is called for every game."""
    return MARK in text.lower() and LINE.search(text) is not None


def block_text(text: str) -> str:
    """Return the picture lines of a text, joined into one text."""
    return "".join([f"; {MARK} {match[1].strip()}\n" for match in LINE.finditer(text)])


def _in_turn(method: Method) -> Method:
    """Return the method with a lock, so that only one thread at a time runs the method."""

    @wraps(method)
    def run(self: Level, *arguments: Any) -> Any:
        with self._lock:
            return method(self, *arguments)

    return run  # type: ignore[return-value]


class Level:
    """The parts that all positions of a problem share.

    Attributes: `task`, the task of the problem that the level was made from; `key`, equal only for equal levels;
    `block`, the text with its picture lines, if there are any.
    """

    def __init__(self, domain: Domain, problem: Problem, key: Hashable, block: BlockText | None = None) -> None:
        self.key: Hashable = key
        self.block: BlockText | None = block
        self._picture: Any = None
        self.task: Task = Task(domain, problem)
        self._meaning: tuple[Semantics, CompiledSemantics] | None = None
        self._operators: dict[str, Operator] = {}
        self._lock = RLock()

    @property
    def _semantics(self) -> Semantics:
        return self._worked_out()[0]

    @property
    def _states(self) -> CompiledSemantics:
        return self._worked_out()[1]

    @property
    def start(self) -> int:
        """The initial state of the level's problem, as an integer."""
        return self._states.initial

    @_in_turn
    def _worked_out(self) -> tuple[Semantics, CompiledSemantics]:
        """Return the semantics of the task twice: as defined by the reference, and with states as integers."""
        if self._meaning is None:
            semantics = Semantics(self.task)
            self._meaning = semantics, CompiledSemantics(semantics)
        return self._meaning

    @_in_turn
    def state(self, problem: Problem) -> int:
        """Return the initial state of a problem that belongs to this level, as an integer."""
        return self._states.state(self._semantics.fluents(frozenset(problem.init)))

    @_in_turn
    def moves(self, state: int) -> tuple[str, ...]:
        moves = []
        for operator in self._states.applicable(state):
            move = move_of(operator.action)
            self._operators[move] = operator
            moves.append(move)
        return tuple(moves)

    @_in_turn
    def after(self, state: int, move: str) -> int:
        """Return the state after a move. Raises IllegalMove with the false literal of the precondition."""
        operator = self.operator(move)
        if not self._states.allows(state, operator):
            reason = self._semantics.why_not(self._states.atoms(state), operator.action)
            raise IllegalMove(f"{operator.action} is not applicable: {reason}", move=move)
        return self._states.successor(state, operator)

    @_in_turn
    def operator(self, move: str) -> Operator:
        """Return the ground action of a move. Raises IllegalMove if the task has no such action."""
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
        return self._states.cost(self.operator(move))

    @_in_turn
    def solved(self, state: int) -> bool:
        return self._states.solved(state)

    @_in_turn
    def missing(self, state: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.condition for part in self._semantics.missing(self._states.atoms(state))))

    @_in_turn
    def goals(self, state: int) -> tuple[tuple[str, bool], ...]:
        """Return the conjuncts of the goal as PDDL texts, and whether each is true in a state."""
        texts = [text(part, {}) for part in conjuncts(self.task.problem.goal)]
        return tuple(zip(texts, self._states.reached(state), strict=True))

    @_in_turn
    def atoms(self, state: int) -> frozenset[Atom]:
        return self._states.atoms(state)

    @_in_turn
    def picture(self) -> Any:
        """Return the picture that the picture lines describe. Raises ParseError, with line and column of a fault."""
        if self._picture is None:
            text, name, own = self.block or ("", None, False)
            objects = [item.name for item in self.task.problem.objects] if own else []
            self._picture = load("picture lines", "level")(text, name, objects, self._semantics)
        return self._picture

    @_in_turn
    def ground(self) -> Ground:
        """Return the part of the picture that no move changes. Raises the same errors as `picture`."""
        ground: Ground = self.picture().ground
        return ground

    @_in_turn
    def pieces(self, state: int) -> Sequence[Piece]:
        """Return the pieces of the picture of a state. Raises the same errors as `picture`."""
        pieces: Sequence[Piece] = self.picture().pieces(self._states.atoms(state))
        return pieces

    def problem(self, state: int | None) -> Problem:
        """Return the problem that starts in a state; its initial facts are ordered: static facts, then the others.

        The fluents are in alphabetical order.
        """
        if state is None or state == self.start:
            return self.task.problem
        changing, fluents = self._semantics.fluent_predicates, sorted(self.atoms(state), key=str)
        statics = [atom for atom in self.task.problem.init if atom.predicate not in changing]
        return self.task.problem.replace(init=(*statics, *fluents)).trusted(self.task.domain)


def level_key(problem: Problem, fluents: frozenset[str]) -> Hashable:
    """Return a key of a problem without its initial state; problems with equal keys share a level."""
    statics = frozenset([atom for atom in problem.init if atom.predicate not in fluents])
    return problem.name, problem.objects, statics, frozenset(problem.values), problem.goal, problem.metric
