"""Sources on the network, for `clues:online` alone: a thesaurus, a dictionary, an encyclopedia; and a polite client.

    thesaurus      [{"word": "horse", "score": 1200, "tags": ["syn", "n"]}, ...]           as Datamuse answers
    dictionary     [{"word": ..., "meanings": [{"definitions": [{"definition": ...}], "synonyms": [...]}]}]
    encyclopedia   {"query": {"search": [{"title": ..., "snippet": "... <b>found</b> ..."}]}}     as MediaWiki answers

Plain functions without network turn the text of a page into words with scores from 0 to 1, so each is tested with our
own pages. Text of another shape raises ValueError with the expected shape.

The client gives its name, waits between requests, and retries after lost connections, timeouts, and the answers 429 and
5xx, each time after twice the pause, or after the answer's `Retry-After` if that is not long. Answers are kept on disk
for a month, whatever their servers say about that; so no library for caches of HTTP is used.

    client = Client(cache="/some/folder")
    client.get("https://example.org/search", {"q": "a mare"})      the text; raises SourceFailed, with a sentence
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from html import unescape
from typing import TYPE_CHECKING, Any, TypeVar

from unpuzzle.base.files import save_file
from unpuzzle.planners.clues.clue import (
    PASSED_OVER,
    Clue,
    ScoredWords,
    SourceFailed,
    WordSource,
    letters_of,
    raise_to,
    words_of,
)
from unpuzzle.version import __version__

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

ATTEMPTS = 3
PAUSE = 0.5
"""Seconds before the first retry, and between two requests to one host."""
LONGEST_PAUSE = 8.0
TIMEOUT = 6.0
CACHED_FOR = 30 * 24 * 3600
"""Seconds for which an answer is kept."""
LARGEST = 4_000_000
"""The largest answer in bytes; longer ones are not the expected kind of page."""
AGENT = f"unpuzzle/{__version__} (a solver of crosswords; httpx)"
PASSING = frozenset({429, 500, 502, 503, 504})


class Client:
    """An HTTP client that caches answers, and pauses between requests to the same host."""

    def __init__(
        self,
        cache: str,
        *,
        timeout: float = TIMEOUT,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cache: str = cache
        self.timeout: float = timeout
        self._sleep = sleep
        self._clock = clock
        self._last: dict[str, float] = {}

    def get(self, address: str, query: Mapping[str, str], absent: str | None = None) -> str:
        """Return the text at an address, or `absent` if the page does not exist. Raises SourceFailed on failure."""
        key = "\n".join([address, *(f"{name}={query[name]}" for name in sorted(query))])
        path = os.path.join(self.cache, sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32])
        with suppress(OSError, UnicodeDecodeError):
            if time.time() - os.stat(path).st_mtime <= CACHED_FOR:
                with open(path, encoding="utf-8") as file:
                    return file.read()
        text = self._ask(address, query, absent)
        _keep(path, text)
        return text

    def _ask(self, address: str, query: Mapping[str, str], absent: str | None) -> str:
        """Send the request until there is an answer or the attempts are used up."""
        import httpx

        reason, pause = "", PAUSE
        hooks = {"request": [partial(_require_host, address)]}
        settings: dict[str, Any] = {"timeout": self.timeout, "headers": {"User-Agent": AGENT}, "event_hooks": hooks}
        with httpx.Client(follow_redirects=True, **settings) as client:
            for attempt in range(ATTEMPTS):
                if attempt:
                    self._sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                try:
                    self._wait(address)
                    status, text, delay = _answer(client, address, query)
                except httpx.TimeoutException:
                    reason = "the server did not answer in time"
                    continue
                except httpx.HTTPError as error:
                    reason = f"the server cannot be reached: {str(error) or type(error).__name__}"
                    continue
                except (httpx.InvalidURL, UnicodeError) as error:
                    raise SourceFailed(f"the address is not valid: {error}") from None
                if status == 200:
                    return text
                if status == 404 and absent is not None:
                    return absent
                reason = f"the server answered with status {status}"
                if status not in PASSING:
                    break
                pause = max(pause, min(delay, LONGEST_PAUSE))
        raise SourceFailed(reason)

    def _wait(self, address: str) -> None:
        """Wait until the required pause since the last request to the same host is over."""
        host = address.split("/")[2] if address.count("/") >= 2 else address
        left = self._last.get(host, -PAUSE) + PAUSE - self._clock()
        if left > 0:
            self._sleep(left)
        self._last[host] = self._clock()


def _require_host(address: str, request: httpx.Request) -> None:
    """Raise SourceFailed if a redirect leads to another host, such as a host on the user's own network."""
    from httpx import URL

    if request.url.host != URL(address).host:
        raise SourceFailed(f"the server redirects to another host, {request.url.host}")


