"""Lists of words with their frequencies, from wordfreq and Debian's `wamerican-large`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import version as version_of
from math import log10
from pathlib import Path

import numpy as np

from unpuzzle.base.extras import is_installed
from unpuzzle.planners.clues.index import LONGEST
from unpuzzle.planners.clues.signals import Clue, letters_of, raise_to
from unpuzzle.planners.clues.sources.source import Array, ScoredWords, WordSource

FOLDER = "/usr/share/dict"
LISTS = ("american-english-large", "american-english-huge", "american-english-insane", "american-english", "words")
MEASURES = ("listed", "frequent", "known")
"""The measures: whether a list has the word; its frequency, from 0 to 1; whether it has a frequency."""
_MOST_FREQUENT = 8.0


class WordLists(WordSource):
    """All words of a length, with their frequencies."""

    name: str = "words"
    measures: tuple[str, ...] = MEASURES

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.arrays = arrays

    def listing(self, length: int) -> Array:
        return self.arrays.get(f"words{length}", np.zeros(0, f"S{length}"))

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        none = np.zeros((0, len(MEASURES)), np.float32)
        return ScoredWords(self.listing(length), self.arrays.get(f"measures{length}", none))


def files() -> list[str]:
    """Return the first installed list of words."""
    paths = (os.path.join(FOLDER, name) for name in LISTS)
    return next(([path] for path in paths if os.path.exists(path)), [])


def arrays(paths: list[str], frequencies: Mapping[str, float]) -> dict[str, Array]:
    """Return arrays of words and of their measures, named by the length of the words.

    `paths` are files with a word on each line; `frequencies` has the Zipf frequency of each word.
    """
    in_lists = {
        letters_of(line.strip())
        for path in paths
        for line in Path(path).read_text("utf-8", "replace").split("\n")
        if "'" not in line
    }
    often: dict[str, float] = {}
    for name, zipf in frequencies.items():
        raise_to(often, letters_of(name), zipf)
    by_length: dict[int, list[str]] = {}
    for word in sorted(in_lists | often.keys()):
        if 2 <= len(word) <= LONGEST:
            by_length.setdefault(len(word), []).append(word)
    arrays_by_name: dict[str, Array] = {}
    for length, words in by_length.items():
        arrays_by_name[f"words{length}"] = np.array([word.encode() for word in words])
        rows = [(word in in_lists, often.get(word, 0.0) / _MOST_FREQUENT, word in often) for word in words]
        arrays_by_name[f"measures{length}"] = np.array(rows, np.float32)
    return arrays_by_name


def frequencies() -> dict[str, float]:
    """Return the Zipf frequencies of English words, by wordfreq; none if it is not installed."""
    if not is_installed("wordfreq"):
        return {}
    from wordfreq import get_frequency_dict

    return {word: log10(value) + 9 for word, value in get_frequency_dict("en", "large").items() if value > 0}


def version() -> str:
    """Return the version of wordfreq; empty if it is not installed."""
    return "" if not is_installed("wordfreq") else f"wordfreq {version_of('wordfreq')}"
