"""OBJECTS: names of objects, their synonyms, colours and pictures of 5 by 5 points."""

from __future__ import annotations

import re

from unpuzzle.translators._puzzlescript.words import COLOURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unpuzzle.translators._puzzlescript.faults import Faults
    from unpuzzle.translators._puzzlescript.text import Line

SIDE = 5
MOST_COLOURS = 10
DIGITS = "0123456789"
"""Of pictures; other characters are digits to Python, too, such as a raised 2."""
_COLOUR = re.compile(r"#[0-9a-f]{6}|#[0-9a-f]{3}|[^\s#]+|#\S*")
_HEXADECIMAL = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})")
_SPRITE = re.compile(r"[.0-9]")
_NAME = re.compile(r"\w+")
_POINTS = re.compile(r"[.0-9]+")


class Thing:
    """An object as it is written: its name, the line it stands on, its colours and the rows of its picture."""

    __slots__ = ("colours", "line", "name", "rows")

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.colours: tuple[str, ...] = ()
        self.rows: tuple[str, ...] = ()


def read_objects(lines: Sequence[Line], faults: Faults) -> tuple[dict[str, Thing], dict[str, str]]:
    """The objects by name, in the order of the text, and the synonyms given beside their names."""
    things: dict[str, Thing] = {}
    synonyms: dict[str, str] = {}
    place = _filled(lines, 0)
    while place < len(lines):
        faults.tick()
        name, *others = lines[place].code.split()
        thing = _named(name, lines[place], things, faults)
        for other in others:
            synonyms[other] = name
        place = _filled(lines, place + 1)
        if place == len(lines):
            faults.error(thing.line, f"the object {name} has no line of colours", name)
            break
        thing.colours = tuple(_colours(lines[place], name, faults))
        thing.rows = tuple(_picture(lines[place + 1 : place + 1 + SIDE], faults))
        place = _filled(lines, place + 1 + len(thing.rows))
        _check_colours(thing, faults)
    return things, synonyms


def _filled(lines: Sequence[Line], place: int) -> int:
    """The next line that is not blank."""
    while place < len(lines) and not lines[place].code.strip():
        place += 1
    return place


def _named(name: str, line: Line, things: dict[str, Thing], faults: Faults) -> Thing:
    thing = Thing(name, line.number)
    if not _NAME.fullmatch(name):
        message = "an object's own name is made of letters, digits and _; other characters may follow it as synonyms"
        faults.error(line.number, message, name)
    if name in things:
        faults.error(line.number, f"the object {name} is defined twice, first on line {things[name].line}", name)
        return things[name]
    things[name] = thing
    return thing


def _colours(line: Line, name: str, faults: Faults) -> list[str]:
    found = _COLOUR.findall(line.code)
    for word in found:
        if word not in COLOURS and not _HEXADECIMAL.fullmatch(word):
            told = f"{word} is no colour, which {name} should have here{faults.unknown(word, COLOURS)}"
            faults.error(line.number, told, word)
            break
    if len(found) > MOST_COLOURS:
        faults.error(line.number, f"{name} has {len(found)} colours: there may be {MOST_COLOURS}", found[MOST_COLOURS])
    return found


def _picture(lines: Sequence[Line], faults: Faults) -> Iterator[str]:
    """The rows of a picture, if the next lines are one."""
    for number, line in enumerate(lines):
        row = line.code.strip()
        if not _SPRITE.match(row):
            if number:
                faults.error(line.number, f"a picture has {SIDE} rows of {SIDE} points; this is row {number + 1}", row)
            return
        points = _POINTS.match(row)
        if points is None or points[0] != row or len(row) != SIDE:
            faults.error(line.number, f"a row of a picture is {SIDE} characters, each a dot or a digit", row)
        yield row


def _check_colours(thing: Thing, faults: Faults) -> None:
    used = {char for row in thing.rows for char in row if char in DIGITS}
    for char in sorted(used):
        if int(char) >= len(thing.colours):
            has = f"it has {len(thing.colours)}"
            faults.warning(thing.line, f"the picture of {thing.name} uses colour {char}, but {has}")
            return