def _answer(client: httpx.Client, address: str, query: Mapping[str, str]) -> tuple[int, str, float]:
    """Send a request; return the status, the text, and the waiting time in seconds that the server asks for."""
    with client.stream("GET", address, params=dict(query)) as answer:
        data = b""
        for piece in answer.iter_bytes():
            data += piece
            if len(data) > LARGEST:
                raise SourceFailed(f"the answer has more than {LARGEST:,} bytes")
        text = data.decode(answer.encoding or "utf-8", "replace")
        seconds = answer.headers.get("Retry-After", "0")
        return answer.status_code, text, float(seconds) if seconds.isdecimal() else 0.0


def _keep(path: str, text: str) -> None:
    """Cache an answer in a file, whole or not at all; an answer that cannot be written is requested again next time.

    The requests are private, so other users cannot read the folder.
    """
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        os.chmod(os.path.dirname(path), 0o700)
        save_file(path, text)


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
        """Yield the requests for a clue, each as an address and its query."""
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
    """Return the words of similar meaning in a thesaurus' answer, best first."""
    scores: Scores = {}
    for rank, entry in enumerate(_require(list, _json(text), "a list of words")):
        word = _require(dict, entry, "a word with its score").get("word")
        if not isinstance(word, str):
            raise ValueError("an entry has no word")
        _raise(scores, word, SYNONYM * _by_rank(rank))
    return scores


def dictionary(text: str) -> Scores:
    """Return the synonyms in the entries of a dictionary's answer, and the words of their definitions."""
    scores: Scores = {}
    for entry in _require(list, _json(text), "a list of entries"):
        for meaning in _require(list, _require(dict, entry, "an entry").get("meanings", []), "a list of meanings"):
            _read_meaning(_require(dict, meaning, "a meaning"), scores)
    return scores


def _read_meaning(meaning: dict[str, Any], scores: Scores) -> None:
    entries = _require(list, meaning.get("definitions", []), "a list of definitions")
    definitions = [_require(dict, entry, "a definition") for entry in entries]
    for holder in (meaning, *definitions):
        for word in _require(list, holder.get("synonyms", []), "a list of synonyms"):
            _raise(scores, str(word), SYNONYM)
    for definition in definitions:
        words = words_of(str(definition.get("definition", "")))
        for word in words:
            _raise(scores, word, DEFINING / max(1.0, len(words) / 4))


def encyclopedia(text: str) -> Scores:
    """Return the page titles in an encyclopedia's answer, the words of the titles, and the words around matches."""
    query = _require(dict, _require(dict, _json(text), "an object").get("query", {}), "a query")
    scores: Scores = {}
    for rank, entry in enumerate(_require(list, query.get("search", []), "a list of pages")):
        page = _require(dict, entry, "a page that was found")
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


def _require(kind: type[T], value: Any, what: str) -> T:
    if isinstance(value, kind):
        return value
    raise ValueError(f"the answer must contain {what}")


READERS: dict[str, Callable[[str], Scores]] = {
    "thesaurus": thesaurus,
    "dictionary": dictionary,
    "encyclopedia": encyclopedia,
}
