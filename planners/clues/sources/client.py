"""A polite client: it gives its name, waits between requests, retries after temporary errors, and caches answers.

    client = Client(cache="/some/folder")
    client.get("https://example.org/search", {"q": "a mare"})      the text; raises SourceFailed, with a sentence

It retries after lost connections, timeouts, and the answers 429 and 5xx, each time after twice the pause, or after the
answer's `Retry-After` if that is not long. Answers are kept on disk for a month.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from unpuzzle.planners.clues.sources.source import SourceFailed
from unpuzzle.version import __version__

if TYPE_CHECKING:
    import httpx


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
    """A polite HTTP client; see the head of this file."""

    def __init__(
        self,
        cache: str,
        *,
        timeout: float = TIMEOUT,
        pause: float = PAUSE,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cache: str = cache
        self.timeout: float = timeout
        self.pause: float = pause
        self._sleep = sleep
        self._clock = clock
        self._last: dict[str, float] = {}

    def get(self, address: str, query: Mapping[str, str], absent: str | None = None) -> str:
        """Return the text at an address, or `absent` if the page does not exist. Raises SourceFailed."""
        key = "\n".join([address, *(f"{name}={query[name]}" for name in sorted(query))])
        path = os.path.join(self.cache, sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32])
        try:
            if time.time() - os.stat(path).st_mtime <= CACHED_FOR:
                with open(path, encoding="utf-8") as file:
                    return file.read()
        except (OSError, UnicodeDecodeError):
            pass
        text = self._ask(address, query, absent)
        _keep(path, text)
        return text

    def _ask(self, address: str, query: Mapping[str, str], absent: str | None) -> str:
        """Send the request until there is an answer or the attempts are used up."""
        import httpx

        reason, pause = "", self.pause
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
        """Wait for the end of the pause since the last request to the same host."""
        host = address.split("/")[2] if address.count("/") >= 2 else address
        left = self._last.get(host, -self.pause) + self.pause - self._clock()
        if left > 0:
            self._sleep(left)
        self._last[host] = self._clock()


def _require_host(address: str, request: httpx.Request) -> None:
    """Raise SourceFailed for a request that a redirect sends to another host, such as one of the reader's network."""
    from httpx import URL

    if request.url.host != URL(address).host:
        raise SourceFailed(f"the server redirects to another host, {request.url.host}")


def _answer(client: httpx.Client, address: str, query: Mapping[str, str]) -> tuple[int, str, float]:
    """Return the status, the text, and the seconds to wait that the answer asks for."""
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
    """Cache an answer as a whole; if it cannot be written, it is requested again next time.

    The requests are private, so other users cannot read the folder.
    """
    folder, partial = os.path.dirname(path), f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        os.chmod(folder, 0o700)
        with open(partial, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.replace(partial, path)
    except OSError:
        pass
