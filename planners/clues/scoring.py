"""Scoring of words: combines the measures of all sources, by learned weights, into one probability per word.

    log P(word) = weights · features(word) + constant            among all words of the length (a conditional logit,
                                                                 D. McFadden, 1974)

Features are the measures of the sources, their squares, and the best values of the dictionaries. `scripts/fit_clues`
fits the weights; `weights.json` keeps them, with the figures of the split for fitting and testing. A source without
training data, such as a page on the network, has a weight chosen by hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, Protocol

import numpy as np

from unpuzzle.base.values import Record
from unpuzzle.planners.clues import dictionary
from unpuzzle.planners.clues.clue import Array, ScoredWords


class Speaker(Protocol):
    """The interface of objects that measure words for a clue: a source, or the joined clues of several slots."""

    name: str
    measures: tuple[str, ...]
    listed: bool


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


class Weights(Record):
    """The learned weights of features, by name; `rest` is the probability that the answer is on no list.

    `sure` is the slope and offset from the log odds of a belief to the log odds of being right.
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
    def of(cls, values: Mapping[str, Any]) -> Weights:
        """Return the weights from plain data in the form of `weights.json`."""
        return cls(values["features"], values["rest"], (values["sure"][0], values["sure"][1]))

    @classmethod
    def read(cls, path: str = WEIGHTS) -> Weights:
        """Return the weights from a JSON file, by default the file in this package."""
        with open(path, encoding="utf-8") as file:
            return cls.of(json.load(file))


class Evidence:
    """The measures that all sources give to all words of one length, for one clue."""

    def __init__(self, vocabulary: Array, answers: Sequence[tuple[Speaker, ScoredWords]]) -> None:
        """Collect the measures of all sources; words on no list are added to the vocabulary if a source gives them."""
        new = [scored.words for source, scored in answers if not source.listed and len(scored.words)]
        self.words: Array = np.unique(np.concatenate([vocabulary, *new])) if new else vocabulary
        self.columns: dict[str, Array] = {name: np.zeros(len(self.words), np.float32) for name in (*LEARNED, OTHERS)}
        for source, scored in answers:
            places = np.searchsorted(self.words, scored.words)
            for number, measure in enumerate(source.measures):
                column = self.columns.get(f"{source.name}.{measure}", self.columns[OTHERS])
                np.maximum.at(column, places, scored.measures[:, number])

    def features(self) -> dict[str, Array]:
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
    """Return the probability of each word, given that one of the words is the answer."""
    scores = np.zeros(len(evidence.words))
    for name, feature in evidence.features().items():
        if weight := weights.features.get(name, 0.0):
            scores += weight * feature
    chances = np.exp(scores - scores.max()) if len(scores) else scores
    result: Array = chances / max(chances.sum(), 1e-300)
    return result
