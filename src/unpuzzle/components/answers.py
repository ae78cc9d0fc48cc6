"""Read the answers of the sandbox, which malicious code may have written: nothing in them is trusted.

An answer is one line: the word, a blank and an object with the number `i` of its call and exactly the fields of its
form below, all plain data of a bounded size. Everything else is garbage. The first answer to a call counts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from unpuzzle.components.child import DEEPEST, FRACTION, MOST_BITS, MOST_CHARACTERS, NotPlainError, decode

AnswerForm = dict[str, Callable[[Any], bool]]

WALLS, LOADED = -2, -1
_MOST = 2 * MOST_CHARACTERS + 10_000  # characters of a line: a value, twice, or with the arguments as they were after
_COUNT = 1 << 53
_GARBAGE = 200  # characters


class Answers:
    """The answers of a process: `walls` (or None), `loaded`, `of_calls` by number; and the `garbage` between them."""

    def __init__(self, word: str, wanted: Sequence[str], calls: Sequence[dict[str, Any]]) -> None:
        self._mark, self._wanted, self._calls = word + " ", wanted, calls
        self.walls: dict[str, bool] | None = None
        self.loaded: dict[str, Any] | None = None
        self.of_calls: dict[int, dict[str, Any]] = {}
        self.garbage: str = ""

    def take(self, output: str) -> None:
        """Sort the output of a process into answers and garbage."""
        for line in output.split("\n"):
            garbage, mark, text = line.partition(self._mark)
            if mark and not self._is_answer(text):
                garbage = garbage[:_GARBAGE] + text
            self.garbage = (self.garbage + garbage[:_GARBAGE])[:_GARBAGE]

    def _is_answer(self, text: str) -> bool:
        """Store a text if it is an answer; return whether it is."""
        if len(text) > _MOST:
            return False
        try:
            answer = json.loads(text, parse_constant=_refuse)
            self._store(answer.pop("i"), answer)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, NotPlainError):
            return False
        return True

    def _store(self, number: Any, answer: dict[str, Any]) -> None:
        """Store the answer to a call by its number. Raises NotPlainError for an invalid answer."""
        if type(number) is not int or not WALLS <= number < len(self._calls):
            raise NotPlainError("it answers no call")
        _require_plain(answer)
        if number == WALLS:
            _require(_has(answer, _WALLS))
            self.walls = self.walls or answer["walls"]
        elif number == LOADED:
            _require(_has(answer, _ENDING | {"functions": self._are_functions}) or _is_error(answer))
            self.loaded = self.loaded or answer
        else:
            _require(_is_error(answer) or any(_has(answer, form) for form in _forms(self._calls[number])))
            self.of_calls.setdefault(number, answer)

    def _are_functions(self, value: Any) -> bool:
        return isinstance(value, dict) and all(
            name in self._wanted and (form is None or _has(form, _FUNCTION)) for name, form in value.items()
        )


def _refuse(constant: str) -> Any:
    raise NotPlainError(f"it holds {constant}")


def _require(true: bool) -> None:
    if not true:
        raise NotPlainError("it does not have the form of an answer")


def _require_plain(value: Any, depth: int = 0) -> None:
    """Raise NotPlainError for a value that `encode` never gives."""
    _require(depth <= DEEPEST + 5)  # a value lies a few levels deep in its answer
    if isinstance(value, list):
        for part in value:
            _require_plain(part, depth + 1)
    elif isinstance(value, dict):
        if FRACTION in value:
            parts = value[FRACTION]
            _require(len(value) == 1 and type(parts) is list and list(map(type, parts)) == [int, int] and parts[1] > 0)
        for part in value.values():
            _require_plain(part, depth + 1)
    elif isinstance(value, float):
        _require(math.isfinite(value))
    elif isinstance(value, int):
        _require(value.bit_length() <= MOST_BITS)


def _has(value: Any, form: AnswerForm) -> bool:
    """Return whether a value is an object with exactly the fields of a form, all of them valid."""
    return isinstance(value, dict) and value.keys() == form.keys() and all(form[name](value[name]) for name in form)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 10_000


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < _COUNT


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _can_be_decoded(value: Any) -> bool:
    decode(value)  # whether it is plain was asked before
    return True


def _is_after(value: Any) -> bool:
    """Return whether a value can be the arguments after a call: a list of positional and of named ones."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], list) and len(value[0]) > 0


_WALLS: AnswerForm = {"walls": lambda walls: isinstance(walls, dict) and all(map(_is_flag, walls.values()))}
_ENDING: AnswerForm = {"printed": _is_number, "acts": lambda acts: _are_texts(acts) and len(acts) <= 3}
_ERROR: AnswerForm = {
    "type": _is_text,
    "said": _is_text,
    "line": lambda line: line is None or _is_number(line),
    "function": lambda name: name is None or _is_text(name),
    "ours": _is_flag,
}
_FUNCTION: AnswerForm = {"taken": _are_texts, "needed": _are_texts, "positional": _is_number, "anything": _is_flag}


def _is_error(answer: dict[str, Any]) -> bool:
    return _has(answer, _ENDING | {"error": lambda error: _has(error, _ERROR)})


def _forms(call: dict[str, Any]) -> list[AnswerForm]:
    if "search" in call:
        counts = _ENDING | {"expanded": _is_number, "generated": _is_number}
        counts["path"] = lambda path: path is None or (isinstance(path, list) and len(path) > 0)
        return [counts, counts | {"ended": _is_flag}]
    form = _ENDING | {"value": (lambda value: isinstance(value, list)) if call.get("many") else _can_be_decoded}
    if call.get("twice"):
        form |= {"again": form["value"]}
    return [form, form | {"mutated": _is_after}]
