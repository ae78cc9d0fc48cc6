"""The options `--require` and `--must-use`: requirements on levels and their solutions."""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.base.errors import UsageError
from unpuzzle.generation.candidates import Must, musts
from unpuzzle.state_space.difficulty import Requirement, requirement

NOTHING = "nothing"


def requirements(words: Iterable[str]) -> list[Requirement]:
    """Return the requirements that each level must meet, from words; `nothing` adds none. Raises UsageError."""
    texts = [text for word in words for text in word.split(",") if text and text != NOTHING]
    try:
        return [requirement(text) for text in texts]
    except UsageError as error:
        raise UsageError(f"--require: {error}") from None


def things(words: Iterable[str]) -> list[Must]:
    """Return the parts that each solution must use, such as an object. Raises UsageError for unknown words."""
    try:
        return musts(words)
    except UsageError as error:
        raise UsageError(f"--must-use: {error}") from None
