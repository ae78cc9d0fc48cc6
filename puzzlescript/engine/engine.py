"""The interface of engines, which compute the states that inputs lead to, and the engine in Python.

    Engine(game)                      of a compiled game, which is plain data
    engine.started(state)             the state after the turn that a level may begin with
    engine.after(state, key)          the state after one input and the turns of `again` that follow it
    engine.successors(state, keys)    the same for several inputs, in their order; a set `endless` takes the groups of
                                      rules and loops that were cut off (`turns.Endless`)
    engine.play(state)                a level in play, with `again`, commands, winning, undo and restart

Inputs are `u l d r` directions, `x` action, `t` a tick, which is a turn without input, `z` undo, `!` restart; the last
two are for a level in play alone. The result is None if more than `MOST_AGAINS` turns of `again` follow. In a resulting
state, `won` depends on this input alone. Equal states have equal successors in all engines. While turns are made, the
limits of the current run are checked. An engine does not change while it is used; two threads may use one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple, Protocol

from unpuzzle.puzzlescript.compiling.compiled import AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN, Compiled
from unpuzzle.puzzlescript.engine.board import PlayBoard, board_of, conditions_hold
from unpuzzle.puzzlescript.engine.states import Draws, State, draws_at
from unpuzzle.puzzlescript.engine.turns import (
    BY_RESTART,
    CANCELLED,
    DONE,
    INPUT,
    RESTARTED,
    START,
    TO_GO_ON,
    TURN_OF_AGAIN,
    UNMOVED,
    WON,
    Endless,
    Queue,
    Turner,
    TurnListener,
)

DIRECTIONS: Mapping[str, int | None] = {"u": 0, "d": 1, "l": 2, "r": 3, "x": 4, "t": None}
MOST_AGAINS = 500
"""The most turns of `again` after an input, beyond which it is given up."""


class PlayOutcome(NamedTuple):
    """The state of a level in play after an input.

    Attributes: `cells`, the objects on each; `target`, the cells after a restart; `won`, whether the last input won;
    `capped`, whether it was given up; `drawn`, the number of draws from the seed; `endless`, the groups of rules and
    loops that the last input cut off.
    """

    cells: tuple[int, ...]
    target: tuple[int, ...]
    won: bool
    capped: bool
    drawn: int
    endless: set[Endless]


class Play:
    """A level that is being played; `board` is the current board.

    A `listener`, if there is one, is called for each event.
    """

    def __init__(
        self,
        turner: Turner,
        board: PlayBoard,
        draws: Draws,
        shows_messages: bool = True,
        target: tuple[int, ...] | None = None,
        listener: TurnListener | None = None,
    ) -> None:
        self.turner = turner
        self.listener = listener
        self.game: Compiled = turner.game
        self.board: PlayBoard = board
        self.target: tuple[int, ...] = tuple(board.cells) if target is None else target
        self.draws = draws
        self.shows_messages = shows_messages
        self.won: bool = False
        self.capped: bool = False
        self.endless: set[Endless] = set()
        self._undo: list[tuple[int, ...]] = []
        self._again = self._restarting = False

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(self.board.cells)

    def outcome(self) -> PlayOutcome:
        return PlayOutcome(self.cells, self.target, self.won, self.capped, self.draws.drawn, self.endless)

    def start(self) -> None:
        """Play the turn before the first input, if the game has rules that run when a level begins."""
        self.endless = set()
        if self.game.options.run_rules_on_level_start:
            self._turn(None, START, may_win=False)
            self._play_again_turns()

    def press(self, key: str) -> None:
        """Play one input, and the turns that the command `again` adds."""
        self.won = self.capped = False
        self.endless = set()
        if key == "z":
            self._undo_once()
        elif key == "!":
            if not self.game.options.norestart:
                self._undo.append(self.cells)
                self._restart()
        elif key != "x" or not self.game.options.noaction:
            self._turn(DIRECTIONS[key], INPUT)
        self._play_again_turns()

    def _play_again_turns(self) -> None:
        """Play the turns that the command `again` adds."""
        turns = 0
        while self._again and not self.won:
            self._again = False
            turns += 1
            if turns > MOST_AGAINS:
                self.capped = True
                return
            self._turn(None, TURN_OF_AGAIN)

    def _undo_once(self) -> None:
        """Return to the last board that differs from the current board."""
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
            self._turn(None, BY_RESTART, may_win=False)
        self._restarting = False

    def _turn(self, direction: int | None, why: str, may_win: bool = True) -> None:
        """Play one turn and execute its commands; `why` says for the listener what caused the turn."""
        before, listener = self.board, self.listener
        if listener is not None:
            listener.begins(why, direction, before)
        board, queue, players = self._run(before.copy(), direction, listener)
        how = self._execute_commands(before, board, direction, queue, players, may_win)
        if listener is not None and how != RESTARTED:  # which it heard before the turns that a restart begins with
            listener.ends(how, self.board)

    def _execute_commands(
        self,
        before: PlayBoard,
        board: PlayBoard,
        direction: int | None,
        queue: Queue,
        players: list[int],
        may_win: bool,
    ) -> str:
        """Execute the commands that a turn has queued; return how the turn ends."""
        if self.game.options.require_player_movement and players:
            players = [cell for cell in players if not board.cells[cell] & self.game.player]
            if not players:
                return UNMOVED
        commands = queue.commands
        if commands & CANCEL:
            return CANCELLED
        if commands & RESTART:
            self._undo.append(tuple(before.cells))
            if not self._restarting:  # in the turn that a restart begins with it does nothing
                if self.listener is not None:
                    self.listener.ends(RESTARTED, board)
                self._restart()
                self.won = may_win and conditions_hold(self.game, self.board)
                return RESTARTED
        changed = board.cells != before.cells
        self.board = board
        if changed and direction is not None:
            self._undo.append(tuple(before.cells))
        self.won = may_win and self._is_won(commands, changed)
        if commands & CHECKPOINT and not self.won:
            self.target = self.cells
        if commands & AGAIN and changed and not self.won:
            self._again = self._has_effect_without_input()
        return WON if self.won else TO_GO_ON if self._again else DONE

    def _run(
        self, board: PlayBoard, direction: int | None, listener: TurnListener | None = None
    ) -> tuple[PlayBoard, Queue, list[int]]:
        return self.turner.run(board, direction, Queue(self.endless, self.draws, listener))

    def _has_effect_without_input(self) -> bool:
        """Return whether a turn without input would change something, by playing it on a copy of the board."""
        board, queue, _ = self._run(self.board.copy(), None)
        if queue.commands & CANCEL:
            return queue.cancel_has_company
        return bool(queue.commands & (RESTART | WIN)) or board.cells != self.board.cells

    def _is_won(self, commands: int, changed: bool) -> bool:
        """Return whether a turn wins the level, by the command `win` or because the win conditions hold."""
        hidden = self.shows_messages and commands & MESSAGE
        return (bool(commands & WIN) and not hidden) or conditions_hold(self.game, self.board)


class Engine(Protocol):
    """The interface of engines, which compute the states that inputs lead to."""

    def started(self, state: State, endless: set[Endless] | None = None) -> State | None:
        """Return the state in which play begins; some games play a turn at the start of a level."""

    def after(self, state: State, key: str, endless: set[Endless] | None = None) -> State | None:
        """Return the state to which an input leads from a state."""
        return self.successors(state, (key,), endless)[0]

    @abstractmethod
    def successors(self, state: State, keys: Sequence[str], endless: set[Endless] | None = None) -> list[State | None]:
        """Return the states to which the given inputs lead from one state, in the order of the inputs."""

    def play(self, state: State, shows_messages: bool = True) -> Playing:
        """Return a level in play that begins in a state; if `shows_messages` is true, a `message` prevents a `win`."""


class Playing(Protocol):
    """The interface of a level in play; `Play` implements it in Python."""

    def start(self) -> None:
        """Play the turn before the first input, if the game has rules that run when a level begins."""

    def press(self, key: str) -> None:
        """Play one input: a key from `u l d r x t`, or `z` for undo, or `!` for restart."""

    def outcome(self) -> PlayOutcome:
        """Return the result of playing the last input."""


class PythonEngine(Engine):
    """The engine in plain Python; `listener` is called for each event of a turn."""

    def __init__(self, game: Compiled, listener: TurnListener | None = None) -> None:
        self.game: Compiled = game
        self.listener: TurnListener | None = listener
        self.has_restart: bool = game.has_restart()
        self.turner: Callable[[int, int], Turner] = cache(partial(Turner, game))
        """A function that returns the maker of turns on boards of a width and height."""

    def started(self, state: State, endless: set[Endless] | None = None) -> State | None:
        play = self.play(state)
        play.start()
        if endless is not None:
            endless |= play.endless
        return self._state(state, play)

    def successors(self, state: State, keys: Sequence[str], endless: set[Endless] | None = None) -> list[State | None]:
        board = self.board(state)
        states: list[State | None] = []
        for key in keys:
            play = self._play(state, board, shows_messages=True)
            play.press(key)
            if endless is not None:
                endless |= play.endless
            states.append(self._state(state, play))
        return states

    def play(self, state: State, shows_messages: bool = True) -> Play:
        return self._play(state, self.board(state), shows_messages)

    def board(self, state: State) -> PlayBoard:
        """Return the board of a state; nothing on it moves."""
        return board_of(state.cells, self.game)

    def _play(self, state: State, board: PlayBoard, shows_messages: bool) -> Play:
        seed, drawn = ("", 0) if state.seed is None else (state.seed, state.drawn)
        draws = draws_at(seed, drawn).copy()  # to key a source takes longer than many a turn
        return Play(self.turner(state.width, state.height), board, draws, shows_messages, state.target, self.listener)

    def _state(self, before: State, play: Play) -> State | None:
        if play.capped:
            return None
        width, height, seed = before.width, before.height, before.seed
        target, drawn = play.target if self.has_restart else None, 0 if seed is None else play.draws.drawn
        return State(width, height, play.cells, play.won, target, seed, drawn)
