"""The engine in C++, whose results are the same as those of the Python engine.

The core gets compiled games and boards as bytes, which `core/script/game.cpp` reads: little-endian words of eight bytes
for whole numbers, flags, and sets of objects or movements, which have as many words as the game needs. Each pattern is
written once; the cells of rules are numbers of patterns, -1 for an ellipsis. `engine/engine.py` describes engines.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from unpuzzle.base.errors import DependencyMissing
from unpuzzle.base.run import checkpoint
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group
from unpuzzle.puzzlescript.engine.engine import Engine, Playing, PlayOutcome
from unpuzzle.puzzlescript.engine.states import State, seed_bytes
from unpuzzle.puzzlescript.engine.turns import Endless

BYTES = 8
BITS = 64
_DIRECTIONS = {1: 0, 2: 1, 4: 2, 8: 3}
_NUMBERS = tuple([number.to_bytes(BYTES, "little") for number in range(256)])
_ELLIPSIS = -1


def _words(*numbers: int) -> bytes:
    """Encode integers and bools as bytes."""
    return b"".join([_NUMBERS[n] if 0 <= n < 256 else n.to_bytes(BYTES, "little", signed=True) for n in numbers])


def set_bytes(members: int) -> int:
    """Return the number of bytes of a set of objects in a game with `members` objects."""
    return BYTES * ((members + BITS - 1) // BITS)


def board_bytes(cells: Iterable[int], objects: int) -> bytes:
    """Encode a board of a game with `objects` objects as bytes. Raises OverflowError for larger numbers."""
    size = set_bytes(objects)
    if size == BYTES:
        return array("Q", cells).tobytes()
    return b"".join([cell.to_bytes(size, "little") for cell in cells])


def state_bytes(state: State, objects: int) -> tuple[bytes, bytes | None]:
    """Encode the board of a state, and the board after a restart (or None), as bytes."""
    return board_bytes(state.cells, objects), None if state.target is None else board_bytes(state.target, objects)


def board_of(data: bytes, objects: int) -> tuple[int, ...]:
    size = set_bytes(objects)
    if size == BYTES:
        return tuple(memoryview(data).cast("Q"))
    return tuple([int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)])


def game_bytes(game: Compiled) -> bytes:
    """Encode a compiled game as bytes. Raises ValueError or OverflowError for numbers out of range."""
    return _GameWriter(game).write()


class _GameWriter:
    """An encoder of a compiled game as bytes, which the C++ core reads."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self.object_bytes = set_bytes(len(game.objects))
        self.move_bytes = set_bytes(5 * len(game.layers))
        self.numbers: dict[CellPattern, int] = {}
        self.patterns: list[bytes] = []

    def write(self) -> bytes:
        """Return the encoded game; patterns are collected first, because they come before the rules."""
        groups = [*self._groups(self.game.rules), *self._groups(self.game.late)]
        return b"".join([*self._head(), _words(len(self.patterns)), *self.patterns, *groups])

    def _head(self) -> Iterator[bytes]:
        """Yield the encoded layers, player, options and win conditions of the game."""
        game, options = self.game, self.game.options
        yield _words(len(game.objects), len(game.layers)) + self._objects(*game.layers)
        yield _words(game.player_is_aggregate) + self._objects(game.player)
        yield _words(options.require_player_movement, options.run_rules_on_level_start)
        yield _words(options.noaction, options.noundo, options.norestart, len(game.wins))
        for win in game.wins:
            yield _words(win.quantifier, win.first_is_aggregate, win.second_is_aggregate, win.anything)
            yield self._objects(win.first, win.second)
        yield _words(len(game.rigid_groups), *game.rigid_groups)

    def _groups(self, groups: Sequence[Group]) -> Iterator[bytes]:
        """Yield the encoded groups of rules."""
        yield _words(len(groups))
        for group in groups:
            yield _words(group.random, group.jump, len(group.rules))
            for rule in group.rules:
                yield _words(_DIRECTIONS.get(rule.direction, -1), rule.has_right, rule.commands)
                yield _words(rule.distinct_commands, rule.rigid_group, len(rule.rows))
                for row in rule.rows:
                    yield _words(len(row), *[_ELLIPSIS if cell is None else self._pattern(cell) for cell in row])

    def _pattern(self, cell: CellPattern) -> int:
        """Return the number of a cell pattern; a new one is encoded first."""
        number = self.numbers.setdefault(cell, len(self.numbers))
        if number == len(self.patterns):
            self.patterns.append(b"".join(self._cell(cell)))
        return number

    def _cell(self, cell: CellPattern) -> Iterator[bytes]:
        """Yield an encoded cell pattern with its replacement."""
        yield self._objects(cell.present, cell.missing) + self._moves(cell.moves_present, cell.moves_missing)
        yield _words(len(cell.any)) + self._objects(*cell.any)
        new = cell.replacement
        yield _words(new is not None)
        if new is not None:
            yield self._objects(new.clear, new.set)
            yield self._moves(new.moves_clear, new.moves_set, new.moves_layers)
            yield self._objects(new.random_objects) + self._moves(new.random_directions)

    def _objects(self, *sets: int) -> bytes:
        return b"".join([members.to_bytes(self.object_bytes, "little") for members in sets])

    def _moves(self, *sets: int) -> bytes:
        return b"".join([members.to_bytes(self.move_bytes, "little") for members in sets])


