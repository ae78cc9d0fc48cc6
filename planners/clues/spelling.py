"""Word sources that compare spellings: for words derived from other words, and for words similar to a clue's words.

Forms are `One who bakes` BAKER, `To boil again` REBOIL, `Not tidy` UNTIDY, `Walked` PACED. Dictionaries leave most of
them out. The clue, without words such as "one who", is searched in the definitions of the base word.

Likeness is `A jail` GAOL, `A magazine` ZINE, `A veteran` VET: large lists of words have many old spellings and clipped
forms, and clues give the modern word for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import product

import numpy as np

from unpuzzle.base.values import Record
from unpuzzle.planners.clues.clue import (
    PASSED_OVER,
    Array,
    Clue,
    ScoredWords,
    WordSource,
    letters_in,
    letters_of,
    place_in,
    read_part,
    stem,
)
from unpuzzle.planners.clues.dictionary import Dictionary

RULES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "agent": ("", (("ER", ""), ("ER", "E"), ("OR", ""), ("OR", "E"), ("IST", ""), ("IER", "Y"))),
    "again": ("RE", (("", ""),)),
    "not": ("UN", (("", ""),)),
    "past": ("", (("ED", ""), ("ED", "E"), ("IED", "Y"), ("T", ""))),
    "participle": ("", (("ING", ""), ("ING", "E"))),
    "plural": ("", (("S", ""), ("ES", ""), ("IES", "Y"), ("ES", "E"))),
    "comparative": ("", (("ER", ""), ("ER", "E"), ("IER", "Y"))),
    "superlative": ("", (("EST", ""), ("EST", "E"), ("IEST", "Y"))),
    "relating": ("", (("AL", ""), ("IC", ""), ("INE", ""), ("Y", ""), ("Y", "E"), ("AN", ""), ("ISH", ""), ("LY", ""))),
}
"""By signal of the clue, the prefix of such words, and their endings with the replacements that give the base word."""

MADE = ("made", "made otherwise", "of the clue", "agrees", "disagrees")
"""The measures. `made`: the fit of the base word to the clue, if the clue asks for the form; `made otherwise`: the
same, if it does not; `of the clue`: whether the base word is in the clue; `agrees`, `disagrees`: whether the word's
ending is one that the clue asks for, or one that it does not ask for.
"""
MARKERS = frozenset("one who that which again anew more most not without free from remove pertaining relating".split())
ENDINGS = {"ED": "past", "ING": "participle", "S": "plural", "EST": "superlative", "ER": "agent", "OR": "agent"}
"""By ending, the signal of clues that ask for it."""


class Forms(WordSource):
    """A source of derived words, such as plurals, which compares the clue with the definitions of the base words."""

    name: str = "forms"
    measures: tuple[str, ...] = MADE

    def __init__(self, dictionaries: Sequence[Dictionary], vocabulary: Callable[[int], Array]) -> None:
        self.dictionaries: Sequence[Dictionary] = dictionaries
        self._vocabulary: Callable[[int], Array] = vocabulary
        self._derivations: Callable[[int], Derivations] = cache(lambda length: _derived(vocabulary(length), length))

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        words = self._vocabulary(length)
        measures = np.zeros((len(words), len(MADE)), np.float32)  # a row for each word
        made, made_otherwise, of_the_clue, agrees, disagrees = measures.T  # views: writing to them fills the rows
        derived = self._derivations(length)
        fitting = self._fitting(clue, derived)
        stems_of_clue = {stem(word) for word in clue.words if word not in MARKERS}
        in_clue = np.array([base_stem in stems_of_clue for base_stem in derived.stems], np.float32)
        asked = clue.signals or ({"plural"} if clue.kind == "" else set())  # which a bare noun may mean
        if clue.kind == "n":
            asked = {*asked, "agent"}
        for signal, (places, bases) in derived.pairs.items():
            # A word may be made of several bases, so a place may come twice: the best base counts.
            np.maximum.at(made if signal in asked else made_otherwise, places, fitting[bases])
            if signal in asked:
                np.maximum.at(of_the_clue, places, in_clue[bases])
        for ending, signal in ENDINGS.items():
            if length > len(ending):
                ends = _there(words, ending, length - len(ending))
                (agrees if signal in clue.signals else disagrees)[ends] = 1.0
        return ScoredWords.nonzero(words, measures)

    def _fitting(self, clue: Clue, derived: Derivations) -> Array:
        """Return, for each base word, the likeness of its definitions to the clue without phrases such as `one who`."""
        parts = []
        for part in clue.parts:
            words = [word for word in part.text.split() if letters_of(word).lower() not in MARKERS]
            to = ["to"] if part.kind == "v" and words[:1] != ["to"] else []
            parts.append(read_part(" ".join([*to, *words])))
        fit = np.zeros(len(derived.bases), np.float32)
        for dictionary, size in product(self.dictionaries, np.unique(derived.sizes).tolist()):
            listing = dictionary.listing(size)
            if size > 1 and len(listing):
                numbers = np.flatnonzero(derived.sizes == size)
                bases = derived.bases[numbers].astype(listing.dtype)
                places = np.minimum(np.searchsorted(listing, bases), len(listing) - 1)
                values = np.where(listing[places] == bases, dictionary.fitting(parts, size)[places], 0)
                fit[numbers] = np.maximum(fit[numbers], values)
        return fit


def _derived(words: Array, length: int) -> Derivations:
    """Find the base words, such as singulars, from which words of one length can be derived, by each rule."""
    made: dict[str, list[tuple[int, bytes]]] = {}  # by rule, pairs of a word's place and its base word
    for signal, (prefix, endings) in RULES.items():
        rule = made.setdefault(signal, [])
        for ending, instead in endings:
            if (stop := length - len(ending)) > len(prefix):
                matches = _there(words, prefix, 0) & _there(words, ending, stop)
                for place in np.flatnonzero(matches).tolist():
                    base = words[place][len(prefix) : stop] + instead.encode()
                    rule += [(place, base)] if len(base) > 1 else []
                    if len(base) > 3 and base[-1] == base[-2] and ending:
                        rule.append((place, base[:-1]))
    bases = np.unique([b"", *[base for pairs in made.values() for _, base in pairs]])
    pairs = {}
    for signal, rule in made.items():
        of = np.array([base for _, base in rule], bases.dtype)
        pairs[signal] = np.array([place for place, _ in rule], int), bases.searchsorted(of)
    return Derivations(bases, np.char.str_len(bases), [stem(base.decode().lower()) for base in bases.tolist()], pairs)


def _there(words: Array, text: str, start: int) -> Array:
    """Return, for each word, whether it contains a text exactly at the index `start`."""
    letters = letters_in(words)[:, start : start + len(text)]
    result: Array = (letters == np.frombuffer(text.encode(), np.uint8)).all(axis=1)
    return result


class Derivations(Record, eq=False):
    """The sorted base words of words of one length, and for each rule the pairs of a derived word and its base word."""

    bases: Array
    sizes: Array
    stems: list[str]
    pairs: dict[str, tuple[Array, Array]]


ALIKE = ("alike", "begins", "ends", "sounds", "same")
"""The measures. `alike`: the common pairs of letters; `begins`, `ends`: the share of the clue's word that the word is
the beginning or the end of; `sounds`: whether both have the same consonants; `same`: whether the word is in the clue
itself, as no answer is.
"""
LEAST, CLOSE = 0.3, 0.4
_EDGE = 26


class Likeness(WordSource):
    """A source of the words in a list that are spelt similarly to a word of the clue."""

    name: str = "likeness"
    measures: tuple[str, ...] = ALIKE

    def __init__(self, vocabulary: Callable[[int], Array]) -> None:
        self._vocabulary = vocabulary
        self._pairs: Callable[[int], Array] = cache(lambda length: _letter_pairs(letters_in(vocabulary(length))))

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        words = self._vocabulary(length)
        measures = np.zeros((len(words), len(ALIKE)), np.float32)
        letters = dict.fromkeys([letters_of(word) for word in clue.words if word not in PASSED_OVER])
        clue_words = [word for word in letters if len(word) > 2]
        for word in clue_words:
            self._compare(word, length, words, 1.0 / max(1.0, len(clue_words) / 3), measures)
        return ScoredWords.nonzero(words, measures)

    def _compare(self, clue_word: str, length: int, words: Array, weight: float, measures: Array) -> None:
        """Increase the measures of the words that are spelt similarly to one word of the clue."""
        table = np.zeros(27 * 27, np.float32)
        table[_letter_pairs(np.frombuffer(clue_word.encode(), np.uint8)[None, :])[0]] = 1
        shared = table[self._pairs(length)].sum(axis=1)
        alike = 2 * shared / (length + 1 + len(clue_word) + 1)
        near = alike >= LEAST
        measures[near, 0] = np.maximum(measures[near, 0], alike[near] * weight)
        share = length / len(clue_word) * weight
        beginning_and_end = [(1, clue_word[:length], share), (2, clue_word[-length:], share)]
        for column, text, value in [(4, clue_word, 1.0)] if len(clue_word) == length else beginning_and_end:
            place = place_in(words, text)
            if place is not None and near[place]:
                measures[place, column] = max(measures[place, column], value)
        for place in np.flatnonzero(alike >= CLOSE).tolist():
            word = words[place].decode()
            if word != clue_word and skeleton(word) == skeleton(clue_word):
                measures[place, 3] = max(measures[place, 3], weight)


def _letter_pairs(letters: Array) -> Array:
    """Return a code for each pair of adjacent letters of words, including the pairs at a word's beginning and end."""
    inner = letters.astype(np.int16) - ord("A")
    edge = np.full((len(inner), 1), _EDGE, np.int16)
    left, right = np.hstack([edge, inner]), np.hstack([inner, edge])
    result: Array = left * 27 + right
    return result


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """Return the approximate sound of a word: its consonants, with similar consonants made equal."""
    folded = word.replace("PH", "F").replace("CK", "K").replace("GH", "G")
    folded = folded.translate(str.maketrans("CQZXVWJ", "KKSSFUI"))
    folded = re.sub(r"(.)\1+", r"\1", folded)
    return folded[:1] + re.sub(r"[AEIOUYH]", "", folded[1:])
