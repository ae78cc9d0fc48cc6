"""Warnings for the author of a game's text about what comes of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from unpuzzle.pddl.judging.fault import WARNING, Fault

_CAUTIONS: ContextVar[dict[Fault, None] | None] = ContextVar("cautions", default=None)


def caution(file: str, line: int, message: str) -> None:
    """Warn the author of a game's text about what came of its rules, such as a loop that never came to rest."""
    if (collected := _CAUTIONS.get()) is not None:
        collected[Fault(file, line, None, WARNING, message)] = None


@contextmanager
def cautions() -> Iterator[dict[Fault, None]]:
    """Collect the warnings of games in a block, each once; those of another thread are its own."""
    collected: dict[Fault, None] = {}
    token = _CAUTIONS.set(collected)
    try:
        yield collected
    finally:
        _CAUTIONS.reset(token)
