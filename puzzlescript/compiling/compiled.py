"""The compiled form of a game: immutable data with everything that an engine needs to play it.

Sets are whole numbers with bit `i` for member `i`: of objects, numbered layer by layer, in the order of COLLISIONLAYERS
(the number of an object that is listed again later is unused, in no layer and on no board), and of movements (bit `5 *
layer + d`, where `d` counts up, down, left, right, action). There may be more than 64 of either. A cell of a board is a
set of objects; the cell at column x and row y has the index `x * height + y`.

Fields that no engine needs: `title`, `glyphs`, `background`, `line`, `text`, `levels`, `sprites`, `screen`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

CANCEL, RESTART, WIN, AGAIN, CHECKPOINT, MESSAGE, SOUND = (1 << bit for bit in range(7))
"""Commands of a rule, as bits."""
LONG = 1024
"""The length in bits from which members are found by the digits of the number."""
Sprite = tuple[tuple[str, ...], ...]
"""The picture of an object: five rows of five colours, `#rrggbb`, or empty for transparent points."""


class Replacement(NamedTuple):
    """The changes that a rule makes to the objects and movements of one cell, as sets of bits.

    For movements, `moves_clear | moves_layers` is cleared.
    """

    clear: int
    set: int
    moves_clear: int
    moves_set: int
    moves_layers: int
    """Layers whose movement is cleared, as all five bits of each."""
    random_objects: int
    """The objects of which one, drawn at random, is put on the cell."""
    random_directions: int
    """Layers that get a random direction, as bits 0 and 2 of each."""


class CellPattern(NamedTuple):
    """The objects and movements that a cell must have to match a rule, and the cell's replacement, if any."""

    present: int
    missing: int
    any: tuple[int, ...]
    moves_present: int
    moves_missing: int
    replacement: Replacement | None


class Rule(NamedTuple):
    """A rule in one direction (1 up, 2 down, 4 left, 8 right): rows of cell patterns, and commands."""

    direction: int
    has_right: bool
    rigid: bool
    commands: int
    distinct_commands: int
    rows: tuple[tuple[CellPattern | None, ...], ...]
    """Rows of cell patterns; None means any number of cells."""
    rigid_group: int
    line: int

    def replacements(self) -> list[tuple[CellPattern, Replacement]]:
        cells = [cell for row in self.rows for cell in row if cell is not None]
        return [(cell, cell.replacement) for cell in cells if cell.replacement is not None]


class Group(NamedTuple):
    """Rules that are applied until nothing changes; then the group with number `jump` follows (-1: the next group)."""

    rules: tuple[Rule, ...]
    random: bool
    jump: int


class WinCondition(NamedTuple):
    """A win condition; `quantifier` is -1 for no, 0 for some, 1 for all."""

    quantifier: int
    first_is_aggregate: bool
    second_is_aggregate: bool
    first: int
    anything: bool
    """Whether `on` is missing: then the second set is empty, and any cell counts."""
    second: int


class Options(NamedTuple):
    """The settings in a game's prelude that influence play."""

    require_player_movement: bool = False
    run_rules_on_level_start: bool = False
    noaction: bool = False
    realtime: float = 0.0
    """The seconds between two ticks; 0: there are none."""
    noundo: bool = False
    norestart: bool = False


class Level(NamedTuple):
    """A level of a game, or a message between levels, whose width and height are 0."""

    width: int
    height: int
    cells: tuple[int, ...]
    text: str
    """The rows of its text, or the message."""
    line: int
    faulty: int = 0
    """The line of the first error in the level, which is played without a part of it; 0 if there are no errors."""


