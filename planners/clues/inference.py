"""Functions that fill a grid: they compute probabilities of words from their measures, then letters and answers.

Beliefs are propagated (J. Pearl, 1982). Then the grid gets the likeliest letter of each cell, which maximises the
expected number of right letters.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import exp, log
from typing import Any, Protocol

import numpy as np

from unpuzzle.base.availability import require
from unpuzzle.base.run import current
from unpuzzle.base.values import Record
from unpuzzle.model.position import Position
from unpuzzle.planners.clues import dictionary
from unpuzzle.planners.clues.clue import Array, ScoredWords, WordSource, letters_in

WEIGHTS = os.path.join(os.path.dirname(__file__), "weights.json")
DICTIONARIES = ("gcide", "wordnet")
COMBINED = ("sense", "meanings", "covered", "synonym", "form", "reverse", "near")
STRONG = 0.6
"""The likeness from which a definition counts as equal to the clue."""
LEARNED = (
    *(f"{name}.{measure}" for name in DICTIONARIES for measure in dictionary.MEASURES),
    *("words.listed", "words.frequent", "words.known"),
    *("forms.made", "forms.made otherwise", "forms.of the clue", "forms.agrees", "forms.disagrees"),
    *("likeness.alike", "likeness.begins", "likeness.ends", "likeness.sounds", "likeness.same"),
)
"""The measures with learned weights."""
OTHERS = "told"
"""The feature for all other sources: the largest of their values."""
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


class Weights(Record):
    """The learned weights of the measures that rate words; `rest` is the probability that no source has the answer.

    Features are the measures of the sources, their squares, and the best values of the dictionaries.
    `scripts/make/fit_clues` fits the weights; `weights.json` keeps them, with the figures of the split for fitting and
    testing. A source without training data, such as a page on the network, has a weight chosen by hand. `sure` is the
    slope and offset from the log odds of a belief to the log odds of being right.
    """

    features: Mapping[str, float]
    rest: float
    sure: tuple[float, float]

    def confidence(self, belief: float) -> float:
        """Return the learned probability, from 0 to 1, that an answer with the given belief is right."""
        slope, offset = self.sure
        belief = min(max(belief, 1e-9), 1 - 1e-9)
        return 1 / (1 + exp(-(slope * log(belief / (1 - belief)) + offset)))

    @classmethod
    def read(cls) -> Weights:
        """Return the weights from the file `weights.json` of this package."""
        with open(WEIGHTS, encoding="utf-8") as file:
            values = json.load(file)
        return cls(*[values[name] for name in cls._fields])


class Evidence:
    """The measures that all sources give to the words of one length, for one clue."""

    def __init__(self, vocabulary: Array, answers: Sequence[tuple[WordSource, ScoredWords]]) -> None:
        """Collect the measures of all sources; words that only a source gives are added to the vocabulary."""
        new = [scored.words for source, scored in answers if not source.listed and len(scored.words)]
        self.words: Array = np.unique(np.concatenate([vocabulary, *new])) if new else vocabulary
        self.columns: dict[str, Array] = {name: np.zeros(len(self.words), np.float32) for name in (*LEARNED, OTHERS)}
        for source, scored in answers:
            places = np.searchsorted(self.words, scored.words)
            for number, measure in enumerate(source.measures):
                column = self.columns.get(f"{source.name}.{measure}", self.columns[OTHERS])
                np.maximum.at(column, places, scored.measures[:, number])

    def features(self) -> dict[str, Array]:
        """Return the learned measures of all words, including squares and combinations of the sources' measures."""
        features = dict(self.columns)
        for name in LEARNED:
            if name.partition(".")[0] in DICTIONARIES:
                features[f"{name} squared"] = features[name] ** 2
        for measure in COMBINED:
            features[measure] = np.maximum.reduce([features[f"{name}.{measure}"] for name in DICTIONARIES])
            features[f"{measure} squared"] = features[measure] ** 2
        best = np.maximum.reduce([features[measure] for measure in COMBINED[:-2]])
        for name in ("forms.made", "forms.of the clue", "likeness.alike"):
            best = np.maximum(best, features[name])
        return features | {"best": best, "best squared": best**2, "strong": (best > STRONG).astype(np.float32)}


