"""The engine of PuzzleScript games in the core: equal states for equal states, as the one in Python gives them.

See `playing/engine.py` for what engines do.
"""

from __future__ import annotations

from unpuzzle.errors import DependencyMissing
from unpuzzle.limits import tick
from unpuzzle.planners.native import missing
from unpuzzle.puzzlescript.playing.draws import seed_bytes
from unpuzzle.puzzlescript.playing.engine import Engine, Playing, has_restart
from unpuzzle.puzzlescript.playing.play import Outcome
from unpuzzle.puzzlescript.searching.data import board_bytes, board_of, game_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.planners.native import _core
    from unpuzzle.puzzlescript.compiling.compiled import Compiled
    from unpuzzle.puzzlescript.playing.applying import Endless
    from unpuzzle.puzzlescript.playing.states import State

    Shape = tuple[int, int, str | None]


def core_game(game: Compiled) -> _core.ScriptGame:
    """Return a compiled game as the core has it. Raises DependencyMissing without the core."""
    absence = missing()
    if absence is not None:
        raise DependencyMissing(absence, dependency="native")
    from unpuzzle.planners.native import _core

    return _core.ScriptGame(game_bytes(game))


class NativeEngine(Engine):
    """The engine of one compiled game. Raises DependencyMissing without the core."""

    def __init__(self, game: Compiled) -> None:
        self.core: _core.ScriptGame = core_game(game)
        self.objects: int = len(game.objects)
        self.has_restart: bool = has_restart(game)
        self.lines: tuple[int, ...] = group_lines(game)
        self._spare: dict[Shape, _core.ScriptPlay] = {}
        """A play that nobody uses now; whoever uses it takes it out, so no two threads have the same."""

    def started(self, state: State, endless: set[Endless] | None = None) -> State | None:
        return self._after(state, None, endless)

    def successors(self, state: State, keys: Sequence[str], endless: set[Endless] | None = None) -> list[State | None]:
        return [self._after(state, key, endless) for key in keys]

    def play(self, state: State, shows_messages: bool = True) -> NativePlay:
        return NativePlay(self, self._play(state, shows_messages, keeps_undo=True))

    def _after(self, state: State, key: str | None, endless: set[Endless] | None) -> State | None:
        """Return the state after an input, or after the start of the level."""
        shape = (state.width, state.height, state.seed)
        play = self._spare.pop(shape, None) or self._play(state, shows_messages=True, keeps_undo=False)
        play.set(*self._board(state), 0 if state.seed is None else state.drawn)
        if key is None:
            play.start()
        else:
            play.press(key)
        if endless is not None:
            endless |= endless_of(play, self.lines)
        after = None if play.capped else self._state(state, play)
        self._spare = {shape: play}
        return after

    def _play(self, state: State, shows_messages: bool, keeps_undo: bool) -> _core.ScriptPlay:
        from unpuzzle.planners.native import _core

        key, drawn = (b"", 0) if state.seed is None else (seed_bytes(state.seed), state.drawn)
        board = (state.width, state.height, *self._board(state))
        return _core.ScriptPlay(self.core, *board, key, drawn, shows_messages, keeps_undo, _look)

    def _board(self, state: State) -> tuple[bytes, bytes | None]:
        target = None if state.target is None else board_bytes(state.target, self.objects)
        return board_bytes(state.cells, self.objects), target

    def _state(self, before: State, play: _core.ScriptPlay) -> State:
        return before._replace(
            cells=board_of(play.cells, self.objects),
            won=play.won,
            target=board_of(play.target, self.objects) if self.has_restart else None,
            drawn=0 if before.seed is None else play.drawn,
        )


def _look(*figures: object) -> None:
    """Tick for the running work; plays in the core call it now and then."""
    tick()


class NativePlay(Playing):
    """A level in play in the core."""

    def __init__(self, engine: NativeEngine, core: _core.ScriptPlay) -> None:
        self._engine = engine
        self._core = core

    def start(self) -> None:
        self._core.start()

    def press(self, key: str) -> None:
        self._core.press(key)

    def outcome(self) -> Outcome:
        core, objects = self._core, self._engine.objects
        cells, target = board_of(core.cells, objects), board_of(core.target, objects)
        return Outcome(cells, target, core.won, core.capped, core.drawn, endless_of(core, self._engine.lines))


def group_lines(game: Compiled) -> tuple[int, ...]:
    """Return for each group, late ones last, the line of its first rule."""
    return tuple([group.rules[0].line for group in (*game.rules, *game.late)])


def endless_of(
    outcome: _core.ScriptPlay | _core.ScriptOutcome | _core.ScriptSpace, lines: Sequence[int]
) -> set[Endless]:
    """Return the groups that were cut off: the line of each, and whether it is a loop."""
    return {(lines[number // 2], number % 2 == 1) for number in outcome.endless}
