"""Random crosswords: blocks, words that fill the grid, and decoys beside each of them, so that one solution is left."""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.constraints import Constraints, Relation, solutions
from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Number, Size, by_name
from unpuzzle.translators._words import PLAIN_ENGLISH, Words
from unpuzzle.translators.crossword.level import Level
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, slots_of
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random
    from typing import Any

    from unpuzzle.translators.crossword.slots import Slot

    Following = Mapping[tuple[int, str], frozenset[str]]
    """By length of a word and its beginning, the letters that may come next."""

OPTIONS = by_name(
    Size("size", "rows and columns", (4, 4), most=15),
    Number("blocks", "how many, symmetric under half a turn", 2, most=100),
    Number("candidates", "how many for each word, the true one among them", 4, least=1, most=20),
    Words("words", "what the grid is filled from", PLAIN_ENGLISH),
)
SHAPES, FILLS = 100, 200
"""So many times it is tried to place the blocks, and to fill the grid."""
PATIENCE = 4_000
"""A try to fill a grid ends after so many letters."""


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[Level, str]:
    """A level with exactly one solution, and its empty grid.

    Raises ParseError where the blocks have no place, or no words are found that fill the grid.
    """
    (rows, columns), words = options["size"], options["words"]
    shape, letters = filled(rng, rows, columns, options["blocks"], words)
    slots = slots_of(shape, columns)
    chosen = {slot.name: [slot.read(letters)] for slot in slots}
    for slot in rng.sample(slots, len(slots)):
        _add_decoys(rng, slots, chosen, slot, [w for w in words if len(w) == len(slot.cells)], options["candidates"])
    candidates = [rng.sample(chosen[slot.name], len(chosen[slot.name])) for slot in slots]
    return Level(shape, columns, candidates), shape


# ---- blocks


def random_shape(rng: Random, rows: int, columns: int, blocks: int) -> str:
    """A grid of blocks and empty cells. Raises ParseError where the blocks have no such place."""
    if min(rows, columns) < 2:
        raise ParseError(f"a crossword of {rows}x{columns} cells has no words that cross; 2x2 is the smallest")
    for _ in range(SHAPES):
        shape = _with_blocks(rng, rows, columns, blocks)
        if shape is not None:
            return shape
    raise ParseError(f"{count(blocks, 'block')} found no place in {rows}x{columns} cells, symmetric under half a turn")


def _with_blocks(rng: Random, rows: int, columns: int, blocks: int) -> str | None:
    """Pairs of blocks that face each other are added one after the other, where all cells stay in words."""
    cells, placed = rows * columns, 0
    grid = EMPTY * cells
    for cell in rng.sample(range(cells), cells):
        pair = {cell, cells - 1 - cell}
        if placed + len(pair) <= blocks and grid[cell] == EMPTY:
            changed = "".join(BLOCK if place in pair else letter for place, letter in enumerate(grid))
            if _sound(changed, columns):
                grid, placed = changed, placed + len(pair)
    return grid if placed == blocks else None