def probabilities(evidence: Evidence, weights: Weights) -> Array:
    """Return the probability of each word, given that one of the words is the answer.

    log P(word) = weights · features(word) + constant            among all words of the length (a conditional logit,
                                                                 D. McFadden, 1974)
    """
    scores = np.zeros(len(evidence.words))
    for name, feature in evidence.features().items():
        if weight := weights.features.get(name, 0.0):
            scores += weight * feature
    chances = np.exp(scores - scores.max()) if len(scores) else scores
    result: Array = chances / max(chances.sum(), 1e-300)
    return result


class Chain:
    """A model of words: the probability of each letter, given its place and the two letters before (C. Shannon, 1948).

    It is learned from the words of a length, once for each place and once for all places, and the two are mixed.
    `first` has the probabilities at the first two places, 26 × 26, and `steps` those after two other letters, at each
    further place, 26 × 26 × 26.
    """

    def __init__(self, words: Array) -> None:
        """Learn the probabilities from `words`, an array with a row of letter numbers (from 0) for each word."""
        pairs = np.full((ALPHABET, ALPHABET), LITTLE)
        np.add.at(pairs, (words[:, 0], words[:, 1]), 1.0)
        self.first: Array = pairs / pairs.sum()
        by_place = np.zeros((words.shape[1] - 2, *(ALPHABET,) * 3))
        for place, counts in enumerate(by_place):
            np.add.at(counts, tuple(words[:, place : place + 3].T), 1.0)
        anywhere = by_place.sum(axis=0) + LITTLE
        mixed = by_place + 3.0 * (anywhere / anywhere.sum(axis=2, keepdims=True))
        self.steps: Array = mixed / (by_place.sum(axis=3, keepdims=True) + 3.0)

    def marginals(self, evidence: Array) -> tuple[Array, float]:
        """Return the weight of each letter at each index of a word, given the other letters; also the sum of all words.

        `evidence` has a row for each place with the weight of each letter. Uses the forward-backward algorithm (L.
        Baum, 1970).
        """
        forward = [self.first * evidence[0][:, None]]
        for place, step in enumerate(self.steps, 1):
            before = forward[-1] * evidence[place][None, :]
            forward.append(np.einsum("ab,abc->bc", before, step))
        backward = [np.ones((ALPHABET, ALPHABET))]
        for place in range(len(self.steps), 0, -1):
            after = evidence[place + 1][None, :] * backward[0]
            backward.insert(0, np.einsum("abc,bc->ab", self.steps[place - 1], after))
        first = np.einsum("ab,b,ab->a", self.first, evidence[1], backward[0])
        result = np.stack([first, *[(a * b).sum(axis=0) for a, b in zip(forward, backward, strict=True)]])
        return result, float((result[0] * evidence[0]).sum())


# Beliefs about letters: slots and cells exchange messages about the probability of each letter until they agree. A slot
# is a factor over its cells: a mixture of the known words, each with its probability, and of a chain of letters for
# words on no list, which crossings may spell. A cell is a variable with 26 values. On a grid, where messages go in
# circles, the result is an approximation; its quality is measured by `scripts/bench crosswords`.


class Entry(Record, eq=False):
    """A slot to be filled: its name, its `cells`, and its possible `words` as rows of letter numbers from 0.

    `chances` are the probabilities of the words without crossings. `rest` is the probability of a word not among them,
    for which the `chain` gives the probability of its letters.
    """

    name: str
    cells: tuple[int, ...]
    words: Array
    chances: Array
    chain: Chain
    rest: float


