"""Random small crosswords for tests: letters instead of words, some given, some lists without the true candidate.

And larger ones of the published shape, for search components that others wrote.
"""

from __future__ import annotations

from random import Random

from unpuzzle.translators.crossword.layout import CandidateLayout, candidate_layout
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, slots_of

SHAPES = ("../..", ".../...", "../../..", ".../.../...", "#../.../..#", "..#/.../#..", ".../.#./...")
ALPHABET = "ABE"


def sample_level(rng: Random) -> tuple[CandidateLayout, str]:
    """Return a level with up to three candidates for each slot, and the letters in its grid; it may be unsolvable."""
    rows = rng.choice(SHAPES).split("/")
    shape, columns = "".join(rows), len(rows[0])
    slots = slots_of(shape, columns)
    true = "".join(letter if letter == BLOCK else rng.choice(ALPHABET) for letter in shape)
    candidates = [_candidates(rng, slot, true) for slot in slots]
    if rng.random() < 0.2:
        candidates[rng.randrange(len(slots))] = [_random(rng, rng.randint(2, 3))]
    return candidate_layout(shape, columns, candidates), some_given(rng, shape, true)


def open_level(rng: Random, filled_rows: int) -> tuple[CandidateLayout, str]:
    """Return a solvable level of 5x5 cells without blocks, with some rows filled, and candidates of wrong lengths."""
    true = "".join(rng.choices(ALPHABET, k=25))
    rows = rng.sample(range(5), filled_rows)
    letters = "".join(letter if cell // 5 in rows else EMPTY for cell, letter in enumerate(true))
    candidates = []
    for slot in slots_of(true, 5):
        words = {slot.read(true): None, _random(rng, 5): None, _random(rng, rng.choice((3, 4, 6))): None}
        # One that differs in a given letter can be written by nobody but by those who overwrite.
        candidates.append(rng.sample(list(words), len(words)))
    return candidate_layout(true, 5, candidates), letters


def _candidates(rng: Random, slot: Slot, true: str) -> list[str]:
    """Return the true word and others in any order; one may be too short, or there twice."""
    others = [_random(rng, len(slot.cells)) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.1:
        others.append(_random(rng, len(slot.cells) - 1))
    words = [slot.read(true), *others]
    return rng.sample(words, len(words))


def _random(rng: Random, length: int) -> str:
    return "".join(rng.choices(ALPHABET, k=length))


def some_given(rng: Random, shape: str, true: str) -> str:
    """Return the letters of a grid: often none; else one or two, which may be wrong."""
    if rng.random() < 0.6:
        return shape
    cells = rng.sample(range(len(shape)), rng.randint(1, 2))
    wrong = rng.random() < 0.2
    letters = {cell: rng.choice(ALPHABET) if wrong else true[cell] for cell in cells}
    return "".join(letters.get(cell, old) if old == EMPTY else old for cell, old in enumerate(shape))
