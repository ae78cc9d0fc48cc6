"""Laws about pictures of games that describe them: they tell positions apart, and every back-end can draw them."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from xml.parsers import expat

from unpuzzle.drawing import WORDS
from unpuzzle.drawing.covering import texts
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.svg import svg_of
from unpuzzle.rendering.themes import THEMES, contrast
from unpuzzle.testing.game_laws.subject import Subject, require, skip, spread, wander

WALKS, STARTS = 3, 12
READABLE = 4.5
"""The least contrast of text (W3C, Web Content Accessibility Guidelines 2.2, 2023)."""


def equal_pieces_are_equal_positions(subject: Subject) -> None:
    """Of one level: whoever sees the picture knows the position, but for what the game says cannot be seen."""
    for start in _pictured(subject):
        looks: dict[Hashable, Position] = {}
        for position in _around(start):
            pieces = tuple(sorted(picture_of(position)[1]))
            other = looks.setdefault(pieces, position)
            alike = seen_of(other) == seen_of(position)
            require(alike, f"two positions of a level have the same pieces:\n{other}and\n{position}")
        kinds = {seen_of(position): pieces for pieces, position in looks.items()}
        require(len(kinds) == len(looks), f"equal positions have different pieces, after moves from\n{start}")


def a_level_has_one_ground(subject: Subject) -> None:
    """No move changes it."""
    for start in _pictured(subject):
        first = picture_of(start)[0]
        for position in _around(start):
            require(picture_of(position)[0] == first, f"the ground changes by moves from\n{start}")


def pieces_are_on_the_board(subject: Subject) -> None:
    """They have looks that there are, and a kind."""
    for start in _pictured(subject):
        for position in _around(start):
            ground, pieces = picture_of(position)
            for piece in pieces:
                look, row, column, kind = piece
                require(
                    look in ground.looks, f"the piece {piece} has a look that the ground does not have, in\n{position}"
                )
                inside = 0 <= row <= ground.rows - 0.5 and 0 <= column <= ground.columns - 0.5
                require(inside, f"the piece {piece} is not on the board, which is {ground.rows} x {ground.columns}")
                require(isinstance(kind, str) and kind, f"the piece {piece} has no kind")


def pictures_are_well_formed(subject: Subject) -> None:
    """A picture as SVG is XML; of games that describe none, too."""
    for position in spread(subject.starts, STARTS):
        try:
            expat.ParserCreate().Parse(svg_of(position), True)
        except expat.ExpatError as error:
            raise AssertionError(f"the picture is no XML: {error}, of\n{position}") from error


def letters_lie_on_paint_that_they_can_be_read_on(subject: Subject) -> None:
    """In every theme: the contrast between a text and what lies below it is at least 4.5."""
    for start in spread(subject.starts, STARTS):
        for position in _around(start):
            for words, role, below in texts(*picture_of(position)):
                faint = [(theme, contrast(paint[role], paint[below])) for theme, paint in THEMES.items()]
                theme, least = min(faint, key=lambda pair: pair[1])
                require(
                    least >= READABLE,
                    f"the text {words!r} in the role {role!r} lies on {below!r}, where its contrast in the theme "
                    f"{theme!r} is {least:.1f}, and it takes {READABLE}; {_readable(below)}, in\n{position}",
                )


def _readable(below: str) -> str:
    """Return the roles that text may have on another one."""
    fine = [role for role in WORDS if all(contrast(paint[role], paint[below]) >= READABLE for paint in THEMES.values())]
    return f"on {below!r} text may be {' or '.join(map(repr, fine))}" if fine else f"no text can be read on {below!r}"


def seen_of(position: Position) -> Hashable:
    """Return what a person sees of a position: by default all that distinguishes it from others."""
    pictured = offered(position, Pictured)
    return pictured.seen() if pictured else position


def _pictured(subject: Subject) -> list[Position]:
    starts = [start for start in spread(subject.starts, STARTS) if offered(start, Pictured)]
    if not starts:
        skip("the game describes no pictures: it has ground() and pieces() where it does")
    return starts


def _around(start: Position) -> list[Position]:
    """Positions that random walks come by."""
    return [position for seed in range(WALKS) for position in wander(start, Random(seed))]


LAWS = (
    letters_lie_on_paint_that_they_can_be_read_on,
    equal_pieces_are_equal_positions,
    a_level_has_one_ground,
    pieces_are_on_the_board,
    pictures_are_well_formed,
)
