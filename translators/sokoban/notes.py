"""The text between the boards of a collection, as notes: titles, properties, comments, solutions.

A note is a tuple (kind, name, value):

    BLANK                            lines without anything
    PROPERTY   name, value           `Author: somebody`
    COMMENT    "", lines             `Comment:` ... `Comment-End:`, or `Comment: one line`
    TEXT       "", line              `; a line`, `:: a line` or any other one
    SOLUTION   label, moves          `Solution`, and lines of moves below it; or a long line of moves alone
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unpuzzle.translators.sokoban.runs import written_out

Note = tuple[str, str, "str | tuple[str, ...]"]


BLANK, PROPERTY, COMMENT, TEXT, SOLUTION = "blank", "property", "comment", "text", "solution"
COMMENT_END = "comment-end:"
SHORTEST = 8
"""The fewest letters that count as moves without a heading: `dull` is a word."""
PROPERTY_LINE = re.compile(r"\s*([A-Za-z][\w-]*(?: [\w/-]+){0,2})\s*:(?:\s+(.*?))?\s*")
_MOVES = re.compile(r"[lurdLURD0-9() \t]*[lurdLURD][lurdLURD0-9() \t]*")
_SOLUTION = re.compile(r"\s*((?:\w+\s+)?solution\b[^:]*?)\s*(?::\s*(.*?))?\s*", re.IGNORECASE)
_SAVED = re.compile(r"\s*(?:\w+\s+)?(?:snapshot|saved game)\b.*", re.IGNORECASE)
_FIGURES = re.compile(r"solution(?: \(moves [0-9]+(?:, pushes [0-9]+)?\))?", re.IGNORECASE)
"""Labels without information beyond the moves."""


def comment_ends(lines: Sequence[str]) -> dict[int, int]:
    """Return the first line of each comment of several lines, with its last line, by index."""
    ends, start = {}, None
    for index, line in enumerate(lines):
        word = line.strip().lower() if ":" in line else ""
        if word == "comment:":
            start = index
        elif word == COMMENT_END and start is not None:
            ends[start] = index
            start = None
    return ends


def notes_of(lines: Sequence[str], blocks: Iterable[tuple[int, int]]) -> list[Note]:
    """Return the notes in lines; `blocks` are the comments of several lines among them."""
    notes: list[Note] = []
    ends = dict(blocks)
    at, saved = 0, False
    while at < len(lines):
        line, end = lines[at], ends.get(at)
        if end is not None:
            notes.append((COMMENT, "", tuple(lines[at + 1 : end])))
            at = end + 1
            continue
        of_snapshot = saved and line.strip() and not _SOLUTION.fullmatch(line)
        solution, after = (None, at) if of_snapshot else _solution(lines, at)
        saved = bool(_SAVED.fullmatch(line)) or (saved and (not line.strip() or bool(_MOVES.fullmatch(line))))
        notes.append(solution or _note(line))
        at = after if solution else at + 1
    return notes


def _solution(lines: Sequence[str], at: int) -> tuple[Note | None, int]:
    """Return the solution that begins at a line, if one does, and the line after it."""
    heading = _SOLUTION.fullmatch(lines[at])
    if heading is None:
        after = _end_of_moves(lines, at)
        moves = _joined(lines[at:after])
        sure = len(moves) >= SHORTEST and moves != moves.lower() and moves[1:] != moves[1:].lower()
        return ((SOLUTION, "", moves), after) if sure else (None, at)
    label = "" if _FIGURES.fullmatch(heading[1]) else heading[1]
    if heading[2]:
        if not _MOVES.fullmatch(heading[2]):
            return None, at
        after = _end_of_moves(lines, at + 1)
        return (SOLUTION, label, _joined([heading[2], *lines[at + 1 : after]])), after
    start = at + 1
    while start < len(lines) and not lines[start].strip():
        start += 1
    after = _end_of_moves(lines, start)
    return ((SOLUTION, label, _joined(lines[start:after])), after) if after > start else (None, at)


def _end_of_moves(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and _MOVES.fullmatch(lines[at]):
        at += 1
    return at


def _joined(lines: Iterable[str]) -> str:
    """Return moves of several lines as one text, runs written out."""
    return written_out("".join("".join(lines).split()))[0]


def _note(line: str) -> Note:
    text = line.strip()
    if not text:
        return BLANK, "", ""
    if text[0] in ";:":
        return TEXT, "", text.lstrip(text[0]).strip()
    match = PROPERTY_LINE.fullmatch(line)
    if match is None:
        return TEXT, "", text
    name, value = match[1], match[2] or ""
    return (COMMENT, "", (value,)) if name.lower() == "comment" and value else (PROPERTY, name, value)
