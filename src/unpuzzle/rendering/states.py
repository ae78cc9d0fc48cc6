"""A PDDL state as a picture, whose pieces follow from its atoms.

Which atom stands for which piece is learned from positions that the rules lead to (`signs`). So states that are no
position of the game, as a wrong domain reaches them, can be drawn as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unpuzzle.drawing import Piece, terminal
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.signs import learn_signs, mark
from unpuzzle.rendering.subjects import picture_of
from unpuzzle.walks import distances

Literal = tuple[Atom, bool]
"""An atom, and whether it is true."""

MOST = 2_000
"""The number of positions to learn from."""


def drawn_state(level: Position, moves: Iterable[str], atoms: frozenset[Atom]) -> str | None:
    """Return a picture for a terminal of the PDDL state with these atoms, reached by moves from a level.

    If a position has these atoms, it is drawn. Otherwise this returns None for a game that describes no pictures.
    """
    positions = _near(level, moves)
    for position in positions:
        if position.atoms() == atoms:
            return position.draw()
    if offered(level, Pictured) is None or type(level).draw is not Pictured.draw:
        return None
    return terminal(picture_of(level)[0], pieces_of(signs_of(positions), atoms))


def signs_of(positions: Sequence[Position]) -> Mapping[Piece, tuple[Literal, ...]]:
    """Return the signs of pieces, as far as these positions show them."""
    pieces: dict[Piece, int] = {}
    atoms: dict[Atom, int] = {}
    for number, position in enumerate(positions):
        mark(pieces, set(picture_of(position)[1]), number)
        mark(atoms, position.atoms(), number)
    everywhere = (1 << len(positions)) - 1
    in_order = sorted(atoms.items(), key=lambda item: str(item[0]))
    literals = {(atom, True): states for atom, states in in_order}
    literals |= {(atom, False): everywhere & ~states for atom, states in in_order}
    return learn_signs(pieces, literals, everywhere, several=False)


def pieces_of(signs: Mapping[Piece, tuple[Literal, ...]], atoms: frozenset[Atom]) -> list[Piece]:
    """Return the pieces whose signs are in a state with these atoms."""
    return [piece for piece, sign in signs.items() if all((atom in atoms) is true for atom, true in sign)]


def _near(level: Position, moves: Iterable[str]) -> Sequence[Position]:
    """Return the positions on a way, and positions near to them."""
    way = [level]
    for move in moves:
        way.append(way[-1].apply(move))
    return list(distances(way, lambda position: position.following().values(), MOST))[:MOST]
