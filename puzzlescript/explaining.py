"""Functions for editors: explanations of names and rules in the text of a game, and renaming of names.

A place is an object with its picture, a name of the legend, a glyph, or a rule, which is expanded as the compiler does:
to a rule for each direction and each choice of its words. Both read as much as they need, and accept texts with any
faults.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import accumulate, islice
from typing import NamedTuple

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import count
from unpuzzle.puzzlescript.compiling.choices import Directed, TooManyError, choices_of
from unpuzzle.puzzlescript.compiling.compiled import Compiled, Sprite, bits
from unpuzzle.puzzlescript.compiling.compiler import compile_text
from unpuzzle.puzzlescript.compiling.names import ObjectNames, read_names
from unpuzzle.puzzlescript.compiling.objects import places_of_names, read_objects, sprites_of
from unpuzzle.puzzlescript.compiling.rule_text import COMMANDS, WORDS, Rows, read_rules
from unpuzzle.puzzlescript.compiling.sections import EVENTS, HAPPENINGS, QUANTIFIERS, is_title, read_prelude
from unpuzzle.puzzlescript.compiling.text import SECTIONS, FaultCollector, GivenUpError, SourceLine, sections_of

MOST_RULES = 20
"""The largest number of expanded rules shown."""
POINT = 12
"""Side of a point of a picture, in pixels."""
_WORD = re.compile(r"[^\s\[\]|,]+")


class Told(NamedTuple):
    """An explanation, in Markdown, of a part of a line; columns count from 1, and the end is exclusive."""

    text: str
    line: int
    column: int
    end_column: int


class ReadText:
    """The sections, the names and the faults of a game's text."""

    def __init__(self, text: str) -> None:
        self.faults = FaultCollector(text)
        self.sections = sections_of(text, self.faults)
        _, self.settings = read_prelude(self.sections["prelude"], self.faults)
        things, synonyms = read_objects(self.sections["objects"], self.faults)
        legend, layers = self.sections["legend"], self.sections["collisionlayers"]
        self.names: ObjectNames = read_names(things, synonyms, legend, layers, self.faults)

    def line(self, number: int) -> tuple[str, SourceLine | None]:
        """Return the section of a line, and the line without comments; ("", None) for a line in no section."""
        for section, lines in self.sections.items():
            for line in lines:
                if line.number == number:
                    return section, line
        return "", None


def told(text: str, line: int, column: int) -> Told | None:
    """Explain the word or rule at a line and column, counted from 1; return None if there is none."""
    source = ReadText(text)
    section, code = source.line(line)
    if code is None:
        return None
    if section == "levels":
        return _glyph(source.names, code, column)
    match = next((m for m in _WORD.finditer(code.code) if m.start() < column <= m.end() + 1), None)
    if match is not None and source.names.defines(match[0]):
        return Told(_name(source, match[0]), line, match.start() + 1, match.end() + 1)
    if section == "rules":
        start = len(code.code) - len(code.code.lstrip())
        return Told(_rule(source, code), line, start + 1, len(code.code.rstrip()) + 1)
    return None


def _glyph(names: ObjectNames, line: SourceLine, column: int) -> Told | None:
    """Explain a character of a level by the objects that it stands for."""
    glyph = line.code[column - 1 : column]
    if line.code.strip().startswith("message") or glyph not in names.glyphs:
        return None
    things = [names.objects[number] for number in bits(names.glyphs[glyph])]
    return Told(f"`{glyph}` is {' and '.join(things) or 'nothing'}", line.number, column, column + 1)


