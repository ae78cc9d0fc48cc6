"""Belief propagation: slots and cells exchange messages about the probability of each letter until they agree (J.
Pearl, 1982).

A slot is a factor over its cells: a mixture of the known words, each with its probability, and of a chain of letters
for words on no list, which crossings may spell. A cell is a variable with 26 values. On a grid, where messages go in
circles, the result is an approximation; its quality is measured by `scripts/bench crosswords`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unpuzzle.base.values import Record
from unpuzzle.planners.clues.sources.source import Array

ROUNDS = 24
DAMPING = 0.4
"""The share of the old message kept in each round, without which messages may oscillate."""
ENOUGH = 1e-3
FLOOR = 1e-9
SORTING = (4, 8)
"""The rounds after which nearly impossible words are dropped: later rounds take a tenth of the time."""
HOPELESS = 1e-8
ALPHABET = 26
LITTLE = 0.05
"""The number added to each count of three letters, so that no letter is impossible."""


class Chain:
    """A model of words: the probability of each letter, given its place and the two letters before (C. Shannon, 1948).

    It is learned from the words of a length, once for each place and once for all places, and the two are mixed.

    Attributes:
      first: the probabilities of the letters at the first two places, 26 × 26.
      steps: for each further place, the probabilities of a letter after two others, 26 × 26 × 26.
    """

    def __init__(self, words: Array) -> None:
        """Learn from `words`: a row of letter numbers (from 0) for each word; at least two columns, perhaps no rows."""
        length = words.shape[1]
        self.length = length
        pairs = np.full((ALPHABET, ALPHABET), LITTLE)
        np.add.at(pairs, (words[:, 0], words[:, 1]), 1.0)
        self._first: Array = pairs / pairs.sum()
        anywhere = np.full((ALPHABET,) * 3, LITTLE)
        by_place = []
        for place in range(2, length):
            counts = np.zeros((ALPHABET,) * 3)
            np.add.at(counts, (words[:, place - 2], words[:, place - 1], words[:, place]), 1.0)
            anywhere += counts
            by_place.append(counts)
        anywhere /= anywhere.sum(axis=2, keepdims=True)
        self.steps: list[Array] = [
            (counts + 3.0 * anywhere) / (counts.sum(axis=2, keepdims=True) + 3.0) for counts in by_place
        ]

    def marginals(self, evidence: Array) -> tuple[Array, float]:
        """Return the weight of each letter at each place, given the other places, and the total weight of all words.

        `evidence` has a row for each place with the weight of each letter. Uses the forward-backward algorithm (L.
        Baum, 1970).
        """
        forward = [self._first * evidence[0][:, None]]
        for place, step in enumerate(self.steps, 1):
            before = forward[-1] * evidence[place][None, :]
            forward.append(np.einsum("ab,abc->bc", before, step))
        backward = [np.ones((ALPHABET, ALPHABET))]
        for place in range(self.length - 2, 0, -1):
            after = evidence[place + 1][None, :] * backward[0]
            backward.insert(0, np.einsum("abc,bc->ab", self.steps[place - 1], after))
        result = np.empty((self.length, ALPHABET))
        result[0] = np.einsum("ab,b,ab->a", self._first, evidence[1], backward[0])
        for place in range(1, self.length):
            result[place] = (forward[place - 1] * backward[place - 1]).sum(axis=0)
        return result, float((result[0] * evidence[0]).sum())

    def chance(self, words: Array) -> Array:
        result: Array = self._first[words[:, 0], words[:, 1]].copy()
        for place, step in enumerate(self.steps, 2):
            result *= step[words[:, place - 2], words[:, place - 1], words[:, place]]
        return result


class Entry(Record, eq=False):
    """A slot to be filled: its `cells`, and its possible `words` as rows of letter numbers from 0.

    `chances` are the probabilities of the words without crossings. `rest` is the probability of a word not among them,
    for which the `chain` gives the probability of its letters.
    """

    cells: tuple[int, ...]
    words: Array
    chances: Array
    chain: Chain
    rest: float


class Beliefs(Record, eq=False):
    """The result of belief propagation: the probability of each letter by cell, and of each word by entry.

    `words` are the words of each entry that are still possible, with their `chances`; `others` is the probability of
    any other word.
    """

    letters: Array
    words: list[Array]
    chances: list[Array]
    others: list[float]
    rounds: int


def propagate(
    entries: Sequence[Entry], cells: int, givens: dict[int, int], enough: Callable[[], bool] = lambda: False
) -> Beliefs:
    """Return the beliefs about a grid; `givens` maps cells to known letters; `enough` can end the rounds early."""
    base = np.ones((cells, 26)) / 26
    for cell, letter in givens.items():
        base[cell] = FLOOR
        base[cell, letter] = 1.0
    messages = [np.ones((len(entry.cells), 26)) / 26 for entry in entries]
    rounds = 0
    for rounds in range(1, ROUNDS + 1):
        change = 0.0
        for number, entry in enumerate(entries):
            if enough():
                break
            incoming = _incoming(entries, messages, number, base)
            fresh = _outgoing(entry, incoming)
            fresh = (1 - DAMPING) * fresh + DAMPING * messages[number]
            change = max(change, float(np.abs(fresh - messages[number]).max()))
            messages[number] = fresh
        if change < ENOUGH or enough():
            break
        if rounds in SORTING:
            entries = [_hopeful(entry, _incoming(entries, messages, i, base)) for i, entry in enumerate(entries)]
    return _read(entries, messages, base, rounds)


def _incoming(entries: Sequence[Entry], messages: list[Array], number: int, base: Array) -> Array:
    """Return, for each cell of an entry, the product of the messages from all other entries."""
    places = {cell: place for place, cell in enumerate(entries[number].cells)}
    result: Array = base[list(entries[number].cells)].copy()
    for other, entry in enumerate(entries):
        if other != number:
            for place, cell in enumerate(entry.cells):
                if cell in places:
                    result[places[cell]] *= messages[other][place]
    result /= result.sum(axis=1, keepdims=True)
    return np.maximum(result, FLOOR)


def _hopeful(entry: Entry, incoming: Array) -> Entry:
    """Return the entry without the words that the other entries make nearly impossible."""
    weights = _weights(entry, incoming)
    rows = weights > HOPELESS * weights.sum()
    return entry.replace(words=entry.words[rows], chances=entry.chances[rows])


def _weights(entry: Entry, incoming: Array) -> Array:
    """Return the unnormalised probabilities of an entry's words, given the other entries."""
    weights: Array = entry.chances * incoming[np.arange(len(entry.cells))[None, :], entry.words].prod(axis=1)
    return weights


