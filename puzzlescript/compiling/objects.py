"""The section OBJECTS of a game: the name, synonyms, colours and 5 × 5 picture of each object.

An object is a line of names, a line of colours, and five rows of five points, in this order. A blank line, or the last
point of a whole picture, ends an object. So what follows the 25th point on its line is a synonym, a sixth row that
begins with a dot is ignored, and so is a picture after a blank line whose rows begin with dots, as in PuzzleScript.

The palettes, chosen by the option `color_palette NAME`, come from PuzzleScript (Stephen Lavelle, 2013, MIT licence), so
that its games look the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from unpuzzle.base.run import within_limits
from unpuzzle.puzzlescript.compiling.compiled import Sprite
from unpuzzle.puzzlescript.compiling.text import KEYWORDS, SECTIONS, FaultCollector, SourceLine

COLOURS = frozenset(
    "black white grey gray darkgrey darkgray lightgrey lightgray red darkred lightred brown darkbrown lightbrown "
    "orange yellow green darkgreen lightgreen blue lightblue darkblue purple pink transparent".split()
)
SIDE = 5
MOST_COLOURS = 10
DIGITS = "0123456789"
"""The digits of pictures; Python also counts others as digits, such as a raised 2."""
POINTS = DIGITS + "."
_COLOUR = re.compile(rf"{'|'.join(sorted(COLOURS))}|#[0-9a-f]{{6}}|#[0-9a-f]{{3}}")
_NAME = re.compile(r"\w+")
_WORD = re.compile(r"[^\s()]+")
_BETWEEN = re.compile(r"[\s)]*")
_PASSED_OVER = re.compile(rf"(?:[\s)]|(?:{'|'.join(SECTIONS)})(?!\w))*")
"""Names of sections have no meaning except at the beginning of a line."""


class ScriptObject:
    """An object as written in the section OBJECTS: its name, line, colours, and the rows of its picture."""

    __slots__ = ("colours", "line", "name", "rows")

    def __init__(self, name: str, line: int) -> None:
        self.name: str = name
        self.line: int = line
        self.colours: tuple[str, ...] = ()
        self.rows: tuple[str, ...] = ()


def read_objects(lines: Sequence[SourceLine], faults: FaultCollector) -> tuple[dict[str, ScriptObject], dict[str, str]]:
    """Return the objects by name, in the order of the text, and a map from synonyms to objects."""
    reader = _Reader(faults)
    for line in within_limits(lines):
        reader.take(line)
    for thing in reader.things.values():
        reader.check(thing)
    return reader.things, reader.synonyms


def places_of_names(lines: Sequence[SourceLine]) -> list[tuple[SourceLine, int, int]]:
    """Return the line, start and end of each name in the section OBJECTS, where it is defined."""
    reader = _Reader(FaultCollector(""))
    for line in lines:
        reader.take(line)
    return reader.places


_NAMES, _MORE_NAMES, _COLOURS, _PICTURE = range(4)
"""The next item: an object, more of its names, its colours, its picture."""


class _Reader:
    """A parser of the section OBJECTS; `stage` is the part of an object that it expects next."""

    def __init__(self, faults: FaultCollector) -> None:
        self.faults = faults
        self.things: dict[str, ScriptObject] = {}
        self.synonyms: dict[str, str] = {}
        self.thing = ScriptObject("", 0)
        self.stage = _NAMES
        self.rows: list[str] = []
        self.places: list[tuple[SourceLine, int, int]] = []

    def take(self, line: SourceLine) -> None:
        """Read one line of the section."""
        code = line.code
        if not code.strip():
            self._end(line)
            return
        first = not line.stray
        if first and self.stage in (_MORE_NAMES, _COLOURS):
            self.stage += 1
        place = _after(_BETWEEN if first else _PASSED_OVER, code, 0)
        while place < len(code):
            if self.stage == _COLOURS:
                place = self._colour(line, place)
            elif self.stage == _PICTURE and (code[place] in POINTS or self.rows):
                place = self._point(line, place, first)
            else:
                place = self._name(line, place, first)
            place, first = _after(_PASSED_OVER, code, place), False

    def _end(self, line: SourceLine) -> None:
        """End the current object at a blank line."""
        if self.stage == _PICTURE and self.rows:
            message = f"a picture must have {SIDE} rows of {SIDE} points; this one has {len(self.rows)}"
            self.faults.warning("script-object", line.number - 1, message)
        self.stage = _NAMES

    def _name(self, line: SourceLine, place: int, first: bool) -> int:
        """Read the name of an object, or a synonym after it."""
        self.rows = []
        match = (_NAME if first else _WORD).match(line.code, place)
        if match is None:
            message = "this is ignored: an object's own name begins with letters, digits or _"
            self.faults.warning("script-object", line.number, message, line.code[place:].strip())
            return len(line.code)
        if first and match[0] in self.things:  # what follows belongs to the object before
            message = f"the object {match[0]} is defined twice, first on line {self.things[match[0]].line}"
            self.faults.error("script-defined-twice", line.number, message, match[0])
            return match.end()
        if match[0] in KEYWORDS:
            self.faults.keyword(line.number, match[0])
        (self._begin if first else self._add_synonym)(match[0], line)
        self.stage = _MORE_NAMES
        self.places.append((line, *match.span()))
        return match.end()

    def _begin(self, name: str, line: SourceLine) -> None:
        self.things[name] = self.thing = ScriptObject(name, line.number)
        if name in self.synonyms:
            self.faults.error("script-defined-twice", line.number, f"the name {name} is defined already", name)

    def _add_synonym(self, name: str, line: SourceLine) -> None:
        """Add a synonym of the current object, unless an object has this name."""
        if not self.thing.name:
            return
        if name in self.things or name in self.synonyms:
            self.faults.error("script-defined-twice", line.number, f"the name {name} is defined already", name)
        if name in self.things:
            return
        self.synonyms[name] = self.thing.name
        if self.thing.colours:
            picture = f"it follows a whole picture of {SIDE} by {SIDE} points"
            message = f"{name} becomes a synonym of {self.thing.name}: {picture}"
            self.faults.warning("script-object", line.number, message, name)

    def _colour(self, line: SourceLine, place: int) -> int:
        """Read the colour at index `place` of a line; return the index after the colour."""
        match = _COLOUR.match(line.code, place)
        thing = self.thing
        if match is None:
            words = line.code[place:].split()
            hint = self.faults.unknown(words[0], COLOURS)
            message = f"the colours of {thing.name} must be here, but {words[0]} is not a colour{hint}"
            self.faults.error("script-colour", line.number, message, words[0])
            self.faults.counted(
                line.number, "colours", len({*takewhile(_NAME.match, words[:-1])}) + (not thing.colours)
            )
            thing.colours = (*thing.colours, *words[:MOST_COLOURS])
            return len(line.code)
        if len(thing.colours) >= MOST_COLOURS:
            self.faults.error(
                "script-colour", line.number, f"{thing.name} has more colours than {MOST_COLOURS}", place + 1
            )
            return len(line.code)
        thing.colours = (*thing.colours, match[0])
        return match.end()

    def _point(self, line: SourceLine, place: int, first: bool) -> int:
        """Read a character of a picture; return the index after it, or the end of the line if it is wrong."""
        char = line.code[place]
        if char not in POINTS:
            row = f"a row of a picture must be {SIDE} characters, each a dot or a digit"
            rows = f"a picture must have {SIDE} rows of {SIDE} points; this is row {len(self.rows) + 1}"
            self.faults.error("script-picture", line.number, rows if first else row, line.code.strip())
            return len(line.code)
        if first or not self.rows:
            self.rows.append("")
        self.rows[-1] += char
        if len(self.rows[-1]) > SIDE:
            message = f"a row of a picture must be {SIDE} characters, each a dot or a digit; this one is longer"
            self.faults.warning("script-picture", line.number, message, line.code.strip())
            return len(line.code)
        if len(self.rows) <= SIDE:
            self.thing.rows = tuple(self.rows)
        if len(self.rows) == len(self.rows[-1]) == SIDE:
            self.stage = _NAMES
        return place + 1

    def check(self, thing: ScriptObject) -> None:
        """Report objects with missing parts, after all lines are read."""
        if not thing.colours:
            self.faults.error(
                "script-colour", thing.line, f"the object {thing.name} has no line of colours", thing.name
            )
        short = [row for row in thing.rows if len(row) != SIDE]
        if short:
            message = f"the picture of {thing.name} has a row whose number of points is {len(short[0])}, not {SIDE}"
            self.faults.warning("script-picture", thing.line, message)
        valid = sum(1 for colour in thing.colours if _COLOUR.fullmatch(colour))
        for number, row in enumerate(thing.rows):
            for char in {char for char in row if char in DIGITS and int(char) >= valid}:
                self.faults.counted(thing.line, f"colour {char} in row {number}")
        missing = [char for row in thing.rows for char in row if char in DIGITS and int(char) >= len(thing.colours)]
        if missing:
            message = f"the picture of {thing.name} uses colour {min(missing)}, but it has {len(thing.colours)}"
            self.faults.warning("script-picture", thing.line, message)


def _after(pattern: re.Pattern[str], code: str, place: int) -> int:
    """Return where a pattern's match at index `place` ends; `place` itself if the pattern does not match there."""
    match = pattern.match(code, place)
    return match.end() if match else place


