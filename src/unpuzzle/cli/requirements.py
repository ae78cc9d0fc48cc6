"""The option `--require`: what levels must be."""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.errors import UsageError
from unpuzzle.spaces.requirements import Requirement, requirement

NOTHING = "nothing"


def requirements(words: Iterable[str]) -> list[Requirement]:
    """Return what every level must be; `nothing` adds nothing. Raises UsageError for what cannot be asked for."""
    texts = [text for word in words for text in word.split(",") if text and text != NOTHING]
    try:
        return [requirement(text) for text in texts]
    except UsageError as error:
        raise UsageError(f"--require: {error}") from None
