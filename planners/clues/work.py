"""One crossword's work, from its clues to the filled grid, within the limits of time and memory.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import version
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

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
    place_in,
    raise_to,
    read_clue,
)
from unpuzzle.planners.clues.dictionary import Dictionary, build
from unpuzzle.planners.clues.inference import Chain, CluedPosition, CluedSlot, Entry, Evidence, Filling, Weights
from unpuzzle.planners.clues.local_sources import ClueFile
from unpuzzle.planners.clues.network_sources import Client, Service
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, Settings, files, missing
from unpuzzle.planners.clues.spelling import Forms, Likeness

FAILURES = 2
"""The number of failures after which a source is skipped."""
FOR_CLUES = 0.5
"""The share of the time limit for looking up clues; the rest is for the grid."""
POINTING = re.compile(r"^\W*(?:(?:see|with|and|to|of|cf\.?)\s+)*$", re.IGNORECASE)


class Work:
    """One run of the planner on a crossword; `remarks` report failures and omissions."""

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        """Prepare the filling of a crossword. Raises DependencyMissing if no source is available."""
        self._library: Library = (library := Library(settings, tell))
        self.weights: Weights = Weights.read()
        self.remarks: list[str] = []
        self.links: dict[str, list[str]] = {}
        self.seconds: dict[str, float] = {}
        self._failures: Counter[str] = Counter()
        self._chain: Callable[[int], Chain] = cache(lambda n: Chain(inference.numbers_of(library.vocabulary(n))))

    def fields(self, filling: Filling, letters: str, columns: int) -> dict[str, Any]:
        """Return details for the planner's result, such as answers and confidences; `letters` are the filled grid."""
        pairs = zip(letters, filling.confidence, strict=True)
        confidence = [None if cell == "#" else round(value, 4) for cell, value in pairs]
        rows = [confidence[start : start + columns] for start in range(0, len(confidence), columns)]
        answers = {}
        for name, given in filling.answers.items():
            best, *others = [{"answer": word, "confidence": round(value, 4)} for word, value in given]
            answers[name] = {**best, "alternatives": others}
        sources = [one.name for one in self._library.sources if self._failures[one.name] < FAILURES]
        return {"answers": answers, "letter_confidence": rows, "sources": sources, "links": self.links}

    def fill(self, position: CluedPosition) -> Filling:
        """Return the filled grid. Raises LimitReached, and PlannerFailed if indexes cannot be stored."""
        slots = [CluedSlot(name, tuple(cells), clue) for name, cells, clue in position.clued_slots()]
        letters = {cell: ord(letter) - ord("A") for cell, letter in enumerate(position.letters) if "A" <= letter <= "Z"}
        if foreign := sorted({letter for letter in position.letters if not (letter in ".#" or "A" <= letter <= "Z")}):
            self.remarks.append(f"guessing uses A to Z only: {', '.join(foreign)} in the grid is ignored")
        if unknown := [slot.name for slot in slots if not slot.clue]:
            self.remarks.append(f"there is no clue for {', '.join(unknown)}: only crossings help there")
        self.remarks += [f"{name} is left out: {reason}" for name, reason in self._library.absent.items()]
        began = perf_counter()
        entries = self._entries(slots)
        self.seconds["candidates"] = perf_counter() - began
        return inference.fill_grid(entries, len(position.letters), letters, self.weights, self._library.settings.method)

    def _entries(self, slots: list[CluedSlot]) -> list[Entry]:
        """Return, for each slot, an entry with the words that its clue makes likely, regardless of crossing slots."""
        self.links = links(slots)
        most = max(inference.MOST_WORDS // len(slots), 1000)
        by_name = {slot.name: slot for slot in slots}
        left = current().time_left()
        deadline = float("inf") if left is None else perf_counter() + FOR_CLUES * left
        entries: list[Entry] = []
        for number, slot in enumerate(slots, 1):
            current().look()
            self._library.tell(f"{slot.name}, {number} of {len(slots)} clues")
            if perf_counter() > deadline:
                entries += self._bare(slots[number - 1 :], most)
                self.remarks.append(f"the time limit was reached before the clues from {slot.name} on were looked up")
                break
            lengths = {
                len(other.cells)
                for other in slots
                if other.name in self.links.get(slot.name, ()) or slot.name in self.links.get(other.name, ())
            }
            halves = Halves(self._library, lengths)
            entries.append(self._entry(slot, meaning(slot, by_name), [*self._library.sources, halves], most))
        return entries

    def _bare(self, slots: Iterable[CluedSlot], most: int) -> Iterator[Entry]:
        """Yield an entry for each slot whose clue is not looked up, with common words of the slot's length."""
        words = [source for source in self._library.sources if source.name == "words"]
        entries: dict[int, Entry] = {}
        for slot in slots:
            length = len(slot.cells)
            if length not in entries:
                entries[length] = self._entry(slot, read_clue(""), words, most)
            yield entries[length].replace(name=slot.name, cells=slot.cells)

    def _entry(self, slot: CluedSlot, clue: Clue, sources: Iterable[WordSource], most: int) -> Entry:
        """Return an entry of a slot with the words that sources find for `clue`; failures of sources become remarks."""
        length = len(slot.cells)
        answers: list[tuple[WordSource, ScoredWords]] = []
        for source in sources:
            if self._failures[source.name] < FAILURES:
                try:
                    answers.append((source, source.candidates(clue, length)))
                except SourceFailed as error:
                    if not self._failures[source.name]:
                        self.remarks.append(str(error))
                    self._failures[source.name] += 1
        evidence = Evidence(self._library.vocabulary(length), answers)
        return inference.entry_of(slot, evidence, self._chain(length), self.weights, most)


def links(slots: Sequence[CluedSlot]) -> dict[str, list[str]]:
    """Map each slot whose clue refers to other slots to these slots."""
    names = {slot.name for slot in slots}
    pointers = {
        slot.name: [name for name in read_clue(slot.clue).references if name in names and name != slot.name]
        for slot in slots
    }
    return {name: others for name, others in pointers.items() if others}


def meaning(slot: CluedSlot, by_name: Mapping[str, CluedSlot]) -> Clue:
    """Return a slot's clue without references to other slots; if nothing else is left, the clue referred to."""
    clue = read_clue(slot.clue)
    rest = _rest(slot.clue)
    for name in () if rest else clue.references:
        if name in by_name and name != slot.name:
            return read_clue(_rest(by_name[name].clue))
    return read_clue(rest) if clue.references else clue


def _rest(text: str) -> str:
    """Return the parts of a clue that do not only refer to other slots."""
    parts = [part for part in re.split(r"[,;:]", REFERENCE.sub("", text)) if not POINTING.match(part)]
    return ";".join(part for part in parts if re.search(r"[A-Za-z]", part)).strip()


class Halves(WordSource):
    """A source of words that form a phrase with the answer of a linked slot; `others` are the linked slots' lengths."""

    name: str = "joined"
    measures: tuple[str, ...] = ("told",)
    listed: bool = False

    def __init__(self, library: Library, others: Iterable[int]) -> None:
        self._library: Library = library
        self._others: Iterable[int] = others

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        scores: dict[str, float] = {}
        for other, dictionary in product(self._others, self._library.dictionaries):
            phrases = dictionary.candidates(clue, length + other)
            for phrase, row in zip(phrases.words.tolist(), phrases.measures, strict=True):
                whole, score = phrase.decode(), float(row.max())
                for half, rest in ((whole[:length], whole[length:]), (whole[-length:], whole[:-length])):
                    if all(place_in(self._library.vocabulary(len(word)), word) is not None for word in (half, rest)):
                        raise_to(scores, half, score)
        return ScoredWords.of(scores, length)


class Library:
    """The available sources among those that the settings select; `absent` says why each missing one is unavailable."""

    def __init__(self, settings: Settings | None = None, tell: Callable[[str], None] = lambda _: None) -> None:
        """Find the available sources. Raises DependencyMissing if no source is available."""
        self.settings: Settings = Settings() if settings is None else settings
        reasons = {name: missing(name) for name in self.settings.sources}
        if self.settings.services:
            reasons |= dict.fromkeys(self.settings.services, missing_extra("words", "asking pages needs", "httpx"))
        self.names: list[str] = [name for name, reason in reasons.items() if reason is None]
        self.absent: dict[str, str] = {name: reason for name, reason in reasons.items() if reason is not None}
        if not (self.names or self.settings.file):
            whys = set(self.absent.values())
            why = f": {whys.pop()}" if len(whys) == 1 else f"; get them with: {INSTALL}"
            raise DependencyMissing(f"no source of words is installed{why}", dependency="clues")
        self.tell: Callable[[str], None] = tell

    @cached_property
    def sources(self) -> list[WordSource]:
        """The opened word sources. Raises PlannerFailed if their indexes cannot be stored."""
        sources = [*self._listing, Forms(self.dictionaries, self.vocabulary), Likeness(self.vocabulary)]
        if services := [pair for pair in self.settings.services.items() if pair[0] in self.names]:
            client = Client(os.path.join(local_sources.cache_folder(), "pages"))
            sources += [Service(name, client, address) for name, address in services]
        return sources

    @cached_property
    def dictionaries(self) -> list[Dictionary]:
        return [Dictionary(name, self._arrays(name)) for name in local_sources.DOCUMENTS if name in self.names]

    @cached_property
    def _listing(self) -> list[WordSource]:
        """The word sources that can list all their words without a clue."""
        sources: list[WordSource] = [*self.dictionaries]
        if "words" in self.names:
            sources.append(local_sources.WordLists(self._arrays("words")))
        if self.settings.file is not None:
            self.tell(f"reading {self.settings.file}")
            sources.append(ClueFile(self.settings.file))
        return sources

    @cached_property
    def vocabulary(self) -> Callable[[int], Array]:
        """A function that returns all words of a length, as sorted bytes."""
        listing = self._listing  # and not `self`: with a circle, memory would be free only later

        def words(length: int) -> Array:
            return np.unique(np.concatenate([np.zeros(0, f"S{length}"), *[one.listing(length) for one in listing]]))

        return cache(words)

    def _arrays(self, name: str) -> Mapping[str, Array]:
        """Return the arrays of a source, which are made once and then stored on disk."""
        paths, read = files(name), local_sources.DOCUMENTS.get(name)

        def fill(folder: str) -> None:
            self.tell(f"reading {SOURCES[name]} (only this once)")
            arrays = build(within_limits(read(paths))) if read else local_sources.word_arrays(paths)
            local_sources.save_arrays(folder, arrays)

        versions = [f"wordfreq {version('wordfreq')}"] if not read and is_installed("wordfreq") else []
        key = local_sources.key_of(paths, *versions)
        return local_sources.load_or_build(name, key, fill, local_sources.load_arrays)
