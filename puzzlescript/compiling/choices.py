"""Words that stand for several things are replaced by each of them: one rule becomes many.

The passes, in order: aggregates become their members, and synonyms objects; each direction word of many directions is
chosen; each property is chosen, unless a cell pattern can hold it as it is.

A direction chosen in a cell is the direction of the right cell in its place, too; what else a choice makes of the right
side is decided when all choices of a rule are made. A property is kept as it is if its members share a layer and no
cell on the right names it without the cell on the left. Else the first one is chosen, in a queue: the rule leaves it,
one rule for each member joins it at its end. The order of the rules that come out is part of a game's meaning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from unpuzzle.puzzlescript.compiling.directions import Directed
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.rule_text import UP_DOWN_LEFT_RIGHT, Cell, Rows

Place = tuple[int, int]

_DIRECTIONS = {
    "moving": (*UP_DOWN_LEFT_RIGHT, "action"),
    "orthogonal": UP_DOWN_LEFT_RIGHT,
    **dict.fromkeys(("horizontal", "horizontal_par", "horizontal_perp"), ("left", "right")),
    **dict.fromkeys(("vertical", "vertical_par", "vertical_perp"), ("up", "down")),
}


def choose_words(rule: Directed, names: Names, faults: Faults) -> Iterator[Directed]:
    """Yield the rules that a rule in one direction stands for. Raises TooManyError."""
    left, right = [_spelled(rows, rule, names, faults) for rows in (rule.left, rule.right)]
    plain = rule._replace(left=left, right=right)
    for moved in _with_directions(plain, faults):
        yield from with_objects(moved, names, faults)


def _spelled(rows: Rows, rule: Directed, names: Names, faults: Faults) -> Rows:
    return tuple([tuple([_spelled_cell(cell, rule, names, faults) for cell in row]) for row in rows])


def _spelled_cell(cell: Cell, rule: Directed, names: Names, faults: Faults) -> Cell:
    faults.tick()
    pairs, added = [], []
    for word, name in cell:
        members = names.aggregates.get(name)
        if members is None:
            pairs.append((word, names.synonyms.get(name, name)))
            continue
        if word == "no":
            faults.error(rule.source.line, f"no {name}: an aggregate (and) cannot be looked for this way", name)
        pairs.append((word, members[0]))
        added += [(word, member) for member in members[1:]]
    return (*pairs, *added)


class _Moved(NamedTuple):
    """A rule on its way, and the directions chosen: by (word, name) with the place, and by word.

    None stands for words that were chosen more than once, so that nothing on the right follows from them.
    """

    left: Rows
    right: Rows
    pairs: dict[tuple[str, str], tuple[str, Place] | None]
    words: dict[str, str | None]


def _with_directions(rule: Directed, faults: Faults) -> Iterator[Directed]:
    """Yield the rules with each choice of their direction words.

    In each round every cell that has a word to choose is tried, so rules with several such cells come up often. Of
    equal rules the last one stays: what was chosen shows on the left, so equal left sides have equal right sides.
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
        for word in (word for row in right for cell in row for word, _ in cell if word in _DIRECTIONS):
            message = "on the right: it does not follow from the left which direction is meant"
            faults.error(rule.source.line, f"{word.split('_')[0]} {message}")
        yield rule._replace(left=current.left, right=right)


def _each_direction(current: _Moved) -> Iterator[_Moved]:
    """Yield the rules with each direction that the first direction word of a cell stands for, cell by cell."""
    for r, row in enumerate(current.left):
        for c, cell in enumerate(row):
            pair = next((pair for pair in cell if pair[0] in _DIRECTIONS), None)
            if pair is not None:
                yield from _moved(current, (r, c), cell, pair)


def _moved(current: _Moved, place: Place, cell: Cell, pair: tuple[str, str]) -> Iterator[_Moved]:
    word = pair[0]
    for direction in _DIRECTIONS[word]:
        left = with_cell(current.left, place, _turned(cell, pair, direction))
        row, column = place
        right = current.right
        if right:
            right = with_cell(right, place, _turned(right[row][column], pair, direction))
        pairs, words = dict(current.pairs), dict(current.words)
        if pair not in pairs:
            pairs[pair] = (direction, place)
        elif (known := pairs[pair]) is not None and known[1] != place:
            pairs[pair] = None
        words[word] = None if word in words else direction
        yield _Moved(left, right, pairs, words)


def _turned(cell: Cell, pair: tuple[str, str], direction: str) -> Cell:
    return tuple([(direction, pair[1]) if other == pair else other for other in cell])


