"""Towers of things, as text and as pictures: a line a tower, bottom first, after a label such as `A:` if it has one.

NumberedTowers is for puzzles with towers of numbered things on labelled places, each smaller than the one below it.
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING, Self

from unpuzzle.puzzle.capabilities import Pictured
from unpuzzle.puzzle.puzzle import Puzzle
from unpuzzle.translators.shared.text import Page
from unpuzzle.words import shorten

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from unpuzzle.drawing import Ground, Piece
    from unpuzzle.translators.shared.text import Word

    Towers = Iterable[Iterable[object]]
    Numbers = tuple[tuple[int, ...], ...]

LABELS = ascii_uppercase


def labelled(page: Page, rows: list[list[Word]]) -> list[list[Word]]:
    """Return the towers of lines that begin with `A:`, `B:`, ..., in this order. Refuses other labels."""
    if len(rows) > len(LABELS):
        raise page.error_at(f"there are more than {len(LABELS)} lines", rows[len(LABELS)][0])
    for label, (first, *_) in zip(LABELS, rows, strict=False):
        if first.text != f"{label}:":
            raise page.error_at(f"{shorten(first.text)} stands where '{label}:' should: they are A, B, C, ...", first)
    return [row[1:] for row in rows]


def written(towers: Towers, labels: Sequence[str] = ()) -> str:
    """Return the text of towers, with or without labels."""
    starts = [f"{label}:" for label in labels]
    lines = [[*starts[number : number + 1], *map(str, tower)] for number, tower in enumerate(towers)]
    return "".join([" ".join(line) + "\n" for line in lines])


def drawn(towers: Towers) -> str:
    """Return a picture of towers side by side, on one line that they stand on."""
    columns = [[str(thing) for thing in tower] for tower in towers]
    widths = [max(map(len, column), default=1) for column in columns]
    height = max(map(len, columns), default=0)
    levels = zip(*[[*column, *[""] * (height - len(column))] for column in columns], strict=True)
    rows = ["  ".join(map(str.center, level, widths)) for level in levels][::-1]
    return "\n".join([row.rstrip() for row in rows] + ["─" * (sum(widths) + 2 * max(0, len(widths) - 1))])


MOST = 50
"""So many numbered things there may be."""


class NumberedTowers(Puzzle, Pictured):
    """A position: towers of things 1, 2, 3, ..., each smaller than the one below it, and the towers to build.

    As text it has the towers, each with its label, then `goal` and the towers to build; without that everything goes
    onto the last tower.
    """

    def __init__(self, towers: Numbers, goal: Numbers) -> None:
        self.towers = towers
        self.goal = goal

    def _key(self) -> Hashable:
        return self.towers, self.goal

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        page = Page(text, source)
        above, below = page.parts("goal")
        towers = _numbered(page, above)
        if below is None:
            return cls(towers, _on_the_last(towers))
        goal = _numbered(page, below)
        if [len(goal), len(sum(goal, ()))] != [len(towers), len(sum(towers, ()))]:
            raise page.error_at("the goal has other towers or things on them", below[0][0])
        return cls(towers, goal)

    def __str__(self) -> str:
        goal = "" if self.goal == _on_the_last(self.towers) else "goal\n" + written(self.goal, LABELS)
        return written(self.towers, LABELS) + goal

    def draw(self) -> str:
        """Return bars as wide as the numbers."""
        bars = [["█" * (2 * number - 1) for number in tower] for tower in self.towers]
        return drawn([[LABELS[place], *tower] for place, tower in enumerate(bars)])

    def ground(self) -> Ground:
        from unpuzzle.translators.shared.tower_picture import pegs

        return pegs(self.goal, LABELS)

    def pieces(self) -> Sequence[Piece]:
        from unpuzzle.translators.shared.tower_picture import discs_on

        return discs_on(self.towers, self.goal)

    def solved(self) -> bool:
        return self.towers == self.goal


def _on_the_last(towers: Numbers) -> Numbers:
    return (*[()] * (len(towers) - 1), tuple(sorted(sum(towers, ()), reverse=True)))


def _numbered(page: Page, rows: list[list[Word]]) -> Numbers:
    towers = tuple(tuple(page.number(word, 1, MOST) for word in tower) for tower in labelled(page, rows))
    if sorted(sum(towers, ())) != list(range(1, len(sum(towers, ())) + 1)):
        raise page.error_at("the numbers above each other are not 1, 2, 3, ..., each of them once", rows[0][0])
    for row, tower in zip(rows, towers, strict=True):
        for height in range(1, len(tower)):
            if tower[height] > tower[height - 1]:
                message = f"{tower[height]} is on {tower[height - 1]}, which is smaller: rows begin at the bottom"
                raise page.error_at(message, row[height + 1])
    return towers
