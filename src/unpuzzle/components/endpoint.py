"""A language model at an address with OpenAI's API (chat completions).

The package `openai` is loaded when a model is first asked. The key, from the environment variable OPENAI_API_KEY, is
never logged or shown. A server may send endlessly, byte by byte, since the libraries limit only single reads. So a
thread asks, we wait for at most the time of an answer, and a `Watch` counts time and bytes at each read and ends the
thread's work. A compressed answer is refused: a few bytes can become very many. So is a redirect to another host or
port, which would be given the question.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from unpuzzle.base.availability import require
from unpuzzle.base.defaults import ANSWER_SECONDS
from unpuzzle.base.errors import ParseError, PlannerFailed
from unpuzzle.base.text import cut

KEY = "OPENAI_API_KEY"
RETRIES = 2
MOST_BYTES = 8 << 20
"""The most bytes received for one answer: a hundred times the usual size."""


class Watch:
    """The limits of one answer; `fault` is a sentence about the limit that was reached, or empty."""

    def __init__(self, seconds: float, most: int = MOST_BYTES) -> None:
        self.seconds = seconds
        self.end: float = perf_counter() + seconds
        self.left: int = most
        self.sees: bool = False
        self.origin: tuple[object, ...] | None = None
        self.fault: str = ""

    def late(self) -> str:
        return f"gave no answer within {self.seconds:g} s"

    def request(self, request: Any) -> None:
        """Check the address of a new request, and observe its connection. Raises WatchedError for another host."""
        self.look()
        origin = request.url.scheme, request.url.host, request.url.port
        self.origin = self.origin or origin
        if origin != self.origin:
            self._stop(f"redirects to another address, {cut(str(request.url), 200)}")
        request.extensions = {**request.extensions, "trace": self._traced}

    def response(self, response: Any) -> None:
        """Check the head of a response. Raises WatchedError if it is compressed, or its connection is not observed."""
        if not self.sees:
            self._stop("answers by a connection whose limits cannot be watched")
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            self._stop("compresses the answer, although the request forbids that")

    def look(self, size: int = 0) -> None:
        """Count received bytes. Raises WatchedError when a limit is reached, and at every later call."""
        if self.fault:
            self._stop(self.fault)
        self.left -= size
        if self.left < 0:
            self._stop("sends an answer that is too long")
        if perf_counter() > self.end:
            self._stop(self.late())

    def _traced(self, event: str, about: dict[str, Any]) -> None:
        """Handle an event of the HTTP client, so that the reads of new connections are counted."""
        stream = about.get("return_value")
        if event.endswith((".connect_tcp.complete", ".connect_unix_socket.complete", ".start_tls.complete")):
            stream.read = self._watched(stream.read)  # type: ignore[union-attr]
            self.sees = True

    def _watched(self, read: Any) -> Any:
        def watched(most: int, timeout: float | None = None) -> bytes:
            self.look()
            left = max(0.001, self.end - perf_counter())
            data: bytes = read(most, left if timeout is None else min(timeout, left))
            self.look(len(data))
            return data

        return watched

    def _stop(self, fault: str) -> None:
        self.fault = self.fault or fault
        raise WatchedError(self.fault)


class WatchedError(Exception):
    """The exception for an answer that reaches a limit."""


class Endpoint:
    """A model that has `seconds` to answer; failed requests are repeated up to `retries` times within this time.

    Raises ParseError for an invalid address, DependencyMissing without the package `openai`.
    """

    def __init__(self, url: str, model: str, *, seconds: float = ANSWER_SECONDS, retries: int = RETRIES) -> None:
        scheme, _, rest = url.partition("://")
        if scheme not in ("http", "https") or not rest.partition("/")[0]:
            example = "http://localhost:8000/v1"
            raise ParseError(f"{url!r} is not the address of an endpoint; an address looks like {example}")
        require("llm", "language models need")
        import openai

        self.url = url
        self.model = model
        self.seconds = seconds
        self.retries = retries
        self._key = os.environ.get(KEY, "").strip()
        self._openai: Any = openai

    def ask(self, messages: Sequence[dict[str, str]]) -> str:
        """Return the model's answer to a conversation. Raises PlannerFailed with the reason."""
        watch, done = Watch(self.seconds), threading.Event()
        answers: list[str | BaseException] = []

        def work() -> None:
            try:
                answers.append(self._asked(list(messages), watch))
            except BaseException as error:
                answers.append(error)
            finally:
                done.set()

        # A daemon, so that this program can end even if libraries wait. The watch ends the thread soon.
        threading.Thread(target=work, daemon=True, name="unpuzzle-endpoint").start()
        if not done.wait(self.seconds):
            raise self._failed(watch.late())
        [answer] = answers
        if isinstance(answer, BaseException):
            raise self._explained(answer, watch) from None
        return answer

    def _asked(self, messages: list[dict[str, str]], watch: Watch) -> str:
        hooks = {"request": [watch.request], "response": [watch.response]}
        kind = type(self._openai.DEFAULT_CONNECTION_LIMITS)  # of httpx, or of its successor in newer clients
        limits = kind(max_keepalive_connections=0)  # a connection for each request, so that each is watched
        with self._openai.DefaultHttpxClient(event_hooks=hooks, limits=limits) as http:
            client = self._openai.OpenAI(
                base_url=self.url,
                api_key=self._key or "none",  # servers on one's own machine need no key, but the client does
                timeout=self.seconds,
                max_retries=self.retries,
                http_client=http,
                default_headers={"Accept-Encoding": "identity"},
            )
            return self._text(client.chat.completions.create(model=self.model, messages=messages))

    def _explained(self, error: BaseException, watch: Watch) -> BaseException:
        """Return the exception to raise instead of an exception of the client library."""
        if watch.fault:
            return self._failed(watch.fault)
        if isinstance(error, self._openai.APITimeoutError):
            return self._failed(watch.late())
        if isinstance(error, self._openai.APIConnectionError):
            return self._failed(f"cannot be reached: {self._first(str(error.__cause__ or error))}")
        if isinstance(error, self._openai.APIStatusError):
            return self._failed(f"refuses with status {error.status_code}: {self._first(error.message)}")
        if isinstance(error, RecursionError):
            return self._failed("returned something that cannot be read: it is nested too deeply")
        if isinstance(error, self._openai.OpenAIError | ValueError | TypeError):
            return self._failed(f"returned something that cannot be read: {self._first(str(error))}")
        return error

    def _text(self, answer: Any) -> str:
        try:
            text = answer.choices[0].message.content
        except (AttributeError, IndexError, TypeError, KeyError):
            text = None
        if not isinstance(text, str):
            raise self._failed("returned something that is not a chat completion")
        return self.hidden(text.encode("utf-8", "replace").decode())  # halves of characters cannot be sent back

    def hidden(self, text: str) -> str:
        """Return a text with the secret key replaced by stars."""
        return text.replace(self._key, "***") if self._key else text

    def _failed(self, what: str) -> PlannerFailed:
        return PlannerFailed(self.hidden(f"the model {self.model} at {self.url} {what}"), planner="llm")

    def _first(self, text: str) -> str:
        """Return the first line of a text, cut to a maximal length after the key is hidden."""
        return cut(self.hidden(text).strip().partition("\n")[0], 200)
