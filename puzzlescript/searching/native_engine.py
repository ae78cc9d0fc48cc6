"""The engine of PuzzleScript games in the core: equal states for equal states, as the one in Python gives them.

See `puzzlescript/playing/engine.py` for what engines do. States and games are plain data here.
"""

from __future__ import annotations

from unpuzzle.errors import DependencyMissing
from unpuzzle.planners.native import missing
from unpuzzle.puzzlescript.searching.data import board_bytes, board_of, game_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from unpuzzle.planners.native import _core

RESTART = 2
"""The command, as a bit."""


class NativeEngine:
    """The engine of one compiled game. Raises DependencyMissing without the core."""

    def __init__(self, game: Any) -> None:
        absent = missing()
        if absent is not None:
            raise DependencyMissing(absent, dependency="native")
        from unpuzzle.planners.native import _core

        self._look = _Look()
        self.objects = len(game.objects)
        self.core = _core.ScriptGame(game_bytes(game))
        rules = (rule for group in (*game.rules, *game.late) for rule in group.rules)
        self.has_restart = any(rule.commands & RESTART for rule in rules)
        self.endless: set[tuple[int, bool]] = set()
        self.lines = group_lines(game)
        self._last: tuple[Any, _core.ScriptPlay] | None = None

    @property
    def tick(self) -> Callable[[], None] | None:
        """What is called often while turns are made, and may raise to end the work."""
        return self._look.tick

    @tick.setter
    def tick(self, tick: Callable[[], None] | None) -> None:
        self._look.tick = tick

    def started(self, state: Any) -> Any:
        """The state in which play begins, after the turns that a level may begin with; None where these never end."""
        play = self._set(state)
        play.start()
        self.endless |= endless_of(play, self.lines)
        return None if play.capped else self._state(state, play)

    def after(self, state: Any, key: str) -> Any:
        """The state after an input; None where it never ends."""
        return self.successors(state, (key,))[0]

    def successors(self, state: Any, keys: Sequence[str]) -> list[Any]:
        """The state after each of some inputs."""
        found = []
        for key in keys:
            play = self._set(state)
            play.press(key)
            self.endless |= endless_of(play, self.lines)
            found.append(None if play.capped else self._state(state, play))
        return found

    def play(self, state: Any, shows_messages: bool = True) -> Any:
        """A level in play."""
        return NativePlay(self, state, self._made(state, shows_messages, keeps_undo=True))

    def _set(self, state: Any) -> _core.ScriptPlay:
        """A place where boards of this shape are played, set to the state; the last one is used again."""
        kind = (state.width, state.height, state.seed)
        if self._last is None or self._last[0] != kind:
            self._last = (kind, self._made(state, shows_messages=True, keeps_undo=False))
        play = self._last[1]
        play.set(*self._board(state), 0 if state.seed is None else state.drawn)
        return play

    def _made(self, state: Any, shows_messages: bool, keeps_undo: bool) -> _core.ScriptPlay:
        from unpuzzle.planners.native import _core

        key, drawn = (b"", 0) if state.seed is None else (seed_bytes(state.seed), state.drawn)
        where = (state.width, state.height, *self._board(state))
        return _core.ScriptPlay(self.core, *where, key, drawn, shows_messages, keeps_undo, self._look)

    def _board(self, state: Any) -> tuple[bytes, bytes | None]:
        target = None if state.target is None else board_bytes(state.target, self.objects)
        return board_bytes(state.cells, self.objects), target

    def _state(self, before: Any, play: _core.ScriptPlay) -> Any:
        return before._replace(
            cells=board_of(play.cells, self.objects),
            won=play.won,
            target=board_of(play.target, self.objects) if self.has_restart else None,
            drawn=0 if before.seed is None else play.drawn,
        )


class _Look:
    """What plays in the core call now and then: no part of the engine, which holds plays, so that none holds itself."""

    def __init__(self) -> None:
        self.tick: Callable[[], None] | None = None

    def __call__(self, *figures: object) -> None:
        if self.tick is not None:
            self.tick()


class NativePlay:
    """A level in play; see `Playing` in `puzzlescript/playing/engine.py`."""

    def __init__(self, engine: NativeEngine, state: Any, core: _core.ScriptPlay) -> None:
        self._engine = engine
        self._core = core

    @property
    def cells(self) -> tuple[int, ...]:
        """What is on each cell."""
        return board_of(self._core.cells, self._engine.objects)

    @property
    def target(self) -> tuple[int, ...]:
        """The cells to which a restart leads."""
        return board_of(self._core.target, self._engine.objects)

    @property
    def won(self) -> bool:
        """Whether the last input has won."""
        return self._core.won

    @property
    def capped(self) -> bool:
        """Whether the last input never ended."""
        return self._core.capped

    @property
    def endless(self) -> frozenset[tuple[int, bool]]:
        """The groups of rules and loops that the last input cut off."""
        return frozenset(endless_of(self._core, self._engine.lines))

    @property
    def drawn(self) -> int:
        """How many numbers were drawn from the seed."""
        return self._core.drawn

    def start(self) -> None:
        """Makes the turn that a level may begin with."""
        self._core.start()

    def press(self, key: str) -> None:
        """One input."""
        self._core.press(key)


def group_lines(game: Any) -> tuple[int, ...]:
    """Return by the number of a group, late ones last, the line of its first rule."""
    return tuple([group.rules[0].line for group in (*game.rules, *game.late)])


def endless_of(
    outcome: _core.ScriptPlay | _core.ScriptOutcome | _core.ScriptSpace, lines: Sequence[int]
) -> set[tuple[int, bool]]:
    """Return the groups that were cut off: the line of each, and whether it is a loop."""
    return {(lines[number // 2], number % 2 == 1) for number in outcome.endless}


def seed_bytes(seed: str) -> bytes:
    """The key that the text of a seed is: its characters' numbers, the larger bytes first."""
    codes = [ord(char) for char in seed]
    return b"".join([code.to_bytes(max(1, (code.bit_length() + 7) // 8), "big") for code in codes])
