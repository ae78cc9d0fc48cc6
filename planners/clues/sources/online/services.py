"""The sources on the network: where they are, what they are asked, and how their pages are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

from unpuzzle.planners.clues.signals import Clue
from unpuzzle.planners.clues.sources.online import pages
from unpuzzle.planners.clues.sources.online.client import INSTALL, Client
from unpuzzle.planners.clues.sources.source import Scored, Source, SourceFailed
from unpuzzle.planners.clues.text import PASSED_OVER, words_of

Question = tuple[str, dict[str, str]]

ADDRESSES = {
    "thesaurus": "https://api.datamuse.com/words",
    "dictionary": "https://api.dictionaryapi.dev/api/v2/entries/en",
    "encyclopedia": "https://en.wikipedia.org/w/api.php",
}
"""By name, where a source is asked if no other address is given."""
NOTHING = "[]"
"""What the dictionary's answer is worth that it does not know a word, which is the status 404."""
MOST_WORDS = 3
"""Words of a part of a clue that are looked up in the dictionary, one by one."""


class Service(Source):
    """A source on the network.

    Raises SourceFailed from `candidates`, with its name, where it does not answer, or not as expected.
    """

    measures = ("told",)
    listed = False
    online = True

    def __init__(self, name: str, client: Client, address: str | None = None) -> None:
        self.name = name
        self.client = client
        self.address: str = (address or ADDRESSES[name]).rstrip("/")
        self._questions: Callable[[Clue, int], Iterator[Question]] = getattr(self, f"_of_{name}")
        self._read: Callable[[str], dict[str, float]] = getattr(pages, name)

    def missing(self) -> str | None:
        return None if find_spec("httpx") else f"httpx, which asks pages, is not installed; get it with: {INSTALL}"

    def candidates(self, clue: Clue, length: int) -> Scored:
        best: dict[str, tuple[float, ...]] = {}
        for address, query in self._questions(clue, length):
            try:
                scores = self._read(self.client.get(address, query, NOTHING if self.name == "dictionary" else None))
            except (SourceFailed, ValueError) as error:
                raise SourceFailed(f"{self.name} was passed over: {error}") from None
            for word, score in scores.items():
                best[word] = (max(score, best.get(word, (0.0,))[0]),)
        return Scored.of(best, length, 1)

    def _of_thesaurus(self, clue: Clue, length: int) -> Iterator[Question]:
        for part in clue.parts:
            yield self.address, {"ml": part.text, "sp": "?" * length, "max": "100"}

    def _of_dictionary(self, clue: Clue, length: int) -> Iterator[Question]:
        for part in clue.parts:
            words = [word for word in words_of(part.text) if word not in PASSED_OVER]
            for word in words if len(words) <= MOST_WORDS else ():
                yield f"{self.address}/{word}", {}

    def _of_encyclopedia(self, clue: Clue, length: int) -> Iterator[Question]:
        query = {"action": "query", "list": "search", "format": "json", "srlimit": "20", "srsearch": clue.text}
        yield self.address, query
