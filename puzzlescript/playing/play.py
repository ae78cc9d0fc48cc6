"""A play of one level: inputs, `again`, commands, winning, undo and restart.

Inputs: `u l d r` directions, `x` action, `t` a tick, which is a turn without input, `z` undo, `!` restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from unpuzzle.limits import ticker
from unpuzzle.puzzlescript.compiling.compiled import AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN, Compiled
from unpuzzle.puzzlescript.playing.applying import Endless, Queue
from unpuzzle.puzzlescript.playing.board import PlayBoard, board_of, conditions_hold
from unpuzzle.puzzlescript.playing.draws import Draws
from unpuzzle.puzzlescript.playing.sets import has
from unpuzzle.puzzlescript.playing.turning import Turner

DIRECTIONS: Mapping[str, int | None] = {"u": 0, "d": 1, "l": 2, "r": 3, "x": 4, "t": None}
MOST_AGAINS = 500
"""An input is given up that is followed by more turns of `again` than this."""


class Outcome(NamedTuple):
    """A level in play after an input.

    Attributes: `cells`, the objects on each; `target`, the cells to which a restart leads; `won`, by the last input;
    `capped`, whether that input was given up; `drawn`, how many numbers were drawn from the seed; `endless`, the groups
    of rules and loops that the last input cut off.
    """

    cells: tuple[int, ...]
    target: tuple[int, ...]
    won: bool
    capped: bool
    drawn: int
    endless: set[Endless]


class Play:
    """A level in play: the attributes are those of its outcome, and its `board`.

    `tick` is called often while turns are made; None is that of the running work (`limits.tick`).
    """

    def __init__(
        self,
        turner: Turner,
        board: PlayBoard,
        draws: Draws,
        shows_messages: bool = True,
        tick: Callable[[], None] | None = None,
    ) -> None:
        self.turner = turner
        self.game: Compiled = turner.game
        self.board: PlayBoard = board
        self.target: tuple[int, ...] = tuple(board.cells)
        self.draws = draws
        self.shows_messages = shows_messages
        self.won: bool = False
        self.capped: bool = False
        self.tick = tick
        self.endless: set[Endless] = set()
        self._undo: list[tuple[int, ...]] = []
        self._again = self._restarting = False

    @property
    def cells(self) -> tuple[int, ...]:
        """What is on each cell."""
        return tuple(self.board.cells)

    def outcome(self) -> Outcome:
        """Return what the last input has led to."""
        return Outcome(self.cells, self.target, self.won, self.capped, self.draws.drawn, self.endless)

    def start(self) -> None:
        """Make the turn that a level may begin with."""
        self.endless = set()
        if self.game.options.run_rules_on_level_start:
            self._turn(None, may_win=False)
            self._run_on()

    def press(self, key: str) -> None:
        """Play one input, and the turns that follow it by themselves."""
        self.won = self.capped = False
        self.endless = set()
        if key == "z":
            self._take_back()
        elif key == "!":
            if not self.game.options.norestart:
                self._undo.append(self.cells)
                self._restart()
        elif key != "x" or not self.game.options.noaction:
            self._turn(DIRECTIONS[key])
        self._run_on()

    def _run_on(self) -> None:
        """Make the turns that `again` asks for."""
        turns = 0
        while self._again and not self.won:
            self._again = False
            turns += 1
            if turns > MOST_AGAINS:
                self.capped = True
                return
            self._turn(None)

    def _take_back(self) -> None:
        """Go back to the last board that differs: a restart that changed nothing is skipped."""
        if self.game.options.noundo:
            return
        while self._undo and self._undo[-1] == self.cells:
            self._undo.pop()
        if self._undo:
            self.board = board_of(self._undo.pop(), self.game)

    def _restart(self) -> None:
        self._restarting = True
        self.board = board_of(self.target, self.game)
        if self.game.options.run_rules_on_level_start:
            self._turn(None, may_win=False)
        self._restarting = False

    def _turn(self, direction: int | None, may_win: bool = True) -> None:
        before = self.board
        board, queue, players = self._run(before.copy(), direction)
        if self.game.options.require_player_movement and players:
            players = [cell for cell in players if not board.cells[cell] & self.game.player]
            if not players:  # nobody has moved
                return
        commands = queue.commands
        if commands & CANCEL:
            return
        if commands & RESTART:
            self._undo.append(tuple(before.cells))
            if not self._restarting:  # in the turn that a restart begins with it does nothing
                self._restart()
                self.won = may_win and conditions_hold(self.game, self.board)
                return
        changed = board.cells != before.cells
        self.board = board
        if changed and direction is not None:
            self._undo.append(tuple(before.cells))
        self.won = may_win and self._is_won(commands, changed)
        if commands & CHECKPOINT and not self.won:
            self.target = self.cells
        if commands & AGAIN and changed and not self.won:
            self._again = self._would_do_something()

    def _run(self, board: PlayBoard, direction: int | None) -> tuple[PlayBoard, Queue, list[int]]:
        return self.turner.run(board, direction, self.draws, self.tick or ticker(), self.endless)

    def _would_do_something(self) -> bool:
        """Return whether a turn without input would do something; it is tried out."""
        board, queue, _ = self._run(self.board.copy(), None)
        if queue.commands & CANCEL:
            return queue.cancel_has_company
        return bool(queue.commands & (RESTART | WIN)) or board.cells != self.board.cells

    def _is_won(self, commands: int, changed: bool) -> bool:
        """Return whether a turn wins. A message hides the command `win`, and not the conditions, looked at after it."""
        hidden = self.shows_messages and commands & MESSAGE
        return (bool(commands & WIN) and not hidden) or conditions_hold(self.game, self.board)


def has_player(game: Compiled, cells: Iterable[int]) -> bool:
    """Return whether there is a player on one of some cells."""
    return any(has(cell, game.player, game.player_is_aggregate) for cell in cells)
