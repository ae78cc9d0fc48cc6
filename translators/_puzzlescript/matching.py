"""Where a row of cell patterns matches on a board, in the order in which PuzzleScript looks.

A match is the cells that it covers, one after the other. For rules up and down columns are gone through one after the
other, for rules to the left and right rows; an ellipsis first stands for no cell, then for one, and so on.
"""

from __future__ import annotations

from unpuzzle.translators._puzzlescript.board import bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unpuzzle.translators._puzzlescript.board import Board
    from unpuzzle.translators._puzzlescript.compiled import CellPattern

    Match = Sequence[int]

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
"""Directions of rules."""


class CellFinder:
    """A cell pattern that finds all its cells at once, and that tests a single one."""

    __slots__ = ("any", "missing", "moves_missing", "moves_present", "pattern", "present")

    def __init__(self, pattern: CellPattern) -> None:
        self.pattern = pattern
        self.present = tuple(bits(pattern.present))
        self.missing = tuple(bits(pattern.missing))
        self.any = tuple([tuple(bits(group)) for group in pattern.any])
        self.moves_present = tuple(bits(pattern.moves_present))
        self.moves_missing = tuple(bits(pattern.moves_missing))

    def cells(self, board: Board, among: int) -> int:
        """The set of cells that match, of those in the set `among`."""
        where, moving = board.where, board.moving
        for number in self.moves_present:
            among &= moving[number]
        for number in self.present:
            among &= where[number]
        if not among:
            return 0
        for group in self.any:
            some = 0
            for number in group:
                some |= where[number]
            among &= some
        for number in self.missing:
            among &= ~where[number]
        for number in self.moves_missing:
            among &= ~moving[number]
        return among

    def matches(self, objects: int, moves: int) -> bool:
        """Whether a cell with these objects and movements matches."""
        pattern = self.pattern
        return (
            pattern.present & ~objects == 0
            and pattern.moves_present & ~moves == 0
            and not pattern.missing & objects
            and not pattern.moves_missing & moves
            and all(objects & group for group in pattern.any)
        )


class RowFinder:
    """A row of cell patterns in one direction, on boards of one shape."""

    def __init__(
        self, row: Sequence[CellPattern | None], direction: int, shape: tuple[int, int], finders: dict[int, CellFinder]
    ) -> None:
        self.width, self.height = shape
        self.step = {UP: -1, DOWN: 1, LEFT: -self.height, RIGHT: self.height}[direction]
        self.by_columns = direction in (UP, DOWN)
        self.parts: list[list[CellFinder]] = [[]]
        for pattern in row:
            if pattern is None:
                self.parts.append([])
            else:
                self.parts[-1].append(finders.setdefault(id(pattern), CellFinder(pattern)))
        self.cells = [finder for part in self.parts for finder in part]
        self.anchors = self._anchors(len(self.cells))

    def _anchors(self, length: int) -> int:
        """The cells from which that many cells lie on the board."""
        return sum(1 << cell for cell in range(self.width * self.height) if self._room(cell) >= length)

    def _room(self, cell: int) -> int:
        """How many cells lie on the board from one on, itself among them."""
        column, row = divmod(cell, self.height)
        if self.by_columns:
            return self.height - row if self.step > 0 else row + 1
        return self.width - column if self.step > 0 else column + 1

    def matches(self, board: Board) -> list[Match]:
        """All matches, in order."""
        starts = self._starts(board, self.parts[0], self.anchors)
        if not starts:
            return []
        found = list(bits(starts))
        if not self.by_columns:
            found.sort(key=lambda cell: (cell % self.height, cell))
        if len(self.parts) > 1:
            return [match for cell in found for match in self._with_gaps(board, cell)]
        step, length = self.step, len(self.cells)
        return [range(cell, cell + step * length, step) for cell in found]

    def _starts(self, board: Board, part: Sequence[CellFinder], among: int) -> int:
        """The cells at which patterns without a gap between them match."""
        offset = 0
        for finder in part:
            shifted = among << offset if offset >= 0 else among >> -offset
            shifted = finder.cells(board, shifted)
            among = shifted >> offset if offset >= 0 else shifted << -offset
            if not among:
                return 0
            offset += self.step
        return among

    def _with_gaps(self, board: Board, start: int) -> Iterator[Match]:
        """The matches that begin at a cell, where the first part is known to match."""
        free = self._room(start) - len(self.cells)
        first = [start + self.step * place for place in range(len(self.parts[0]))]
        for gap in range(free + 1):
            second = self._part(board, 1, first[-1] + self.step * (gap + 1))
            if second is None:
                continue
            if len(self.parts) == 2:  # noqa: PLR2004
                yield [*first, *second]
                continue
            for more in range(free - gap + 1):
                third = self._part(board, 2, second[-1] + self.step * (more + 1))
                if third is not None:
                    yield [*first, *second, *third]

    def _part(self, board: Board, number: int, start: int) -> list[int] | None:
        """The cells of a part of the row that begins at a cell, if it matches there."""
        cells = [start + self.step * place for place in range(len(self.parts[number]))]
        return cells if self.holds_on(board, self.parts[number], cells) else None

    def holds_on(self, board: Board, finders: Sequence[CellFinder], cells: Match) -> bool:
        """Whether cells match patterns, one each."""
        return all(
            finder.matches(board.cells[cell], board.moves[cell]) for finder, cell in zip(finders, cells, strict=True)
        )

    def holds(self, board: Board, match: Match) -> bool:
        """Whether a match is one still."""
        return self.holds_on(board, self.cells, match)
