"""Plain characters for an output that lacks those of a text, such as a pipe of Windows in cp1252.

What is different stays different: lines have plain forms of their own, and any other character one that the text does
not have, so that a picture still tells its things apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from unicodedata import combining, name, normalize

from unpuzzle.words import count, listing

LINES: Mapping[str, str] = {
    **dict.fromkeys("─╴╶━–—‐", "-"),
    **dict.fromkeys("│╵╷┃", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **{"═": "=", "║": "H", **dict.fromkeys("╔╗╚╝╠╣╦╩╬", "%")},
    **dict.fromkeys("▉▊▋▌▀▄", "#"),
    **{**dict.fromkeys("▍▎▏", "."), "…": "."},
    **{"“": '"', "”": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">=", "≈": "~"},
}
"""Parts of lines, bars and sentences, with their plain forms, which may be equal."""
THINGS: Mapping[str, str] = {"█": "#", "▓": "&", "▒": ":", "░": ";", "▪": "#"} | {
    "●": "O", "○": "o", "■": "*", "□": "$", "·": ".", "×": "x", "✓": "v", "✗": "X",
    "↑": "^", "↓": "v", "←": "<", "→": ">"
}  # fmt: skip
"""Characters that stand for different things, with the plain ones that they have by preference."""
OTHERS = "?%&~!;:=_^@$*+<>"
"""Plain forms of characters without one of their own."""
NAMED = 6
"""The most characters that a note names."""


def plain(text: str, encoding: str, known: dict[str, str]) -> str:
    """Return a text in which each character that an encoding lacks has a plain form; `known` keeps the forms."""
    lacking = [char for char in dict.fromkeys(text) if not _has(encoding, char)]
    used = set(text)
    for char in lacking:
        if char not in known:
            free = (form for form in _forms(char) if form not in used and form not in known.values())
            known[char] = LINES.get(char) or next(free, "?")
    return text.translate({ord(char): known[char] for char in lacking})


def _has(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _forms(char: str) -> Iterator[str]:
    """Yield the forms that a character may have, the best first: that of its own, a letter without its accent."""
    bare = "".join(part for part in normalize("NFKD", char) if not combining(part))
    yield from [form for form in (THINGS.get(char, ""), bare) if len(form) == 1 and form.isascii()]
    yield from OTHERS


def note(known: Mapping[str, str], encoding: str) -> str:
    """Return a sentence that names the forms of characters, in plain characters; empty if there is nothing to say."""
    named = [f"{name(char).lower()} is {form}" for char, form in known.items() if char not in LINES and name(char, "")]
    lines = sorted({form for char, form in known.items() if char in LINES})
    parts = _first(named) + ([f"lines and marks are {' '.join(lines)}"] if lines else [])
    return f"the output, in {encoding}, lacks characters: {listing(parts)}" if parts else ""


def _first(named: Iterable[str]) -> list[str]:
    first = list(named)
    return first if len(first) <= NAMED else [*first[:NAMED], count(len(first) - NAMED, "other")]
