"""The compiled game: plain immutable data, which is all that an engine needs to know of a game.

A set of objects is a whole number with bit `i` for the object with number `i`; objects are numbered layer by layer. A
set of movements has bit `5 * layer + d`, where `d` counts up, down, left, right, action. A cell of a board is a set of
objects; the cell at column x and row y has the index `x * height + y`.
"""

from __future__ import annotations

from typing import NamedTuple

CANCEL, RESTART, WIN, AGAIN, CHECKPOINT, MESSAGE, SOUND = (1 << bit for bit in range(7))
"""Commands of a rule, as bits."""


class Replacement(NamedTuple):
    """The right side of a cell: `new = (old & ~clear) | set`, for objects and for movements."""

    clear: int
    set: int
    moves_clear: int
    moves_set: int
    moves_layers: int
    """Layers whose movement is cleared, as all five bits of each."""
    random_objects: int
    """One of these is drawn and put."""
    random_directions: int
    """Layers that get a direction by chance, as bits 0 and 2 of each."""


class CellPattern(NamedTuple):
    """The left side of a cell, all of which must hold, and its right side, None if it has none that does anything."""

    present: int
    missing: int
    any: tuple[int, ...]
    moves_present: int
    moves_missing: int
    replacement: Replacement | None


class Rule(NamedTuple):
    """A rule: in one direction (1 up, 2 down, 4 left, 8 right), rows of cell patterns, and what it does."""

    direction: int
    has_right: bool
    rigid: bool
    commands: int
    distinct_commands: int
    rows: tuple[tuple[CellPattern | None, ...], ...]
    """Of cell patterns; None stands where any number of cells may lie."""
    rigid_group: int
    line: int


class Group(NamedTuple):
    """Rules that are applied until none of them changes anything; after them a jump to group `jump`, if not -1."""

    rules: tuple[Rule, ...]
    random: bool
    jump: int


class WinCondition(NamedTuple):
    """`quantifier` is -1 for no, 0 for some, 1 for all."""

    quantifier: int
    first_is_aggregate: bool
    second_is_aggregate: bool
    first: int
    anything: bool
    """Without `on`: the second set is empty, and any cell will do."""
    second: int


class Options(NamedTuple):
    """What the prelude says that matters to play."""

    require_player_movement: bool = False
    run_rules_on_level_start: bool = False
    noaction: bool = False
    realtime: bool = False
    noundo: bool = False
    norestart: bool = False


class Level(NamedTuple):
    """A level, or a message between levels, which has width and height 0."""

    width: int
    height: int
    cells: tuple[int, ...]
    text: str
    """The rows as they are written, or the message."""
    line: int


Sprite = tuple[tuple[str, ...], ...]
"""The picture of an object: five rows of five colours, `#rrggbb`, or empty where one sees through it."""


class Compiled(NamedTuple):
    """A compiled game."""

    title: str
    objects: tuple[str, ...]
    layers: tuple[int, ...]
    player: int
    player_is_aggregate: bool
    options: Options
    wins: tuple[WinCondition, ...]
    rules: tuple[Group, ...]
    late: tuple[Group, ...]
    rigid_groups: tuple[int, ...]
    """The numbers of the groups that have a rigid rule; a rule's `rigid_group` counts them from 1."""
    levels: tuple[Level, ...]
    glyphs: tuple[tuple[str, int], ...]
    """What one character of a level's text stands for."""
    background_layer: int
    """The set of objects of the background layer."""
    background: int
    """The object, as a set, that lies where no other of that layer does."""
    sprites: tuple[Sprite, ...] = ()
    """What objects look like, by their numbers."""
    screen: str = "#000000"
    """The colour behind everything."""
    author: str = ""
    homepage: str = ""
