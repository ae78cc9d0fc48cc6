"""The likeliest grid as a whole, by CP-SAT: one word for each slot, so that all agree and their chances multiply.

The other way to fill, next to `belief`, whose beliefs are its start: of each slot only words stay that are believed at
all. A slot may also be given up, at the price of a word that nobody knows: then it reads what its crossings say.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import log
from typing import Any

import numpy as np

from unpuzzle.errors import DependencyMissing
from unpuzzle.planners.clues.belief import Beliefs, Entry
from unpuzzle.planners.clues.sources.source import Array

MOST = 250
"""Words of a slot."""
SCALE = 1000
LETTER = log(1 / 14)
"""The price of a letter of a word that nobody knows: what its place in a word leaves open (C. Shannon, 1951)."""
INSTALL = "pip install 'unpuzzle[sat]'"


def joint(entries: Sequence[Entry], beliefs: Beliefs, given: dict[int, int], seconds: float) -> list[int] | None:
    """Return the letters of the likeliest grid, by cell; None where none was found within the time.

    Raises DependencyMissing without OR-tools.
    """
    if find_spec("ortools") is None:
        raise DependencyMissing(f"filling by CP-SAT needs OR-tools; get it with: {INSTALL}", dependency="clues")
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    cells = len(beliefs.letters)
    letters = [model.new_int_var(0, 25, f"c{cell}") for cell in range(cells)]
    for cell, letter in given.items():
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
    """Return the prices of a slot's words, of which one is chosen or none."""
    rows = np.argsort(-chances, kind="stable")[:MOST]
    prior = dict(zip(map(bytes, entry.words.astype(np.uint8)), entry.chances.tolist(), strict=True))
    before = [prior[bytes(row)] for row in words[rows].astype(np.uint8)]  # anything crosses them
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
    price = int(SCALE * (log(max(entry.rest, 1e-9)) + len(entry.cells) * LETTER))
    priced = [int(SCALE * log(max(chance, 1e-30))) * literal for chance, literal in zip(before, choices, strict=True)]
    return [*priced, price * given_up]
