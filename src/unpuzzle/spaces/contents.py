"""Fold the walks of a space away: find the walker, and split each state into the walker's place and the rest.

In PDDL states, the atoms of the walking thing are separated from the others. Positions without PDDL give both by
`walker_and_rest`; these values are split into pieces, so that changes can be compared: tuples into their places, whole
numbers into their bits, since some games store the contents of a cell as bits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.planning.walking import walker_of
from unpuzzle.puzzle.position import Position
from unpuzzle.run import checkpoint
from unpuzzle.spaces.by_rules import RulesSpace
from unpuzzle.spaces.by_task import StateSpace
from unpuzzle.spaces.folding import Contents, Folding
from unpuzzle.spaces.space import Space

NOWHERE: frozenset[Hashable] = frozenset()


def fold(subject: Position | Task, space: Space[Any]) -> Folding:
    """Return the space of a position or a task with its walks folded away. Raises LimitReached."""
    walker = walker_of(subject)
    if walker is None:
        return Folding(space, None)
    thing = getattr(walker, "thing", None)
    if thing is None:
        positions = Positions(subject, space)
        return Folding(space, lambda state: _contents_of(positions.of(state)))
    atoms, places = _atoms(space), dict[Atom, bool]()

    def contents(state: int) -> Contents:
        true = atoms(state)
        for atom in true.difference(places):
            places[atom] = thing.has(atom)
        place = frozenset([atom for atom in true if places[atom]])
        return (place, true - place) if len(place) == 1 else (NOWHERE, true)

    return Folding(space, contents)


def _atoms(space: Space[Any]) -> Callable[[int], frozenset[Atom]]:
    """Return the function that gives the fluents of a state."""
    if isinstance(space, StateSpace):
        return space.atoms
    assert isinstance(space, RulesSpace), "games that explore themselves say where the walker is"
    return lambda state: space.positions[state].atoms()


def _contents_of(position: Position) -> Contents:
    """Return the contents of a position; one from which the walker is gone is a single piece."""
    parts = position.walker_and_rest()
    if parts is None:
        return NOWHERE, frozenset([position])
    return frozenset(_pieces(parts[0])), frozenset(_pieces(parts[1]))


def _pieces(value: Any, *way: int) -> Iterator[Hashable]:
    """Yield the pieces of a value: places in tuples and bits of whole numbers, or other values as a whole."""
    if isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from _pieces(part, *way, number)
    elif isinstance(value, int) and value >= 0:
        yield from ((way, bit) for bit in range(value.bit_length()) if value >> bit & 1)
    else:
        yield way, value


class Positions:
    """The positions of a space's states, each computed by its moves when it is first used."""

    def __init__(self, subject: Position | Task, space: Space[Any]) -> None:
        assert isinstance(subject, Position)
        self._space = space
        self._known: dict[int, Position] = {0: subject}

    def of(self, state: int) -> Position:
        way, known, space = [], self._known, self._space
        while state not in known:
            way.append(state)
            state = space.previous(state)
        for following in reversed(way):
            checkpoint()
            action = space.actions[space.operators[space.first[following]]]
            move = action if isinstance(action, str) else known[state].decode(action)
            known[following] = known[state].apply(move)
            state = following
        return known[state]
