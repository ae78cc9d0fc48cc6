"""A page's data on a PDDL game: the facts of a state, the parts of the goal that hold, moves as actions.

Facts and goals are numbered after the placements, and stored with them, in tables and with operators alike. If the game
has a picture, it is the board, and the facts are below; otherwise the table of facts takes the board's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unpuzzle.drawing import Ground, Piece
from unpuzzle.pddl.nodes import Atom
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.playing.page.placements import Placement, distinct, natural
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import picture_of

Seen = Placement | Atom | int
"""A placement, a fact, or the number of a part of the goal that holds."""
BOARDLESS = Ground(1, 1, {})


def has_board(position: Position) -> bool:
    """Return whether a page shows a picture of the position: for a PDDL game only if it has picture lines."""
    return not isinstance(position, PddlPosition) or offered(position, Pictured) is not None


def board_of(position: Position) -> tuple[Ground, Sequence[Piece]]:
    """Return the ground and the pieces of the page's picture."""
    return picture_of(position) if has_board(position) else (BOARDLESS, ())


def placements(position: Position) -> list[Placement]:
    """Return the pieces of the page's picture, as placements."""
    return distinct(board_of(position)[1])


def facts_of(position: Position) -> list[Atom | int]:
    """Return the facts of a PDDL game's state, and the numbers of the parts of the goal that hold; else nothing."""
    if not isinstance(position, PddlPosition):
        return []
    return [*position.atoms(), *[number for number, (_, holds) in enumerate(position.goals()) if holds]]


def number_facts(numbers: dict[Any, int], facts: Iterable[Atom | int]) -> dict[Seen, int]:
    """Return the numbers of placements and, after them, of facts by name and of parts of the goal."""
    seen = set(facts)
    atoms = sorted([fact for fact in seen if isinstance(fact, Atom)], key=lambda atom: natural((str(atom), 0)))
    goals = sorted([fact for fact in seen if isinstance(fact, int)])
    return {**numbers, **{each: number for number, each in enumerate([*atoms, *goals], len(numbers))}}


def words_about(start: Position, numbers: Iterable[Seen]) -> dict[str, Any]:
    """Return the scripts' data: facts by predicate, the parts of the goal, and which of them have numbers."""
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
    """Return whether moves are actions with arguments, such as `unstack:a:b`, so that their buttons are grouped."""
    return any(":" in move for move in moves)
