"""The engine, with its work counted: plays from which assumptions are guessed end by the same measure as all else."""

from __future__ import annotations

from math import prod

from unpuzzle.puzzlescript.playing.applying import no_limit
from unpuzzle.puzzlescript.playing.board import Board, board_of
from unpuzzle.puzzlescript.playing.draws import Draws
from unpuzzle.puzzlescript.playing.engine import PythonEngine
from unpuzzle.puzzlescript.playing.play import Play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.puzzlescript.compiling.compiled import Compiled
    from unpuzzle.puzzlescript.forking.effort import Effort
    from unpuzzle.puzzlescript.playing.matching import Match, RuleFinder
    from unpuzzle.puzzlescript.playing.states import State

NO_DRAWS = Draws("")
"""Nothing is drawn from it: games with chance have no PDDL."""
PER_RULE, PER_MATCH = 20, 12
"""Steps of effort, for a rule that matches: turns go on only where one does."""


class CountedBoard(Board):
    """A board on which rules that match are counted."""

    __slots__ = ("effort",)

    def __init__(self, cells: list[int], moves: list[int], where: list[int], moving: list[int], effort: Effort) -> None:
        super().__init__(cells, moves, where, moving)
        self.effort = effort

    def copy(self) -> CountedBoard:
        return CountedBoard(self.cells[:], self.moves[:], self.where[:], self.moving[:], self.effort)

    def settled(self, rule: RuleFinder, found: list[list[Match]]) -> list[list[Match]] | None:
        self.effort.spend(PER_RULE + PER_MATCH * prod(map(len, found)), rule.rule.line)
        return found


class CountedEngine(PythonEngine):
    """The engine on boards that count."""

    def __init__(self, game: Compiled, effort: Effort) -> None:
        super().__init__(game)
        self.effort = effort
        self._last: Board | None = None

    def board(self, state: State) -> Board:
        board = self.plain(state.cells)
        return CountedBoard(board.cells, board.moves, board.where, board.moving, self.effort)

    def _play(self, state: State, board: Board, shows_messages: bool) -> Play:
        play = Play(self.turner(state.width, state.height), board, NO_DRAWS, shows_messages, no_limit)
        if state.target is not None:
            play.target = state.target
        return play

    def plain(self, cells: Sequence[int]) -> Board:
        """A board, which does not count: made from the last one, since boards of a play differ in few cells."""
        board = board_of(cells, self.game) if self._last is None else _changed(self._last, cells)
        self._last = board.copy()
        return board


def _changed(board: Board, cells: Sequence[int]) -> Board:
    """The board with these cells."""
    board = board.copy()
    for cell, (old, new) in enumerate(zip(board.cells, cells, strict=True)):
        if old != new:
            board.put(cell, new, 0)
    return board