def _moved_right(current: _Moved) -> Rows:
    """Return the right side, where a word with its object takes the choice made for both, or else for the word.

    The cell in the place of the left one, which took its choice at once, has none of them left.
    """
    rows = current.right
    if not current.words:
        return rows
    pairs = {pair: (known[0], pair[1]) for pair, known in current.pairs.items() if known is not None}
    words = {word: direction for word, direction in current.words.items() if direction is not None}
    return tuple(
        [tuple([tuple([pairs.get(p) or (words.get(p[0], p[0]), p[1]) for p in cell]) for cell in row]) for row in rows]
    )


MOST_CHOICES = 50_000
"""Rules that a rule in one direction may stand for; the largest game that is known has 38,301 in all."""


class TooManyError(Exception):
    """A rule stands for more than `MOST_CHOICES` rules."""


def with_cell(rows: Rows, place: Place, cell: Cell) -> Rows:
    """Return the rows with another cell in one place."""
    row, column = place
    changed = (*rows[row][:column], cell, *rows[row][column + 1 :])
    return (*rows[:row], changed, *rows[row + 1 :])


class _Filled(NamedTuple):
    """A rule on its way, and by property the object chosen, with how often."""

    left: Rows
    right: Rows
    done: dict[str, tuple[str, int]]


def with_objects(rule: Directed, names: Names, faults: Faults) -> list[Directed]:
    """Return the rules without properties that no cell pattern can hold; none if one is left. Raises TooManyError."""
    left, right = _without_no(rule.left, names), _without_no(rule.right, names)
    whole = _kept_properties(left, right, names)
    queue = deque([_Filled(left, right, {})])
    rules: list[Directed] = []
    while queue:
        current = queue.popleft()
        first = _first_property(current.left, whole, names)
        if first is not None:
            queue.extend(_filled(current, *first, names))
            if len(queue) > MOST_CHOICES:
                raise TooManyError
            continue
        rules.append(rule._replace(left=current.left, right=_filled_right(current)))
    doubtful = [name for new in rules for row in new.right for cell in row for name in _properties_of(cell, names)]
    doubtful = [name for name in doubtful if name not in whole]
    for name in dict.fromkeys(doubtful):
        message = f"{name} on the right: it does not follow from the left which of its objects is meant"
        faults.error(rule.source.line, message, name)
    return [] if doubtful else rules


def _without_no(rows: Rows, names: Names) -> Rows:
    """Return the rows with `no` for each member in place of `no PROPERTY`."""
    if not any(word == "no" and name in names.properties for row in rows for cell in row for word, name in cell):
        return rows
    return tuple([tuple([tuple(_each_no(cell, names)) for cell in row]) for row in rows])


def _each_no(cell: Cell, names: Names) -> Iterator[tuple[str, str]]:
    for word, name in cell:
        if word == "no" and name in names.properties:
            yield from [(word, member) for member in names.properties[name]]
        else:
            yield word, name


def _properties_of(cell: Cell, names: Names) -> list[str]:
    return [name for word, name in cell if word != "random" and name in names.properties]


def _kept_properties(left: Rows, right: Rows, names: Names) -> set[str]:
    """Return the properties of one layer that no right cell names without its left cell."""
    foreign = set()
    for befores, afters in zip(left, right, strict=False):
        for before, after in zip(befores, afters, strict=False):
            foreign |= set(_properties_of(after, names)) - set(_properties_of(before, names))
    return set(names.layer_of_property) - foreign


def _first_property(rows: Rows, whole: set[str], names: Names) -> tuple[Place, str] | None:
    """Return the first property that has to be chosen, and its place."""
    properties = (
        ((r, c), name)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        for name in _properties_of(cell, names)
        if name not in whole
    )
    return next(properties, None)


def _filled(current: _Filled, place: Place, name: str, names: Names) -> Iterator[_Filled]:
    """Yield a rule for each member of a property in a cell; the right cell takes the same member."""
    before = current.left[place[0]][place[1]]
    after = current.right[place[0]][place[1]] if current.right else ()
    for member in names.properties[name]:
        first, times = current.done.get(name, (member, 0))
        done = {**current.done, name: (first, times + 1)}
        left = with_cell(current.left, place, _renamed(before, name, member))
        right = with_cell(current.right, place, _renamed(after, name, member)) if current.right else ()
        yield _Filled(left, right, done)


def _renamed(cell: Cell, name: str, member: str) -> Cell:
    return tuple([(word, member) if n == name and word != "random" else (word, n) for word, n in cell])


def _filled_right(current: _Filled) -> Rows:
    """Return the right side, in which a property that was chosen once becomes what was chosen."""
    once = {name: member for name, (member, times) in current.done.items() if times == 1}
    if not once:
        return current.right
    rows = current.right
    return tuple(
        [tuple([tuple([(w, n if w == "random" else once.get(n, n)) for w, n in cell]) for cell in row]) for row in rows]
    )