def _name(source: ReadText, name: str) -> str:
    """Explain a name, in Markdown, with a picture if it is an object."""
    names = source.names
    if name in names.aggregates:
        return f"**{name}** is all of {', '.join(names.aggregates[name])} in one cell"
    if name in names.properties:
        return f"**{name}** is any of {', '.join(names.properties[name])}"
    thing = names.things[names.synonyms.get(name, name)]
    layer = names.layer_of.get(thing.name)
    lies = "in no collision layer" if layer is None else f"in collision layer {layer + 1} of {len(names.layers)}"
    first = f"**{name}** is {thing.name}, {lies}" if name in names.synonyms else f"**{name}**, an object {lies}"
    [sprite] = sprites_of([thing], source.settings)
    glyphs = [glyph for glyph, mask in names.glyphs.items() if mask >> names.number.get(thing.name, 0) & 1]
    written = f"in levels: {' '.join(f'`{glyph}`' for glyph in glyphs[:10])}" if glyphs and layer is not None else ""
    rows = "\n".join(["".join([letter * 2 for letter in row]) for row in thing.rows])
    drawn = f"```text\n{rows}\n```" if rows else ""
    parts = [first, _image(thing.name, sprite), drawn, f"colours: {', '.join(thing.colours)}", written]
    return "\n\n".join([part for part in parts if part])


def _image(name: str, sprite: Sprite) -> str:
    """Return the picture of an object as a Markdown image that contains its data."""
    points = "".join(
        f'<rect x="{x * POINT}" y="{y * POINT}" width="{POINT}" height="{POINT}" fill="{colour}"/>'
        for y, row in enumerate(sprite)
        for x, colour in enumerate(row)
        if colour
    )
    side = POINT * len(sprite)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">{points}</svg>'
    return f"![{name}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


def _rule(source: ReadText, line: SourceLine) -> str:
    """Explain a rule by listing the rules to which it expands."""
    rules, _ = read_rules([line], source.names, source.faults)
    if not rules:
        return "this line is not a rule that can be played"
    try:
        choices = list(islice(choices_of(rules[0], source.names, source.faults), 10_000))
    except TooManyError as error:
        return str(error)
    shown = "\n".join(map(_written, choices[:MOST_RULES]))
    more = f"\n\nand {len(choices) - MOST_RULES:,} more" if len(choices) > MOST_RULES else ""
    late = "late, when all has moved: " if rules[0].late else ""
    return f"{late}{count(len(choices), 'rule')}\n\n```text\n{shown}\n```{more}"


def _written(rule: Directed) -> str:
    arrow = f" -> {_side(rule.right)}" if rule.right else " ->"
    commands = " ".join(rule.source.commands)
    return f"{rule.direction} {_side(rule.left)}{arrow}{f' {commands}' if commands else ''}"


def _side(rows: Rows) -> str:
    return " ".join([f"[ {' | '.join(_cells(row))} ]" for row in rows])


def _cells(row: tuple[tuple[tuple[str, str], ...], ...]) -> Iterator[str]:
    for cell in row:
        yield " ".join([name if word == name else f"{word} {name}".strip() for word, name in cell])


# Places that name something in a game's text, and new names.
#
#     mentions(text)                   every place that names an object or a name of the legend, in their order
#     require_same(text, old, new)     refuse a new name with which the game would not stay the same
#
# A place counts if the compiler takes it for a name: no word of a comment, a message or a title does, nor a word of
# PuzzleScript. In LEVELS, each character names something.

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
"""By section, the pattern of possible names in a line."""


class Mention(NamedTuple):
    """An occurrence of a name in a text: the name in lower case, and its start and end offsets."""

    name: str
    start: int
    end: int
    declares: bool = False


def mentions(text: str) -> list[Mention]:
    """Return all occurrences of names in a game's text; an empty list if the text cannot be compiled."""
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


def _places(section: str, lines: list[SourceLine], names: ObjectNames) -> Iterator[tuple[SourceLine, int, int, bool]]:
    """Yield the words in a section that may be names: line, start, end, and True if the word declares a name."""
    if section == "objects":
        yield from [(line, start, end, True) for line, start, end in places_of_names(lines)]
    for line in lines if section in _PARTS else ():
        matches = list(_PARTS[section].finditer(line.code))
        chosen = _CHOICES[section](line, [match[0] for match in matches], names)
        yield from [
            (line, *matches[at].span(), section == "legend" and at == chosen[0]) for at in chosen if at < len(matches)
        ]


