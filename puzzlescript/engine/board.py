"""A board on which rules are applied, and the search for matches of rules on it.

    cells[c], moves[c]        the set of objects on cell c, and of movements, as in `compiled`
    where[o]                  the set of cells with object o, as a whole number with bit c for cell c
    moving[5 * layer + d]     the set of cells on whose layer something moves that way

The second view makes Python fast enough: a few operations on such sets find all cells that match a pattern at once.

A match is the sequence of its cells. Matches are found in the order of PuzzleScript: rules up and down go through
column after column, rules to the left and right through row after row; an ellipsis means no cell first, then
one, ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import and_, or_

from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Rule, WinCondition, bits, flip, has

Match = Sequence[int]

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
"""Directions of rules."""
WORDS = {-1: "no", 0: "some", 1: "all"}
FEW = 3
"""The largest number of objects listed in the name of a set."""


class PlayBoard:
    """A board that can be changed; `rigid` maps each cell to the rigid groups of rules that moved its objects.

    Rules read a board by `at`, `fits` and `settle`, and use `where` for possible and `surely` for certain objects. Here
    these are equal; a partly known board (`pddl_encoding.boards`) answers by asking questions.
    """

    __slots__ = ("cells", "moves", "moving", "rigid", "surely", "where")

    def __init__(self, cells: list[int], moves: list[int], where: list[int], moving: list[int]) -> None:
        self.cells: list[int] = cells
        self.moves: list[int] = moves
        self.where: list[int] = where
        self.surely: list[int] = where
        self.moving: list[int] = moving
        self.rigid: dict[int, int] = {}

    def copy(self) -> PlayBoard:
        """Return a copy of the board without the marks of rigid groups."""
        return PlayBoard(self.cells[:], self.moves[:], self.where[:], self.moving[:])

    def at(self, cell: int, objects: int) -> int:
        """Return the objects in a cell; on partly known boards, only those in `objects` must be right."""
        return self.cells[cell]

    def fits(self, finder: CellFinder, cell: int) -> bool:
        return finder.matches(self.cells[cell], self.moves[cell])

    def settle(self, rule: RuleFinder, possible: list[list[Match]]) -> list[list[Match]] | None:
        """Return those of a rule's possible matches that are real; on a known board, that is all of them."""
        return possible

    def put(self, cell: int, objects: int, moves: int) -> None:
        """Put objects and movements into a cell, in place of all that it had."""
        at = 1 << cell
        changed = self.cells[cell] ^ objects
        if changed:
            self.cells[cell] = objects
            flip(self.where, changed, at)
        changed = self.moves[cell] ^ moves
        if changed:
            self.moves[cell] = moves
            flip(self.moving, changed, at)


