"""A language model behind an address that speaks as OpenAI's API does (chat completions).

The package `openai` is loaded when a model is asked. The key is read from the environment variable OPENAI_API_KEY and
stands in nothing that is logged or said, even where the other side sends it back.
"""

from __future__ import annotations

import os

from unpuzzle.errors import ParseError, PlannerFailed, PlannerMissing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

KEY = "OPENAI_API_KEY"
SECONDS, RETRIES = 120.0, 2


class Endpoint:
    """A model. `seconds` is how long it may take to answer, `retries` how often it is asked again when that fails.

    Raises ParseError for what is no address, PlannerMissing where the package `openai` is.
    """

    def __init__(self, url: str, model: str, *, seconds: float = SECONDS, retries: int = RETRIES) -> None:
        scheme, _, rest = url.partition("://")
        if scheme not in ("http", "https") or not rest.partition("/")[0]:
            raise ParseError(
                f"{url!r} is not the address of an endpoint; it is something like http://localhost:8000/v1"
            )
        try:
            import openai
        except ImportError:
            message = "language models need the package openai: pip install 'unpuzzle[llm]'"
            raise PlannerMissing(message, planner="llm") from None
        self.url = url
        self.model = model
        self.seconds = seconds
        self._key = os.environ.get(KEY, "")
        self._openai: Any = openai
        # Servers on one's own machine need no key, but the client does.
        self._client: Any = openai.OpenAI(
            base_url=url, api_key=self._key or "none", timeout=seconds, max_retries=retries
        )

    def ask(self, messages: Sequence[dict[str, str]]) -> str:
        """The answer to a conversation. Raises PlannerFailed, saying what went wrong."""
        try:
            answer = self._client.chat.completions.create(model=self.model, messages=list(messages))
        except self._openai.APITimeoutError:
            raise self._failed(f"gave no answer within {self.seconds:g} s") from None
        except self._openai.APIConnectionError as error:
            raise self._failed(f"cannot be reached: {error.__cause__ or error}") from None
        except self._openai.APIStatusError as error:
            raise self._failed(f"refuses with status {error.status_code}: {_first(error.message)}") from None
        except (self._openai.OpenAIError, ValueError, TypeError) as error:
            raise self._failed(f"answers what cannot be read: {_first(str(error))}") from None
        return self._text(answer)

    def _text(self, answer: Any) -> str:
        try:
            text = answer.choices[0].message.content
        except (AttributeError, IndexError, TypeError):
            text = None
        if not isinstance(text, str):
            raise self._failed("answers what is no completion of a chat")
        return self.hidden(text)

    def hidden(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self._key, "***") if self._key else text

    def _failed(self, what: str) -> PlannerFailed:
        return PlannerFailed(self.hidden(f"the model {self.model} at {self.url} {what}"), planner="llm")


def _first(text: str, limit: int = 200) -> str:
    """The first line of a text."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= limit else line[: limit - 3] + "..."
