"""Expansion of the rules of a game: each rule as written becomes rules with one direction and single objects.

The passes on the directions, in order: a rule that does not depend on its direction keeps only the first one;
superfluous `no X` are dropped; one copy for each direction; relative words become absolute; rules up and left become
rules down and right with every row reversed.

The passes on the words, in order: aggregates become their members, and synonyms objects; each direction word with
several directions is expanded; each property is expanded, unless a cell pattern can contain it unchanged.

A direction chosen in a left cell also applies in the right cell in its place; the rest of the right side is decided
after all choices. A property is kept unchanged if its members share a layer and no cell on the right names it unless
the cell on the left does. Otherwise the first such property is expanded, in a queue: the rule is removed, and one rule
for each member is appended. The order of the resulting rules is part of a game's meaning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from unpuzzle.base.run import checkpoint
from unpuzzle.puzzlescript.compiling.names import ObjectNames
from unpuzzle.puzzlescript.compiling.rule_text import ABSOLUTE, ELLIPSIS, RELATIVE, Cell, Rows, RuleLine, pairs_of
from unpuzzle.puzzlescript.compiling.text import FaultCollector

Place = tuple[int, int]

_MEANINGS: Mapping[str, Mapping[str, str]] = {
    "right": dict(zip(RELATIVE, ("up", "down", "left", "right", "horizontal_par", "vertical_perp"), strict=True)),
    "up": dict(zip(RELATIVE, ("left", "right", "down", "up", "vertical_par", "horizontal_perp"), strict=True)),
    "down": dict(zip(RELATIVE, ("right", "left", "up", "down", "vertical_par", "horizontal_perp"), strict=True)),
    "left": dict(zip(RELATIVE, ("down", "up", "right", "left", "horizontal_par", "vertical_perp"), strict=True)),
}
_OPPOSITE = {"up": "down", "left": "right"}
_DIRECTIONS = {
    "moving": (*ABSOLUTE, "action"),
    "orthogonal": ABSOLUTE,
    **dict.fromkeys(("horizontal", "horizontal_par", "horizontal_perp"), ("left", "right")),
    **dict.fromkeys(("vertical", "vertical_par", "vertical_perp"), ("up", "down")),
}
MOST_CHOICES = 50_000
"""The largest number of rules from one rule in one direction; the largest known game has 38,301 in all."""


class TooManyError(Exception):
    """The error for a rule that expands to more than `MOST_CHOICES` rules."""

    def __str__(self) -> str:
        return f"this rule expands to more than {MOST_CHOICES:,} rules: it is left out"


class Directed(NamedTuple):
    """A rule with one direction; `source` is the written rule from which it was made."""

    source: RuleLine
    direction: str
    left: Rows
    right: Rows


def change_cells(rows: Rows, change: Callable[[Cell], Cell]) -> Rows:
    return tuple([tuple([change(cell) for cell in row]) for row in rows])


def change_cell(rows: Rows, place: Place, change: Callable[[Cell], Cell]) -> Rows:
    if not rows:
        return rows
    number, column = place
    row = rows[number]
    return (*rows[:number], (*row[:column], change(row[column]), *row[column + 1 :]), *rows[number + 1 :])


def choices_of(rule: RuleLine, names: ObjectNames, faults: FaultCollector) -> Iterator[Directed]:
    """Yield the rules to which a written rule expands. Raises TooManyError if there are too many."""

    def spelled(cell: Cell) -> Cell:
        checkpoint()
        pairs, added = [], []
        for word, name in cell:
            first, *others = names.aggregates.get(name) or [names.synonyms.get(name, name)]
            if word == "no" and name in names.aggregates:
                faults.error(
                    "script-aggregate", rule.line, f"no {name}: an aggregate (and) cannot be matched this way", name
                )
            pairs.append((word, first))
            added += [(word, member) for member in others]
        return (*pairs, *added)

    for directed in _directions_of(rule, names):
        left, right = change_cells(directed.left, spelled), change_cells(directed.right, spelled)
        for moved in _with_directions(directed._replace(left=left, right=right), faults):
            yield from with_objects(moved, names, faults)


def _directions_of(rule: RuleLine, names: ObjectNames) -> Iterator[Directed]:
    """Yield the rule in each of its directions; a rule that only looks at single cells, in one direction."""
    rule = _without_superfluous(rule, names)
    shows_direction = has_extent(rule.left) or any(word in RELATIVE for word, _ in pairs_of(rule.left, rule.right))
    for direction in rule.directions if shows_direction else rule.directions[:1]:
        new = Directed(rule, direction, _absolute(rule.left, direction), _absolute(rule.right, direction))
        if direction in _OPPOSITE and not any(ELLIPSIS in row for row in new.left):
            left, right = [tuple([row[::-1] for row in rows]) for rows in (new.left, new.right)]
            new = Directed(rule, _OPPOSITE[direction], left, right)
        yield new


def has_extent(rows: Rows) -> bool:
    """Return whether a row of the rule has more than one cell, so that the rule's direction matters."""
    return any(len(row) > 1 for row in rows)


