"""What objects look like: five rows of five colours each, from their colours and the points of their pictures."""

from __future__ import annotations

from unpuzzle.puzzlescript.compiling.objects import DIGITS, SIDE
from unpuzzle.puzzlescript.compiling.palettes import TRANSPARENT, colour_of, palette_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unpuzzle.puzzlescript.compiling.compiled import Sprite
    from unpuzzle.puzzlescript.compiling.objects import Thing

SCREEN = "black"
"""The colour behind everything, if the game names none."""


def sprites_of(things: Iterable[Thing], settings: Mapping[str, str]) -> tuple[Sprite, ...]:
    """The picture of each object; one without points is a square of its first colour."""
    palette = palette_of(settings.get("color_palette", ""))
    return tuple([_sprite(thing, [colour_of(word, palette) for word in thing.colours]) for thing in things])


def screen_of(settings: Mapping[str, str]) -> str:
    """The colour behind everything."""
    palette = palette_of(settings.get("color_palette", ""))
    return colour_of(settings.get("background_color", SCREEN).strip(), palette) or palette[SCREEN]


def _sprite(thing: Thing, colours: list[str]) -> Sprite:
    if not thing.rows:
        first = colours[0] if colours else TRANSPARENT
        return ((first,) * SIDE,) * SIDE
    rows = [row[:SIDE].ljust(SIDE, ".") for row in thing.rows] + ["." * SIDE] * (SIDE - len(thing.rows))
    return tuple([tuple([_point(char, colours) for char in row]) for row in rows])


def _point(char: str, colours: list[str]) -> str:
    """The colour of a point; a digit without a colour, of which the game was warned, is none."""
    return colours[int(char)] if char in DIGITS and int(char) < len(colours) else TRANSPARENT
