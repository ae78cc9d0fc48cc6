"""LEVELS: rows of characters, each of which stands for an object or an aggregate; and messages between levels."""

from __future__ import annotations

from unpuzzle.translators._puzzlescript.compiled import Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unpuzzle.translators._puzzlescript.faults import Faults
    from unpuzzle.translators._puzzlescript.names import Names
    from unpuzzle.translators._puzzlescript.text import Line


def read_levels(lines: Iterable[Line], names: Names, faults: Faults) -> tuple[Level, ...]:
    """All levels and messages in their order."""
    return tuple(_levels(lines, Boards(names, faults)))


def _levels(lines: Iterable[Line], boards: Boards) -> Iterator[Level]:
    rows: list[Line] = []
    for line in lines:
        code = line.code.strip()
        message = code.startswith("message") and not code[7:8].isalnum()
        if rows and (message or not code):
            yield boards.level(rows)
            rows = []
        if message:
            yield Level(0, 0, (), line.written.strip()[7:].strip(), line.number)
        elif code:
            rows.append(line)
    if rows:
        yield boards.level(rows)


class Boards:
    """Makes boards of glyphs."""

    def __init__(self, names: Names, faults: Faults) -> None:
        self.names = names
        self.faults = faults
        self.background_layer, self.background = background_of(names)

    def level(self, rows: Sequence[Line]) -> Level:
        """A level; the last glyph of a row that is too short is repeated."""
        texts = [row.code.strip() for row in rows]
        width, height = len(texts[0]), len(texts)
        for row, text in zip(rows, texts, strict=True):
            if len(text) != width:
                self.faults.warning(row.number, f"this row has {len(text)} cells, the first one has {width}")
        cells = [
            self._glyph(texts[y][x] if x < len(texts[y]) else texts[y][-1], rows[y])
            for x in range(width)
            for y in range(height)
        ]
        return Level(width, height, self.with_background(cells), "", rows[0].number)

    def _glyph(self, char: str, row: Line) -> int:
        found = self.names.glyphs.get(char)
        if found is None:
            why = (
                "is a property (or), and stands for no one object"
                if char in self.names.properties
                else "is not in the legend"
            )
            self.faults.error(row.number, f"the character {char} {why}", char)
            return 0
        return found

    def with_background(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Every cell has an object of the background layer: its own, or that of the first cell with one."""
        layer = self.background_layer
        filler = next((cell & layer for cell in cells if cell & layer), self.background)
        return tuple([cell if cell & layer else cell | filler for cell in cells])


def background_of(names: Names) -> tuple[int, int]:
    """The background layer, and the object that stands for the background, as sets."""
    members = names.members("background")
    if not members or members[0] not in names.number:
        return 0, 0
    return names.layers[names.layer_of[members[0]]], 1 << names.number[members[0]]


def glyphs_of(names: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The glyphs as plain data."""
    return tuple(names.items())
