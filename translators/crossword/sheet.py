"""What readers and writers of files share: a crossword as it is printed, from the texts of its cells.

A cell holds one letter or digit, or any other text, a *rebus*: then a sign stands for it in the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import count, shorten
from unpuzzle.translators.crossword.grid_text import ABOUT
from unpuzzle.translators.crossword.layout import CrosswordLayout, blocks_of
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, cell_names, is_letter, rows_of, slots_of, upper

Sheet = tuple[CrosswordLayout, str]
"""A layout, and the letters that are written in, row by row."""
WAYS = {"A": "Across", "D": "Down"}
"""By the last letter of a slot's name, the name of its direction in files."""
SIDES = {"|": ("left",), "-": ("top",), "+": ("left", "top")}
"""By the sign of bars, the sides of the cell that have one."""
SIGNS = "1234567890" + "".join(map(chr, range(0x2460, 0x24B6)))
"""What stands for the texts of cells: digits that the grid does not have, and signs such as ①."""


class PartLeftOut(UserWarning):
    """Warns of a part of a file that is not read."""


def warn_left_out(what: str, source: str | None, line: int = 1) -> None:
    if source is not None:
        warn_explicit(what, PartLeftOut, source, line)


def sheet_of(
    width: int,
    grid: Sequence[str],
    solution: Sequence[str] | None,
    clues: Mapping[str, str],
    about: Mapping[str, str],
    source: str | None = None,
    bars: str = "",
    circles: str = "",
) -> Sheet:
    """Return the crossword of a grid and a solution that are the texts of cells; each rebus gets a sign.

    Raises ParseError for texts that cannot be printed, and clues that are not those of the words; UnsupportedFeature
    for more texts than there are signs.
    """
    both = [[upper(cell.strip()) or " " for cell in cells] for cells in (solution or (), grid)]
    for name, cell in zip(cell_names(width, len(grid)), both[0], strict=False):
        if not cell.isprintable() or cell == " ":
            raise ParseError(f"the solution has {shorten(cell)} in {name}, which is no text", file=source)
    if len(placeholder := {*both[0]} - {BLOCK}) == 1 and placeholder < {*"X?-"}:
        solution, both[0] = None, []
    both[1] = [cell if cell.isprintable() and cell != " " else EMPTY for cell in both[1]]
    kinds = dict.fromkeys(cell for cells in both for cell in cells if cell not in (BLOCK, EMPTY))
    texts = [text for text in kinds if not is_letter(text)]
    signs = [sign for sign in SIGNS if sign not in kinds]
    if len(texts) > len(signs):
        message = f"this crossword has {count(len(texts), 'rebus', 'rebuses')}: up to {len(signs)} are supported"
        raise UnsupportedFeature(message, feature="rebus", file=source)
    sign_of = dict(zip(texts, signs, strict=False))
    answer, letters = ("".join([sign_of.get(cell, cell) for cell in cells]) for cells in both)
    layout = CrosswordLayout(
        blocks_of(letters),
        width,
        _ordered(clues, letters, width, bars, source),
        None if solution is None else tuple(rows_of(answer, width)),
        bars,
        circles if circles.strip(EMPTY) else "",
        tuple([(sign, text) for text, sign in sign_of.items()]),
        tuple([(name, text) for name in ABOUT if (text := about.get(name, ""))]),
    )
    return layout, letters


def _ordered(
    clues: Mapping[str, str], grid: str, width: int, bars: str, source: str | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clues across and those down, in the order of the slots; they are empty if there are none at all."""
    slots = slots_of(grid, width, bars)
    across, down = ([slot.name for slot in slots if slot.across == way] for way in (True, False))
    for name in clues:
        if name not in (*across, *down):
            number, way = name[:-1], WAYS[name[-1]].lower()
            raise ParseError(f"there is a clue {number} {way}, but no word {way} of that number", file=source)
    missing = [name for name in (*across, *down) if name not in clues]
    if clues and missing:
        raise ParseError(f"clues are missing: of {', '.join(missing)}", file=source)
    return tuple([clues.get(name, "") for name in across]), tuple([clues.get(name, "") for name in down])


def texts_of(layout: CrosswordLayout, letters: Iterable[str]) -> list[str]:
    """Return the texts of cells: a letter, a block, an empty cell, or a rebus."""
    rebus = dict(layout.rebus)
    return [rebus.get(cell, cell) for cell in "".join(letters)]


def bars_of(lefts: Iterable[bool], aboves: Iterable[bool], width: int) -> str:
    """Return the signs of bars, by whether each cell has one on its left and one above; empty without bars.

    Edges are no bars.
    """
    cells = enumerate(zip(lefts, aboves, strict=True))
    pairs = [(left and cell % width > 0, above and cell >= width) for cell, (left, above) in cells]
    signs = "".join([".|-+"[left + 2 * above] for left, above in pairs])
    return signs if signs.strip(EMPTY) else ""
