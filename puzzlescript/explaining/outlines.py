"""The parts of a game's text: sections, objects, groups of rules, levels with their numbers, and messages."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects
from unpuzzle.puzzlescript.compiling.sections import read_levels
from unpuzzle.puzzlescript.compiling.text import PRELUDE, Line, heading_of, sections_of

SECTION, OBJECT, RULE, LEVEL, MESSAGE = "section", "object", "rule", "level", "message"


class Part(NamedTuple):
    """A part: its name and kind, first and last line from 1, details, and parts inside; `level` names a level."""

    name: str
    kind: str
    line: int
    end_line: int
    detail: str = ""
    inside: tuple[Part, ...] = ()
    level: str = ""


def outline(text: str) -> list[Part]:
    """Return the sections of a text in their order, with their parts."""
    faults = Faults(text)
    sections = sections_of(text, faults)
    things, synonyms = read_objects(sections["objects"], faults)
    names = read_names(things, synonyms, sections["legend"], sections["collisionlayers"], faults)
    lines = text.split("\n")
    insides = {
        "objects": [
            Part(lines[thing.line - 1].strip(), OBJECT, thing.line, thing.line, " ".join(thing.colours))
            for thing in things.values()
        ],
        "rules": [Part(line.original.strip(), RULE, line.number, line.number) for line in sections["rules"]],
        "levels": _levels(sections["levels"], read_levels(sections["levels"], names, (0, 0), faults)),
    }
    starts = _starts(lines, list(sections))
    result = []
    for (name, line), (_, after) in pairwise([*starts, ("", len(lines) + 2)]):
        inside = tuple(_with_ends(insides.get(name, []), after - 1))
        result.append(
            Part(name.upper(), SECTION, line, max(line, after - 2), f"{len(inside)}" if inside else "", inside)
        )
    return result


def _starts(lines: list[str], names: list[str]) -> list[tuple[str, int]]:
    """Return the lines of the sections' headings."""
    starts, free = [], set(names) - {PRELUDE}
    for number, line in enumerate(lines, 1):
        name = heading_of(line)
        if name in free and line.strip().lower() == name:
            free.discard(name)
            starts.append((name, number))
    return starts


def _with_ends(parts: list[Part], end: int) -> list[Part]:
    """Return parts with their last lines: up to the next one, or to the end of the section."""
    after = [*(part.line - 1 for part in parts[1:]), end - 2]
    return [part._replace(end_line=max(part.end_line, last)) for part, last in zip(parts, after, strict=False)]


def _levels(lines: list[Line], levels: tuple[object, ...]) -> list[Part]:
    """Return levels and messages; both are counted, from 0."""
    parts = []
    for number, level in enumerate(levels):
        line, width, height, words = level.line, level.width, level.height, level.text  # type: ignore[attr-defined]
        if width:
            size = f"{width} × {height}"
            parts.append(Part(f"level {number}", LEVEL, line, line + height - 1, size, (), str(number)))
        else:
            parts.append(Part(words or "message", MESSAGE, line, line))
    return parts