def _of_legend(line: SourceLine, words: list[str], names: ObjectNames) -> list[int]:
    kept = [at for at, word in enumerate(words) if word not in SECTIONS]
    return [] if line.code.endswith(")") else [at for number, at in enumerate(kept) if not number or number % 2]


def _of_sounds(line: SourceLine, words: list[str], names: ObjectNames) -> list[int]:
    return [at for at, word in enumerate(words) if word not in RESERVED and not word.isdigit()]


def _of_rules(line: SourceLine, words: list[str], names: ObjectNames) -> list[int]:
    if line.stray or "[" not in words:
        return []
    first = words.index("[")
    free = [at for at, word in enumerate(words) if word == "message" and at > first and not names.defines(word)]
    return [at for at in range(first, free[0] if free else len(words)) if words[at] not in WORDS]


def _of_levels(line: SourceLine, words: list[str], names: ObjectNames) -> list[int]:
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
    """Raise UsageError if renaming `old` to `new` would change the game.

    Both texts are compiled and compared.
    """
    old, lower = old.lower(), new.lower()
    found = mentions(text)
    _require_possible(old, new, {each.name for each in found})
    before, faults = _compiled(text)
    if before is None:
        raise UsageError("names can be changed only in a game that can be compiled: correct its error first")
    after, faults_after = _compiled(renamed(text, found, old, new))
    is_glyph = len(old) == len(lower) == 1
    if (
        faults != faults_after
        or after is None
        or _named(after, lower, old, is_glyph) != _named(before, old, old, is_glyph)
    ):
        raise UsageError(f"the game would not stay the same with the name {new}{_hint(old, new)}")


def renamed(text: str, places: list[Mention], old: str, new: str) -> str:
    """Return the text of a game in which a new name replaces a name everywhere."""
    end, parts = 0, []
    for each in sorted(places, key=lambda each: each.start):
        if each.name == old:
            parts += [text[end : each.start], new]
            end = each.end
    return "".join([*parts, text[end:]])


def _require_possible(old: str, new: str, taken: set[str]) -> None:
    """Raise UsageError if a name cannot be renamed to the name `new`."""
    lower = new.lower()
    if not _NAME.fullmatch(new):
        raise UsageError(f"{new!r} is not a name: a name consists of letters, digits and _, or is one other character")
    if lower in RESERVED:
        raise UsageError(f"{new!r} is a reserved word of PuzzleScript and cannot be a name")
    if lower != old and lower in taken:
        raise UsageError(f"the name {new} is already used")
    if lower != old and old in NEEDED:
        raise UsageError(f"every game needs the name {old}, so this name cannot be changed")


def _hint(old: str, new: str) -> str:
    """Return a probable reason why renaming changes the game, as the end of a message; empty if unknown."""
    if not new.isidentifier() and not new.isdigit():
        return ": in OBJECTS and COLLISIONLAYERS, a name consists of letters, digits and _"
    return ": in LEVELS, a name is one character" if len(old) == 1 < len(new) else ""


def _compiled(text: str) -> tuple[Compiled | None, list[tuple[int, str, str]]]:
    """Compile a game's text; return the game, and its faults without their messages."""
    faults = FaultCollector(text, None)
    game = compile_text(text, faults)
    return game, [(fault.line, fault.severity, fault.code) for fault in faults.listed]


def _named(game: Compiled, name: str, other: str, is_glyph: bool) -> Compiled:
    """Return a compiled game in which one name is replaced by another; if `is_glyph`, in its levels, too."""

    def changed(word: str) -> str:
        return other if word == name else word

    glyphs = [(changed(glyph), objects) for glyph, objects in game.glyphs if is_glyph or glyph != name]
    levels = [level._replace(text=level.text.replace(name, other)) if is_glyph else level for level in game.levels]
    return game._replace(objects=tuple(map(changed, game.objects)), glyphs=tuple(glyphs), levels=tuple(levels))