def _absolute(rows: Rows, direction: str) -> Rows:
    words = _MEANINGS[direction]
    return change_cells(rows, lambda cell: tuple([(words.get(word, word), name) for word, name in cell]))


def _without_superfluous(rule: RuleLine, names: ObjectNames) -> RuleLine:
    """Remove each `no X` from a rule that has no effect, because the rest of its cell already excludes X."""
    sides = zip(rule.left, rule.right, strict=bool(rule.right))
    right = tuple([tuple(map(_without_repeated, afters, befores)) for befores, afters in sides])
    return rule._replace(left=change_cells(rule.left, lambda cell: _without_implied(cell, names)), right=right)


def _without_repeated(after: Cell, before: Cell) -> Cell:
    """Remove each `no X` from a right cell if the left cell has it, too, but never two that are adjacent."""
    pairs = []
    dropped = False
    for pair in after:
        dropped = not dropped and pair[0] == "no" and pair in before
        if not dropped:
            pairs.append(pair)
    return tuple(pairs)


def _without_implied(cell: Cell, names: ObjectNames) -> Cell:
    """Remove each `no X` from a cell whose other objects fill the layers of X."""
    required = [name for word, name in cell if word != "no"]
    if len(required) == len(cell):
        return cell
    held = {member for name in required for member in names.members(name)}
    full: set[int | None] = set()
    for name in required:
        layers = names.layers_of(name)
        full |= layers if name not in names.properties or len(layers) == 1 else set()

    def is_implied(name: str) -> bool:
        return names.layers_of(name) <= full and held.isdisjoint(names.members(name))

    return tuple([(word, name) for word, name in cell if word != "no" or not is_implied(name)])


class _Moved(NamedTuple):
    """A rule in which some direction words are replaced by directions; `pairs` and `words` say how.

    None means words expanded more than once, which determine nothing on the right.
    """

    left: Rows
    right: Rows
    pairs: dict[tuple[str, str], tuple[str, Place] | None]
    words: dict[str, str | None]


def _with_directions(rule: Directed, faults: FaultCollector) -> Iterator[Directed]:
    """Yield the rules in which all direction words, such as `horizontal`, are replaced by single directions.

    Each round expands every cell with such a word, so rules with several such cells are generated repeatedly. Of equal
    rules the last one stays: choices show on the left, so equal left sides have equal right sides.
    """
    rules = [_Moved(rule.left, rule.right, {}, {})]
    while True:
        following: dict[object, _Moved] = {}
        for current in rules:
            for new in _each_direction(current):
                following.pop(new.left, None)
                following[new.left] = new
            if len(following) > MOST_CHOICES:
                raise TooManyError
        if not following:
            break
        rules = list(following.values())
    for current in rules:
        right = _moved_right(current)
        for word in (word for word, _ in pairs_of(right) if word in _DIRECTIONS):
            message = "on the right: the left side does not say which direction is meant"
            faults.fatal("script-ambiguous", rule.source.line, f"{word.split('_')[0]} {message}")
        yield rule._replace(left=current.left, right=right)


def _each_direction(current: _Moved) -> Iterator[_Moved]:
    """Yield, for each left cell, the rules in which its first direction word is replaced by each of its directions."""
    for r, row in enumerate(current.left):
        for c, cell in enumerate(row):
            pair = next((pair for pair in cell if pair[0] in _DIRECTIONS), None)
            if pair is not None:
                yield from _moved(current, (r, c), pair)


def _moved(current: _Moved, place: Place, pair: tuple[str, str]) -> Iterator[_Moved]:
    """Yield a rule for each direction that the direction word of a cell and a name allows."""
    word, name = pair
    for direction in _DIRECTIONS[word]:
        turned = partial(_with_pair, pair, (direction, name))
        left, right = [change_cell(rows, place, turned) for rows in (current.left, current.right)]
        pairs, words = dict(current.pairs), dict(current.words)
        if pair not in pairs:
            pairs[pair] = (direction, place)
        elif (choice := pairs[pair]) is not None and choice[1] != place:
            pairs[pair] = None
        words[word] = None if word in words else direction
        yield _Moved(left, right, pairs, words)


