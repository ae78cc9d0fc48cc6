"""Rules in one direction each: which directions a rule has, and its relative words made absolute.

The passes, in order: a rule in which direction shows nowhere keeps its first direction only; superfluous `no X` are
dropped; one copy for each direction; relative words become absolute; rules up and left become rules down and right with
every row reversed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.rule_text import ELLIPSIS, RELATIVE, Cell, Rows, RuleLine, change_cells, pairs_of

_ABSOLUTE: Mapping[str, Mapping[str, str]] = {
    "right": dict(zip(RELATIVE, ("up", "down", "left", "right", "horizontal_par", "vertical_perp"), strict=True)),
    "up": dict(zip(RELATIVE, ("left", "right", "down", "up", "vertical_par", "horizontal_perp"), strict=True)),
    "down": dict(zip(RELATIVE, ("right", "left", "up", "down", "vertical_par", "horizontal_perp"), strict=True)),
    "left": dict(zip(RELATIVE, ("down", "up", "right", "left", "horizontal_par", "vertical_perp"), strict=True)),
}
_OPPOSITE = {"up": "down", "left": "right"}


class Directed(NamedTuple):
    """A rule in one direction; `source` is the line that it comes from."""

    source: RuleLine
    direction: str
    left: Rows
    right: Rows


def directions_of(rule: RuleLine, names: Names) -> Iterator[Directed]:
    """Yield the rule in each of its directions."""
    rule = _without_superfluous(rule, names)
    shows_direction = has_extent(rule.left) or any(word in RELATIVE for word, _ in pairs_of(rule.left, rule.right))
    for direction in rule.directions if shows_direction else rule.directions[:1]:
        new = Directed(rule, direction, _absolute(rule.left, direction), _absolute(rule.right, direction))
        if direction in _OPPOSITE and not any(ELLIPSIS in row for row in new.left):
            left, right = [tuple([row[::-1] for row in rows]) for rows in (new.left, new.right)]
            new = Directed(rule, _OPPOSITE[direction], left, right)
        yield new


def has_extent(rows: Rows) -> bool:
    """Return whether some row has two cells, so that its direction matters."""
    return any(len(row) > 1 for row in rows)


def _absolute(rows: Rows, direction: str) -> Rows:
    words = _ABSOLUTE[direction]
    return change_cells(rows, lambda cell: tuple([(words.get(word, word), name) for word, name in cell]))


def _without_superfluous(rule: RuleLine, names: Names) -> RuleLine:
    """Drop `no X` on the right where the left cell has it, and on the left where layers of X are full anyway."""
    right: Rows = tuple(
        [
            tuple(map(_without_repeated, afters, befores))
            for befores, afters in zip(rule.left, rule.right, strict=bool(rule.right))
        ]
    )
    return rule._replace(left=change_cells(rule.left, lambda cell: _without_implied(cell, names)), right=right)


def _without_repeated(after: Cell, before: Cell) -> Cell:
    """Return a right cell without each `no X` of its left cell; the pair after a dropped one stays."""
    pairs = []
    dropped = False
    for pair in after:
        dropped = not dropped and pair[0] == "no" and pair in before
        if not dropped:
            pairs.append(pair)
    return tuple(pairs)


def _without_implied(cell: Cell, names: Names) -> Cell:
    required = [name for word, name in cell if word != "no"]
    if len(required) == len(cell):
        return cell
    held = {member for name in required for member in names.members(name)}
    full: set[int | None] = set()
    for name in required:
        layers = _layers(name, names)
        full |= layers if name not in names.properties or len(layers) == 1 else set()

    def is_implied(name: str) -> bool:
        return _layers(name, names) <= full and held.isdisjoint(names.members(name))

    return tuple([(word, name) for word, name in cell if word != "no" or not is_implied(name)])


def _layers(name: str, names: Names) -> set[int | None]:
    return {names.layer_of.get(member) for member in names.members(name)}
