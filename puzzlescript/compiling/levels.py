"""LEVELS: rows of characters, each of which stands for an object or an aggregate; and messages between levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from unpuzzle.puzzlescript.compiling.compiled import Level
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.text import Line

MOST_CELLS = 1_000_000
"""Of a board; the largest that is known has 51,150."""


def read_levels(lines: Sequence[Line], names: Names, ground: tuple[int, int], faults: Faults) -> tuple[Level, ...]:
    """Return all levels and messages; `ground` is the background layer and the background, as sets."""
    levels: list[Level] = []
    rows: list[Line] = []
    titled = False
    for line in faults.each(lines):
        if line.stray:
            continue
        code = line.code.strip()
        message = code.startswith("message")
        if message and (code[7:8].isalnum() or code[7:8] == "_"):
            faults.warning(line.number, "this is read as a message: a blank belongs after the word `message`")
        title = not rows and _is_title(code, names)
        if rows and (message or not code):
            levels.append(_level(rows, names, ground, faults))
            rows = []
        if message:
            levels.append(Level(0, 0, (), line.written.strip()[7:].strip(), line.number))
        elif title and not titled:
            what = f"lines such as `{code.split()[0]} ...` name levels in the dialect PuzzleScript Plus"
            faults.error(line.number, f"{what}: they are left out", 1)
        elif code and not title:
            rows.append(line)
        titled = titled or title
    if rows:
        levels.append(_level(rows, names, ground, faults))
    return tuple(levels)


def _is_title(code: str, names: Names) -> bool:
    """Return whether a line names what follows, as another dialect has it: no row of glyphs could read so."""
    word, _, rest = code.partition(" ")
    return word in ("section", "level") and bool(rest) and not all(char in names.glyphs for char in code)


def _level(rows: Sequence[Line], names: Names, ground: tuple[int, int], faults: Faults) -> Level:
    texts = [row.code.strip() for row in rows]
    width = len(texts[0])
    for row, text in zip(rows, texts, strict=True):
        if len(text) != width:
            faults.warning(row.number, f"this row has {len(text)} cells, the first one has {width}")
    if len(texts) * width > MOST_CELLS:
        size = f"{len(texts):,} rows and {width:,} columns"
        faults.fatal(rows[0].number, f"a level of {size}: it may have {MOST_CELLS:,} cells")
        return Level(0, 0, (), "", rows[0].number)

    strange: list[tuple[int, int]] = []

    def unknown(char: str, row: int, column: int) -> None:
        reason = "stands for any of several objects (or)" if char in names.properties else "is not in the legend"
        faults.error(rows[row].number, f"the character {char} {reason}", char)
        strange.append((column, row))

    cells = cells_of(texts, names.glyphs, unknown)
    if strange:  # PuzzleScript reads no further, and puts no background there
        place = strange[0][0] * len(texts) + strange[0][1]
        cells = [*cells[:place], *[0] * (len(cells) - place)]
        return Level(width, len(texts), tuple(cells), "\n".join(texts), rows[0].number)
    return Level(width, len(texts), with_background(cells, *ground), "\n".join(texts), rows[0].number)


def cells_of(rows: Sequence[str], glyphs: Mapping[str, int], unknown: Callable[[str, int, int], None]) -> list[int]:
    """Return the cells of rows of glyphs, column by column.

    The first row gives the width; the last glyph of a row that is too short is repeated. `unknown` is told of
    characters that are no glyphs, with their row and column.
    """
    try:
        return [glyphs[char] for column in zip(*rows, strict=True) for char in column]
    except (KeyError, ValueError):  # not all are glyphs, or rows are of different lengths
        return list(_cells(rows, glyphs, unknown))


def _cells(rows: Sequence[str], glyphs: Mapping[str, int], unknown: Callable[[str, int, int], None]) -> Iterator[int]:
    for column in range(len(rows[0])):
        for number, row in enumerate(rows):
            char = row[column] if column < len(row) else row[-1]
            if char not in glyphs:
                unknown(char, number, column)
            yield glyphs.get(char, 0)


def with_background(cells: Sequence[int], layer: int, background: int) -> tuple[int, ...]:
    """Give every cell an object of the background layer: its own, or else that of the first cell with one."""
    filler = next((cell & layer for cell in cells if cell & layer), background)
    return tuple([cell if cell & layer else cell | filler for cell in cells])


def background_of(names: Names) -> tuple[int, int]:
    """Return the background layer, and the object that stands for the background, as sets."""
    members = names.members("background")
    if not members or members[0] not in names.layer_of:
        return 0, 0
    return names.layers[names.layer_of[members[0]]], 1 << names.number[members[0]]