def _with_pair(old: tuple[str, str], new: tuple[str, str], cell: Cell) -> Cell:
    return tuple([new if pair == old else pair for pair in cell])


def _moved_right(current: _Moved) -> Rows:
    """Return a rule's right side with its direction words replaced by the directions that the left side has.

    The cell in the place of the left one took its choice at once, so it has no such words left.
    """
    if not current.words:
        return current.right
    pairs = {pair: (choice[0], pair[1]) for pair, choice in current.pairs.items() if choice is not None}
    words = {word: direction for word, direction in current.words.items() if direction is not None}

    def follow(cell: Cell) -> Cell:
        return tuple([pairs.get(pair) or (words.get(pair[0], pair[0]), pair[1]) for pair in cell])

    return change_cells(current.right, follow)


class _Filled(NamedTuple):
    """A rule in which some properties are replaced by objects; `done` says by which objects."""

    left: Rows
    right: Rows
    done: dict[str, tuple[str, int]]


def with_objects(rule: Directed, names: ObjectNames, faults: FaultCollector) -> list[Directed]:
    """Return the rules with an object in place of each property (a name for any of several). Raises TooManyError.

    On the right, a property that was expanded once becomes its chosen object.
    """
    left, right = _without_no(rule.left, names), _without_no(rule.right, names)
    whole = _kept_properties(left, right, names)
    queue = deque([_Filled(left, right, {})])  # first in, first out: the order of rules matters in play
    rules: list[Directed] = []
    while queue:
        current = queue.popleft()
        first = _first_property(current.left, whole, names)
        if first is not None:
            queue.extend(_filled(current, *first, names))
            if len(queue) > MOST_CHOICES:
                raise TooManyError
            continue
        once = {name: member for name, (member, times) in current.done.items() if times == 1}
        right = change_cells(current.right, partial(_renamed, once)) if once else current.right
        rules.append(rule._replace(left=current.left, right=right))
    properties = [name for new in rules for row in new.right for cell in row for name in _properties_of(cell, names)]
    doubtful = [name for name in properties if name not in whole]
    for name in dict.fromkeys(doubtful):
        message = f"{name} on the right: the left side does not say which of its objects is meant"
        faults.error("script-ambiguous", rule.source.line, message, name)
    return [] if doubtful else rules


def _without_no(rows: Rows, names: ObjectNames) -> Rows:
    """Replace each `no PROPERTY` by one `no OBJECT` for each object of the property."""
    properties = names.properties
    if not any(word == "no" and name in properties for word, name in pairs_of(rows)):
        return rows

    def each(cell: Cell) -> Cell:
        members = [(word, properties.get(name, [name]) if word == "no" else [name]) for word, name in cell]
        return tuple([(word, name) for word, names in members for name in names])

    return change_cells(rows, each)


def _properties_of(cell: Cell, names: ObjectNames) -> list[str]:
    return [name for word, name in cell if word != "random" and name in names.properties]


def _kept_properties(left: Rows, right: Rows, names: ObjectNames) -> set[str]:
    """Return the properties that may stay: their objects share one layer, and no right cell adds them."""
    foreign = set()
    for befores, afters in zip(left, right, strict=False):
        for before, after in zip(befores, afters, strict=False):
            foreign |= set(_properties_of(after, names)) - set(_properties_of(before, names))
    return set(names.layer_of_property) - foreign


def _first_property(rows: Rows, whole: set[str], names: ObjectNames) -> tuple[Place, str] | None:
    cells = (((r, c), cell) for r, row in enumerate(rows) for c, cell in enumerate(row))
    properties = ((place, name) for place, cell in cells for name in _properties_of(cell, names) if name not in whole)
    return next(properties, None)


def _filled(current: _Filled, place: Place, name: str, names: ObjectNames) -> Iterator[_Filled]:
    """Yield a rule for each object of a property, with this object in the left and the right cell at `place`."""
    for member in names.properties[name]:
        first, times = current.done.get(name, (member, 0))
        done = {**current.done, name: (first, times + 1)}
        renamed = partial(_renamed, {name: member})
        left, right = [change_cell(rows, place, renamed) for rows in (current.left, current.right)]
        yield _Filled(left, right, done)


def _renamed(members: Mapping[str, str], cell: Cell) -> Cell:
    return tuple([(word, name if word == "random" else members.get(name, name)) for word, name in cell])
