"""Reading Boxup's level text: cells, and what can be wrong with them."""

from __future__ import annotations

from unpuzzle.translators.shared.text import Page, Word


def read(text: str, source: str | None) -> tuple[int, int, list[Content]]:
    """Return rows, columns and cells, row by row: one mover, one marked small and one marked large box."""
    page = Page(text, source)
    rows = page.rows()
    page.require_rectangle(rows)
    words = [word for row in rows for word in row]
    cells = [Content(page, word) for word in words]
    movers = [word for word, cell in zip(words, cells, strict=True) if cell.mover]
    page.require_one(movers, "mover", "no mover: one cell needs an '@'", start=words[0])
    for size, example in (("small", "n!"), ("large", "W!")):
        marked = [word for word, cell in zip(words, cells, strict=True) if getattr(cell, size).endswith("!")]
        missing = f"no goal pair: no {size} box is marked, as in '{example}'"
        page.require_one(marked, f"marked {size} boxe", missing, start=words[0])
    return len(rows), len(rows[0]), cells


class Content:
    """What a word says is in a cell: a large box as `N` or `N!`, a small one as `n` or `n!`, or empty strings."""

    __slots__ = ("large", "mover", "small", "wall")

    def __init__(self, page: Page, word: Word) -> None:
        self.wall: bool = word.text == "#"
        rest = "" if word.text in (".", "#") else word.text
        self.large, rest = _box(rest, "NESW")
        self.small, rest = _box(rest, "nesw")
        self.mover: bool = rest[:1] == "@"
        rest = rest[self.mover :]
        if rest:
            raise page.error_at(_complaint(word.text, rest), word, len(word.text) - len(rest))


def _box(text: str, sides: str) -> tuple[str, str]:
    """Return the box that a text begins with, if any, and the rest of the text."""
    length = 0 if text[:1] not in tuple(sides) else 2 if text[1:2] == "!" else 1
    return text[:length], text[length:]


def _complaint(cell: str, rest: str) -> str:
    """Return what is wrong with a cell whose `rest` could not be read."""
    symbol, before = rest[0], cell[: len(cell) - len(rest)]
    if symbol == "!":
        return "'!' marks a box: it follows a box's letter, once"
    if symbol in ".#":
        return f"{symbol!r} stands alone: nothing can be in {'a wall' if symbol == '#' else 'an empty cell'}"
    for size, sides in (("large", "NESW"), ("small", "nesw")):
        if symbol in sides:
            twice = any(char in sides for char in before)
            return f"two {size} boxes in a cell" if twice else "the order in a cell is: large box, small box, mover"
    if symbol == "@":
        return "two movers in a cell"
    return f"bad symbol {symbol!r}: a cell is '.', '#', or a large box N E S W, a small box n e s w, the mover @"
