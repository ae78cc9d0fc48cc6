"""Random crosswords: blocks, words that fill the grid, and decoys for each word that leave one solution only.

For tests there are small ones, of letters instead of words, some given, some lists without the true candidate; and
larger ones of the published shape, for search components written by others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import eq
from random import Random
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import count
from unpuzzle.constraints import Constraints, Relation, Search, TooManyNodesError, solutions
from unpuzzle.model.options import Number, Size, by_name
from unpuzzle.translators.crossword.layout import BLOCK, EMPTY, CrosswordLayout, Slot, alphabets_of, slots_of
from unpuzzle.translators.shared.text import WordList, read_words

PLAIN_ENGLISH = read_words(os.path.join(os.path.dirname(__file__), "words.txt"), "own")
OPTIONS = by_name(
    Size("size", "rows and columns", (4, 4), most=21),
    Number("blocks", "how many, symmetric under half a turn", 2, most=150),
    Number("choices", "candidates for each word, the true one among them", 4, least=1, most=20),
    WordList("words", "the words that fill the grid", PLAIN_ENGLISH, short=3),
)
MOST_SHAPES, MOST_FILLS = 50, 20
"""The numbers of tries to place the blocks, and to fill the grid."""
PATIENCE = 2_000
"""The number of search nodes for one try to fill a grid."""
TRIED = 15
"""The number of words tried for each wanted candidate."""
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHAPES = ("../..", ".../...", "../../..", ".../.../...", "#../.../..#", "..#/.../#..", ".../.#./...")
FEW_LETTERS = "ABE"
"""Grids and letters of small crosswords for tests."""


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[CrosswordLayout, str]:
    """Return a random level with one solution, and its empty grid. Raises ParseError if no blocks or no words fit."""
    (rows, columns), words, number = options["size"], options["words"], options["choices"]
    shape, lists = fill_grid(rng, rows, columns, options["blocks"], words)
    slots = slots_of(shape, columns)
    for slot in rng.sample(slots, len(slots)):
        _add_decoys(rng, slots, lists, slot, _by_length(tuple(words))[len(slot.cells)], number)
    candidates = [rng.sample(lists[slot.name], len(lists[slot.name])) for slot in slots]
    return CrosswordLayout(shape, columns, lists=tuple(map(tuple, candidates))), shape


def random_shape(rng: Random, rows: int, columns: int, blocks: int, longest: int) -> str:
    """Return a random grid of blocks and empty cells, whose words have at most `longest` letters."""
    if min(rows, columns) < 2:
        raise ParseError(f"a crossword of {rows}x{columns} cells has no words that cross; 2x2 is the smallest")
    for _ in range(MOST_SHAPES):
        shape = _with_blocks(rng, rows, columns, blocks, longest)
        if shape is not None:
            return shape
    raise ParseError(
        f"{count(blocks, 'block')} found no place in {rows}x{columns} cells: the blocks must be symmetric under half a "
        f"turn, and no word may be shorter than two or three letters, or "
        f"longer than {longest}, the greatest length in the list"
    )


def _with_blocks(rng: Random, rows: int, columns: int, blocks: int, longest: int) -> str | None:
    """Add pairs of opposite blocks to a grid, first in words that are too long; return None if no block fits."""
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
    """Return whether all empty cells of a grid are connected, and each is in two words that are long enough."""
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
    """Return a random grid of blocks, and a list with the word of each slot; no two words are the same.

    A single hard shape or bad beginning can take for ever; so many are tried, each for a short time.
    """
    for _ in range(MOST_FILLS):
        shape = random_shape(rng, rows, columns, blocks, max(map(len, words)))
        fill = _fill(rng, shape, columns, words)
        if fill is not None:
            return shape, fill
    raise ParseError(
        f"no words of the list ({count(len(words), 'word')}) were found to fill {rows}x{columns} cells with "
        f"{count(blocks, 'block')}; a longer list or more blocks make it easier"
    )


def _fill(rng: Random, shape: str, columns: int, words: Sequence[str]) -> dict[str, list[str]] | None:
    """Return a list with a single random word for each slot; None if no fitting words are found soon."""
    slots = slots_of(shape, columns)
    rows = _by_length(tuple(words))
    letters = {str(cell): rng.sample(ALPHABET, 26) for slot in slots for cell in slot.cells}
    tables = [Relation("table", _variables(slot), rows.get(len(slot.cells), ())) for slot in slots]
    with suppress(TooManyNodesError):
        for values in Search(Constraints(letters, tables), most_nodes=PATIENCE).solutions():
            read = {slot.name: ["".join(str(values[name]) for name in _variables(slot))] for slot in slots}
            if len({word for (word,) in read.values()}) == len(slots):
                return read
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
    """Add decoys to the candidates of a slot, up to `number` candidates, so that no other solution arises."""
    (true,) = lists[slot.name]
    decoys = [word for word in rng.sample(words, min(len(words), TRIED * number)) if word != true]
    decoys.sort(key=lambda word: not any(map(eq, word, true)))  # first words that share a letter with the true one
    for word in decoys:
        if len(lists[slot.name]) == number:
            return
        candidates = {**lists, slot.name: [word]}
        letters = {str(cell): tuple(sorted(some)) for cell, some in alphabets_of(slots, candidates).items()}
        tables = [Relation("table", _variables(one), candidates[one.name]) for one in slots]
        if next(solutions(Constraints(letters, tables)), None) is None:
            lists[slot.name].append(word)


def random_grid(rng: Random) -> tuple[str, int, str]:
    """Return a small random grid, row by row, its number of columns, and the grid filled with random letters."""
    rows = rng.choice(SHAPES).split("/")
    shape = "".join(rows)
    return shape, len(rows[0]), "".join([cell if cell == BLOCK else rng.choice(FEW_LETTERS) for cell in shape])


def sample_level(rng: Random) -> tuple[CrosswordLayout, str]:
    """Return a level with up to three candidates for each slot, and its grid's letters; it may be unsolvable."""
    shape, columns, true = random_grid(rng)
    slots = slots_of(shape, columns)
    candidates = []
    for slot in slots:  # the true word and others in any order; one may be too short, or there twice
        words = [slot.read(true), *[_random(rng, len(slot.cells)) for _ in range(rng.randint(0, 2))]]
        if rng.random() < 0.1:
            words.append(_random(rng, len(slot.cells) - 1))
        candidates.append(rng.sample(words, len(words)))
    if rng.random() < 0.2:
        candidates[rng.randrange(len(slots))] = [_random(rng, rng.randint(2, 3))]
    layout = CrosswordLayout(shape, columns, lists=tuple(map(tuple, candidates)))
    return layout, some_given(rng, shape, true)


