"""What objects look like: five rows of five colours each, from their colours and the points of their pictures.

An option `color_palette NAME` chooses what `red` is. The values of the palettes are those of PuzzleScript (Stephen
Lavelle, 2013, MIT licence): they are what its games look like.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from unpuzzle.puzzlescript.compiling.compiled import Sprite
from unpuzzle.puzzlescript.compiling.objects import DIGITS, SIDE, Thing

SCREEN = "black"
"""The colour behind everything, if the game names none."""


def sprites_of(things: Iterable[Thing], settings: Mapping[str, str]) -> tuple[Sprite, ...]:
    """Return the picture of each object; one without points is a square of its first colour."""
    palette = palette_of(settings.get("color_palette", ""))
    return tuple([_sprite(thing, [colour_of(word, palette) for word in thing.colours]) for thing in things])


def screen_of(settings: Mapping[str, str]) -> str:
    """Return the colour behind everything."""
    palette = palette_of(settings.get("color_palette", ""))
    return colour_of(settings.get("background_color", SCREEN).strip(), palette) or palette[SCREEN]


def _sprite(thing: Thing, colours: list[str]) -> Sprite:
    if not thing.rows:
        first = colours[0] if colours else TRANSPARENT
        return ((first,) * SIDE,) * SIDE
    rows = [row[:SIDE].ljust(SIDE, ".") for row in thing.rows] + ["." * SIDE] * (SIDE - len(thing.rows))
    colour_by_digit = dict(zip(DIGITS, colours, strict=False))  # of a digit without one the game was warned
    return tuple([tuple([colour_by_digit.get(char, TRANSPARENT) for char in row]) for row in rows])


DEFAULT = "arnecolors"
TRANSPARENT = ""
"""What stands for no colour at all."""

with open(os.path.join(os.path.dirname(__file__), "palettes.txt"), encoding="ascii") as _file:
    (_, *NAMES), *_ROWS = map(str.split, _file)
PALETTES = {row[0]: {name: f"#{code}" for name, code in zip(NAMES, row[1:], strict=True)} for row in _ROWS}
"""By palette, by name of a colour: the colour as `#rrggbb`. The order is that of their numbers, which begin at 1."""


def palette_of(name: str) -> dict[str, str]:
    """Return the palette of a name, or of a number from 1; the usual one for others."""
    name = name.lower()
    name = dict(zip(map(str, range(1, len(PALETTES) + 1)), PALETTES, strict=True)).get(name.lstrip("0"), name)
    return PALETTES.get(name, PALETTES[DEFAULT])


def colour_of(word: str, palette: dict[str, str]) -> str:
    """Return a colour of a game, a name, `#rgb` or `#rrggbb`, as `#rrggbb`; `TRANSPARENT` for others."""
    word = word.lower().replace("gray", "grey")
    if word in palette:
        return palette[word]
    code = word[1:] if word.startswith("#") else ""
    if len(code) == 3:
        code = "".join([digit * 2 for digit in code])
    return f"#{code}" if len(code) == 6 and set(code) <= set("0123456789abcdef") else TRANSPARENT
