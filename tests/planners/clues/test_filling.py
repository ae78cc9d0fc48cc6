"""Beliefs, chains of letters and the likeliest grid, compared with going through all possibilities."""

from __future__ import annotations

import importlib.util
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unpuzzle.planners.clues.clue import ScoredWords, WordSource
from unpuzzle.planners.clues.inference import (
    Chain,
    Entry,
    Evidence,
    Weights,
    fill_grid,
    likeliest_grid,
    numbers_of,
    probabilities,
    propagate,
)


def rows(words):
    return np.array([[ord(letter) - ord("A") for letter in word] for word in words], np.int64)


def entry(cells, chances, rest=0.0, name=""):
    words = rows(chances)
    return Entry(name, cells, words, np.array(list(chances.values())), Chain(words), rest)


def chance(chain, word):
    result = chain.first[word[0], word[1]]
    for place, step in enumerate(chain.steps):
        result *= step[tuple(word[place : place + 3])]
    return float(result)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_a_chain_sums_over_all_words(seed, length):
    rng = np.random.default_rng(seed)
    chain = Chain(rng.integers(0, 26, (20, length)))
    evidence = np.zeros((length, 26))
    letters = rng.integers(0, 26, (length, 2))
    for place in range(length):
        evidence[place, letters[place]] = rng.random(2)
    expected = np.zeros((length, 26))
    for word in {tuple(w) for w in product(*letters.tolist())}:
        weights = [evidence[place, letter] for place, letter in enumerate(word)]
        for place, letter in enumerate(word):
            others = np.prod([w for at, w in enumerate(weights) if at != place])
            expected[place, letter] += chance(chain, word) * others
    found, whole = chain.marginals(evidence)
    for place in range(length):
        for letter in set(letters[place].tolist()):
            assert found[place, letter] >= expected[place, letter] - 1e-12
    assert whole == pytest.approx((found * evidence).sum(axis=1)[-1])
    total = sum(
        chance(chain, word) * np.prod([evidence[at, letter] for at, letter in enumerate(word)])
        for word in {tuple(w) for w in product(*letters.tolist())}
    )
    assert whole == pytest.approx(total)


FIRST, SECOND, THIRD = {"CAT": 0.5, "COT": 0.2, "DOG": 0.3}, {"CU": 0.1, "DU": 0.9}, {"TO": 0.6, "GO": 0.4}
TREE = [entry((0, 1, 2), FIRST), entry((0, 3), SECOND), entry((2, 4), THIRD)]


def test_without_circles_beliefs_are_exact():
    joined = {}
    for across, first, last in product(("CAT", "COT", "DOG"), ("CU", "DU"), ("TO", "GO")):
        if across[0] == first[0] and across[2] == last[0]:
            chances = [FIRST[across], SECOND[first], THIRD[last]]
            joined[across] = joined.get(across, 0) + float(np.prod(chances))
    whole = sum(joined.values())
    beliefs = propagate(TREE, 5, {})
    for place, word in enumerate(("CAT", "COT", "DOG")):
        assert beliefs.chances[0][place] == pytest.approx(joined[word] / whole, abs=1e-3)
    assert beliefs.letters[1, ord("O") - 65] == pytest.approx((joined["COT"] + joined["DOG"]) / whole, abs=1e-3)


def test_letters_that_are_given_stay():
    beliefs = propagate(TREE, 5, {0: 2})
    assert beliefs.letters[0].argmax() == 2
    assert beliefs.chances[0][0] == pytest.approx(0.5 / 0.7, abs=1e-3)


def grid_of(across, down, rest=0.02):
    entries = [entry(range(3 * n, 3 * n + 3), words, rest, str(n)) for n, words in enumerate(across)]
    return entries + [entry(range(n, 9, 3), words, rest, str(3 + n)) for n, words in enumerate(down)]


ACROSS = [{"CAT": 0.4, "COW": 0.6}, {"ODE": 0.5, "APE": 0.5}, {"WET": 0.5, "TIN": 0.5}]
DOWN = [{"COW": 0.9, "CAT": 0.1}, {"ADE": 0.5, "ORE": 0.5}, {"TET": 0.5, "WIN": 0.5}]
WEIGHTS = Weights({}, 0.02, (1.0, 0.0))


def test_the_grid_that_fits_is_found():
    found = fill_grid(grid_of(ACROSS, DOWN), 9, {}, WEIGHTS)
    assert "".join(found.letters) == "CATODEWET"
    assert found.answers["0"][0][1] > 0.5


@pytest.mark.skipif(importlib.util.find_spec("ortools") is None, reason="the extra `sat` is not installed")
def test_cp_sat_finds_it_too():
    found = fill_grid(grid_of(ACROSS, DOWN), 9, {}, WEIGHTS, "cp-sat")
    assert "".join(found.letters) == "CATODEWET"
    givens = {0: 25}  # which no word has: then slots are given up
    beliefs = propagate(grid_of(ACROSS, DOWN, rest=1e-9), 9, givens)
    assert likeliest_grid(beliefs, givens, 5.0)[0] == 25


def test_a_word_on_no_list_arises_from_its_crossings():
    across = [{"CAT": 0.4, "COW": 0.6}, {"IRE": 0.5, "APE": 0.5}, {"WET": 0.5, "TIN": 0.5}]
    found = fill_grid(grid_of(across, DOWN, rest=0.05), 9, {}, WEIGHTS)
    assert found.answers["1"][0][0] == "ODE"


class Unasked(WordSource):
    def candidates(self, clue, length):
        raise AssertionError("what it says is given")


class Fixed(Unasked):
    name, measures = (
        "gcide",
        ("sense", "meanings", "covered", "synonym", "relative", "phrase", "form", "reverse", "near"),
    )


class Page(Unasked):
    name, measures, listed = "thesaurus", ("told",), False


def test_evidence_is_joined_and_new_words_are_added():
    vocabulary = np.array([b"CAT", b"DOG"])
    first = ScoredWords(np.array([b"DOG"]), np.full((1, 9), 0.9, np.float32))
    second = ScoredWords.of({"EMU": 0.5, "LONGER": 1.0}, 3)
    evidence = Evidence(vocabulary, [(Fixed(), first), (Page(), second)])
    assert evidence.words.tolist() == [b"CAT", b"DOG", b"EMU"]
    weights = Weights({"gcide.sense": 5.0, "told": 4.0}, 0.02, (1.0, 0.0))
    chances = probabilities(evidence, weights)
    assert chances.sum() == pytest.approx(1.0)
    assert chances.argsort().tolist() == [0, 2, 1]


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_belief_is_more_confidence(one, other):
    weights = Weights.read()
    less, more = sorted((weights.confidence(one), weights.confidence(other)))
    assert 0 <= less <= more <= 1
    assert (weights.confidence(max(one, other))) == more


def test_numbers_of_letters():
    assert numbers_of(np.array([b"ABZ"])).tolist() == [[0, 1, 25]]
    assert numbers_of(np.zeros(0, "S3")).shape == (0, 3)