class Beliefs:
    """The state of belief propagation: the message of each slot about its letters, and the words still possible."""

    def __init__(self, entries: Sequence[Entry], cells: int, givens: Mapping[int, int]) -> None:
        """Begin with equal probabilities of all letters, except for the `givens`, known letters by cell."""
        self.entries: list[Entry] = list(entries)
        self._messages: list[Array] = [np.ones((len(entry.cells), ALPHABET)) / ALPHABET for entry in entries]
        self._base: Array = np.ones((cells, ALPHABET)) / ALPHABET
        for cell, letter in givens.items():
            self._base[cell] = FLOOR
            self._base[cell, letter] = 1.0

    def send(self, number: int) -> float:
        """Compute the messages of the entry `number` to its cells from those of crossing entries; return the change."""
        entry, old, incoming = self.entries[number], self._messages[number], self._incoming(number)
        fresh = entry.chain.marginals(incoming)[0] * entry.rest
        factors = incoming[np.arange(len(incoming)), entry.words]
        weights = entry.chances * factors.prod(axis=1)
        for place in range(len(fresh)):
            fresh[place] += np.bincount(entry.words[:, place], weights / factors[:, place], ALPHABET)
        fresh = np.maximum(fresh, FLOOR * fresh.max(axis=1, keepdims=True))
        self._messages[number] = (1 - DAMPING) * (fresh / fresh.sum(axis=1, keepdims=True)) + DAMPING * old
        return float(np.abs(self._messages[number] - old).max())

    def _incoming(self, number: int) -> Array:
        """Return, for each cell of an entry, the normalized product of the messages from all other entries."""
        places = {cell: place for place, cell in enumerate(self.entries[number].cells)}
        result: Array = self._base[list(places)].copy()
        for other, entry in enumerate(self.entries):
            for place, cell in enumerate(entry.cells if other != number else ()):
                if cell in places:
                    result[places[cell]] *= self._messages[other][place]
        incoming: Array = np.maximum(result / result.sum(axis=1, keepdims=True), FLOOR)
        return incoming

    def _weights(self, number: int) -> Array:
        """Return the unnormalised probabilities of an entry's words, given the letters that other entries suggest."""
        entry, incoming = self.entries[number], self._incoming(number)
        weights: Array = entry.chances * incoming[np.arange(len(incoming)), entry.words].prod(axis=1)
        return weights

    def drop_words(self) -> None:
        """Remove from each entry the words that crossing entries make nearly impossible."""
        for number, entry in enumerate(self.entries):
            weights = self._weights(number)
            rows = weights > HOPELESS * weights.sum()
            self.entries[number] = entry.replace(words=entry.words[rows], chances=entry.chances[rows])

    @cached_property
    def letters(self) -> Array:
        """The probability of each letter in each cell, by the messages from all slots that contain the cell."""
        letters = np.log(self._base)
        for entry, message in zip(self.entries, self._messages, strict=True):
            for place, cell in enumerate(entry.cells):
                letters[cell] += np.log(message[place])
        letters = np.exp(letters - letters.max(axis=1, keepdims=True))
        result: Array = letters / letters.sum(axis=1, keepdims=True)
        return result

    @cached_property
    def chances(self) -> list[Array]:
        """The probability of each word of each entry, given the letters that crossing entries suggest."""
        wholes = []
        for number, entry in enumerate(self.entries):
            weights = self._weights(number)
            unknown = entry.rest * entry.chain.marginals(self._incoming(number))[1]
            wholes.append(weights / (weights.sum() + unknown))
        return wholes


def propagate(
    entries: Sequence[Entry], cells: int, givens: dict[int, int], enough: Callable[[], bool] = lambda: False
) -> Beliefs:
    """Return the beliefs about a grid; `givens` are known letters by cell. It ends early if `enough` returns True."""
    beliefs = Beliefs(entries, cells, givens)
    for rounds in range(1, ROUNDS + 1):
        change = 0.0
        for number in range(len(entries)):
            if enough():
                return beliefs
            change = max(change, beliefs.send(number))
        if change < ENOUGH or enough():
            break
        if rounds in SORTING:
            beliefs.drop_words()
    return beliefs


# The answers: the grid filled by the likeliest letters, or by CP-SAT.


class CluedPosition(Protocol):
    """The interface of positions that this planner can solve; a game with the planner `clues` must implement it."""

    letters: str
    """The letters row by row: `.` an empty cell, `#` a block, otherwise the letter in the cell."""

    columns: int
    """The number of columns of the grid."""

    def clued_slots(self) -> Sequence[tuple[str, Sequence[int], str]]:
        """Return the slots of the grid, each as its name, its cells in the order of the word, and its clue, if any."""

    def with_letters(self, letters: str) -> Position:
        """Return the position with the given letters in the grid, row by row."""


class CluedSlot(Record):
    """A place for a word in a grid: its name, its cells in the order of the word, and its clue, which may be empty."""

    name: str
    cells: tuple[int, ...]
    clue: str


class Filling(Record):
    """A filled grid: a letter (or nothing) and a confidence for each cell, and the answers of each slot by its name.

    Of these, the first is the one in the grid; alternatives follow, likeliest first, each with its probability.
    """

    letters: list[str]
    confidence: list[float]
    answers: dict[str, list[tuple[str, float]]]


def numbers_of(words: Array) -> Array:
    """Return words as an array of letter numbers (0 for A), with one row for each word."""
    return letters_in(words).astype(np.int64) - ord("A")


