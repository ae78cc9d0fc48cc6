"""A PDDL state as a picture, with pieces determined by its atoms.

The facts for each piece are learned from positions that are reached by the rules. So states that are not positions of
the game, which a wrong domain may reach, can be drawn as well.

The **sign** of a piece is a fact that holds exactly in the states with the piece or, if there is none, a few facts that
hold together exactly in these states; a piece in every state needs no sign. Sets of states are bit masks.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TypeVar

from unpuzzle.drawing import Piece, terminal
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.run import checkpoint
from unpuzzle.walks import distances

Fact = TypeVar("Fact", bound=Hashable)
Thing = TypeVar("Thing", bound=Hashable)
Literal = tuple[Atom, bool]
"""An atom, and whether it is true."""

MOST = 2_000
"""The number of positions to learn from."""


def drawn_state(level: Position, moves: Iterable[str], atoms: frozenset[Atom]) -> str | None:
    """Return a picture for a terminal of the PDDL state with these atoms, reached by moves from a level.

    If a position has these atoms, it is drawn. Otherwise the result is None for a game that describes no pictures.
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
    """Return the pieces with signs in a state with these atoms."""
    return [piece for piece, sign in signs.items() if all((atom in atoms) is true for atom, true in sign)]


def _near(level: Position, moves: Iterable[str]) -> Sequence[Position]:
    way = accumulate(moves, lambda position, move: position.apply(move), initial=level)
    return list(distances(way, lambda position: position.following().values(), MOST))[:MOST]


def mark(states: dict[Thing, int], things: Iterable[Thing], number: int) -> None:
    for thing in things:
        states[thing] = states.get(thing, 0) | 1 << number


def learn_signs(
    pieces: Mapping[Thing, int], facts: Mapping[Fact, int], everywhere: int, *, several: bool = True
) -> dict[Thing, tuple[Fact, ...]]:
    """Return the signs of pieces; pieces without one are left out.

    The masks have the states with each piece, the states with each fact, and all states. Among facts that hold in the
    same states, the first is preferred; `several` allows signs of several facts.
    """
    single: dict[int, tuple[Fact, ...]] = {everywhere: ()}
    for fact, states in facts.items():
        single.setdefault(states, (fact,))
    signs = {}
    for piece, states in pieces.items():
        checkpoint()
        sign = single.get(states) or (_together(states, facts, everywhere) if several and states != everywhere else ())
        if sign or states == everywhere:
            signs[piece] = sign
    return signs


def _together(states: int, facts: Mapping[Fact, int], everywhere: int) -> tuple[Fact, ...]:
    """Return facts that hold together exactly in these states, each ruling out as many others as possible, or ()."""
    candidates = [(fact, where) for fact, where in facts.items() if where & states == states and where != everywhere]
    left, sign = everywhere, []
    while left != states and candidates:
        fact, where = min(candidates, key=lambda item: (item[1] & left).bit_count())
        if where & left == left:
            return ()
        sign.append(fact)
        left &= where
    return tuple(sign) if left == states else ()