def board_of(cells: Sequence[int], game: Compiled) -> PlayBoard:
    """Create a board whose cells have the given objects and no movements."""
    where = [0] * len(game.objects)
    members: dict[int, bytearray] = {}  # bits set in a whole number would each copy all of it
    for cell, objects in enumerate(cells):
        for number in bits(objects):
            if number not in members:
                members[number] = bytearray(len(cells) // 8 + 1)
            members[number][cell >> 3] |= 1 << (cell & 7)
    for number, digits in members.items():
        where[number] = int.from_bytes(digits, "little")
    return PlayBoard(list(cells), [0] * len(cells), where, [0] * (5 * len(game.layers)))


def conditions_hold(game: Compiled, board: PlayBoard) -> bool:
    """Return whether all win conditions hold on a board; False if the game has none."""
    return bool(game.wins) and all(holds(win, board) for win in game.wins)


def holds(win: WinCondition, board: PlayBoard) -> bool:
    first = _cells_with(board, win.first, win.first_is_aggregate)
    on = first if win.anything or not first else first & _cells_with(board, win.second, win.second_is_aggregate)
    if win.quantifier > 0:
        return on == first
    return bool(on) == (win.quantifier == 0)


def _cells_with(board: PlayBoard, objects: int, whole: bool) -> int:
    sets = [board.where[number] for number in bits(objects)]
    if whole:
        return reduce(and_, sets) if sets else (1 << len(board.cells)) - 1
    return reduce(or_, sets, 0)


def aims(game: Compiled, cells: Sequence[int], height: int) -> tuple[Mapping[str, bool], ...]:
    """Return which parts of the win conditions are true: by target, by object, and by whole condition.

    Each is a dictionary from words to truth values; it is empty if it is impossible for this board. `all Crate on Mark`
    is divided by the cells of crates or, if there are as many marks, by the cells of marks: every crate is on a mark
    exactly if every mark has a crate.
    """
    by_first: dict[str, bool] = {}
    by_second: dict[str, bool] = {}
    whole: dict[str, bool] = {}
    divisible = True
    for win in game.wins:
        first = [place for place, cell in enumerate(cells) if has(cell, win.first, win.first_is_aggregate)]
        second = _second(win, cells)
        names = set_text(game, win.first, win.first_is_aggregate), set_text(game, win.second, win.second_is_aggregate)
        text = f"{WORDS[win.quantifier]} {names[0]}" + ("" if win.anything else f" on {names[1]}")
        whole[text] = _holds(win, first, second)
        if win.quantifier != 1 or win.anything:
            by_first[text] = by_second[text] = whole[text]
            continue
        by_first |= {f"{names[0]} in {place_text(place, height)} on {names[1]}": place in second for place in first}
        divisible = divisible and len(first) == len(second)
        by_second |= {f"{names[0]} on {names[1]} in {place_text(place, height)}": place in first for place in second}
    return by_second if divisible else {}, by_first, whole


def _second(win: WinCondition, cells: Sequence[int]) -> set[int]:
    """Return the indices of the cells with the objects after `on` in a win condition; all cells without `on`."""
    if win.anything:
        return set(range(len(cells)))
    return {place for place, cell in enumerate(cells) if has(cell, win.second, win.second_is_aggregate)}


def _holds(win: WinCondition, first: Sequence[int], second: set[int]) -> bool:
    number = sum(place in second for place in first)
    return number == len(first) if win.quantifier > 0 else bool(number) == (win.quantifier == 0)


def set_text(game: Compiled, objects: int, whole: bool = False) -> str:
    """Return the names of a set of objects, joined by `and` if `whole` is true, otherwise by `or`."""
    names = [game.objects[number].lower() for number in bits(objects)]
    shown = names if len(names) <= FEW else [*names[:FEW], "others"]
    return (" and " if whole else " or ").join(shown)


def place_text(place: int, height: int) -> str:
    """Return a description of a cell by its row and column, counted from 1."""
    return f"row {place % height + 1}, column {place // height + 1}"


class CellFinder:
    """A cell pattern of a rule, prepared to find all matching cells of a board at once."""

    __slots__ = ("any", "missing", "moves_missing", "moves_present", "pattern", "present")

    def __init__(self, pattern: CellPattern) -> None:
        self.pattern: CellPattern = pattern
        self.present: tuple[int, ...] = tuple(bits(pattern.present))
        self.missing: tuple[int, ...] = tuple(bits(pattern.missing))
        self.any: tuple[tuple[int, ...], ...] = tuple([tuple(bits(group)) for group in pattern.any])
        self.moves_present: tuple[int, ...] = tuple(bits(pattern.moves_present))
        self.moves_missing: tuple[int, ...] = tuple(bits(pattern.moves_missing))

    def cells(self, board: PlayBoard, among: int) -> int:
        """Return those of the cells `among` that match the pattern, as a set of bits."""
        where, surely, moving = board.where, board.surely, board.moving
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
            among &= ~surely[number]
        for number in self.moves_missing:
            among &= ~moving[number]
        return among

    def matches(self, objects: int, moves: int) -> bool:
        """Return whether the pattern matches a cell with the given objects and movements."""
        pattern = self.pattern
        return (
            pattern.present & ~objects == 0
            and pattern.moves_present & ~moves == 0
            and not pattern.missing & objects
            and not pattern.moves_missing & moves
            and all(objects & group for group in pattern.any)
        )


class BoardGrid:
    """The width and height of a board, with tables of the neighbours of each cell."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.anchors: Callable[[int, int], int] = cache(self._anchors)
        """A function from direction and number to the cells with room for that many cells, themselves included."""
        self.steps: dict[int, int] = {UP: -1, DOWN: 1, LEFT: -height, RIGHT: height}
        """By direction, the difference of the indices of adjacent cells."""

    def room(self, cell: int, direction: int) -> int:
        """Return the number of cells from a cell to the board's edge in a direction, the cell included."""
        if direction == UP:
            return cell % self.height + 1
        if direction == DOWN:
            return self.height - cell % self.height
        column = cell // self.height
        return column + 1 if direction == LEFT else self.width - column

    def _anchors(self, direction: int, length: int) -> int:
        """Return the cells from which a row of `length` cells in a direction fits on the board, as a set of bits."""
        width, height, lost = self.width, self.height, length - 1
        if lost >= (width if direction in (LEFT, RIGHT) else height):
            return 0
        if direction in (LEFT, RIGHT):
            columns = (1 << (width - lost) * height) - 1
            return columns << lost * height if direction == LEFT else columns
        column, rest = "1" * (height - lost), "0" * lost  # written with the last row first
        return int((column + rest if direction == UP else rest + column) * width, 2)


class RowFinder:
    """A rule's row of cell patterns in one direction, prepared to find its matches on boards of one size."""

    def __init__(
        self, row: Sequence[CellPattern | None], direction: int, grid: BoardGrid, finders: dict[int, CellFinder]
    ) -> None:
        self.grid = grid
        self.direction = direction
        self.step: int = grid.steps[direction]
        self.parts: list[list[CellFinder]] = [[]]
        for pattern in row:
            if pattern is None:
                self.parts.append([])
            else:
                self.parts[-1].append(finders.setdefault(id(pattern), CellFinder(pattern)))
        self.cells: list[CellFinder] = [finder for part in self.parts for finder in part]
        self.anchors: int = grid.anchors(direction, len(self.cells))

    def matches(self, board: PlayBoard) -> list[Match]:
        """Return all matches of the row on a board, in the order in which rules are applied to them."""
        first = self._starts(board, self.parts[0], self.anchors)
        if not first:
            return []
        starts = list(bits(first))
        if self.direction in (LEFT, RIGHT):
            height = self.grid.height
            starts.sort(key=lambda cell: (cell % height, cell))
        if len(self.parts) > 1:
            return self._with_gaps(board, starts)
        step, length = self.step, self.step * len(self.cells)
        return [range(cell, cell + length, step) for cell in starts]

    def _starts(self, board: PlayBoard, part: Sequence[CellFinder], among: int) -> int:
        """Return the cells at which a row of adjacent patterns matches, as a set of bits."""
        offset = 0
        for finder in part:
            shifted = finder.cells(board, among << offset if offset >= 0 else among >> -offset)
            among = shifted >> offset if offset >= 0 else shifted << -offset
            if not among:
                return 0
            offset += self.step
        return among

    def _with_gaps(self, board: PlayBoard, starts: Sequence[int]) -> list[Match]:
        """Return the matches of a row with ellipses (`...`) whose part before the first one matches at `starts`."""
        later = []
        for part in self.parts[1:]:
            later.append(self._starts(board, part, self.grid.anchors(self.direction, len(part))))
            if not later[-1]:
                return []
        matches: list[Match] = []
        for start in starts:
            free = self.grid.room(start, self.direction) - len(self.cells)
            matches += self._continued(self._covered(0, start), later, free)
        return matches

    def _continued(self, before: list[int], later: Sequence[int], free: int) -> Iterator[list[int]]:
        """Yield the matches that continue `before` by the parts `later`; the gaps have at most `free` cells in all."""
        if not later:
            yield before
            return
        number = len(self.parts) - len(later)
        for gap in range(free + 1):
            start = before[-1] + self.step * (gap + 1)
            if later[0] >> start & 1:
                yield from self._continued(before + self._covered(number, start), later[1:], free - gap)

    def _covered(self, number: int, start: int) -> list[int]:
        return [start + self.step * place for place in range(len(self.parts[number]))]

    def holds(self, board: PlayBoard, match: Match) -> bool:
        return all(board.fits(finder, at) for finder, at in zip(self.cells, match, strict=True))


class RuleFinder:
    """A rule, prepared to find its matches on boards of one size."""

    def __init__(self, rule: Rule, grid: BoardGrid, finders: dict[int, CellFinder]) -> None:
        self.rule = rule
        self.rows: list[RowFinder] = [RowFinder(row, rule.direction, grid, finders) for row in rule.rows]
