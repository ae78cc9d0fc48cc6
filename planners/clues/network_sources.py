"""Sources on the network for `clues:online`: a thesaurus, a dictionary, an encyclopedia, and their HTTP client.

    thesaurus      [{"word": "horse", "score": 1200, "tags": ["syn", "n"]}, ...]           as Datamuse answers
    dictionary     [{"word": ..., "meanings": [{"definitions": [{"definition": ...}], "synonyms": [...]}]}]
    encyclopedia   {"query": {"search": [{"title": ..., "snippet": "... <b>found</b> ..."}]}}     as MediaWiki answers

Plain functions without network turn the text of a page into words with scores from 0 to 1, so each is tested with our
own pages. Text of another shape raises ValueError with the expected shape.

The client gives its name, waits between requests, and retries after lost connections, timeouts, and the answers 429 and
5xx, each time after twice the pause, or after the answer's `Retry-After` if that is not long. Answers are kept on disk
for a month, whatever their servers say about that; so no library for caches of HTTP is used.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from html import unescape
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any

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

PAUSES = (0.5, 0.5, 1.0)
"""For each attempt, the least number of seconds since the last answer of the same host."""
LONGEST_PAUSE = 8.0
TIMEOUT = 6.0
CACHED_FOR = 30 * 24 * 3600
"""Seconds for which an answer is kept."""
LARGEST = 4_000_000
"""The largest answer in bytes; longer ones are not the expected kind of page."""
AGENT = f"unpuzzle/{__version__} (a solver of crosswords; httpx)"
PASSING = frozenset({429, 500, 502, 503, 504})


class Client:
    """An HTTP client that caches answers in a folder, and pauses between requests to the same host."""

    def __init__(self, cache: str) -> None:
        self.cache: str = cache
        self._last: dict[str, float] = {}

    def get(self, address: str, query: Mapping[str, str], absent: str | None = None) -> str:
        """Return the text at a web address, or `absent` if the page does not exist. Raises SourceFailed on failure."""
        key = "\n".join([address, *(f"{name}={query[name]}" for name in sorted(query))])
        path = os.path.join(self.cache, sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32])
        with suppress(OSError, UnicodeDecodeError):
            if time() - os.stat(path).st_mtime <= CACHED_FOR:
                return Path(path).read_text("utf-8")
        text = self._ask(address, query, absent)
        with suppress(OSError):  # an answer that cannot be written is requested again next time
            os.makedirs(self.cache, 0o700, exist_ok=True)
            os.chmod(self.cache, 0o700)  # the requests are private
            save_file(path, text)
        return text

    def _ask(self, address: str, query: Mapping[str, str], absent: str | None) -> str:
        """Send a request, repeatedly if the server does not answer, and return the text of the answer."""
        import httpx

        def require_host(request: httpx.Request) -> None:
            """Refuse a redirect to another host, such as a host on the user's own network."""
            if request.url.host != httpx.URL(address).host:
                raise SourceFailed(f"the server {address.split('/')[2]} redirects to the other host {request.url.host}")

        host, reason, asked_for = address.split("/")[2], "", 0.0
        hooks, agent = {"request": [require_host]}, {"User-Agent": AGENT}
        with httpx.Client(follow_redirects=True, timeout=TIMEOUT, headers=agent, event_hooks=hooks) as client:
            for pause in PAUSES:
                left = self._last.get(host, -LONGEST_PAUSE) + max(pause, asked_for) - monotonic()
                if left > 0:
                    sleep(left)
                try:
                    status, text, asked_for = _answer(client, address, query)
                except httpx.TimeoutException:
                    reason = "the server did not answer in time"
                    continue
                except httpx.HTTPError as error:
                    reason = f"the server cannot be reached: {str(error) or type(error).__name__}"
                    continue
                except (httpx.InvalidURL, UnicodeError) as error:
                    raise SourceFailed(f"the address {address} is not valid: {error}") from None
                finally:
                    self._last[host] = monotonic()
                if status == 200:
                    return text
                if status == 404 and absent is not None:
                    return absent
                reason = f"the server answered with status {status}"
                if status not in PASSING:
                    break
        raise SourceFailed(reason)


def _answer(client: httpx.Client, address: str, query: Mapping[str, str]) -> tuple[int, str, float]:
    """Send a request; return the status, the text, and the waiting time in seconds that the server asks for."""
    with client.stream("GET", address, params=dict(query)) as answer:
        data = b""
        for piece in answer.iter_bytes():
            data += piece
            if len(data) > LARGEST:
                raise SourceFailed(f"the answer from {address} has more than {LARGEST:,} bytes")
        seconds = answer.headers.get("Retry-After", "0")
        delay = min(float(seconds), LONGEST_PAUSE) if seconds.isdecimal() else 0.0
        return answer.status_code, data.decode(answer.encoding or "utf-8", "replace"), delay


