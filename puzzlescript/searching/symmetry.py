"""The reflections and rotations of boards that preserve a game's rules.

A symmetry maps directions to directions. It belongs to the game if it maps the rules of each group to rules of that
group. This ignores the order of cells and rules, which can matter if matches overlap or two objects move to the same
cell; so it is also tested in play: some walks from the game's own levels, and the same walks reflected, must agree.
Games with chance have no symmetries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from random import Random

from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Rule
from unpuzzle.puzzlescript.playing.engine import Engine
from unpuzzle.puzzlescript.playing.states import State

LEVELS, STEPS, MOST_CELLS = 6, 8, 400
"""The number of levels for walks, their largest size in cells, and the length of walks."""
UPWARDS, LEFTWARDS = 1, 4
"""Directions of rules; opposite directions are twice as much."""
KEYS = "udlr"
"""The keys of up, down, left, right, in the order of their bits."""


class Symmetry:
    """A symmetry that optionally flips columns, then flips rows, then exchanges columns and rows.

    `directions` are the images of up, down, left and right.
    """

    __slots__ = ("columns", "directions", "exchanged", "rows")

    def __init__(self, columns: bool, rows: bool, exchanged: bool) -> None:
        self.columns: bool = columns
        self.rows: bool = rows
        self.exchanged: bool = exchanged
        flips = (rows, rows, columns, columns)
        self.directions: list[int] = [direction ^ flips[direction] ^ 2 * exchanged for direction in range(4)]

    def state(self, state: State) -> State:
        width, height = state.width, state.height
        order = _order(width, height, self.columns, self.rows, self.exchanged)
        if self.exchanged:
            width, height = height, width
        target = None if state.target is None else tuple([state.target[place] for place in order])
        cells = tuple([state.cells[place] for place in order])
        return state._replace(width=width, height=height, cells=cells, target=target)

    def key(self, key: str) -> str:
        return KEYS[self.directions[KEYS.index(key)]] if key in KEYS else key

    def after(self, other: Symmetry) -> tuple[int, ...]:
        """Return the directions after both symmetries, of which `other` is applied first."""
        return tuple([self.directions[direction] for direction in other.directions])


@lru_cache(maxsize=64)
def _order(width: int, height: int, columns: bool, rows: bool, exchanged: bool) -> Sequence[int]:
    """Return, for each cell of the new board, its cell in the old board."""
    across, down = range(width)[:: -1 if columns else 1], range(height)[:: -1 if rows else 1]
    if exchanged:
        return [x * height + y for y in down for x in across]
    return [x * height + y for x in across for y in down]


ALL: tuple[Symmetry, ...] = tuple([Symmetry(*flags) for flags in product((False, True), repeat=3)])
"""The first one is the identity."""


def symmetries_of(game: Compiled, engine: Engine, keys: Sequence[str], certain: bool) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game; `certain` means that nothing depends on chance."""
    if not certain:
        return ALL[:1]
    groups = (*game.rules, *game.late)
    plain = [{_mirrored(rule, ALL[0]) for rule in group.rules} for group in groups]
    pairs = list(zip(groups, plain, strict=True))
    candidates = [
        one for one in ALL[1:] if all({_mirrored(rule, one) for rule in group.rules} == own for group, own in pairs)
    ]
    symmetries = [ALL[0], *_in_play(game, engine, keys, candidates)]
    directions = {tuple(symmetry.directions) for symmetry in symmetries}
    closed = all(one.after(other) in directions for one in symmetries for other in symmetries)
    return tuple(symmetries) if closed else ALL[:1]


def _mirrored(rule: Rule, symmetry: Symmetry) -> Rule:
    """Return the image of a rule, without direction for single cells, and down or right (reversed) for up or left."""
    directed = any(len(row) > 1 for row in rule.rows)
    rows = tuple([tuple([cell and _mirrored_cell(cell, symmetry) for cell in row]) for row in rule.rows])
    direction = 1 << symmetry.directions[rule.direction.bit_length() - 1] if directed else 0
    if direction in (UPWARDS, LEFTWARDS):
        direction, rows = direction << 1, tuple([row[::-1] for row in rows])
    return rule._replace(direction=direction, rows=rows)


def _mirrored_cell(cell: CellPattern, symmetry: Symmetry) -> CellPattern:
    new = cell.replacement
    if new is not None:
        new = new._replace(moves_clear=_moved(new.moves_clear, symmetry), moves_set=_moved(new.moves_set, symmetry))
    present, missing = _moved(cell.moves_present, symmetry), _moved(cell.moves_missing, symmetry)
    return cell._replace(moves_present=present, moves_missing=missing, replacement=new)


def _moved(moves: int, symmetry: Symmetry) -> int:
    moved, first = 0, 0
    while moves >> first:
        for direction, new in enumerate((*symmetry.directions, 4)):
            moved |= (moves >> first + direction & 1) << first + new
        first += 5
    return moved


def _in_play(game: Compiled, engine: Engine, keys: Sequence[str], candidates: Iterable[Symmetry]) -> list[Symmetry]:
    left = list(candidates)
    for state, key in _walks(game, engine, keys) if left else ():
        after = engine.after(state, key)
        left = [one for one in left if engine.after(one.state(state), one.key(key)) == (after and one.state(after))]
    return left


def _walks(game: Compiled, engine: Engine, keys: Sequence[str]) -> Iterable[tuple[State, str]]:
    """Yield states that random inputs lead to, each with an input."""
    rng = Random(0)
    small = [level for level in game.levels if 0 < level.width * level.height <= MOST_CELLS]
    for level in small[:LEVELS]:
        state: State | None = State(level.width, level.height, level.cells)
        for _ in range(STEPS):
            if state is None:
                break
            key = rng.choice(keys)
            yield state, key
            state = engine.after(state, key)
