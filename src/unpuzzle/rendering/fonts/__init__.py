"""The font of bitmap pictures and PDF: a part of DejaVu Sans Bold, with the licence in the same folder.

Without its own font a picture would look different on every machine, and have no text on machines without fonts.
`scripts/make_font.py` makes the file.
"""

from __future__ import annotations

import os

FONT = os.path.join(os.path.dirname(__file__), "DejaVuSans-Bold-subset.ttf")
LICENCE = os.path.join(os.path.dirname(__file__), "LICENSE_DEJAVU")
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


def covers(text: str) -> bool:
    return not missing(text)


def missing(text: str) -> list[str]:
    """Return the characters of a text that are missing from the font: each once, in the order of the text."""
    return [
        char for char in dict.fromkeys(text) if not char.isspace() and not any(ord(char) in codes for codes in COVERED)
    ]
