"""Finding picture lines in a text. This is quick, since every game does it; `block.py` reads the lines."""

from __future__ import annotations

import re

MARK = "picture:"
LINE = re.compile(r"^[ \t]*;+[ \t]*picture:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)


def has_block(text: str) -> bool:
    return MARK in text.lower() and LINE.search(text) is not None


def block_text(text: str) -> str:
    """Return the picture lines of a text, one below the other."""
    return "".join([f"; {MARK} {match[1].strip()}\n" for match in LINE.finditer(text)])
