"""Clues that belong together: `See 8-Across`, and at 8-Across `With 5-Down, a summer treat`.

The answers of both make one phrase. So the clue with the meaning is looked up for a word of both lengths together, and
the result is cut in two: `ICE CREAM` gives ICE to one and CREAM to the other. An entry that only points to another one
takes its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from unpuzzle.planners.clues.filling import CluedSlot
from unpuzzle.planners.clues.signals import REFERENCE, Clue, read_clue
from unpuzzle.planners.clues.sources.dictionary import Dictionary
from unpuzzle.planners.clues.sources.source import Array, ScoredWords
from unpuzzle.planners.clues.text import raise_to

POINTING = re.compile(r"^\W*(?:(?:see|with|and|to|of|cf\.?)\s+)*$", re.IGNORECASE)


def links(slots: Sequence[CluedSlot]) -> dict[str, tuple[str, ...]]:
    """Return for each slot the other slots that its clue points to."""
    names = {slot.name for slot in slots}
    pointers = {
        slot.name: tuple(name for name in read_clue(slot.clue).references if name in names and name != slot.name)
        for slot in slots
    }
    return {name: others for name, others in pointers.items() if others}


def meaning(slot: CluedSlot, by_name: Mapping[str, CluedSlot]) -> Clue:
    """Return the clue of a slot without its pointers, or the clue that it points to, if nothing else is left."""
    clue = read_clue(slot.clue)
    rest = _rest(slot.clue)
    for name in () if rest else clue.references:
        if name in by_name and name != slot.name:
            return read_clue(_rest(by_name[name].clue))
    return read_clue(rest) if clue.references else clue


def _rest(text: str) -> str:
    """Return the parts of a clue that do not only point to other entries."""
    parts = [part for part in re.split(r"[,;:]", REFERENCE.sub("", text)) if not POINTING.match(part)]
    return ";".join(part for part in parts if re.search(r"[A-Za-z]", part)).strip()


class Joined:
    """A source of halves of phrases that two linked answers make together."""

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
        """Return the words for a slot as one half of such a phrase."""
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
