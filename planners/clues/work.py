"""The work on one crossword, from its clues to its filled grid, within the limits.

Failures do not end the work while any source is left: a source that fails twice is skipped, a missing clue leaves its
word to the crossings, and if time runs short, the last clues are not looked up. Remarks report all of this.

Clues may belong together: `See 8-Across`, and at 8-Across `With 5-Down, a summer treat`. The answers of both make one
phrase. So the clue with the meaning is looked up for a word of both lengths together, and the result is cut in two:
`ICE CREAM` gives ICE to one and CREAM to the other. An entry that only points to another one takes its meaning.

The sources on this machine are opened at their first use; missing indexes are built then.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from time import perf_counter
from typing import Any, TypeVar

from unpuzzle.base.availability import is_installed
from unpuzzle.base.availability import missing as missing_extra
from unpuzzle.base.errors import DependencyMissing
from unpuzzle.base.run import current, within_limits
from unpuzzle.planners.clues import inference, local_sources
from unpuzzle.planners.clues.clue import (
    REFERENCE,
    Array,
    Clue,
    ScoredWords,
    SourceFailed,
    WordSource,
    raise_to,
    read_clue,
)
from unpuzzle.planners.clues.dictionary import Dictionary, Index, build
from unpuzzle.planners.clues.inference import Chain, CluedSlot, Entry, Evidence, Speaker, Weights
from unpuzzle.planners.clues.local_sources import ClueFile
from unpuzzle.planners.clues.network_sources import Client, Service
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, Settings, files, missing
from unpuzzle.planners.clues.spelling import Forms, Likeness

FAILURES = 2
"""The number of failures after which a source is skipped."""
FOR_CLUES = 0.5
"""The share of the time limit for looking up clues; the rest is for the grid."""
POINTING = re.compile(r"^\W*(?:(?:see|with|and|to|of|cf\.?)\s+)*$", re.IGNORECASE)
T = TypeVar("T")


class Work:
    """One run of the planner on a crossword; `remarks` report failures and omissions."""

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        """Prepare the run. Raises DependencyMissing if no source is available."""
        self.settings: Settings = settings
        self._library: Library = Library(settings, tell)
        self.tell: Callable[[str], None] = tell
        self.weights: Weights = Weights.read()
        self.remarks: list[str] = []
        self.links: dict[str, list[str]] = {}
        self.seconds: dict[str, float] = {}
        self._failures: Counter[str] = Counter()
        self._chain: Callable[[int], Chain] = cache(
            lambda length: Chain(inference.numbers_of(self._library.vocabulary(length)))
        )
        self._bare_entries: dict[int, Entry] = {}

    def fields(self) -> dict[str, Any]:
        """Return the details of the result: the sources that answered, and the slots that clues refer to."""
        answering = [source for source in self._library.sources if self._failures[source.name] < FAILURES]
        return {"sources": [source.name for source in answering], "links": self.links}

    def fill(self, position: inference.CluedPosition) -> inference.Filling:
        """Return the filled grid. Raises LimitReached, and PlannerFailed if indexes cannot be stored."""
        slots = [inference.CluedSlot(name, tuple(cells), clue) for name, cells, clue in position.clued_slots()]
        letters = {cell: ord(letter) - ord("A") for cell, letter in enumerate(position.letters) if "A" <= letter <= "Z"}
        if foreign := foreign_letters(position.letters):
            self.remarks.append(f"guessing uses A to Z only: {', '.join(foreign)} in the grid is ignored")
        unknown = [slot.name for slot in slots if not slot.clue]
        if unknown:
            self.remarks.append(f"there is no clue for {', '.join(unknown)}: only crossings help there")
        self.remarks += [f"{name} is left out: {reason}" for name, reason in self._library.absent.items()]
        began = perf_counter()
        entries = self._entries(slots)
        self.seconds["candidates"] = perf_counter() - began
        grid = inference.CluedGrid(entries, slots, letters, len(position.letters))
        return inference.fill_grid(grid, self.weights, self.settings.method)

    def _entries(self, slots: list[inference.CluedSlot]) -> list[Entry]:
        """Return an entry with the likely words for each slot, before crossings are considered."""
        self.links = {name: list(others) for name, others in links(slots).items()}
        joined = Joined(self._library.dictionaries, slots, self._library.vocabulary)
        most = max(inference.MOST_WORDS // len(slots), 1000)
        by_name = {slot.name: slot for slot in slots}
        left = current().time_left()
        deadline = float("inf") if left is None else perf_counter() + FOR_CLUES * left
        entries = []
        for number, slot in enumerate(slots, 1):
            current().look()
            self.tell(f"{slot.name}, {number} of {len(slots)} clues")
            if perf_counter() > deadline:
                entries += [self._bare(slot, most) for slot in slots[number - 1 :]]
                self.remarks.append(f"the time limit was reached before the clues from {slot.name} on were looked up")
                break
            evidence = self._evidence(slot, meaning(slot, by_name), joined)
            entries.append(inference.entry_of(slot, evidence, self._chain(len(slot.cells)), self.weights, most))
        return entries

    def _bare(self, slot: inference.CluedSlot, most: int) -> Entry:
        """Return the likely words of a slot without its clue: common words of its length."""
        length = len(slot.cells)
        if length not in self._bare_entries:
            words = [source for source in self._library.sources if source.name == "words"]
            answers = [(source, source.candidates(read_clue(""), length)) for source in words]
            evidence = Evidence(self._library.vocabulary(length), answers)
            self._bare_entries[length] = inference.entry_of(slot, evidence, self._chain(length), self.weights, most)
        return self._bare_entries[length].replace(cells=slot.cells)

    def _evidence(self, slot: inference.CluedSlot, clue: Clue, joined: Joined) -> Evidence:
        """Query all sources about the clue of a slot. The first failure of each source becomes a remark."""
        length = len(slot.cells)
        answers: list[tuple[Speaker, ScoredWords]] = []
        for source in self._library.sources:
            if self._failures[source.name] < FAILURES:
                try:
                    answers.append((source, source.candidates(clue, length)))
                except SourceFailed as error:
                    if not self._failures[source.name]:
                        self.remarks.append(str(error))
                    self._failures[source.name] += 1
        if joined.partners:
            answers.append((joined, joined.halves(slot)))
        return Evidence(self._library.vocabulary(length), answers)


def foreign_letters(letters: str) -> list[str]:
    """Return the letters in a grid that are not from A to Z: other alphabets, digits, and the signs of a rebus."""
    return sorted({letter for letter in letters if letter not in ".#" and not "A" <= letter <= "Z"})


def links(slots: Sequence[CluedSlot]) -> dict[str, tuple[str, ...]]:
    """Return, for each slot, the other slots that its clue refers to."""
    names = {slot.name for slot in slots}
    pointers = {
        slot.name: tuple(name for name in read_clue(slot.clue).references if name in names and name != slot.name)
        for slot in slots
    }
    return {name: others for name, others in pointers.items() if others}


def meaning(slot: CluedSlot, by_name: Mapping[str, CluedSlot]) -> Clue:
    """Return the clue of a slot without references; if nothing else is left, the clue that is referred to."""
    clue = read_clue(slot.clue)
    rest = _rest(slot.clue)
    for name in () if rest else clue.references:
        if name in by_name and name != slot.name:
            return read_clue(_rest(by_name[name].clue))
    return read_clue(rest) if clue.references else clue


def _rest(text: str) -> str:
    """Return the parts of a clue that do more than refer to other entries."""
    parts = [part for part in re.split(r"[,;:]", REFERENCE.sub("", text)) if not POINTING.match(part)]
    return ";".join(part for part in parts if re.search(r"[A-Za-z]", part)).strip()


class Joined:
    """A source of words for linked slots, whose two answers together make a phrase."""

    name: str = "joined"
    measures: tuple[str, ...] = ("told",)
    listed: bool = False

    def __init__(
        self, dictionaries: Sequence[Dictionary], slots: Sequence[CluedSlot], vocabulary: Callable[[int], Array]
    ) -> None:
        self.dictionaries: Sequence[Dictionary] = dictionaries
        self._vocabulary: Callable[[int], Array] = vocabulary
        self.by_name: dict[str, CluedSlot] = {slot.name: slot for slot in slots}
        self.partners: dict[str, set[str]] = {}
        """For each slot, the slots that it points to, and the slots that point to it."""
        for name, others in links(slots).items():
            for other in others:
                self.partners.setdefault(name, set()).add(other)
                self.partners.setdefault(other, set()).add(name)

    def halves(self, slot: CluedSlot) -> ScoredWords:
        """Return words for a slot that are one half of a phrase; the other half is the answer of a linked slot."""
        length = len(slot.cells)
        scores: dict[str, float] = {}
        for name in self.partners.get(slot.name, ()):
            clue = meaning(slot, self.by_name)
            for dictionary in self.dictionaries:
                scored = dictionary.candidates(clue, length + len(self.by_name[name].cells))
                for word, row in zip(scored.words.tolist(), scored.measures, strict=True):
                    whole, score = word.decode(), float(row.max())
                    for half, rest in ((whole[:length], whole[length:]), (whole[-length:], whole[:-length])):
                        if self._is_word(half) and self._is_word(rest):
                            raise_to(scores, half, score)
        return ScoredWords.of(scores, length)

    def _is_word(self, text: str) -> bool:
        words = self._vocabulary(len(text))
        place = int(words.searchsorted(text.encode()))
        return place < len(words) and bool(words[place] == text.encode())


class Library:
    """The requested sources that are available; `absent` has a reason for each unavailable source.

    `vocabulary` returns all words of a length, as sorted bytes.
    """

    def __init__(self, settings: Settings | None = None, tell: Callable[[str], None] = lambda _: None) -> None:
        """Find the available sources. Raises DependencyMissing if no source is available."""
        self.settings: Settings = Settings() if settings is None else settings
        reasons = {name: missing(name) for name in self.settings.sources}
        self.names: list[str] = [name for name, reason in reasons.items() if reason is None]
        self.absent: dict[str, str] = {name: reason for name, reason in reasons.items() if reason is not None}
        if not is_installed("numpy") or not (self.names or self.settings.file or self.settings.services):
            whys = set(self.absent.values())
            why = f": {whys.pop()}" if len(whys) == 1 else f"; get them with: {INSTALL}"
            raise DependencyMissing(f"no source of words is installed{why}", dependency="clues")
        self._tell = tell
        self.vocabulary: Callable[[int], Array] = cache(self._all_words)

    @cached_property
    def sources(self) -> list[WordSource]:
        """The opened sources. Raises PlannerFailed if their indexes cannot be stored."""
        sources = [*self._listing, Forms(self.dictionaries, self.vocabulary), Likeness(self.vocabulary)]
        if self.settings.services and (sentence := missing_extra("words", "asking pages needs", "httpx")):
            self.absent.update(dict.fromkeys(self.settings.services, sentence))
        elif self.settings.services:
            client = Client(os.path.join(local_sources.cache_folder(), "pages"))
            sources += [Service(name, client, address) for name, address in self.settings.services.items()]
        return sources

    @cached_property
    def dictionaries(self) -> list[Dictionary]:
        return [Dictionary(name, self._index(name)) for name in local_sources.DOCUMENTS if name in self.names]

    def _index(self, name: str) -> Index:
        paths = files(name)

        def arrays() -> Mapping[str, Array]:
            return build(within_limits(local_sources.DOCUMENTS[name](paths))).arrays

        return self._built(name, local_sources.key_of(paths), arrays, Index)

    @cached_property
    def _listing(self) -> list[WordSource]:
        """The sources that can list their words without a clue."""
        sources: list[WordSource] = [*self.dictionaries]
        if "words" in self.names:
            paths = files("words")
            key = local_sources.key_of(paths, local_sources.version_of_frequencies())
            sources.append(self._built("words", key, lambda: local_sources.word_arrays(paths), local_sources.WordLists))
        if self.settings.file is not None:
            self._tell(f"reading {self.settings.file}")
            sources.append(ClueFile(self.settings.file))
        return sources

    def _all_words(self, length: int) -> Array:
        import numpy as np

        return np.unique(np.concatenate([np.zeros(0, f"S{length}"), *[one.listing(length) for one in self._listing]]))

    def _built(self, name: str, key: str, arrays: Callable[[], Mapping[str, Array]], load: Callable[..., T]) -> T:
        """Return the object that `load` makes from arrays, which are built once and stored on disk under a key."""

        def fill(folder: str) -> None:
            self._tell(f"reading {SOURCES[name]} (only this once)")
            local_sources.save_arrays(folder, arrays())

        return local_sources.load_or_build(name, key, fill, lambda folder: load(local_sources.load_arrays(folder)))
