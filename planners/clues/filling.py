"""Filling of a grid: computes beliefs from the position and the word probabilities, then answers from the beliefs.

The grid gets the likeliest letter of each cell: that maximises the expected number of right letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, Protocol

import numpy as np

from unpuzzle.base.availability import require
from unpuzzle.base.run import current
from unpuzzle.base.values import Record
from unpuzzle.planners.clues.belief import Beliefs, Chain, Entry, propagate
from unpuzzle.planners.clues.scoring import Evidence, Weights, probabilities
from unpuzzle.planners.clues.sources.source import Array
from unpuzzle.puzzle.position import Position

MOST_WORDS = 600_000
"""The largest number of words for all slots together; in large grids, each slot gets only its likeliest ones."""
ALTERNATIVES = 5
LOOKED_AT = 200
LEAST_SHOWN = 1e-4
MOST_OF_SLOT = 250
"""The largest number of words of a slot for CP-SAT."""
PRICE_SCALE = 1000
LETTER_PRICE = log(1 / 14)
"""The log probability of a letter of an unknown word: the entropy left by its place (C. Shannon, 1951)."""
KEPT_BACK = 0.1
FOR_READING = 0.01
"""Seconds per slot to read the beliefs at the end."""
MOST_SECONDS = 30.0
"""The time of CP-SAT if no limit is smaller."""


class CluedPosition(Protocol):
    """The interface of positions for this planner; a game with `clues` as its planner must implement it."""

    letters: str
    """The letters row by row: `.` an empty cell, `#` a block, otherwise the letter in the cell."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    def clued_slots(self) -> Sequence[tuple[str, Sequence[int], str]]:
        """Return the slots, each as a name, cells in the order of the word, and a clue (empty if unknown)."""

    def with_letters(self, letters: str) -> Position:
        """Return the position with the given letters in the grid, row by row."""


class CluedSlot(Record):
    """A place for a word in a grid: its name, its cells in the order of the word, and its clue (can be empty)."""

    name: str
    cells: tuple[int, ...]
    clue: str


class SlotAnswer(Record):
    """The word in a slot of the filled grid, the probability that it is right, and alternatives, likeliest first."""

    word: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]


class Filling(Record):
    """A filled grid: letters by cell (empty outside of slots), confidence by cell, and answers by name of slot."""

    letters: list[str]
    confidence: list[float]
    answers: dict[str, SlotAnswer]


def numbers_of(words: Array) -> Array:
    """Return words as an array of letter numbers (A is 0), one row per word."""
    if not len(words):
        return np.zeros((0, words.dtype.itemsize), np.int64)
    return np.ascontiguousarray(words).view(np.uint8).reshape(len(words), -1).astype(np.int64) - ord("A")


def entry_of(slot: CluedSlot, evidence: Evidence, chain: Chain, weights: Weights, most: int) -> Entry:
    """Return the entry of a slot for belief propagation; `most` limits its words to the likeliest."""
    chances = probabilities(evidence, weights)
    order = np.argsort(-chances, kind="stable")[:most]
    words = numbers_of(evidence.words[order])
    return Entry(slot.cells, words, chances[order] * (1 - weights.rest), chain, weights.rest)


class CluedGrid(Record, eq=False):
    """A grid to be filled: entries and slots in the same order, the known letters by cell, the number of cells."""

    entries: Sequence[Entry]
    slots: Sequence[CluedSlot]
    givens: dict[int, int]
    cells: int