DEFAULT = "arnecolors"
TRANSPARENT = ""
"""The value for no colour at all."""
SCREEN = "black"
"""The default background colour of the screen."""

with open(os.path.join(os.path.dirname(__file__), "palettes.txt"), encoding="ascii") as _file:
    _ROWS = [line.split() for line in _file]
NAMES: list[str] = _ROWS[0][1:]
PALETTES: Mapping[str, dict[str, str]] = {
    row[0]: {n: f"#{code}" for n, code in zip(NAMES, row[1:], strict=True)} for row in _ROWS[1:]
}
"""By palette, by name of a colour: the colour as `#rrggbb`. They are in the order of their numbers, from 1."""


def sprites_of(things: Iterable[ScriptObject], settings: Mapping[str, str]) -> tuple[Sprite, ...]:
    """Return the picture of each object; an object without a picture is a square in its first colour."""
    palette = palette_of(settings.get("color_palette", ""))
    return tuple([_sprite(thing, [colour_of(word, palette) for word in thing.colours]) for thing in things])


def screen_of(settings: Mapping[str, str]) -> str:
    """Return the background colour that the prelude sets for the screen."""
    palette = palette_of(settings.get("color_palette", ""))
    return colour_of(settings.get("background_color", SCREEN).strip(), palette) or palette[SCREEN]


