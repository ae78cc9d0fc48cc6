"""Fit the weights of `planners/clues/inference.py` to crosswords with known solutions, split by puzzle.

    scripts/make/fit_clues.py webster-minis.json [--write]

Half of the puzzles are for learning, a fifth for choosing the penalty on weights, and the rest only for figures; a
puzzle's part follows from a hash of its solution, so it is the same on every run. The same word may be the answer in
several parts: weights are of measures, never of words, so nothing can be learned by heart.
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unpuzzle.planners.clues.clue import read_clue
from unpuzzle.planners.clues.inference import (
    WEIGHTS,
    Chain,
    CluedSlot,
    Evidence,
    Weights,
    entry_of,
    fill_grid,
    numbers_of,
)
from unpuzzle.planners.clues.work import Library

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

PARTS = {"train": range(5), "dev": range(5, 7), "test": range(7, 10)}
TOP, RANDOM = 500, 400
"""The numbers of words learned from for a clue: the best by the dictionaries, and random ones for all others."""
PENALTIES = (0.0001, 0.0003, 0.001)
REST = 0.05
NEVER_AGAINST = ("words.listed", "words.frequent", "words.known")
"""Frequency must not count against a word: in these puzzles it would, in newspapers it does not."""


def part_of(puzzle: dict[str, Any]) -> str:
    """Return the part of the split that a puzzle belongs to."""
    number = int(sha256(puzzle["letters"].encode()).hexdigest(), 16) % 10
    return next(name for name, numbers in PARTS.items() if number in numbers)


def slots_of(puzzle: dict[str, Any]) -> list[tuple[CluedSlot, str]]:
    """Return the slots of a 5×5 puzzle, with their answers."""
    cells = [list(range(5 * row, 5 * row + 5)) for row in range(5)] + [
        list(range(column, 25, 5)) for column in range(5)
    ]
    clues = [*puzzle["across"], *puzzle["down"]]
    return [
        (CluedSlot(str(number), places, clue), "".join(puzzle["letters"][cell] for cell in places))
        for number, (places, clue) in enumerate(zip(cells, clues, strict=True))
    ]


class Sample:
    """The data of one clue: features of some words, the number of words each stands for, and the answer."""

    def __init__(self, evidence: Evidence, answer: str, rng: np.random.Generator) -> None:
        features = evidence.features()
        self.names = list(features)
        place = int(np.searchsorted(evidence.words, answer.encode()))
        order = np.argsort(-features["best"], kind="stable")
        others = rng.choice(order[TOP:], RANDOM, replace=False)
        rows = np.unique([*order[:TOP].tolist(), *others.tolist(), place])
        self.features = np.stack([column[rows] for column in features.values()], axis=1).astype(np.float64)
        stands_for = np.log((len(order) - TOP) / RANDOM)
        self.offsets = np.where(np.isin(rows, others) & (rows != place), stands_for, 0.0)
        self.answer = int(np.searchsorted(rows, place))


def loss(weights: Array, samples: list[Sample], penalty: float) -> tuple[float, Array]:
    """Return the mean of -log P(answer), plus the penalty, and its gradient."""
    total, gradient = 0.0, np.zeros_like(weights)
    for sample in samples:
        scores = sample.features @ weights + sample.offsets
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        total -= float(np.log(max(chances[sample.answer], 1e-300)))
        gradient += chances @ sample.features - sample.features[sample.answer]
    size = max(len(samples), 1)
    return total / size + penalty * float(weights @ weights), gradient / size + 2 * penalty * weights


def fit(samples: list[Sample], penalty: float) -> Array:
    """Return the best weights."""
    from scipy.optimize import minimize

    names = samples[0].names
    bounds = [(0, None) if name in NEVER_AGAINST else (None, None) for name in names]
    found = minimize(
        loss,
        np.zeros(len(names)),
        args=(samples, penalty),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 300},
    )
    result: Array = found.x
    return result


class Figures:
    """How often letters, words and puzzles are right, and the confidence of the answers."""

    def __init__(self) -> None:
        self.letters: list[float] = []
        self.words: list[bool] = []
        self.puzzles: list[bool] = []
        self.sure: list[tuple[float, bool]] = []

    def add(self, puzzle: dict[str, Any], filling: Any, slots: list[tuple[CluedSlot, str]]) -> None:
        right = [mine == theirs for mine, theirs in zip(filling.letters, puzzle["letters"], strict=True)]
        self.letters.append(sum(right) / len(right))
        self.puzzles.append(all(right))
        for slot, answer in slots:
            (word, confidence), *_ = filling.answers[slot.name]
            self.words.append(word == answer)
            self.sure.append((confidence, word == answer))

    def plain(self) -> dict[str, Any]:
        sure = [right for confidence, right in self.sure if confidence >= 0.9]
        return {
            "puzzles": len(self.puzzles),
            "letters right": round(float(np.mean(self.letters)), 3),
            "words right": round(float(np.mean(self.words)), 3),
            "puzzles right": round(float(np.mean(self.puzzles)), 3),
            "answers of confidence 0.9 or more": len(sure),
            "of these right": round(float(np.mean(sure)), 3) if sure else None,
        }


class Fitting:
    """All puzzles with the measures of the sources for their clues."""

    def __init__(self, puzzles: list[dict[str, Any]]) -> None:
        self.library = Library()
        self.sources = self.library.sources
        self.chain = Chain(numbers_of(self.library.vocabulary(5)))
        self._known: dict[str, Evidence] = {}
        self.puzzles = {part: [p for p in puzzles if part_of(p) == part] for part in PARTS}

    def evidence(self, slot: CluedSlot) -> Evidence:
        """Return the measures of the sources, computed once for each clue: some gigabytes in all."""
        if slot.clue not in self._known:
            clue = read_clue(slot.clue)
            told = [(source, source.candidates(clue, 5)) for source in self.sources]
            self._known[slot.clue] = Evidence(self.library.vocabulary(5), told)
        return self._known[slot.clue]

    def samples(self, part: str) -> list[Sample]:
        """Return the samples of answers on a list; other answers have no features."""
        rng, found = np.random.default_rng(1), []
        for puzzle in self.puzzles[part]:
            for slot, answer in slots_of(puzzle):
                evidence = self.evidence(slot)
                place = int(np.searchsorted(evidence.words, answer.encode()))
                if place < len(evidence.words) and evidence.words[place] == answer.encode():
                    found.append(Sample(evidence, answer, rng))
        return found

    def figures(self, part: str, weights: Weights) -> Figures:
        found = Figures()
        for puzzle in self.puzzles[part]:
            slots = slots_of(puzzle)
            entries = [entry_of(slot, self.evidence(slot), self.chain, weights, 60_000) for slot, _ in slots]
            found.add(puzzle, fill_grid(entries, 25, {}, weights), slots)
        return found


def calibrated(sure: list[tuple[float, bool]]) -> tuple[float, float]:
    """Return slope and offset from log odds of beliefs to log odds of being right, drawn towards 1 and 0."""
    from scipy.optimize import minimize

    belief = np.clip([confidence for confidence, _ in sure], 1e-9, 1 - 1e-9)
    odds, right = np.log(belief / (1 - belief)), np.array([hit for _, hit in sure], float)

    def badness(parameters: Array) -> float:
        scores = parameters[0] * odds + parameters[1]
        return float(np.logaddexp(0, -np.where(right > 0, scores, -scores)).sum() + (parameters[0] - 1) ** 2)

    slope, offset = minimize(badness, np.array([1.0, 0.0])).x
    return round(float(slope), 4), round(float(offset), 4)


def weights_of(values: dict[str, Any]) -> Weights:
    return Weights(values["features"], values["rest"], values["sure"])


def main() -> int:
    """Fit and try the weights, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles", help="a JSON list of 5×5 puzzles with across, down and letters")
    parser.add_argument("--write", action="store_true", help=f"write {Path(WEIGHTS).name}")
    options = parser.parse_args()
    fitting = Fitting(json.loads(Path(options.puzzles).read_text()))
    train, dev = fitting.samples("train"), fitting.samples("dev")
    tried = {penalty: fit(train, penalty) for penalty in PENALTIES}
    losses = {penalty: loss(found, dev, 0.0)[0] for penalty, found in tried.items()}
    penalty = min(losses, key=losses.__getitem__)
    print("loss on dev, by penalty:", {key: round(value, 3) for key, value in losses.items()})
    names = train[0].names
    values: dict[str, Any] = {
        "features": {name: round(float(x), 4) for name, x in zip(names, tried[penalty], strict=True)} | {"told": 8.0},
        "rest": REST,
        "sure": [1.0, 0.0],
    }
    raw = [sure for part in ("dev", "train") for sure in fitting.figures(part, weights_of(values)).sure]
    values["sure"] = list(calibrated(raw))
    values["split"] = {part: fitting.figures(part, weights_of(values)).plain() for part in PARTS}
    for part, figures in values["split"].items():
        print(part, figures)
    if options.write:
        Path(WEIGHTS).write_text(json.dumps(values, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
