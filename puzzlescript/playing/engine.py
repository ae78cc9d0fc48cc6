"""Engines: what comes after a state. One interface, behind which stand the readable Python and the fast core.

    Engine(game)                      of a compiled game, which is plain data
    engine.started(state)             the state after the turn that a level may begin with
    engine.after(state, key)          the state after one input and the turns of `again` that follow it
    engine.successors(state, keys)    the same for several inputs, in their order; a set `endless` takes the groups of
                                      rules and loops that were cut off (`applying.Endless`)
    engine.play(state)                a level in play, with undo and restart: see `Playing`

None stands for what never ends: more than `MOST_AGAINS` turns of `again` follow. A state that comes out has `won` set
or not by that input alone. Equal states have equal successors, whatever engine. While turns are made, `limits.tick` is
called often. An engine does not change while it is used; two threads may use one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from unpuzzle.puzzlescript.compiling.compiled import RESTART, CellPattern, Compiled, Replacement, Rule
from unpuzzle.puzzlescript.playing.applying import Endless
from unpuzzle.puzzlescript.playing.board import PlayBoard, board_of
from unpuzzle.puzzlescript.playing.draws import draws_at
from unpuzzle.puzzlescript.playing.play import Outcome, Play
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.playing.turning import Turner

KEYS = ("u", "l", "d", "r", "x", "t")


class Engine(Protocol):
    """See the module's docstring."""

    def started(self, state: State, endless: set[Endless] | None = None) -> State | None:
        """Return the state in which play begins."""

    def after(self, state: State, key: str, endless: set[Endless] | None = None) -> State | None:
        """Return the state after an input."""
        return self.successors(state, (key,), endless)[0]

    def successors(self, state: State, keys: Sequence[str], endless: set[Endless] | None = None) -> list[State | None]:
        """Return the state after each of some inputs."""
        raise NotImplementedError

    def play(self, state: State, shows_messages: bool = True) -> Playing:
        """Return a level in play; `shows_messages`: the command `message` hides the command `win`, as for players."""


class Playing(Protocol):
    """A level in play, which changes; `Play` in Python."""

    def start(self) -> None:
        """Make the turn that a level may begin with."""

    def press(self, key: str) -> None:
        """Play one input: `u l d r x t`, `z` undo, `!` restart."""

    def outcome(self) -> Outcome:
        """Return what the last input has led to."""


class PythonEngine(Engine):
    """The readable engine, which judges others."""

    def __init__(self, game: Compiled) -> None:
        self.game: Compiled = game
        self.has_restart: bool = has_restart(game)
        self._turners: dict[tuple[int, int], Turner] = {}

    def turner(self, width: int, height: int) -> Turner:
        """Return what makes turns on boards of a shape."""
        if (width, height) not in self._turners:
            self._turners[width, height] = Turner(self.game, width, height)
        return self._turners[width, height]

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
        """Return the board of a state, on which nothing moves."""
        return board_of(state.cells, self.game)

    def _play(self, state: State, board: PlayBoard, shows_messages: bool) -> Play:
        seed, drawn = ("", 0) if state.seed is None else (state.seed, state.drawn)
        draws = draws_at(seed, drawn).copy()  # to key a source takes longer than many a turn
        play = Play(self.turner(state.width, state.height), board, draws, shows_messages)
        if state.target is not None:
            play.target = state.target
        return play

    def _state(self, before: State, play: Play) -> State | None:
        if play.capped:
            return None
        width, height, seed = before.width, before.height, before.seed
        target, drawn = play.target if self.has_restart else None, 0 if seed is None else play.draws.drawn
        return State(width, height, play.cells, play.won, target, seed, drawn, before.ticks)


def rules_of(game: Compiled) -> list[Rule]:
    """Return all rules, late ones last."""
    return [rule for group in (*game.rules, *game.late) for rule in group.rules]


def has_restart(game: Compiled) -> bool:
    """Return whether a rule has the command `restart`: the board which it leads to then belongs to a state."""
    return any(rule.commands & RESTART for rule in rules_of(game))


def keys_of(game: Compiled, state: State) -> tuple[str, ...]:
    """Return the inputs that a state takes."""
    without = ("x",) if game.options.noaction else ()
    return tuple([key for key in KEYS if key not in without and (key != "t" or state.ticks)])


def chance(game: Compiled) -> Rule | None:
    """Return the first rule that depends on chance, if there is one."""
    for group in (*game.rules, *game.late):
        for rule in group.rules:
            if group.random or any(new.random_objects or new.random_directions for _, new in replacements_of(rule)):
                return rule
    return None


def replacements_of(rule: Rule) -> list[tuple[CellPattern, Replacement]]:
    """Return the cells of a rule that are replaced, each with what replaces it."""
    cells = [cell for row in rule.rows for cell in row if cell is not None]
    return [(cell, cell.replacement) for cell in cells if cell.replacement is not None]
