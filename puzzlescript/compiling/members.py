"""Properties that no cell pattern can hold are replaced by each of their members: one rule becomes many.

A property is kept as it is if its members share a layer and no cell on the right names it without the cell on the left.
Else the first one is chosen, in a queue: the rule leaves it, one rule for each member joins it at its end.
"""

from __future__ import annotations

from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from unpuzzle.puzzlescript.compiling.directions import Directed
    from unpuzzle.puzzlescript.compiling.faults import Faults
    from unpuzzle.puzzlescript.compiling.names import Names
    from unpuzzle.puzzlescript.compiling.rule_text import Cell, Rows

    Place = tuple[int, int]

MOST_CHOICES = 50_000
"""Rules that a rule in one direction may stand for; the largest game that is known has 38,301 in all."""


class TooManyError(Exception):
    """A rule stands for more than `MOST_CHOICES` rules."""


def with_cell(rows: Rows, place: Place, cell: Cell) -> Rows:
    """The rows with another cell in one place."""
    row, column = place
    changed = (*rows[row][:column], cell, *rows[row][column + 1 :])
    return (*rows[:row], changed, *rows[row + 1 :])


class _Filled:
    """A rule on its way, and by property the object chosen, with how often."""

    __slots__ = ("done", "left", "right")

    def __init__(self, left: Rows, right: Rows, done: dict[str, tuple[str, int]]) -> None:
        self.left = left
        self.right = right
        self.done = done


def with_objects(rule: Directed, names: Names, faults: Faults) -> list[Directed]:
    """The rules without properties that no cell pattern can hold; none where one is left on the right.

    Raises TooManyError.
    """
    left, right = _without_no(rule.left, names), _without_no(rule.right, names)
    kept = _kept_properties(left, right, names)
    queue = deque([_Filled(left, right, {})])
    made: list[Directed] = []
    while queue:
        current = queue.popleft()
        found = _first_property(current.left, kept, names)
        if found is not None:
            queue.extend(_filled(current, *found, names))
            if len(queue) > MOST_CHOICES:
                raise TooManyError
            continue
        made.append(rule._replace(left=current.left, right=_filled_right(current)))
    doubtful = [name for new in made for row in new.right for cell in row for name in _properties_of(cell, names)]
    doubtful = [name for name in doubtful if name not in kept]
    for name in dict.fromkeys(doubtful):
        told = f"{name} on the right: it does not follow from the left which of its objects is meant"
        faults.error(rule.source.line, told, name)
    return [] if doubtful else made


def _without_no(rows: Rows, names: Names) -> Rows:
    """`no PROPERTY` becomes `no` for each of its members."""
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
    """Those with one layer that no right cell names without its left cell naming it."""
    foreign = set()
    for befores, afters in zip(left, right, strict=False):
        for before, after in zip(befores, afters, strict=False):
            foreign |= set(_properties_of(after, names)) - set(_properties_of(before, names))
    return set(names.layer_of_property) - foreign


def _first_property(rows: Rows, kept: set[str], names: Names) -> tuple[Place, str] | None:
    """The first property that has to be chosen, and where it stands."""
    properties = names.properties
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            for word, name in cell:
                if name in properties and name not in kept and word != "random":
                    return (r, c), name
    return None


def _filled(current: _Filled, place: Place, name: str, names: Names) -> Iterator[_Filled]:
    """One rule for each member of a property in a cell; the right cell takes the same."""
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
    """What is left on the right is filled from the one choice that was made for it."""
    once = {name: member for name, (member, times) in current.done.items() if times == 1}
    if not once:
        return current.right
    return tuple(
        [
            tuple([tuple([(w, once.get(n, n)) if w != "random" else (w, n) for w, n in cell]) for cell in row])
            for row in current.right
        ]
    )