def open_level(rng: Random, filled_rows: int) -> tuple[CrosswordLayout, str]:
    """Return a solvable level of 5x5 cells without blocks; some rows are filled, some candidates too long or short."""
    true = "".join(rng.choices(FEW_LETTERS, k=25))
    rows = rng.sample(range(5), filled_rows)
    letters = "".join(letter if cell // 5 in rows else EMPTY for cell, letter in enumerate(true))
    candidates = []
    for slot in slots_of(true, 5):
        words = {slot.read(true): None, _random(rng, 5): None, _random(rng, rng.choice((3, 4, 6))): None}
        # A candidate that differs in a given letter can be written only by searches that overwrite.
        candidates.append(rng.sample(list(words), len(words)))
    return CrosswordLayout(EMPTY * 25, 5, lists=tuple(map(tuple, candidates))), letters


def _random(rng: Random, length: int) -> str:
    return "".join(rng.choices(FEW_LETTERS, k=length))


def some_given(rng: Random, shape: str, true: str) -> str:
    """Return the letters that a level's grid begins with: often none, else one or two, sometimes wrong ones."""
    if rng.random() < 0.6:
        return shape
    cells = rng.sample(range(len(shape)), rng.randint(1, 2))
    wrong = rng.random() < 0.2
    letters = {cell: rng.choice(FEW_LETTERS) if wrong else true[cell] for cell in cells}
    return "".join(letters.get(cell, old) if old == EMPTY else old for cell, old in enumerate(shape))