def fill_grid(grid: CluedGrid, weights: Weights, method: str = "belief") -> Filling:
    """Return the grid filled by `method`, one of `settings.METHODS`; the grid is less exact if little time is left.

    Raises DependencyMissing if a package for the method is not installed.
    """
    beliefs = propagate(grid.entries, grid.cells, grid.givens, lambda: _left() <= len(grid.slots) * FOR_READING)
    best = beliefs.letters.argmax(axis=1).tolist()
    if method == "cp-sat":
        best = likeliest_grid(grid.entries, beliefs, grid.givens, min(_left(), MOST_SECONDS)) or best
    for cell, letter in grid.givens.items():
        best[cell] = letter
    crossed = {cell for slot in grid.slots for cell in slot.cells}
    letters = [chr(ord("A") + best[cell]) if cell in crossed else "" for cell in range(grid.cells)]
    confidence = [
        1.0 if grid.givens.get(cell) == best[cell] else float(beliefs.letters[cell, best[cell]])
        for cell in range(grid.cells)
    ]
    answers = {}
    for slot, words, chances in zip(grid.slots, beliefs.words, beliefs.chances, strict=True):
        word = "".join(letters[cell] for cell in slot.cells)
        product = float(np.prod([confidence[cell] for cell in slot.cells]))
        answers[slot.name] = _answer(word, product, words, chances, weights)
    return Filling(letters, confidence, answers)


def _left() -> float:
    """Return the remaining seconds for filling, minus a reserve for the work after filling."""
    left = current().time_left()
    return float("inf") if left is None else left - KEPT_BACK


def _answer(word: str, product: float, words: Array, chances: Array, weights: Weights) -> SlotAnswer:
    """Return the answer of a slot; `product` (of its letters' probabilities) is used for a word on no list."""
    order = np.argsort(-chances, kind="stable")[:LOOKED_AT]
    by_word = {"".join(chr(ord("A") + letter) for letter in words[place]): float(chances[place]) for place in order}
    others = [
        (other, weights.confidence(chance))
        for other, chance in by_word.items()
        if other != word and chance > LEAST_SHOWN
    ]
    return SlotAnswer(word, weights.confidence(by_word.get(word, product)), tuple(others[:ALTERNATIVES]))


def likeliest_grid(
    entries: Sequence[Entry], beliefs: Beliefs, givens: dict[int, int], seconds: float
) -> list[int] | None:
    """Return the letters, by cell, of the grid that is likeliest as a whole, by CP-SAT; None if the time is too short.

    Each slot gets one word, so that crossings agree and the product of the probabilities is largest. Only words among
    the beliefs are tried. A slot may also be left to its crossings, at the price of an unknown word.

    Raises DependencyMissing without OR-tools.
    """
    require("sat", "filling a grid by CP-SAT needs")
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    cells = len(beliefs.letters)
    letters = [model.new_int_var(0, 25, f"c{cell}") for cell in range(cells)]
    for cell, letter in givens.items():
        model.add(letters[cell] == letter)
    terms = []
    for number, entry in enumerate(entries):
        terms += _choice(model, letters, entry, beliefs.words[number], beliefs.chances[number], beliefs.letters)
    model.maximize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [solver.value(letter) for letter in letters]


def _choice(model: Any, letters: list[Any], entry: Entry, words: Array, chances: Array, marginals: Array) -> list[Any]:
    """Let the model choose at most one word for a slot; return the cost terms of the choices."""
    rows = np.argsort(-chances, kind="stable")[:MOST_OF_SLOT]
    prior = dict(zip(map(bytes, entry.words.astype(np.uint8)), entry.chances.tolist(), strict=True))
    before = [prior[bytes(row)] for row in words[rows].astype(np.uint8)]  # the probability without crossings
    choices = [model.new_bool_var("") for _ in rows]
    given_up = model.new_bool_var("")
    model.add_exactly_one([*choices, given_up])
    for place, cell in enumerate(entry.cells):
        by_letter: dict[int, list[Any]] = {}
        for literal, row in zip(choices, rows.tolist(), strict=True):
            by_letter.setdefault(int(words[row, place]), []).append(literal)
        for letter, literals in by_letter.items():
            for literal in literals:
                model.add(letters[cell] == letter).only_enforce_if(literal)
    price = int(PRICE_SCALE * (log(max(entry.rest, 1e-9)) + len(entry.cells) * LETTER_PRICE))
    priced = [
        int(PRICE_SCALE * log(max(chance, 1e-30))) * literal for chance, literal in zip(before, choices, strict=True)
    ]
    return [*priced, price * given_up]
