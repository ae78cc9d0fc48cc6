"""The sources on the network, for `clues:online` alone: a thesaurus, a dictionary, an encyclopedia.

    thesaurus      [{"word": "horse", "score": 1200, "tags": ["syn", "n"]}, ...]           as Datamuse answers
    dictionary     [{"word": ..., "meanings": [{"definitions": [{"definition": ...}], "synonyms": [...]}]}]
    encyclopedia   {"query": {"search": [{"title": ..., "snippet": "... <b>found</b> ..."}]}}     as MediaWiki answers

Plain functions without network turn the text of a page into words with scores from 0 to 1, so each is tested with our
own pages. Text of another shape raises ValueError with the expected shape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

from unpuzzle.planners.clues.signals import PASSED_OVER, Clue, letters_of, raise_to, words_of
from unpuzzle.planners.clues.sources.client import Client
from unpuzzle.planners.clues.sources.source import ScoredWords, SourceFailed, WordSource

Scores = dict[str, float]
Question = tuple[str, dict[str, str]]

ADDRESSES = {
    "thesaurus": "https://api.datamuse.com/words",
    "dictionary": "https://api.dictionaryapi.dev/api/v2/entries/en",
    "encyclopedia": "https://en.wikipedia.org/w/api.php",
}
"""By name, the usual address of each source."""
NOTHING = "[]"
"""The text that replaces the dictionary's answer for an unknown word (status 404)."""
MOST_WORDS = 3
"""The longest part of a clue, in words, whose words are looked up in the dictionary one by one."""
SYNONYM, DEFINING, TITLE, SNIPPET = 1.0, 0.4, 0.8, 0.3
"""The score of a word, by its place in the answer."""
HALF_AFTER = 15
"""The score of a list's entry is halved after this many entries."""


class Service(WordSource):
    """A source on the network.

    `candidates` raises SourceFailed, with the name of the source, if it does not answer as expected.
    """

    measures: tuple[str, ...] = ("told",)
    listed: bool = False

    def __init__(self, name: str, client: Client, address: str | None = None) -> None:
        self.name: str = name
        self.client: Client = client
        self.address: str = (address or ADDRESSES[name]).rstrip("/")

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        read = READERS[self.name]
        best: Scores = {}
        for address, query in self._questions(clue, length):
            try:
                scores = read(self.client.get(address, query, NOTHING if self.name == "dictionary" else None))
            except (SourceFailed, ValueError) as error:
                raise SourceFailed(f"{self.name} was skipped: {error}") from None
            for word, score in scores.items():
                raise_to(best, word, score)
        return ScoredWords.of(best, length)

    def _questions(self, clue: Clue, length: int) -> Iterator[Question]:
        """Yield the requests for a clue: addresses with queries."""
        if self.name == "encyclopedia":
            query = {"action": "query", "list": "search", "format": "json", "srlimit": "20", "srsearch": clue.text}
            yield self.address, query
            return
        for part in clue.parts:
            if self.name == "thesaurus":
                yield self.address, {"ml": part.text, "sp": "?" * length, "max": "100"}
                continue
            words = [word for word in words_of(part.text) if word not in PASSED_OVER]
            for word in words if len(words) <= MOST_WORDS else ():
                yield f"{self.address}/{word}", {}


def thesaurus(text: str) -> Scores:
    """Return words of like meaning, best first."""
    scores: Scores = {}
    for rank, entry in enumerate(_list(_json(text), "a list of words")):
        word = _object(entry, "a word with its score").get("word")
        if not isinstance(word, str):
            raise ValueError("an entry has no word")
        _raise(scores, word, SYNONYM * _by_rank(rank))
    return scores


def dictionary(text: str) -> Scores:
    """Return the synonyms in the entries, and the words of their definitions."""
    scores: Scores = {}
    for entry in _list(_json(text), "a list of entries"):
        for meaning in _list(_object(entry, "an entry").get("meanings", []), "a list of meanings"):
            _read_meaning(_object(meaning, "a meaning"), scores)
    return scores


def _read_meaning(meaning: dict[str, Any], scores: Scores) -> None:
    entries = _list(meaning.get("definitions", []), "a list of definitions")
    definitions = [_object(entry, "a definition") for entry in entries]
    for holder in (meaning, *definitions):
        for word in _list(holder.get("synonyms", []), "a list of synonyms"):
            _raise(scores, str(word), SYNONYM)
    for definition in definitions:
        words = words_of(str(definition.get("definition", "")))
        for word in words:
            _raise(scores, word, DEFINING / max(1.0, len(words) / 4))


def encyclopedia(text: str) -> Scores:
    """Return the titles of the pages, the words of the titles, and the words of the text around the match."""
    query = _object(_object(_json(text), "an object").get("query", {}), "a query")
    scores: Scores = {}
    for rank, entry in enumerate(_list(query.get("search", []), "a list of pages")):
        page = _object(entry, "a page that was found")
        title = re.sub(r"\s*\(.*?\)\s*$", "", str(page.get("title", "")))
        snippet = unescape(re.sub(r"<[^>]*>", "", str(page.get("snippet", ""))))
        _raise(scores, title, TITLE * _by_rank(rank))
        for word in words_of(title):
            _raise(scores, word, TITLE * 0.7 * _by_rank(rank))
        for word in words_of(snippet):
            _raise(scores, word, SNIPPET * _by_rank(rank))
    return scores


def _by_rank(rank: int) -> float:
    return 1.0 / (1 + rank / HALF_AFTER)


def _raise(scores: Scores, text: str, score: float) -> None:
    word = letters_of(text)
    if len(word) > 1:
        raise_to(scores, word, score)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("the answer is not JSON") from None


def _list(value: Any, what: str) -> list[Any]:
    if isinstance(value, list):
        return value
    raise ValueError(f"the answer must contain {what}")


def _object(value: Any, what: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise ValueError(f"the answer must contain {what}")


READERS: dict[str, Callable[[str], Scores]]
READERS = {"thesaurus": thesaurus, "dictionary": dictionary, "encyclopedia": encyclopedia}
