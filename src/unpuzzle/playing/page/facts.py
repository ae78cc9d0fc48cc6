"""The data of a web page about a PDDL game: the facts of a state, the goals that hold, and moves as actions.

Facts and goals are numbered after the placements, and stored with them, in tables and with operators alike. If the game
has a picture, it is the board, and the facts are below; otherwise the table of facts takes the board's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from re import split
from typing import Any

from unpuzzle.drawing import Ground, Piece
from unpuzzle.pddl.nodes import Atom
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import picture_of

# Placements, the numbered pieces of a page; and the encoding of numbers as bytes.
#
# A **placement** is a piece in its place, with a counter for several equal pieces there. Numbers are written in groups
# of seven bits, low ones first.

Placement = tuple[str, float, float, str, int]
"""Look, row, column, kind, and the counter among equal pieces."""
CostedMove = tuple[str, int]


def distinct(pieces: Sequence[Piece]) -> list[Placement]:
    """Return pieces with a counter added, so that equal pieces are distinguished (as placements)."""
    if len(set(pieces)) == len(pieces):
        return [(*piece, 0) for piece in pieces]
    counters = {piece: count() for piece in pieces}
    return [(*piece, next(counters[piece])) for piece in pieces]


def numbered(ground: Ground, all_placements: Iterable[Placement]) -> dict[Placement, int]:
    """Return the number of each placement; placements are numbered in the order in which they are painted."""
    layers = ground.layers()
    ordered = sorted(set(all_placements), key=lambda placement: (layers[placement[0]], *placement[1:]))
    return {placement: number for number, placement in enumerate(ordered)}


def natural(move: CostedMove) -> list[tuple[int, str]]:
    """Return a sort key by which `r2c1` comes before `r10c1`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in split(r"(\d+)", move[0])] + [(move[1], "")]


def write(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def write_gaps(out: bytearray, numbers: Sequence[int]) -> None:
    """Write how many ascending numbers there are, then the difference of each number from the previous one."""
    write(out, len(numbers))
    for before, number in pairwise([0, *numbers]):
        write(out, number - before)


Seen = Placement | Atom | int
"""A placement, a fact, or the number of a part of the goal that holds."""
BOARDLESS = Ground(1, 1, {})


def has_board(position: Position) -> bool:
    """Return whether a page shows a picture of the position; for PDDL games, this requires picture lines."""
    return not isinstance(position, PddlPosition) or offered(position, Pictured) is not None


def board_of(position: Position) -> tuple[Ground, Sequence[Piece]]:
    """Return the ground and the pieces of the picture that the page shows."""
    return picture_of(position) if has_board(position) else (BOARDLESS, ())


def placements(position: Position) -> list[Placement]:
    """Return the pieces of the picture that the page shows, as placements."""
    return distinct(board_of(position)[1])


def facts_of(position: Position) -> list[Atom | int]:
    """Return the facts of a PDDL game's state, and the numbers of the goal parts that hold; empty for other games."""
    if not isinstance(position, PddlPosition):
        return []
    return [*position.atoms(), *[number for number, (_, holds) in enumerate(position.goals()) if holds]]


def number_facts(numbers: dict[Any, int], facts: Iterable[Atom | int]) -> dict[Seen, int]:
    """Return numbers for placements first, then for facts sorted by name, then for parts of the goal."""
    seen = set(facts)
    atoms = sorted([fact for fact in seen if isinstance(fact, Atom)], key=lambda atom: natural((str(atom), 0)))
    goals = sorted([fact for fact in seen if isinstance(fact, int)])
    return {**numbers, **{each: number for number, each in enumerate([*atoms, *goals], len(numbers))}}


def words_about(start: Position, numbers: Iterable[Seen]) -> dict[str, Any]:
    """Return data for the page's scripts: facts by predicate, the goal parts, and which goal parts have numbers."""
    if not isinstance(start, PddlPosition):
        return {}
    known = list(numbers)
    return {
        "facts": [[each.predicate, " ".join(each.arguments)] for each in known if isinstance(each, Atom)],
        "parts": [text for text, _ in start.goals()],
        "reached": [each for each in known if isinstance(each, int)],
        **({} if has_board(start) else {"boardless": 1}),
    }


def in_groups(moves: Iterable[str]) -> bool:
    """Return whether some moves are actions with arguments, such as `unstack:a:b`, so that buttons need groups."""
    return any(":" in move for move in moves)