def _sound(shape: str, columns: int) -> bool:
    """Whether each empty cell is in a word across and one down, of three letters where there is room; and all is one."""
    least = 3 if min(columns, len(shape) // columns) > 3 else 2
    slots = slots_of(shape, columns)
    ways = [{cell for slot in slots if slot.across is across for cell in slot.cells} for across in (True, False)]
    empty = {cell for cell, letter in enumerate(shape) if letter == EMPTY}
    if not empty or ways != [empty, empty] or any(len(slot.cells) < least for slot in slots):
        return False
    reached = set(slots[0].cells)
    before = 0
    while before != len(reached):
        before = len(reached)
        reached.update(*[slot.cells for slot in slots if not reached.isdisjoint(slot.cells)])
    return reached == empty


# ---- words


def filled(rng: Random, rows: int, columns: int, blocks: int, words: Sequence[str]) -> tuple[str, str]:
    """A shape, and letters for it, so that all slots read different words of the list; ParseError if none is found.

    One hard shape, or one bad beginning, can take for ever; so many are tried, each for a short time.
    """
    for _ in range(FILLS):
        shape = random_shape(rng, rows, columns, blocks)
        for letters in _fills(rng, shape, columns, tuple(words)):
            read = [slot.read(letters) for slot in slots_of(shape, columns)]
            if len(set(read)) == len(read):
                return shape, letters
    raise ParseError(
        f"no words of the list ({count(len(words), 'word')}) were found to fill {rows}x{columns} cells with "
        f"{count(blocks, 'block')}; a longer list or more blocks make it easier"
    )


def _fills(rng: Random, shape: str, columns: int, words: tuple[str, ...]) -> Iterator[str]:
    """Fills, in an order by chance: letter by letter, row by row, so that each begins a word across and one down."""
    following = beginnings(words)
    through = _through(slots_of(shape, columns), len(shape))
    letters, waiting = list(shape), list[list[str]]()
    free = [cell for cell, letter in enumerate(shape) if letter != BLOCK]
    for _ in range(PATIENCE):
        if len(waiting) < len(free):
            waiting.append(_possible(rng, letters, through[free[len(waiting)]], following))
        else:
            yield "".join(letters)
        while waiting and not waiting[-1]:
            waiting.pop()
        if not waiting:
            return
        letters[free[len(waiting) - 1]] = waiting[-1].pop()


def _through(slots: Sequence[Slot], cells: int) -> list[list[tuple[range, int]]]:
    """By cell, the slots through it: their cells before it, and their lengths."""
    found: list[list[tuple[range, int]]] = [[] for _ in range(cells)]
    for slot in slots:
        for place, cell in enumerate(slot.cells):
            found[cell].append((slot.cells[:place], len(slot.cells)))
    return found


def _possible(rng: Random, letters: list[str], through: list[tuple[range, int]], following: Following) -> list[str]:
    """The letters that go on with what stands in a cell's slots before it, in an order by chance."""
    sets = [
        following.get((length, "".join(letters[cell] for cell in before)), frozenset()) for before, length in through
    ]
    return rng.sample(sorted(frozenset.intersection(*sets)), len(frozenset.intersection(*sets)))


@lru_cache(maxsize=8)
def beginnings(words: tuple[str, ...]) -> Following:
    """What may follow the beginnings of words."""
    found: dict[tuple[int, str], set[str]] = {}
    for word in words:
        for place, letter in enumerate(word):
            found.setdefault((len(word), word[:place]), set()).add(letter)
    return {key: frozenset(letters) for key, letters in found.items()}


# ---- decoys


def _add_decoys(
    rng: Random, slots: Sequence[Slot], chosen: dict[str, list[str]], slot: Slot, words: list[str], number: int
) -> None:
    """Add words to a slot's candidates, none of which makes another solution, until there are so many."""
    true = chosen[slot.name][0]
    decoys = [word for word in words if word != true]
    rng.shuffle(decoys)
    decoys.sort(key=lambda word: not any(a == b for a, b in zip(word, true, strict=True)))  # none is seen to be wrong
    for word in decoys[: 10 * number]:
        if len(chosen[slot.name]) == number:
            return
        if next(solutions(_model(slots, {**chosen, slot.name: [word]})), None) is None:
            chosen[slot.name].append(word)


def _model(slots: Sequence[Slot], candidates: Mapping[str, Sequence[str]]) -> Constraints:
    """The constraints of candidates: variables are cells."""
    letters: dict[str, dict[str, None]] = {}
    for slot in slots:
        for word in candidates[slot.name]:
            for cell, letter in zip(slot.cells, word, strict=True):
                letters.setdefault(str(cell), {})[letter] = None
    tables = [
        Relation("table", [str(cell) for cell in slot.cells], [tuple(word) for word in candidates[slot.name]])
        for slot in slots
    ]
    return Constraints({name: tuple(values) for name, values in letters.items()}, tables)
