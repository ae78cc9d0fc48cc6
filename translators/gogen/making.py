"""Random Gogens: levels with one solution in which each word is needed, and small levels for tests.

A word can be traced exactly if each two consecutive letters are in cells that touch, since letters repeat neither in a
word nor in the grid. So a list of words only determines which letters must touch (`joins`).

A grid of random letters contains no words. So each grid is made around some words: one random word after the other
becomes a path constraint, as long as the search finds a solution soon. Such a grid contains many more words of the
list. Needed ones are chosen from them: as long as there is a second solution, a word that cannot be traced in it; at
last, superfluous words are dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from random import Random
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.constraints import Constraints, Relation, Search, TooManyNodesError
from unpuzzle.model.options import Number, by_name
from unpuzzle.translators.shared.cells import cell_names, neighbours
from unpuzzle.translators.shared.text import WordList, read_words

Places = dict[str, int]
"""The cell of each letter."""
Parts = tuple[str, tuple[str, ...]]
"""The cells of a Gogen, row by row, and its words."""

SIDE = 5
CELLS = SIDE * SIDE
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
EMPTY = "."
NAMES = cell_names(SIDE, SIDE)
NUMBERS = {name: cell for cell, name in enumerate(NAMES)}
STEPS = {f"{down} {right}": (down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right}
TOUCHING = tuple(frozenset(near.values()) for near in neighbours(SIDE, SIDE, STEPS))
"""By cell, the cells that touch it, at a side or at a corner."""
BESIDE = {NAMES[cell]: tuple([NAMES[other] for other in sorted(near)]) for cell, near in enumerate(TOUCHING)}
"""The same by names, in a fixed order."""

USUAL = tuple(row * SIDE + column for row in range(0, SIDE, 2) for column in range(0, SIDE, 2))
"""The cells of the given letters: rows 1, 3, 5 and columns 1, 3, 5."""
TRIES = 150
MISSES = 3
"""The number of words without room after which the next grid is begun."""
NODES_FOR_ROOM = 45
NODES_FOR_PROOF = 3000


@lru_cache(maxsize=64)
def joins(words: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Map each letter to its neighbours in words, and each neighbour to the first word in which they are adjacent."""
    neighbours_of: dict[str, dict[str, str]] = {letter: {} for letter in LETTERS}
    for word in words:
        for one, other in pairwise(word):
            neighbours_of[one].setdefault(other, word)
            neighbours_of[other].setdefault(one, word)
    return neighbours_of


