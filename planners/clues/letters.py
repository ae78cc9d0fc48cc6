"""What letters follow each other in words: the chance of a word that is on no list, but may arise from its crossings.

A chain of letters that looks two letters back (C. Shannon, 1948), learned from the words of one length. Two are mixed:
one for each place in the word, and one for all places.
"""

from __future__ import annotations

import numpy as np

from unpuzzle.planners.clues.sources.source import Array

ALPHABET = 26
_LITTLE = 0.05
"""Added to each count of three letters, so that nothing is impossible."""


class Chain:
    """The chance of each letter, given its place and the two before it.

    Attributes:
        first: of the letters at the first two places, 26 × 26.
        steps: for each further place, of a letter after two others, 26 × 26 × 26.
    """

    def __init__(self, words: Array) -> None:
        """`words` are numbers of letters from 0, one row a word, of two letters or more; there may be no rows."""
        length = words.shape[1]
        self.length = length
        pairs = np.full((ALPHABET, ALPHABET), _LITTLE)
        np.add.at(pairs, (words[:, 0], words[:, 1]), 1.0)
        self.first: Array = pairs / pairs.sum()
        anywhere = np.full((ALPHABET,) * 3, _LITTLE)
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
        """Return how likely each letter is at each place, given the other places, and how well all fits together.

        `evidence` has a row for each place with the weight of each letter. Forward and backward along the word
        (L. Baum, 1970).
        """
        forward = [self.first * evidence[0][:, None]]
        for place, step in enumerate(self.steps, 1):
            before = forward[-1] * evidence[place][None, :]
            forward.append(np.einsum("ab,abc->bc", before, step))
        backward = [np.ones((ALPHABET, ALPHABET))]
        for place in range(self.length - 2, 0, -1):
            after = evidence[place + 1][None, :] * backward[0]
            backward.insert(0, np.einsum("abc,bc->ab", self.steps[place - 1], after))
        result = np.empty((self.length, ALPHABET))
        result[0] = np.einsum("ab,b,ab->a", self.first, evidence[1], backward[0])
        for place in range(1, self.length):
            result[place] = (forward[place - 1] * backward[place - 1]).sum(axis=0)
        return result, float((result[0] * evidence[0]).sum())

    def chance(self, words: Array) -> Array:
        """Return how likely each word is."""
        result: Array = self.first[words[:, 0], words[:, 1]].copy()
        for place, step in enumerate(self.steps, 2):
            result *= step[words[:, place - 2], words[:, place - 1], words[:, place]]
        return result
