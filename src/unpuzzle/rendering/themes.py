"""How pictures look: the colours of each theme (light and dark for screens, black on white for paper), and the font.

The font of bitmap pictures and PDF is a part of DejaVu Sans Bold, in the folder `fonts` with its licence. Without its
own font a picture would look different on every machine, and have no text on machines without fonts.
`scripts/make/make_font.py` makes the file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.drawing import ROLES

Theme = Mapping[str, str]

#           light      dark       print
_TABLE = """
    paper   #ffffff    #14171d    #ffffff
    floor   #f7f3ea    #1f242d    #ffffff
    grid    #8a8272    #717c8d    #808080
    wall    #667085    #6c7990    #404040
    ink     #1f2933    #eef2f7    #000000
    edge    #3c4653    #b6c2d2    #000000
    box     #9a5b1f    #e2a75e    #000000
    goal    #18794e    #51cf8a    #000000
    hero    #c2255c    #ffd43b    #000000
    face    #ffffff    #14171d    #ffffff
    tile    #2f66b3    #74a9f7    #ffffff
    home    #2b7a3e    #69db7c    #ffffff
    label   #ffffff    #10141a    #000000
    food    #b3500b    #ffa94d    #000000
    mark    #5f3dc4    #c0abff    #303030
"""
_ROWS = [line.split() for line in _TABLE.split("\n") if line]
THEMES: Mapping[str, Theme] = {
    name: {role: colours[number] for role, *colours in _ROWS} for number, name in enumerate(("light", "dark", "print"))
}
"""The colour of each role, by theme."""
assert all([*theme] == [*ROLES] for theme in THEMES.values())

AUTO = "auto"
"""The theme that is light or dark as the reader prefers."""

FONT = os.path.join(os.path.dirname(__file__), "fonts", "DejaVuSans-Bold-subset.ttf")
LICENCE = os.path.join(os.path.dirname(__file__), "fonts", "LICENSE_DEJAVU")
COVERED = (
    range(0x20, 0x7F),  # ASCII
    range(0xA0, 0x180),  # letters with accents
    range(0x2010, 0x2027),  # dashes, quotation marks, bullets
    range(0x2190, 0x2194),  # arrows
    (0x2212, 0x2260, 0x2264, 0x2265, 0x2713, 0x2717, 0xFFFD),  # − ≠ ≤ ≥ ✓ ✗
    range(0x2500, 0x25A0),  # lines, blocks
    (0x25A0, 0x25A1, 0x25AA, 0x25B2, 0x25B6, 0x25BC, 0x25C0, 0x25C6, 0x25CB, 0x25CF, 0x25E6, 0x2605, 0x2666),
)
"""The characters in the font."""


def themes(name: str) -> tuple[Theme, Theme | None]:
    """Return the colours of a theme, and its colours for readers who prefer dark pages; None if these are the same.

    Raises UsageError for an unknown name.
    """
    if name == AUTO:
        return THEMES["light"], THEMES["dark"]
    if name not in THEMES:
        raise UsageError(
            f"there is no theme {shorten(name)}{suggestion(name, THEMES)}; the themes are {AUTO}, {', '.join(THEMES)}"
        )
    return THEMES[name], None


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (W3C, Web Content Accessibility Guidelines 2.2, 2023)."""
    luminances = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        luminances.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)


def covers(text: str) -> bool:
    return not missing(text)


def missing(text: str) -> list[str]:
    """Return the characters of a text that are missing from the font: each once, in the order of the text."""
    return [
        char for char in dict.fromkeys(text) if not char.isspace() and not any(ord(char) in codes for codes in COVERED)
    ]
