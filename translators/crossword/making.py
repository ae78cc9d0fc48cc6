"""Random crosswords: blocks, words that fill the grid, and decoys beside each of them, so that one solution is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import eq
from random import Random
from typing import Any

from unpuzzle.constraints import Constraints, Relation, Search, TooManyNodesError, solutions
from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Number, Size, by_name
from unpuzzle.translators.crossword.layout import CandidateLayout, candidate_layout
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, slots_of
from unpuzzle.translators.crossword.word_list import PLAIN_ENGLISH, WordList
from unpuzzle.words import count

OPTIONS = by_name(
    Size("size", "rows and columns", (4, 4), most=21),
    Number("blocks", "how many, symmetric under half a turn", 2, most=150),
    Number("choices", "candidates for each word, the true one among them", 4, least=1, most=20),
    WordList("words", "what the grid is filled from", PLAIN_ENGLISH),
)
SHAPES, FILLS = 50, 20
"""So many times it is tried to place the blocks, and to fill the grid."""
PATIENCE = 2_000
"""A try to fill a grid ends after so many nodes of the search."""
TRIED = 15
"""So many words are looked at for each candidate that is wanted."""
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[CandidateLayout, str]:
    """Return a level with exactly one solution, and its empty grid.

    Raises ParseError where the blocks have no place, or no words are found that fill the grid.
    """
    (rows, columns), words, number = options["size"], options["words"], options["choices"]
    shape, lists = fill_grid(rng, rows, columns, options["blocks"], words)
    slots = slots_of(shape, columns)
    for slot in rng.sample(slots, len(slots)):
        _add_decoys(rng, slots, lists, slot, _by_length(tuple(words))[len(slot.cells)], number)
    candidates = [rng.sample(lists[slot.name], len(lists[slot.name])) for slot in slots]
    return candidate_layout(shape, columns, candidates), shape


def random_shape(rng: Random, rows: int, columns: int, blocks: int, longest: int) -> str:
    """Return a grid of blocks and empty cells, without words of more than `longest` letters."""
    if min(rows, columns) < 2:
        raise ParseError(f"a crossword of {rows}x{columns} cells has no words that cross; 2x2 is the smallest")
    for _ in range(SHAPES):
        shape = _with_blocks(rng, rows, columns, blocks, longest)
        if shape is not None:
            return shape
    raise ParseError(
        f"{count(blocks, 'block')} found no place in {rows}x{columns} cells: symmetric under half a turn, no word of "
        f"more than {longest} letters, which is the longest of the list, nor a shorter one than two or three"
    )


def _with_blocks(rng: Random, rows: int, columns: int, blocks: int, longest: int) -> str | None:
    """Add pairs of blocks that face each other, first where words are too long; None if they find no place."""
    cells, number = rows * columns, 0
    grid = EMPTY * cells
    untried = rng.sample(range(cells), cells)
    while untried and number < blocks:
        too_long = _cells_of_words_longer_than(longest, grid, columns)
        cell = next((cell for cell in untried if cell in too_long), untried[0])
        untried.remove(cell)
        pair = {cell, cells - 1 - cell}
        changed = "".join(BLOCK if place in pair else letter for place, letter in enumerate(grid))
        if number + len(pair) <= blocks and grid[cell] == EMPTY and _sound(changed, columns):
            grid, number = changed, number + len(pair)
    return None if number < blocks or _cells_of_words_longer_than(longest, grid, columns) else grid


def _cells_of_words_longer_than(longest: int, shape: str, columns: int) -> set[int]:
    return {cell for slot in slots_of(shape, columns) if len(slot.cells) > longest for cell in slot.cells}


def _sound(shape: str, columns: int) -> bool:
    """Return whether all empty cells are connected, each in a word across and one down that are long enough."""
    least = 3 if min(columns, len(shape) // columns) > 3 else 2
    slots = slots_of(shape, columns)
    ways = [{cell for slot in slots if slot.across is across for cell in slot.cells} for across in (True, False)]
    empty = {cell for cell, letter in enumerate(shape) if letter == EMPTY}
    if not empty or ways != [empty, empty] or any(len(slot.cells) < least for slot in slots):
        return False
    reached, before = set(slots[0].cells), 0
    while before != len(reached):
        before = len(reached)
        reached.update(*[slot.cells for slot in slots if not reached.isdisjoint(slot.cells)])
    return reached == empty


def fill_grid(
    rng: Random, rows: int, columns: int, blocks: int, words: Sequence[str]
) -> tuple[str, dict[str, list[str]]]:
    """Return a grid of blocks, and the word of each slot, as a list; no two words are the same.

    One hard shape, or one bad beginning, can take for ever; so many are tried, each for a short time.
    """
    for _ in range(FILLS):
        shape = random_shape(rng, rows, columns, blocks, max(map(len, words)))
        fill = _fill(rng, shape, columns, words)
        if fill is not None:
            return shape, fill
    raise ParseError(
        f"no words of the list ({count(len(words), 'word')}) were found to fill {rows}x{columns} cells with "
        f"{count(blocks, 'block')}; a longer list or more blocks make it easier"
    )


def _fill(rng: Random, shape: str, columns: int, words: Sequence[str]) -> dict[str, list[str]] | None:
    """Return for each slot a list with its word; None if none are found soon. The order of letters is random."""
    slots = slots_of(shape, columns)
    rows = _by_length(tuple(words))
    letters = {str(cell): rng.sample(ALPHABET, 26) for slot in slots for cell in slot.cells}
    tables = [Relation("table", _variables(slot), rows.get(len(slot.cells), ())) for slot in slots]
    search = Search(Constraints(letters, tables), most_nodes=PATIENCE)
    try:
        for values in search.solutions():
            read = {slot.name: ["".join(str(values[name]) for name in _variables(slot))] for slot in slots}
            if len({word for (word,) in read.values()}) == len(slots):
                return read
    except TooManyNodesError:
        pass
    return None


@lru_cache(maxsize=4)
def _by_length(words: tuple[str, ...]) -> Mapping[int, Sequence[str]]:
    by_length: dict[int, list[str]] = {}
    for word in words:
        by_length.setdefault(len(word), []).append(word)
    return by_length


def _variables(slot: Slot) -> list[str]:
    return [str(cell) for cell in slot.cells]


def _add_decoys(
    rng: Random, slots: Sequence[Slot], lists: dict[str, list[str]], slot: Slot, words: Sequence[str], number: int
) -> None:
    """Add words to a slot's candidates, none of which makes another solution, until there are so many."""
    (true,) = lists[slot.name]
    decoys = [word for word in rng.sample(words, min(len(words), TRIED * number)) if word != true]
    decoys.sort(key=lambda word: not any(map(eq, word, true)))  # those that cross some word as well as the true one
    for word in decoys:
        if len(lists[slot.name]) == number:
            return
        if next(solutions(_model(slots, {**lists, slot.name: [word]})), None) is None:
            lists[slot.name].append(word)


def _model(slots: Sequence[Slot], candidates: Mapping[str, Sequence[str]]) -> Constraints:
    """Return the constraints of candidates: their variables are the cells."""
    letters: dict[str, dict[str, None]] = {}
    for slot in slots:
        for word in candidates[slot.name]:
            for cell, letter in zip(slot.cells, word, strict=True):
                letters.setdefault(str(cell), {})[letter] = None
    tables = [Relation("table", _variables(slot), candidates[slot.name]) for slot in slots]
    return Constraints({name: tuple(values) for name, values in letters.items()}, tables)