def core_game(game: Compiled) -> _core.ScriptGame:
    """Convert a compiled game to an object of the C++ core. Raises DependencyMissing if there is no core."""
    absence = missing()
    if absence is not None:
        raise DependencyMissing(absence, dependency="native")

    return _core.ScriptGame(game_bytes(game))


class NativeEngine(Engine):
    """The engine of a compiled game in C++. Raises DependencyMissing if there is no C++ core."""

    def __init__(self, game: Compiled) -> None:
        self.core: _core.ScriptGame = core_game(game)
        self.objects: int = len(game.objects)
        self.has_restart: bool = game.has_restart()
        self.lines: tuple[int, ...] = group_lines(game)
        self._spare: dict[tuple[int, int, str | None], _core.ScriptPlay] = {}
        """An unused play; its user takes it out, so that no two threads share it."""

    def started(self, state: State, endless: set[Endless] | None = None) -> State | None:
        return self._after(state, None, endless)

    def successors(self, state: State, keys: Sequence[str], endless: set[Endless] | None = None) -> list[State | None]:
        return [self._after(state, key, endless) for key in keys]

    def play(self, state: State, shows_messages: bool = True) -> NativePlay:
        return NativePlay(self, self._play(state, shows_messages, keeps_undo=True))

    def _after(self, state: State, key: str | None, endless: set[Endless] | None) -> State | None:
        """Return the state after a key or, if the key is None, after the beginning of the level."""
        shape = (state.width, state.height, state.seed)
        play = self._spare.pop(shape, None) or self._play(state, shows_messages=True, keeps_undo=False)
        play.set(*state_bytes(state, self.objects), 0 if state.seed is None else state.drawn)
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
        key, drawn = (b"", 0) if state.seed is None else (seed_bytes(state.seed), state.drawn)
        board = (state.width, state.height, *state_bytes(state, self.objects))
        return _core.ScriptPlay(self.core, *board, key, drawn, shows_messages, keeps_undo, lambda *_: checkpoint())

    def _state(self, before: State, play: _core.ScriptPlay) -> State:
        return before._replace(
            cells=board_of(play.cells, self.objects),
            won=play.won,
            target=board_of(play.target, self.objects) if self.has_restart else None,
            drawn=0 if before.seed is None else play.drawn,
        )


class NativePlay(Playing):
    """A level that is being played in the C++ core."""

    def __init__(self, engine: NativeEngine, core: _core.ScriptPlay) -> None:
        self._engine = engine
        self._core = core

    def start(self) -> None:
        self._core.start()

    def press(self, key: str) -> None:
        self._core.press(key)

    def outcome(self) -> PlayOutcome:
        core, objects = self._core, self._engine.objects
        cells, target = board_of(core.cells, objects), board_of(core.target, objects)
        return PlayOutcome(cells, target, core.won, core.capped, core.drawn, endless_of(core, self._engine.lines))


def group_lines(game: Compiled) -> tuple[int, ...]:
    """Return the line of the first rule of each group; groups of late rules come last."""
    return tuple([group.rules[0].line for group in (*game.rules, *game.late)])


def endless_of(
    outcome: _core.ScriptPlay | _core.ScriptOutcome | _core.ScriptSchedule | _core.ScriptSpace, lines: Sequence[int]
) -> set[Endless]:
    """Return the endless groups of rules, each as a line of the game's text, and True for a loop."""
    return {(lines[number // 2], number % 2 == 1) for number in outcome.endless}
