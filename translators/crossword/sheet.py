"""A crossword as it is printed, whatever file it comes from: grid, clues, solution, bars, circles, texts about it.

A cell holds one letter or digit, or any other text, a *rebus*: then a sign stands for it in the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.record import Record
from unpuzzle.translators.crossword.grid_text import ABOUT, PRINTED_CLUE_KEYS, common_parts, json_lines, json_object
from unpuzzle.translators.crossword.grid_text import json_text as json_text  # noqa: PLC0414
from unpuzzle.translators.crossword.layout import CrosswordLayout, blocks_of
from unpuzzle.translators.crossword.slots import (
    BLOCK,
    EMPTY,
    Slot,
    by_direction,
    cell_names,
    is_letter,
    rows_of,
    slots_of,
    upper,
)
from unpuzzle.words import count, shorten

WAYS = {"A": "Across", "D": "Down"}
"""By the last letter of a slot's name, the name of its direction in files."""
SIGNS = "1234567890" + "".join(map(chr, range(0x2460, 0x24B6)))
"""What stands for the texts of cells: digits that the grid does not have, and signs such as ①."""


class PrintedCrossword(Record):
    """A crossword as it is printed.

    Attributes:
        rows: rows of `.` empty, `#` block, and letters that are written in.
        clues: the clues of all slots, by name, such as `1A`; or empty.
        solution: rows of letters and blocks; None if the file has none, or keeps it locked.
        title, author, copyright, notes: empty if the file has none.
        bars, circles: a sign for each cell, as in a layout; empty if there are none.
        rebus: by sign in rows and solution, the text that it stands for.

    Raises ParseError, with `source` as the file, if clues and slots do not match.
    """

    rows: tuple[str, ...]
    clues: Mapping[str, str]
    solution: tuple[str, ...] | None = None
    title: str = ""
    author: str = ""
    source: str | None = None
    copyright: str = ""
    notes: str = ""
    bars: str = ""
    circles: str = ""
    rebus: Mapping[str, str] = {}

    _uncompared = ("source",)

    def _require_sense(self) -> None:
        names = [slot.name for slot in self.slots]
        for name in self.clues:
            if name not in names:
                number, way = name[:-1], WAYS[name[-1]].lower()
                raise ParseError(f"there is a clue {number} {way}, but no word {way} of that number", file=self.source)
        missing = [name for name in names if name not in self.clues]
        if self.clues and missing:
            raise ParseError(f"clues are missing: of {', '.join(missing)}", file=self.source)
        object.__setattr__(self, "clues", {name: self.clues[name] for name in names if name in self.clues})

    def __hash__(self) -> int:
        return hash((self.rows, self.solution, self.title, self.author))

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def slots(self) -> tuple[Slot, ...]:
        return slots_of("".join(self.rows), self.width, self.bars)

    def texts(self, rows: Iterable[str]) -> list[str]:
        """Return the texts of the cells of rows: a letter, a block, an empty cell, or a rebus."""
        return [self.rebus.get(cell, cell) for cell in "".join(rows)]

    def answer(self, slot: Slot) -> str:
        """Return the word of a slot in the solution, which there must be, with every rebus in full."""
        return "".join(self.texts(slot.read("".join(self.solution or ()))))

    def text(self) -> str:
        """Return the crossword as the text of a level: of the game `crossword-clues`, if it has clues."""
        letters = "".join(self.rows)
        layout = CrosswordLayout(
            blocks_of(letters), self.width, bars=self.bars, circles=self.circles, rebus=tuple(self.rebus.items()),
            about=tuple([(name, text) for name in ABOUT if (text := getattr(self, name))]),
        )  # fmt: skip
        parts = common_parts(layout, letters)
        if self.clues:
            for key, slots in zip(PRINTED_CLUE_KEYS, by_direction(self.slots), strict=True):
                parts[key] = json_lines([self.clues[slot.name] for slot in slots])
        if self.solution is not None:
            parts["solution"] = json_text(self.solution)
        return json_object(parts)


def sheet_of(
    width: int,
    grid: Sequence[str],
    solution: Sequence[str] | None,
    clues: Mapping[str, str],
    source: str | None = None,
    **more: str,
) -> PrintedCrossword:
    """Return the crossword of a grid and a solution that are the texts of cells; each rebus gets a sign.

    Raises ParseError for a text that cannot be printed, UnsupportedFeature for more texts than there are signs.
    """
    both = [[upper(cell.strip()) or " " for cell in cells] for cells in (solution or (), grid)]
    for name, cell in zip(cell_names(width, len(grid)), both[0], strict=False):
        if not cell.isprintable() or cell == " ":
            raise ParseError(f"the solution has {shorten(cell)} in {name}, which is no text", file=source)
    both[1] = [cell if cell.isprintable() and cell != " " else EMPTY for cell in both[1]]
    kinds = dict.fromkeys(cell for cells in both for cell in cells if cell not in (BLOCK, EMPTY))
    texts = [text for text in kinds if not is_letter(text)]
    signs = [sign for sign in SIGNS if sign not in kinds]
    if len(texts) > len(signs):
        message = f"this crossword has {count(len(texts), 'rebus', 'rebuses')}: up to {len(signs)} are supported"
        raise UnsupportedFeature(message, feature="rebus", file=source)
    sign_of = dict(zip(texts, signs, strict=False))
    answer, rows = (tuple(rows_of("".join([sign_of.get(c, c) for c in cells]), width)) for cells in both)
    rebus = {sign: text for text, sign in sign_of.items()}
    marks = {name: "" if not text.strip(EMPTY) and name in ("bars", "circles") else text for name, text in more.items()}
    return PrintedCrossword(
        rows, clues, None if solution is None else answer, source=source, rebus=rebus, **marks
    )  # fmt: skip


def by_number(slots: Iterable[Slot]) -> list[Slot]:
    """Return slots in the order of a `.puz` file: by number, across first."""
    return sorted(slots, key=lambda slot: (slot.cells.start, slot.name[-1]))


def bars_of(lefts: Iterable[bool], aboves: Iterable[bool]) -> str:
    """Return the signs of bars, by whether each cell has one on its left and one above."""
    return "".join([".|-+"[left + 2 * above] for left, above in zip(lefts, aboves, strict=True)])