class Compiled(NamedTuple):
    """A compiled PuzzleScript game, as an engine plays it."""

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
    """The objects for each glyph, a character in a level's text."""
    background_layer: int
    """The set of objects of the background layer."""
    background: int
    """The object, as a set, for cells without another object of this layer."""
    sprites: tuple[Sprite, ...] = ()
    """The pictures of objects, by their numbers."""
    screen: str = "#000000"
    """The background colour of the screen."""
    author: str = ""
    homepage: str = ""
    faulty: int = 0
    """The line of the first error outside levels, which makes a part of the game unusable; 0 if there are no errors."""

    def all_rules(self) -> list[Rule]:
        """Return all rules of the game, late rules last."""
        return [rule for group in (*self.rules, *self.late) for rule in group.rules]

    def pushes(self) -> bool:
        """Return whether some rule pushes: a moving object makes the object in front of it move."""
        for rule in self.all_rules():
            one_way = sum(1 << 5 * layer for layer in range(len(self.layers))) * rule.direction
            for cell, after in ((one, other) for row in rule.rows for one, other in pairwise(row) if one and other):
                if cell.moves_present & one_way and after.replacement and after.replacement.moves_set & one_way:
                    return True
        return False

    def has_restart(self) -> bool:
        """Return whether a rule has the command `restart`; if so, states also store the board to restart from."""
        return any(rule.commands & RESTART for rule in self.all_rules())

    def stacking(self) -> Rule | None:
        """Return the first rule that puts two objects of one layer into one cell; None if there is no such rule."""
        for rule in self.all_rules():
            for _, new in rule.replacements():
                if any((new.set & layer).bit_count() > 1 for layer in self.layers):
                    return rule
        return None

    def chance(self) -> Rule | None:
        """Return the first rule that uses random numbers; None if there is no such rule."""
        for group in (*self.rules, *self.late):
            for rule in group.rules:
                if group.random or any(new.random_objects or new.random_directions for _, new in rule.replacements()):
                    return rule
        return None

    def overlooked(self, board: Sequence[object] = ()) -> tuple[str, int]:
        """Return a reason why play may differ from a search, and the reason's line in the text; empty without one.

        With a board (width, height, cells), errors in the level that begins with it count, too. After rules have run at
        its start, nobody knows which level that is.
        A restart by key leads to where play has been, unless the board of a checkpoint is changed before the next move.
        """
        if self.faulty:
            return f"the error in line {self.faulty} makes a part of the game unusable", self.faulty
        for level in self.levels:
            if level.faulty and (self.options.run_rules_on_level_start or level[:3] == board):
                return f"the error in line {level.faulty} makes a part of the level unusable", level.faulty
        rule = self.chance()
        if rule is not None:
            return f"the rule in line {rule.line} is random", rule.line
        rules, options = self.all_rules(), self.options
        saved = next((rule.line for rule in rules if rule.commands & CHECKPOINT), 0)
        if saved and not (options.norestart and (options.noundo or not self.has_restart())):
            if options.run_rules_on_level_start:
                return "a player may restart from a checkpoint, where rules run at the start", saved
            if any(rule.commands & AGAIN for rule in rules):
                return "a player may restart from a checkpoint, where turns of `again` may be unfinished", saved
        return "", 0

    def layers_by_object(self) -> list[int]:
        """Return a list with the collision layer of each object, by number; -1 for numbers without an object."""
        layers = {number: layer for layer, members in enumerate(self.layers) for number in bits(members)}
        return [layers.get(number, -1) for number in range(len(self.objects))]

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the game: up, left, down, right, action and, for real-time games, a tick."""
        return (*"uldr", *(() if self.options.noaction else "x"), *("t" if self.options.realtime else ()))

    def has_player(self, cells: Iterable[int]) -> bool:
        return any(has(cell, self.player, self.player_is_aggregate) for cell in cells)


def has(objects: int, mask: int, whole: bool) -> bool:
    """Return whether `objects` contains all objects in `mask` (if `whole` is true) or at least one of them (if not)."""
    return objects & mask == mask if whole else bool(objects & mask)


def flip(sets: list[int], members: int, cells: int) -> None:
    """Add the cells `cells` to the set of each object in `members`, or remove those that are already in the set."""
    while members:
        lowest = members & -members
        sets[lowest.bit_length() - 1] ^= cells
        members ^= lowest


def bits(number: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set in an int, in ascending order."""
    if number.bit_length() > LONG:
        digits = f"{number:b}"[::-1]
        place = digits.find("1")
        while place >= 0:
            yield place
            place = digits.find("1", place + 1)
        return
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
