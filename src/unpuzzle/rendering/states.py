"""A PDDL state as a picture: which pieces there are follows from its atoms.

Nobody says which atom stands for which piece. It is read off positions that the rules lead to: a piece is told by an
atom that is true in just those positions that have the piece, or by one that is false there. So states that no position
is in, which is what a wrong domain leads to, can be drawn all the same.
"""

from __future__ import annotations

from unpuzzle.drawing import picture_of, terminal
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unpuzzle.drawing import Piece
    from unpuzzle.pddl.nodes import Atom

    Telling = tuple[Atom | None, bool]
    """The atom that tells a piece, and whether it does so by being true; no atom for a piece that is always there."""

MOST = 2_000
"""Positions that are looked at."""


def drawn_state(level: Position, moves: Iterable[str], atoms: frozenset[Atom]) -> str | None:
    """A picture for a terminal of the PDDL state with these atoms, which was reached by moves from a level.

    Of a position that is in that state, its own. None where there is neither that nor a description of pictures.
    """
    positions = list(_near(level, moves))
    for position in positions:
        if position.atoms() == atoms:
            return position.draw()
    if offered(level, Pictured) is None or type(level).draw is not Pictured.draw:
        return None
    return terminal(picture_of(level)[0], shown_by(telling(positions), atoms))


def telling(positions: Sequence[Position]) -> Mapping[Piece, Telling]:
    """By piece what tells it, as far as these positions show; pieces that no single atom tells are left out."""
    pieces: dict[Piece, int] = {}
    atoms: dict[Atom, int] = {}
    for number, position in enumerate(positions):
        for piece in set(picture_of(position)[1]):
            pieces[piece] = pieces.get(piece, 0) | 1 << number
        for atom in position.atoms():
            atoms[atom] = atoms.get(atom, 0) | 1 << number
    everywhere = (1 << len(positions)) - 1
    by_set: dict[int, Telling] = {everywhere: (None, True)}
    for atom, where in sorted(atoms.items(), key=lambda item: str(item[0])):
        by_set.setdefault(where, (atom, True))
    for atom, where in sorted(atoms.items(), key=lambda item: str(item[0])):
        by_set.setdefault(everywhere & ~where, (atom, False))
    return {piece: by_set[where] for piece, where in pieces.items() if where in by_set}


def shown_by(told: Mapping[Piece, Telling], atoms: frozenset[Atom]) -> list[Piece]:
    """The pieces of a state."""
    return [piece for piece, (atom, true) in told.items() if atom is None or (atom in atoms) is true]


def _near(level: Position, moves: Iterable[str]) -> Iterable[Position]:
    """The positions on the way, and then those that are reached from its end, breadth first."""
    position, seen = level, dict.fromkeys([level])
    for move in moves:
        position = position.apply(move)
        seen[position] = None
    layer = [position, level]
    while layer and len(seen) < MOST:
        found = dict.fromkeys(after for each in layer for after in map(each.apply, each.moves()))
        layer = [after for after in found if after not in seen]
        seen.update(dict.fromkeys(layer))
    return list(seen)[:MOST]