def _sprite(thing: ScriptObject, colours: list[str]) -> Sprite:
    if not thing.rows:
        first = colours[0] if colours else TRANSPARENT
        return ((first,) * SIDE,) * SIDE
    rows = [row[:SIDE].ljust(SIDE, ".") for row in thing.rows] + ["." * SIDE] * (SIDE - len(thing.rows))
    colour_by_digit = dict(zip(DIGITS, colours, strict=False))  # of a digit without one the game was warned
    return tuple([tuple([colour_by_digit.get(char, TRANSPARENT) for char in row]) for row in rows])


def palette_of(name: str) -> dict[str, str]:
    """Return the colour palette with a name or number; the default palette if there is none."""
    return PALETTES.get(_palette_name(name), PALETTES[DEFAULT])


def is_palette(name: str) -> bool:
    return _palette_name(name) in PALETTES


def _palette_name(name: str) -> str:
    name = name.lower()
    return dict(zip(map(str, range(1, len(PALETTES) + 1)), PALETTES, strict=True)).get(name.lstrip("0"), name)


def colour_of(word: str, palette: dict[str, str]) -> str:
    """Convert the name of a colour, `#rgb` or `#rrggbb` to `#rrggbb`; return `TRANSPARENT` for other words."""
    word = word.lower().replace("gray", "grey")
    if word in palette:
        return palette[word]
    code = word[1:] if word.startswith("#") else ""
    if len(code) == 3:
        code = "".join([digit * 2 for digit in code])
    return f"#{code}" if len(code) == 6 and set(code) <= set("0123456789abcdef") else TRANSPARENT
