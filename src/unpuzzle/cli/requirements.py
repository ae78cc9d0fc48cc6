"""The options `--require` and `--must-use`: what levels must be, and what their solutions must use."""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.errors import UsageError
from unpuzzle.levels.musts import Must, musts
from unpuzzle.spaces.requirements import Requirement, requirement

NOTHING = "nothing"


def requirements(words: Iterable[str]) -> list[Requirement]:
    """Return what every level must be; `nothing` adds nothing. Raises UsageError for what cannot be asked for."""
    texts = [text for word in words for text in word.split(",") if text and text != NOTHING]
    try:
        return [requirement(text) for text in texts]
    except UsageError as error:
        raise UsageError(f"--require: {error}") from None


def things(words: Iterable[str]) -> list[Must]:
    """Return what each solution has to use. Raises UsageError for words that name nothing."""
    try:
        return musts(words)
    except UsageError as error:
        raise UsageError(f"--must-use: {error}") from None
