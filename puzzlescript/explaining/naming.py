"""Places that name something in a game's text, and new names.

    mentions(text)                   every place that names an object or a name of the legend, in the order of the text
    require_same(text, old, new)     refuse a new name with which the game would not stay the same

A place counts if the compiler takes it for a name: no word of a comment, a message or a title does, nor a word of
PuzzleScript. In LEVELS, each character names something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from unpuzzle.errors import UsageError
from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.compiler import compile_text
from unpuzzle.puzzlescript.compiling.faults import Faults, GivenUpError
from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.objects import places_of_names
from unpuzzle.puzzlescript.compiling.rule_text import COMMANDS, WORDS
from unpuzzle.puzzlescript.compiling.sections import EVENTS, HAPPENINGS, QUANTIFIERS, is_title
from unpuzzle.puzzlescript.compiling.text import SECTIONS, Line
from unpuzzle.puzzlescript.explaining.telling import ReadText

RESERVED = frozenset(
    (
        *WORDS,
        *COMMANDS,
        *SECTIONS,
        *EVENTS,
        *HAPPENINGS,
        *QUANTIFIERS,
        *"and or on late rigid startloop endloop".split(),
    )
)
NEEDED = ("player", "background")
_NAME = re.compile(r"\w+|[^\s\w()\[\]|=,+<>^]")
_PARTS = {
    "legend": re.compile(r"[^\s)=]+"),
    "sounds": re.compile(r"[^\s)]+"),
    "collisionlayers": re.compile(r"\w+"),
    "rules": re.compile(r"->|[\[\]|]|(?:(?!->)[^\s\[\]|])+"),
    "winconditions": re.compile(r"\S+"),
    "levels": re.compile(r"\S"),
}
"""By section, what may be a name in a line."""


class Mention(NamedTuple):
    """A place that names something: the name in lower case, and where it begins and ends in the text."""

    name: str
    start: int
    end: int
    declares: bool = False


def mentions(text: str) -> list[Mention]:
    """Return every place that names something; none for a text that is too large to be understood."""
    try:
        source = ReadText(text)
    except GivenUpError:
        return []
    lines = text.removeprefix("\ufeff").split("\n")
    starts = list(accumulate([len(line) + 1 for line in lines], initial=len(text) - len("\n".join(lines))))
    found = [
        Mention(line.code[start:end], starts[line.number - 1] + start, starts[line.number - 1] + end, declares)
        for section, members in source.sections.items()
        for line, start, end, declares in _places(section, members, source.names)
    ]
    return [
        each for each in found if source.names.defines(each.name) and text[each.start : each.end].lower() == each.name
    ]


def _places(section: str, lines: list[Line], names: Names) -> Iterator[tuple[Line, int, int, bool]]:
    """Yield the places of a section where a name may stand: line, start, end, and whether it declares the name."""
    if section == "objects":
        yield from [(line, start, end, True) for line, start, end in places_of_names(lines)]
    for line in lines if section in _PARTS else ():
        matches = list(_PARTS[section].finditer(line.code))
        chosen = _CHOICES[section](line, [match[0] for match in matches], names)
        yield from [
            (line, *matches[at].span(), section == "legend" and at == chosen[0]) for at in chosen if at < len(matches)
        ]


def _of_legend(line: Line, words: list[str], names: Names) -> list[int]:
    kept = [at for at, word in enumerate(words) if word not in SECTIONS]
    return [] if line.code.endswith(")") else [at for number, at in enumerate(kept) if not number or number % 2]


def _of_sounds(line: Line, words: list[str], names: Names) -> list[int]:
    return [at for at, word in enumerate(words) if word not in RESERVED and not word.isdigit()]


def _of_rules(line: Line, words: list[str], names: Names) -> list[int]:
    if line.stray or "[" not in words:
        return []
    first = words.index("[")
    free = [at for at, word in enumerate(words) if word == "message" and at > first and not names.defines(word)]
    return [at for at in range(first, free[0] if free else len(words)) if words[at] not in WORDS]


def _of_levels(line: Line, words: list[str], names: Names) -> list[int]:
    code = line.code.strip()
    is_text = line.stray or code.startswith("message") or is_title(code, names)
    return [] if is_text else list(range(len(words)))


_CHOICES = {
    "legend": _of_legend,
    "sounds": _of_sounds,
    "collisionlayers": lambda line, words, names: [at for at, word in enumerate(words) if word not in SECTIONS],
    "rules": _of_rules,
    "winconditions": lambda line, words, names: [] if line.stray else [1, 3],
    "levels": _of_levels,
}
"""For each section, the function that finds the names in a line; it returns the positions of these words."""


def require_same(text: str, old: str, new: str) -> None:
    """Raise UsageError unless the game stays the same if every mention of a name gets the new name.

    Both texts are compiled and compared.
    """
    old, lower = old.lower(), new.lower()
    found = mentions(text)
    _require_possible(old, new, {each.name for each in found})
    before, faults = _compiled(text)
    if before is None:
        raise UsageError(
            "names can be changed when the game can be compiled: it has an error that must be mended first"
        )
    after, faults_after = _compiled(renamed(text, found, old, new))
    is_glyph = len(old) == len(lower) == 1
    if (
        faults != faults_after
        or after is None
        or _named(after, lower, old, is_glyph) != _named(before, old, old, is_glyph)
    ):
        raise UsageError(f"the game would not stay the same with the name {new}{_hint(old, new)}")


def renamed(text: str, places: list[Mention], old: str, new: str) -> str:
    """Return a text with a new name at those of the places that have the old one."""
    end, parts = 0, []
    for each in sorted(places, key=lambda each: each.start):
        if each.name == old:
            parts += [text[end : each.start], new]
            end = each.end
    return "".join([*parts, text[end:]])


def _require_possible(old: str, new: str, taken: set[str]) -> None:
    lower = new.lower()
    if not _NAME.fullmatch(new):
        raise UsageError(f"{new!r} is not a name: a name consists of letters, digits and _, or is one other character")
    if lower in RESERVED:
        raise UsageError(f"{new!r} is a word of PuzzleScript")
    if lower != old and lower in taken:
        raise UsageError(f"there is a name {new} already")
    if lower != old and old in NEEDED:
        raise UsageError(f"every game needs the name {old}")


def _hint(old: str, new: str) -> str:
    """Return a probable reason why a game would not stay the same."""
    if not new.isidentifier() and not new.isdigit():
        return ": in OBJECTS and COLLISIONLAYERS, a name consists of letters, digits and _"
    return ": in LEVELS, a name is one character" if len(old) == 1 < len(new) else ""


def _compiled(text: str) -> tuple[Compiled | None, list[tuple[int, str, str]]]:
    """Return the game of a text, and its faults without their sentences."""
    faults = Faults(text, None)
    game = compile_text(text, faults)
    return game, [(fault.line, fault.severity, fault.code) for fault in faults.listed]


def _named(game: Compiled, name: str, other: str, is_glyph: bool) -> Compiled:
    """Return a game with another name in place of a name. A glyph changes in levels, too; a longer name is no glyph."""

    def changed(word: str) -> str:
        return other if word == name else word

    glyphs = [(changed(glyph), objects) for glyph, objects in game.glyphs if is_glyph or glyph != name]
    levels = [level._replace(text=level.text.replace(name, other)) if is_glyph else level for level in game.levels]
    return game._replace(objects=tuple(map(changed, game.objects)), glyphs=tuple(glyphs), levels=tuple(levels))