Findings = Iterator[tuple[Any, float]]
"""Words, or texts that are words without their blanks, with scores from 0 to 1."""

ADDRESSES = {
    "thesaurus": "https://api.datamuse.com/words",
    "dictionary": "https://api.dictionaryapi.dev/api/v2/entries/en",
    "encyclopedia": "https://en.wikipedia.org/w/api.php",
}
"""By name, the usual address of each source."""
MOST_WORDS = 3
"""The longest part of a clue, in words, whose words are looked up in the dictionary one by one."""
SYNONYM, DEFINING, TITLE, SNIPPET = 1.0, 0.4, 0.8, 0.3
"""The score of a word, by its place in the answer."""
HALF_AFTER = 15
"""The score of a list's entry is halved after this many entries."""


class Service(WordSource):
    """A source on the network; its method `candidates` raises SourceFailed if the answer of the server is unusable."""

    measures: tuple[str, ...] = ("told",)
    listed: bool = False

    def __init__(self, name: str, client: Client, address: str | None = None) -> None:
        self.name: str = name
        self.client: Client = client
        self.address: str = (address or ADDRESSES[name]).rstrip("/")

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        best: dict[str, float] = {}
        for address, query in self._questions(clue, length):
            try:  # an unknown word of the dictionary is status 404
                text = self.client.get(address, query, "[]" if self.name == "dictionary" else None)
                for word, score in read_answer(self.name, text).items():
                    raise_to(best, word, score)
            except (SourceFailed, ValueError) as error:
                raise SourceFailed(f"{self.name} was skipped: {error}") from None
        return ScoredWords.of(best, length)

    def _questions(self, clue: Clue, length: int) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the HTTP requests to send for a clue, each as a web address with the parameters of its query."""
        if self.name == "encyclopedia":
            query = {"action": "query", "list": "search", "format": "json", "srlimit": "20", "srsearch": clue.text}
            yield self.address, query
        for part in clue.parts:
            words = [word for word in words_of(part.text) if word not in PASSED_OVER]
            if self.name == "thesaurus":
                yield self.address, {"ml": part.text, "sp": "?" * length, "max": "100"}
            elif self.name == "dictionary" and len(words) <= MOST_WORDS:
                yield from ((f"{self.address}/{word}", {}) for word in words)


def thesaurus(answer: Any) -> Findings:
    """Yield the words of similar meaning in a thesaurus' answer, best first."""
    for rank, entry in enumerate(answer):
        yield entry["word"], SYNONYM * _by_rank(rank)


def dictionary(answer: Any) -> Findings:
    """Yield the synonyms in the entries of a dictionary's answer, and the words of their definitions."""
    for meaning in [meaning for entry in answer for meaning in entry.get("meanings", ())]:
        definitions = meaning.get("definitions", ())
        for holder in (meaning, *definitions):
            yield from ((word, SYNONYM) for word in holder.get("synonyms", ()))
        for definition in definitions:
            words = words_of(definition.get("definition", ""))
            yield from ((word, DEFINING / max(1.0, len(words) / 4)) for word in words)


def encyclopedia(answer: Any) -> Findings:
    """Yield the page titles in an encyclopedia's answer, their words, and the words around the words sought."""
    for rank, page in enumerate(answer.get("query", {}).get("search", ())):
        title = re.sub(r"\s*\(.*?\)\s*$", "", page.get("title", ""))
        snippet = unescape(re.sub(r"<[^>]*>", "", page.get("snippet", "")))
        yield title, TITLE * _by_rank(rank)
        yield from ((word, TITLE * 0.7 * _by_rank(rank)) for word in words_of(title))
        yield from ((word, SNIPPET * _by_rank(rank)) for word in words_of(snippet))


def _by_rank(rank: int) -> float:
    return 1.0 / (1 + rank / HALF_AFTER)


READERS: dict[str, tuple[Callable[[Any], Findings], str]] = {
    "thesaurus": (thesaurus, "a list of words"),
    "dictionary": (dictionary, "a list of entries"),
    "encyclopedia": (encyclopedia, "a list of pages"),
}
"""By source, the function that reads its answers, and what they are."""


def read_answer(name: str, text: str) -> dict[str, float]:
    """Return the words in the text of a source's answer, with scores. Raises ValueError for an unexpected format."""
    read, what = READERS[name]
    scores: dict[str, float] = {}
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("the answer is not JSON") from None
    try:
        for words, score in read(answer):
            if len(word := letters_of(words)) > 1:
                raise_to(scores, word, score)
    except (AttributeError, LookupError, TypeError):
        raise ValueError(f"the answer is not {what} in the expected form") from None
    return scores