def _outgoing(entry: Entry, incoming: Array) -> Array:
    """Return the message of an entry to each of its cells, computed from the messages about its other cells."""
    result, _ = entry.chain.marginals(incoming)
    result = result * entry.rest
    if len(entry.words):
        places = np.arange(incoming.shape[0])
        factors = incoming[places[None, :], entry.words]
        weights = entry.chances * factors.prod(axis=1)
        for place in places:
            result[place] += np.bincount(entry.words[:, place], weights / factors[:, place], 26)
    result = np.maximum(result, FLOOR * result.max(axis=1, keepdims=True))
    fresh: Array = result / result.sum(axis=1, keepdims=True)
    return fresh


def _read(entries: Sequence[Entry], messages: list[Array], base: Array, rounds: int) -> Beliefs:
    letters = np.log(base)
    for entry, message in zip(entries, messages, strict=True):
        for place, cell in enumerate(entry.cells):
            letters[cell] += np.log(message[place])
    letters = np.exp(letters - letters.max(axis=1, keepdims=True))
    letters /= letters.sum(axis=1, keepdims=True)
    chances, others = [], []
    for number, entry in enumerate(entries):
        incoming = _incoming(entries, messages, number, base)
        _, whole = entry.chain.marginals(incoming)
        weights = _weights(entry, incoming)
        total = weights.sum() + entry.rest * whole
        chances.append(weights / total)
        others.append(float(entry.rest * whole / total))
    return Beliefs(letters, [entry.words for entry in entries], chances, others, rounds)
