"""JSON whose values know where they stand: for errors that point at what is wrong.

Python's own reader tells no places of values. So a text is read with it, and only when a value turns out to be wrong,
the text is gone through once more, to find it: by then it is known to be JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.translators.shared.text import Page
from unpuzzle.words import shorten

JsonPath = tuple[str | int, ...]
"""The keys and numbers (from 0) that lead to a value."""

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+')


class Document:
    """A JSON text: its `value`, and errors about parts of it. Raises ParseError for what is no JSON."""

    def __init__(self, text: str, source: str | None = None) -> None:
        self._page = Page(text, source)
        self._text = "\n".join(self._page.lines)
        try:
            self.value: Any = json.loads(self._text)
        except json.JSONDecodeError as error:
            message = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
            raise self._page.error(message, error.lineno, error.colno) from None
        except RecursionError:
            raise self._page.error("this is nested too deeply for a level") from None
        except ValueError:
            raise self._page.error("a number has too many digits") from None

    @property
    def source(self) -> str | None:
        """The name of the file."""
        return self._page.source

    def error(self, message: str, path: JsonPath = ()) -> ParseError:
        """Return an error at a value, or, where there is none, at the innermost value around it."""
        return self._page.error(message, *self._place(path))

    def line(self, path: JsonPath) -> tuple[int, str]:
        """Return the number, from 1, and the text of the line on which such a value begins."""
        number = self._place(path)[0]
        return number, self._page.lines[number - 1]

    def _place(self, path: JsonPath) -> tuple[int, int]:
        places = _places(self._text)
        while path not in places:
            path = path[:-1]
        before = self._text[: places[path]]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1

    def require(self, kind: type, value: Any, path: JsonPath, what: str) -> Any:
        """Return a value, if it is of a kind; else refuse it, saying what it should be."""
        if type(value) is not kind:
            raise self.error(f"{shorten(json.dumps(value), 30)} should be {what}", path)
        return value


def _places(text: str) -> dict[JsonPath, int]:
    """Return the place where each value of a JSON text begins."""
    places: dict[JsonPath, int] = {}
    path: list[str | int] = []
    key = ""
    awaits_key = False
    for match in TOKEN.finditer(text):
        token = match.group()
        if awaits_key and token[0] == '"':
            key, awaits_key = json.loads(token), False
        elif token == ":":
            path[-1] = key
        elif token == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                awaits_key = True
        elif token in "]}":
            path.pop()
            awaits_key = False
        else:
            places[tuple(path)] = match.start()
            if token in "[{":
                path.append(0 if token == "[" else "")
                awaits_key = token == "{"
    return places
