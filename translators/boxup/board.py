"""Boxup's level text and static parts: size, walls, kinds of boxes; and the contents of cells as PDDL."""

from __future__ import annotations

import re
from functools import lru_cache

from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.shared.cells import SIDES, Distances, Layout, Memo, neighbours
from unpuzzle.translators.shared.text import Page, Word

Boxes = tuple[str, ...]
"""By cell, the box of one size: `N` or `N!` a large one, `n` or `n!` a small one, or nothing."""


NAMES: dict[str, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITE: dict[str, str] = {"N": "S", "E": "W", "S": "N", "W": "E"}
_CONTENT = re.compile("([NESW]!?)?([nesw]!?)?(@?)")
_MARKED = ("n!", "e!", "s!", "w!"), ("N!", "E!", "S!", "W!")


class BoxupBoard(Layout):
    """A board without its movable parts: equal if size, walls and kinds of boxes are."""

    __slots__ = ("contents", "distances", "free", "kinds", "larges", "marked", "steps", "walls")

    def __init__(self, rows: int, columns: int, walls: frozenset[int], kinds: tuple[str, ...]) -> None:
        super().__init__(rows, columns, walls, kinds)
        self.walls: frozenset[int] = walls
        self.kinds: tuple[str, ...] = kinds
        self.free: tuple[int, ...] = tuple(cell for cell in range(rows * columns) if cell not in walls)
        steps = [{side: near.get(side) for side in OPPOSITE} for near in neighbours(rows, columns, SIDES)]
        self.steps: tuple[dict[str, int | None], ...] = tuple(steps)
        free = set(self.free)
        self.distances: Distances = Distances({cell: free.intersection(steps[cell].values()) for cell in free})
        # The kinds of large boxes, `nobody` among them if some small kind has no partner.
        alone = any(box.islower() and len(box) == 1 for box in kinds)
        self.larges: list[str] = [*(kind_of(box) for box in kinds if box.isupper()), *["nobody"] * alone]
        small, large = (next(box for box in kinds if box in pair) for pair in _MARKED)
        self.marked: tuple[str, str] = small, large
        # By cell, large box and small box: the atoms that tell them. Positions have most of them in common.
        self.contents: Memo[tuple[int, str, str], frozenset[Atom]] = Memo(
            lambda content: frozenset(() if content[0] in walls else self.describe(*content))
        )

    def statics(self) -> list[Atom]:
        """Return the static atoms: adjacent cells, and the open sides and pairs of boxes."""
        atoms = [
            atom("next", self.name(cell), NAMES[side], self.name(target))
            for cell in self.free
            for side, target in self.steps[cell].items()
            if target is not None and target not in self.walls
        ]
        for box in self.kinds:
            for side, name in NAMES.items():
                atoms.append(atom("opens" if side == box[0].upper() else "shut", kind_of(box), name))
            if box.islower():
                atoms.append(atom("partner", kind_of(box), "blue" if box.endswith("!") else "nobody"))
        return atoms

    def describe(self, cell: int, large: str, small: str) -> list[Atom]:
        """Return the atoms for a cell's content, in order."""
        name = self.name(cell)
        atoms = []
        for size, box in (("small", small), ("large", large)):
            atoms += [atom(f"no-{size}", name, NAMES[side]) for side in NAMES if side != box[:1].upper()]
            atoms += [atom(f"{size}-at", kind_of(box), name)] if box else []
        atoms += [atom("without", name, kind) for kind in self.larges if not large or kind != kind_of(large)]
        return atoms


@lru_cache(maxsize=64)
def kind_of(box: str) -> str:
    """Return the PDDL object of a box: `red` and `blue` are the goal pair, others go by size and side."""
    if box.endswith("!"):
        return "red" if box[0].islower() else "blue"
    return f"{'small' if box.islower() else 'large'}-{NAMES[box.upper()]}"


def read(text: str, source: str | None) -> tuple[BoxupBoard, Boxes, Boxes, int]:
    """Return the board, the large box of each cell, the small one, and the mover's cell."""
    page = Page(text, source)
    rows = page.rows()
    page.require_rectangle(rows)
    words = [word for row in rows for word in row]
    larges, smalls, movers = zip(*[_content(page, word) for word in words], strict=True)
    there = [word for word, mover in zip(words, movers, strict=True) if mover]
    page.require_one(there, "mover", "no mover: one cell needs an '@'", start=words[0])
    for size, boxes, example in (("small", smalls, "n!"), ("large", larges, "W!")):
        marked = [word for word, box in zip(words, boxes, strict=True) if box.endswith("!")]
        missing = f"no goal pair: no {size} box is marked, as in '{example}'"
        page.require_one(marked, f"marked {size} boxe", missing, start=words[0])
    walls = frozenset(cell for cell, word in enumerate(words) if word.text == "#")
    board = BoxupBoard(len(rows), len(rows[0]), walls, tuple(sorted({*larges, *smalls} - {""})))
    return board, larges, smalls, movers.index("@")


def _content(page: Page, word: Word) -> tuple[str, str, str]:
    """Return the large box, the small box and the mover in a cell, given by a word; empty texts for none."""
    text = "" if word.text in (".", "#") else word.text
    match = _CONTENT.match(text)
    assert match is not None
    if match.end() < len(text):
        raise page.error_at(_complaint(text, match.end()), word, match.end())
    large, small, mover = match.groups("")
    return large, small, mover


def _complaint(cell: str, end: int) -> str:
    """Return the fault of a cell that can be read up to `end`."""
    symbol, before = cell[end], cell[:end]
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
