"""Plain characters for an output that lacks those of a text, such as a pipe of Windows in cp1252.

Only parts of lines share plain forms. Any other character has one that the text does not use, so that a picture still
tells its things apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from unicodedata import name, normalize

from unpuzzle.words import count, listing

LINES: Mapping[str, str] = {
    **dict.fromkeys("─╴╶━–—‐▀▄", "-"),
    **dict.fromkeys("│╵╷┃▉▊▋▌▍▎▏", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **dict.fromkeys("╔╗╚╝╠╣╦╩╬", "%"),
    **{"═": "=", "║": "H", "“": '"', "”": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">=", "≈": "~", "…": "."},
}
"""Parts of lines, bars and sentences, with their plain forms, which may be equal."""
THINGS = dict(zip("█▓▒░▪●○■□·×✓✗↑↓←→", "#&:;#Oo*$.xvX^v<>", strict=True))
"""Characters that stand for different things, with the plain ones that they have by preference."""
OTHERS = "%&~!;:=_^@$*+<>"
"""Plain forms of the others, and of those whose preferred one is taken."""
NAMED = 6
"""The most characters that a note names."""


def plain(text: str, encoding: str, known: dict[str, str]) -> str:
    """Return a text in which each character that an encoding lacks has a plain form; `known` keeps the forms."""
    used = dict.fromkeys(text)
    lacking = [char for char in used if not char.encode(encoding, "ignore")]
    for char in lacking:
        if char not in known:
            forms = (THINGS.get(char, ""), normalize("NFKD", char)[0], *OTHERS)
            free = (form for form in forms if form and form.isascii() and form not in (*used, *known.values()))
            known[char] = LINES.get(char) or next(free, "?")
    return text.translate({ord(char): known[char] for char in lacking})


def note(known: Mapping[str, str], encoding: str) -> str:
    """Return a sentence, in plain characters, that names the forms of characters."""
    parts = [f"{name(char, 'another').lower()} is {form}" for char, form in known.items() if char not in LINES]
    parts[NAMED:] = [count(len(parts) - NAMED, "other")] if len(parts) > NAMED else []
    if lines := sorted({form for char, form in known.items() if char in LINES}):
        parts.append(f"lines and marks are {' '.join(lines)}")
    return f"the output, in {encoding}, lacks characters: {listing(parts)}"