def entry_of(slot: CluedSlot, evidence: Evidence, chain: Chain, weights: Weights, most: int) -> Entry:
    """Return the entry of a slot for belief propagation, with at most `most` words, the likeliest ones."""
    chances = probabilities(evidence, weights)
    order = np.argsort(-chances, kind="stable")[:most]
    words = numbers_of(evidence.words[order])
    return Entry(slot.name, slot.cells, words, chances[order] * (1 - weights.rest), chain, weights.rest)


def fill_grid(
    entries: Sequence[Entry], cells: int, givens: dict[int, int], weights: Weights, method: str = "belief"
) -> Filling:
    """Fill a grid that has a number of cells; `givens` are the known letters by cell.

    `method` is one of `settings.METHODS`; the grid is less exact if little time is left. Raises DependencyMissing if a
    package for the method is not installed.
    """
    beliefs = propagate(entries, cells, givens, lambda: _left() <= len(entries) * FOR_READING)
    best = beliefs.letters.argmax(axis=1).tolist()
    if method == "cp-sat":
        best = likeliest_grid(beliefs, givens, min(_left(), MOST_SECONDS)) or best
    for cell, letter in givens.items():
        best[cell] = letter
    crossed = {cell for entry in entries for cell in entry.cells}
    letters = [chr(ord("A") + letter) if cell in crossed else "" for cell, letter in enumerate(best)]
    confidence = [1.0 if cell in givens else float(beliefs.letters[cell, letter]) for cell, letter in enumerate(best)]
    answers = {}
    for entry, chances in zip(beliefs.entries, beliefs.chances, strict=True):
        word = "".join([letters[cell] for cell in entry.cells])
        product = float(np.prod([confidence[cell] for cell in entry.cells]))
        answers[entry.name] = _answers(word, product, entry.words, chances, weights)
    return Filling(letters, confidence, answers)


def _left() -> float:
    """Return the seconds that remain for filling the grid; a few are reserved for preparing the result."""
    left = current().time_left()
    return float("inf") if left is None else left - KEPT_BACK


def _answers(word: str, product: float, words: Array, chances: Array, weights: Weights) -> list[tuple[str, float]]:
    """Return `word` and its best alternatives, with confidences; `product` is its probability if it is unlisted."""
    order = np.argsort(-chances, kind="stable")[:LOOKED_AT]
    by_word = {"".join(chr(ord("A") + letter) for letter in words[place]): float(chances[place]) for place in order}
    own = by_word.pop(word, product)
    others = [(other, chance) for other, chance in by_word.items() if chance > LEAST_SHOWN]
    return [(one, weights.confidence(chance)) for one, chance in [(word, own), *others[:ALTERNATIVES]]]


def likeliest_grid(beliefs: Beliefs, givens: dict[int, int], seconds: float) -> list[int] | None:
    """Return the letter of each cell in the likeliest grid, found by CP-SAT; None if the time is too short.

    Each slot gets one word, so that crossings agree and the product of the probabilities is largest. Only words among
    the beliefs are tried. A slot may also be left to its crossings, at the price of an unknown word. Raises
    DependencyMissing without OR-tools.
    """
    require("sat", "filling a grid by CP-SAT needs")
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    letters = [model.new_int_var(0, 25, f"c{cell}") for cell in range(len(beliefs.letters))]
    for cell, letter in givens.items():
        model.add(letters[cell] == letter)
    terms = []
    for entry, chances in zip(beliefs.entries, beliefs.chances, strict=True):
        rows = np.argsort(-chances, kind="stable")[:MOST_OF_SLOT]
        *choices, given_up = [model.new_bool_var("") for _ in range(len(rows) + 1)]
        model.add_exactly_one([*choices, given_up])
        for place, cell in enumerate(entry.cells):
            for literal, letter in zip(choices, entry.words[rows, place].tolist(), strict=True):
                model.add(letters[cell] == letter).only_enforce_if(literal)
        unknown = log(max(entry.rest, 1e-9)) + len(entry.cells) * LETTER_PRICE
        prices = [*[log(max(chance, 1e-30)) for chance in entry.chances[rows].tolist()], unknown]  # without crossings
        terms += [int(PRICE_SCALE * price) * var for price, var in zip(prices, [*choices, given_up], strict=True)]
    model.maximize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [solver.value(letter) for letter in letters]