def apart(places: Mapping[str, int], words: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    """Yield (letter, letter, word) for placed letters that are adjacent in the word, but not in the grid."""
    for one, others in joins(words).items():
        for other, word in others.items():
            if one < other and one in places and other in places and places[other] not in TOUCHING[places[one]]:
                yield one, other, word


def traceable(places: Mapping[str, int], word: str) -> bool:
    """Return whether a word can be traced: all its letters are placed, consecutive ones in adjacent cells."""
    if not all(letter in places for letter in word):
        return False
    return all(places[other] in TOUCHING[places[one]] for one, other in pairwise(word))


def fault(word: str) -> str | None:
    """Return why a Gogen cannot contain a word; None if it can."""
    if not (word.isascii() and word.isalpha()):
        return "is not a word: words are made of letters alone"
    if len(word) > CELLS:
        return f"has {len(word)} letters, and the grid has {CELLS} cells"
    if "Z" in word:
        return "has a Z, and a Gogen has the letters A to Y"
    twice = next((letter for letter in word if word.count(letter) > 1), None)
    if twice:
        return f"can never be traced: it has {twice} twice, and each letter is there once"
    return None


class Given(Number):
    """An option of the Gogen generator: the number of letters that are given in the grid."""

    def small(self, rng: Random) -> int:
        return rng.randint(20, self.most)


WORDS = read_words(os.path.join(os.path.dirname(__file__), "words.txt"), "built-in", fault)
OPTIONS = by_name(
    WordList("words", "the words to choose from", WORDS, fault=fault),
    Given("given", "how many letters are given", len(USUAL), least=len(USUAL), most=CELLS - 2),
)


def generate(rng: Random, options: Mapping[str, Any]) -> Parts:
    """Return a random Gogen with exactly one solution, in which each word is needed.

    Raises ParseError if there are too few words.
    """
    words, given = tuple(options["words"]), options["given"]
    without = [letter for letter in LETTERS if letter not in _having(words)]
    if len(without) > given + 1:  # two letters without a word could always be exchanged
        raise ParseError(
            f"no Gogen can be made from these words: no word has any of the letters {', '.join(without)}, "
            f"and with {given} given letters, at most {given + 1} letters may be missing"
        )
    for _ in range(TRIES):
        for places in _grids(rng, words):
            cells = {*USUAL, *rng.sample([cell for cell in range(CELLS) if cell not in USUAL], given - len(USUAL))}
            letters = {cell: letter for letter, cell in places.items() if cell in cells}
            needed = _needed(rng, places, words, {letter: cell for cell, letter in letters.items()})
            if needed:
                return "".join([letters.get(cell, EMPTY) for cell in range(CELLS)]), tuple(sorted(needed))
    raise ParseError(f"in {TRIES} tries no Gogen with one solution was made from these {len(words)} words")


@lru_cache(maxsize=4)
def _having(words: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    by_letter: dict[str, list[str]] = {}
    for word in words:
        for letter in word:
            by_letter.setdefault(letter, []).append(word)
    return by_letter


def _grids(rng: Random, words: tuple[str, ...]) -> Iterator[Places]:
    """Yield full grids in which random words can be traced; each grid has more of these words than the one before."""
    having = _having(words)
    domains = {letter: rng.sample(NAMES, CELLS) for letter in LETTERS}
    around: list[str] = []
    misses = 0
    while misses < MISSES:
        letters = sorted(set(having).difference(*around)) or sorted(having)
        word = rng.choice(having[rng.choice(letters)])
        try:
            places = None if word in around else next(_search(domains, [*around, word], NODES_FOR_ROOM), None)
        except TooManyNodesError:
            places = None
        if places is None:
            misses += 1
        else:
            around.append(word)
            yield places


def _search(domains: Mapping[str, Sequence[str]], words: Sequence[str], nodes: int) -> Iterator[Places]:
    """Yield full grids in which all words in `words` can be traced. Raises TooManyNodesError."""
    paths = [Relation("path", word, BESIDE) for word in words]
    model = Constraints(domains, [Relation("all_different", LETTERS), *paths])
    for solution in Search(model, most_nodes=nodes).solutions():
        yield {letter: NUMBERS[str(name)] for letter, name in solution.items()}


@lru_cache(maxsize=4)
def _steps(words: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """Return the pairs of consecutive letters of each word."""
    return {word: frozenset([one + other for one, other in pairwise(word)]) for word in words}


def _needed(rng: Random, places: Places, words: tuple[str, ...], given: Mapping[str, int]) -> list[str] | None:
    """Return a minimal list of words for which `places` (a cell for each letter) is the only solution, or None."""
    at = {cell: letter for letter, cell in places.items()}
    steps = {at[cell] + at[other] for cell, near in enumerate(TOUCHING) for other in near}
    inside = [word for word, pairs in _steps(words).items() if pairs <= steps]
    domains = {letter: (NAMES[given[letter]],) if letter in given else NAMES for letter in LETTERS}
    if len(set(given).union(*inside)) < CELLS - 1:
        return None
    needed: list[str] = []
    try:
        while other := _another(domains, needed, places):
            wrong = [word for word in inside if not traceable(other, word)]
            if not wrong:
                return None
            needed.append(max(rng.sample(wrong, min(3, len(wrong))), key=len))
        needed = rng.sample(needed, len(needed))
        for word in needed[:]:
            others = [each for each in needed if each != word]
            if not _another(domains, others, places):
                needed = others
        return needed
    except TooManyNodesError:
        return None


def _another(domains: Mapping[str, Sequence[str]], words: Sequence[str], places: Places) -> Places | None:
    """Return a solution that differs from the solution `places`; None if there is none."""
    two = islice(_search(domains, words, NODES_FOR_PROOF), 2)
    return next((grid for grid in two if grid != places), None)


def sample(rng: Random) -> Parts:
    """Return a small random Gogen for tests; it may have any number of solutions.

    Some have two letters exchanged, so that they contradict their words, have no solution, or have another one.
    """
    letters = rng.sample(LETTERS, CELLS)
    words = tuple(dict.fromkeys("".join(letters[cell] for cell in _walk(rng)) for _ in range(rng.randint(1, 8))))
    if rng.random() < 0.4:
        one, other = rng.sample(range(CELLS), 2)
        letters[one], letters[other] = letters[other], letters[one]
    for cell in rng.sample(range(CELLS), rng.choice((1, 2, 3, 3, 4))):
        letters[cell] = EMPTY
    return "".join(letters), words


def _walk(rng: Random) -> list[int]:
    """Return a random path through up to five different cells, each of which touches the next."""
    way = [rng.randrange(CELLS)]
    for _ in range(rng.randint(1, 4)):
        onward = sorted(TOUCHING[way[-1]].difference(way))
        if onward:
            way.append(rng.choice(onward))
    return way
