"""Formatting of a game's text: only blanks within lines and between sections change, and nothing in play.

    formatted(text) -> text

Rules get one blank between their parts, legends stand around `=`, headings are capitals between rows of `=`, several
blank lines become one. Lines with comments keep their blanks, except at the end. The game is compiled before and after:
if formatting would change the game, less is changed, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.compiler import check_size, compile_text
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.text import heading_of, sections_of

_FRAME = "========"
_PARTS = re.compile(r"\s*(->|[\[\]|])\s*")
_TEXT = re.compile(r"(?<!\w)message\b", re.IGNORECASE)


def formatted(text: str, file: str | None = None) -> str:
    """Return the formatted text. Raises ParseError for a text that is too large."""
    check_size(text, file)
    meaning, plain = _meaning(text), text.replace("\r\n", "\n")
    for layout in (_laid_out, _trimmed):
        after = layout(plain)
        if _meaning(after) == meaning:
            return after.replace("\n", "\r\n") if "\r\n" in text else after
    return text


def _meaning(text: str) -> tuple[object, list[tuple[str, str]]]:
    """Return the content of a text without its lines: the compiled game, and its faults."""
    faults = Faults(text, None)
    game = compile_text(text, faults)
    told = [(fault.code, re.sub(r"\d+", "", fault.message)) for fault in faults.listed]
    return _without_lines(game), told


def _without_lines(value: Any) -> Any:
    """Return a part of a compiled game without the numbers of its lines."""
    if isinstance(value, Compiled):
        parts = (value.rules, value.late, value.levels)
        return value._replace(rules=(), late=(), levels=()), tuple(map(_without_lines, parts))
    if hasattr(value, "line"):
        return value._replace(line=0)
    if hasattr(value, "rules"):
        return value._replace(rules=tuple([rule._replace(line=0) for rule in value.rules]))
    return tuple(map(_without_lines, value)) if isinstance(value, tuple) else value


def _trimmed(text: str) -> str:
    """Return a text without blanks at the ends of lines, and with single blank lines."""
    return _spaced([line.rstrip() for line in text.split("\n")])


def _spaced(lines: list[str]) -> str:
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    return "\n".join(kept).strip("\n") + "\n"


def _laid_out(text: str) -> str:
    lines = [line.rstrip() for line in text.split("\n")]
    for section, members in sections_of(text, Faults(text)).items():
        layout = _LAYOUTS.get(section)
        for line in members:
            written = lines[line.number - 1]
            if layout and not line.stray and line.code.rstrip() == written.lower():
                lines[line.number - 1] = layout(written)
    return _spaced(_headed(lines))


def _headed(lines: list[str]) -> list[str]:
    """Return the lines with framed headings in capitals, below a blank line."""
    result: list[str] = []
    for at, line in enumerate(lines):
        framed = [0 < number < len(lines) and not lines[number].strip(" =") for number in (at - 1, at + 1)]
        is_row = bool(line) and not line.strip(" =")
        beside = lines[at - 1 : at] + lines[at + 1 : at + 2]
        if heading_of(line) == line.strip().lower() and all(framed):
            result.append(line.strip().upper())
        elif is_row and any(heading_of(each) == each.strip().lower() for each in beside):
            result += ["", _FRAME] if at + 1 < len(lines) and heading_of(lines[at + 1]) else [_FRAME, ""]
        else:
            result.append(line)
    return result


def _rule(line: str) -> str:
    """Return a rule with one blank between its parts; a message is left as it is."""
    message = _TEXT.search(line)
    code, free = (line[: message.start()], line[message.start() :]) if message else (line, "")
    code = _PARTS.sub(r" \1 ", code).replace("] [", "] [")
    return f"{' '.join(code.split())} {free}".strip()


def _words(line: str) -> str:
    return " ".join(line.split())


def _equal(line: str) -> str:
    left, sign, right = line.partition("=")
    return f"{_words(left)} = {_words(right)}" if sign and right.strip() else line


_LAYOUTS: dict[str, Callable[[str], str]] = {
    "legend": _equal,
    "objects": _words,
    "sounds": _words,
    "collisionlayers": lambda line: re.sub(r"\s*,\s*", ", ", _words(line)).rstrip(),
    "rules": _rule,
    "winconditions": _words,
}
"""By section, the layout of a line without a comment."""
