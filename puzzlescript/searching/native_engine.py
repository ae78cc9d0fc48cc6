"""The engine of PuzzleScript games in the core: equal states for equal states, as the one in Python gives them.

The core gets compiled games and boards as bytes, which `core/script/game.cpp` reads: little-endian words of eight bytes
for whole numbers, flags, and sets of objects or movements, which have as many words as the game needs. Patterns come
once each; the cells of rules are their numbers, -1 for an ellipsis. `playing/engine.py` says what engines do.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from unpuzzle.errors import DependencyMissing
from unpuzzle.limits import tick
from unpuzzle.planners.native import missing
from unpuzzle.puzzlescript.playing.draws import seed_bytes
from unpuzzle.puzzlescript.playing.engine import Engine, Outcome, Playing, has_restart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.planners.native import _core
    from unpuzzle.puzzlescript.compiling.compiled import Compiled
    from unpuzzle.puzzlescript.playing.applying import Endless
    from unpuzzle.puzzlescript.playing.states import State

    Shape = tuple[int, int, str | None]

BYTES = 8
BITS = 64
_DIRECTIONS = {1: 0, 2: 1, 4: 2, 8: 3}
_NUMBERS = tuple([number.to_bytes(BYTES, "little") for number in range(256)])
_ELLIPSIS = (-1).to_bytes(BYTES, "little", signed=True)


def _number(number: int) -> bytes:
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else number.to_bytes(BYTES, "little", signed=True)


def set_bytes(members: int) -> int:
    """Return how many bytes a set of numbers below `members` takes."""
    return BYTES * ((members + BITS - 1) // BITS)


def board_bytes(cells: Iterable[int], objects: int) -> bytes:
    """Return a board of a game with so many objects as bytes. Raises OverflowError for objects beyond these."""
    size = set_bytes(objects)
    if size == BYTES:
        return array("Q", cells).tobytes()
    return b"".join([cell.to_bytes(size, "little") for cell in cells])


def board_of(data: bytes, objects: int) -> tuple[int, ...]:
    """Return the board that bytes stand for."""
    size = set_bytes(objects)
    if size == BYTES:
        return tuple(memoryview(data).cast("Q"))
    return tuple([int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)])


def game_bytes(game: Any) -> bytes:
    """Return a compiled game as bytes. Raises ValueError or OverflowError for numbers that no compiler makes."""
    return _Writer(game).write()


class _Writer:
    """Writes one game."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.objects = set_bytes(len(game.objects))
        self.moves = set_bytes(5 * len(game.layers))
        self.patterns: dict[Any, int] = {}
        self.cells: list[bytes] = []

    def write(self) -> bytes:
        """Return all bytes; patterns stand before the rules, and are found while these are written."""
        groups = [self._groups(self.game.rules), self._groups(self.game.late)]
        patterns = [_number(len(self.patterns)), *self.cells]
        return b"".join([*self._head(), *patterns, *groups[0], *groups[1]])

    def _head(self) -> Iterable[bytes]:
        game, options = self.game, self.game.options
        yield from (_number(len(game.objects)), _number(len(game.layers)))
        yield from (self._objects(layer) for layer in game.layers)
        yield from (_number(game.player_is_aggregate), self._objects(game.player))
        yield from (_number(options.require_player_movement), _number(options.run_rules_on_level_start))
        yield from (_number(options.noaction), _number(options.noundo), _number(options.norestart))
        yield _number(len(game.wins))
        for win in game.wins:
            yield from (_number(win.quantifier), _number(win.first_is_aggregate), _number(win.second_is_aggregate))
            yield from (_number(win.anything), self._objects(win.first), self._objects(win.second))
        yield _number(len(game.rigid_groups))
        yield from (_number(group) for group in game.rigid_groups)

    def _groups(self, groups: Sequence[Any]) -> list[bytes]:
        parts = [_number(len(groups))]
        for group in groups:
            parts += (_number(group.random), _number(group.jump), _number(len(group.rules)))
            for rule in group.rules:
                parts += self._rule(rule)
        return parts

    def _rule(self, rule: Any) -> list[bytes]:
        parts = [_number(_DIRECTIONS.get(rule.direction, -1)), _number(rule.has_right), _number(rule.commands)]
        parts += (_number(rule.distinct_commands), _number(rule.rigid_group), _number(len(rule.rows)))
        for row in rule.rows:
            parts.append(_number(len(row)))
            parts += [_ELLIPSIS if cell is None else self._pattern(cell) for cell in row]
        return parts

    def _pattern(self, cell: Any) -> bytes:
        """Return the number of a pattern, which is written down if it is new."""
        number = self.patterns.setdefault(cell, len(self.patterns))
        if number == len(self.cells):
            self.cells.append(self._cell(cell))
        return _number(number)

    def _cell(self, cell: Any) -> bytes:
        parts = [self._objects(cell.present), self._objects(cell.missing)]
        parts += (self._moves(cell.moves_present), self._moves(cell.moves_missing), _number(len(cell.any)))
        parts += [self._objects(group) for group in cell.any]
        new = cell.replacement
        parts.append(_number(new is not None))
        if new is not None:
            parts += (self._objects(new.clear), self._objects(new.set), self._moves(new.moves_clear))
            parts += (self._moves(new.moves_set), self._moves(new.moves_layers))
            parts += (self._objects(new.random_objects), self._moves(new.random_directions))
        return b"".join(parts)

    def _objects(self, members: int) -> bytes:
        return members.to_bytes(self.objects, "little")

    def _moves(self, members: int) -> bytes:
        return members.to_bytes(self.moves, "little")


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
